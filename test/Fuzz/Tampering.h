//===- Tampering.h - Files that somebody else has changed -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_FUZZ_TAMPERING_H
#define MEMPLAN_TEST_FUZZ_TAMPERING_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace memplan::fuzz {

/// Changes files in the ways in which they go wrong.
class Tampering {
public:
  explicit Tampering(uint64_t seed) : engine(seed) {}

  std::string change(std::string file, const std::vector<std::string> &all) {
    for (size_t i = 0, count = 1 + below(4); i < count; ++i)
      changeOnce(file, all);
    return file;
  }

  size_t below(size_t limit) { return limit ? size_t(engine() % limit) : 0; }

private:
  void changeOnce(std::string &file, const std::vector<std::string> &all) {
    const size_t at = below(file.size() + 1);
    const size_t length = below(std::min<size_t>(file.size() - at, 40) + 1);
    switch (below(8)) {
    case 0:
      file.erase(at, length);
      return;
    case 1:
      file.insert(below(file.size() + 1), file.substr(at, length));
      return;
    case 2:
      file.resize(at);
      return;
    case 3:
      if (at < file.size())
        file[at] = char(below(256));
      return;
    case 4:
      if (at < file.size())
        file[at] = char(file[at] ^ (1 << below(8)));
      return;
    case 5: {
      const std::string &other = all[below(all.size())];
      file = file.substr(0, at) + other.substr(below(other.size() + 1));
      return;
    }
    case 6:
      changeNumber(file, at);
      return;
    default:
      changeWord(file, at);
    }
  }

  /// Numbers at which counts and sums turn.
  void changeNumber(std::string &file, size_t at) {
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2147483647",
                                          "2147483648",
                                          "3",
                                          "64",
                                          "256",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "7",
                                          "1e9",
                                          "0.5",
                                          "1e308",
                                          "4611686018427387904",
                                          "99",
                                          "\"\"",
                                          "[]",
                                          "null",
                                          "true"};
    const size_t from = file.find_first_of("0123456789", at);
    if (from == file.npos)
      return;
    const size_t to = file.find_first_not_of("0123456789.e+-", from);
    file.replace(from, std::min(to, file.size()) - from,
                 numbers[below(std::size(numbers))]);
  }

  /// Four or eight bytes of a binary file become a number at which counts turn.
  void changeWord(std::string &file, size_t at) {
    static const int64_t words[] = {0,         1,          -1,        INT32_MAX,
                                    INT64_MAX, UINT32_MAX, INT64_MIN, 1 << 20};
    const int64_t word = words[below(std::size(words))];
    for (size_t i = 0, size = below(2) ? 4 : 8; i < size; ++i)
      if (at + i < file.size())
        file[at + i] = char(word >> (8 * i));
  }

  std::mt19937_64 engine;
};

} // namespace memplan::fuzz

#endif // MEMPLAN_TEST_FUZZ_TAMPERING_H

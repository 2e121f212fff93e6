//===- FuzzTest.cpp - Readers against files that were tampered with -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace memplan::fuzz;

namespace {

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

/// What is right, and what went wrong once.
std::vector<std::string> corpusOf(const Reader &reader) {
  std::vector<std::string> files;
  if (reader.samples)
    files = reader.samples();
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(MEMPLAN_TEST_DIR) / "Fuzz" /
                      "corpus" / std::string(reader.name);
  if (std::filesystem::exists(folder))
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in),
                       std::istreambuf_iterator<char>());
  }
  return files;
}

class Fuzz : public ::testing::TestWithParam<Reader> {};

} // namespace

// A file that somebody sends must never crash a tool, nor be misread. Runs
// MEMPLAN_FUZZ_COUNT files, 2000 by default, from MEMPLAN_FUZZ_SEED on.
TEST_P(Fuzz, reads_any_bytes) {
  const Reader &reader = GetParam();
  const std::vector<std::string> corpus = corpusOf(reader);
  ASSERT_FALSE(corpus.empty());
  for (const std::string &file : corpus)
    reader.read(file);
  const char *count = std::getenv("MEMPLAN_FUZZ_COUNT");
  const char *first = std::getenv("MEMPLAN_FUZZ_SEED");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 1;
  const uint64_t end =
      begin + (count ? std::strtoull(count, nullptr, 10) : 2000);
  for (uint64_t seed = begin; seed < end; ++seed) {
    Tampering tampering(seed);
    const std::string file =
        tampering.change(corpus[tampering.below(corpus.size())], corpus);
    // So that a crash can be run again: MEMPLAN_FUZZ_SEED=<seed>, count 1.
    RecordProperty("seed", std::to_string(seed));
    if (std::getenv("MEMPLAN_FUZZ_VERBOSE"))
      fprintf(stderr, "%s seed %llu\n", std::string(reader.name).c_str(),
              (unsigned long long)seed);
    reader.read(file);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Readers, Fuzz, ::testing::ValuesIn(readers().begin(), readers().end()),
    [](const auto &info) { return std::string(info.param.name); });

//===- ByteMap.h - What each byte of a block holds --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_PROGRAM_BYTEMAP_H
#define MEMPLAN_RUNTIME_PROGRAM_BYTEMAP_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace memplan::runtime {

/// One fact for each byte of a block of `bytes` bytes, kept by ranges.
template <typename Fact> class ByteMap {
public:
  struct Range {
    int64_t begin, end;
    Fact fact;
  };

  ByteMap(int64_t bytes, Fact fact) : bytes(bytes) { parts[0] = fact; }

  /// O(log n) and the ranges that [begin, end) covers.
  void set(int64_t begin, int64_t end, Fact fact) {
    if (begin >= end)
      return;
    auto last = end < bytes ? split(end) : parts.end();
    auto first = split(begin);
    first->second = fact;
    parts.erase(std::next(first), last);
  }

  /// The ranges of [begin, end), cut to it, in order.
  std::vector<Range> in(int64_t begin, int64_t end) const {
    std::vector<Range> ranges;
    if (begin >= end)
      return ranges;
    for (auto part = std::prev(parts.upper_bound(begin));
         part != parts.end() && part->first < end; ++part) {
      auto next = std::next(part);
      int64_t partEnd = next == parts.end() ? bytes : next->first;
      ranges.push_back(
          {std::max(part->first, begin), std::min(partEnd, end), part->second});
    }
    return ranges;
  }

private:
  /// The part that begins at `at`, made by cutting the one that covers it.
  typename std::map<int64_t, Fact>::iterator split(int64_t at) {
    auto next = parts.lower_bound(at);
    if (next != parts.end() && next->first == at)
      return next;
    return parts.emplace_hint(next, at, std::prev(next)->second);
  }

  std::map<int64_t, Fact> parts; ///< by first byte; each ends at the next
  int64_t bytes;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_PROGRAM_BYTEMAP_H

//===- LiveSet.h - Which values are live ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_LIVESET_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_LIVESET_H

#include "Tuning.h"
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace memplan {

/// Values of a step that are live at some time, by their numbers.
struct LiveSet {
  static constexpr int32_t mostValues = tuning::mostLiveValues;

  std::array<uint64_t, mostValues / 64> words{};

  bool has(int32_t value) const {
    return words[size_t(value) / 64] >> (value % 64) & 1;
  }
  void set(int32_t value, bool on) {
    const uint64_t bit = uint64_t(1) << (value % 64);
    uint64_t &word = words[size_t(value) / 64];
    word = on ? word | bit : word & ~bit;
  }
  bool contains(const LiveSet &some) const {
    uint64_t missing = 0;
    for (size_t word = 0; word < words.size(); ++word)
      missing |= some.words[word] & ~words[word];
    return missing == 0;
  }
  auto operator<=>(const LiveSet &) const = default;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_LIVESET_H

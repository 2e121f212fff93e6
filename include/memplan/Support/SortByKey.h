//===- SortByKey.h - Sorting by integers that are close ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_SORTBYKEY_H
#define MEMPLAN_SUPPORT_SORTBYKEY_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace memplan {

/// Sorts by keyOf(value), an int64_t; values of one key stay in their order.
/// O(n) where the keys are not spread over more than a few times n, such as
/// steps; O(n log n) elsewhere.
template <typename T, typename KeyOf>
void sortByKey(std::vector<T> &values, KeyOf keyOf) {
  if (values.empty())
    return;
  int64_t least = keyOf(values.front()), most = least;
  for (const T &value : values) {
    least = std::min<int64_t>(least, keyOf(value));
    most = std::max<int64_t>(most, keyOf(value));
  }
  std::vector<T> sorted(values.size());
  const uint64_t spread = uint64_t(most) - uint64_t(least);
  if (spread < 4 * uint64_t(values.size()) + 64) {
    std::vector<std::size_t> places(spread + 2);
    auto placeOf = [&](const T &value) -> std::size_t & {
      return places[uint64_t(keyOf(value)) - uint64_t(least)];
    };
    for (const T &value : values)
      ++(&placeOf(value))[1];
    for (std::size_t i = 1; i < places.size(); ++i)
      places[i] += places[i - 1];
    for (T &value : values)
      sorted[placeOf(value)++] = std::move(value);
  } else {
    std::vector<std::pair<int64_t, std::size_t>> keys;
    keys.reserve(values.size());
    for (const T &value : values)
      keys.push_back({keyOf(value), keys.size()});
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i)
      sorted[i] = std::move(values[keys[i].second]);
  }
  values = std::move(sorted);
}

} // namespace memplan

#endif // MEMPLAN_SUPPORT_SORTBYKEY_H

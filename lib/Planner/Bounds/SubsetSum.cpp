//===- SubsetSum.cpp - What sizes can add up to ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubsetSum.h"
#include <numeric>
#include <vector>

int64_t memplan::largestSumWithin(llvm::ArrayRef<int64_t> sizes,
                                  int64_t capacity, int64_t mostUnits) {
  int64_t unit = 0, sum = 0;
  for (int64_t size : sizes) {
    unit = std::gcd(unit, size);
    sum += size;
  }
  if (sum <= capacity)
    return sum;
  const int64_t units = capacity / unit;
  if (units > mostUnits)
    return units * unit;
  // Bit i: some sizes add up to i units.
  std::vector<uint64_t> sums(size_t(units / 64) + 1, 0);
  sums[0] = 1;
  for (int64_t size : sizes) {
    const int64_t by = size / unit;
    if (by == 0 || by > units)
      continue;
    const size_t words = size_t(by / 64);
    const unsigned bits = unsigned(by % 64);
    for (size_t i = sums.size(); i-- > words;) {
      uint64_t moved = sums[i - words] << bits;
      if (bits > 0 && i > words)
        moved |= sums[i - words - 1] >> (64 - bits);
      sums[i] |= moved;
    }
  }
  for (int64_t i = units; i > 0; --i)
    if (sums[size_t(i / 64)] >> (i % 64) & 1)
      return i * unit;
  return 0;
}

//===- DimensionSet.h - Dimensions named by an attribute --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_DIMENSIONSET_H
#define MEMPLAN_LIB_KERNELS_DIMENSIONSET_H

#include "Checker.h"

namespace memplan::runtime::kernels {

/// Which dimensions of a tensor of `rank` the attribute names; negative ones
/// count from the end.
struct DimensionSet {
  bool has[maxRank] = {};

  static DimensionSet of(const memplan_launch_t *launch, int rank) {
    DimensionSet set;
    for (int64_t d : intsAttribute(launch, "dims"))
      set.has[d < 0 ? d + rank : d] = true;
    return set;
  }

  /// The first of the last dimensions that are all in the set, or all not.
  int lastRun(int rank) const {
    int first = rank;
    while (first > 0 && has[first - 1] == has[rank - 1])
      --first;
    return first;
  }

  /// The attribute is there, in range and without duplicates.
  static bool check(Checker &check, const memplan_launch_t *launch, int rank) {
    const memplan_attribute_t *attribute = findAttribute(launch, "dims");
    if (!check.require(attribute && attribute->kind == MEMPLAN_ATTRIBUTE_INTS,
                       "attribute 'dims' is missing or no list of integers"))
      return false;
    DimensionSet seen;
    for (int64_t d : intsAttribute(launch, "dims")) {
      if (!check.require(d >= -rank && d < rank,
                         "attribute 'dims' holds %lld; the rank is %d",
                         static_cast<long long>(d), rank))
        return false;
      int64_t dim = d < 0 ? d + rank : d;
      if (!check.require(!seen.has[dim], "attribute 'dims' holds %lld twice",
                         static_cast<long long>(d)))
        return false;
      seen.has[dim] = true;
    }
    return true;
  }
};

/// `small` is `large` without the dimensions of the set, or with 1 in their
/// place when `keep`.
inline bool checkReducedShape(Checker &check, const memplan_tensor_t &large,
                              const DimensionSet &set, bool keep,
                              const memplan_tensor_t &small, const char *what) {
  int64_t wanted[maxRank];
  size_t rank = 0;
  for (int d = 0; d < large.rank; ++d)
    if (!set.has[d] || keep)
      wanted[rank++] = set.has[d] ? 1 : large.shape[d];
  return check.shapeIs(small, what, {wanted, rank});
}

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_DIMENSIONSET_H

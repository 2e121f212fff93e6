//===- HostStays.h - Copies on the host while a plan runs -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_HOSTSTAYS_H
#define MEMPLAN_LIB_PLAN_HOSTSTAYS_H

#include "Storage.h"

namespace memplan {

/// The copies of evicted tensors on the host, each from its evict to its
/// drop_host or the end.
class HostStays {
public:
  explicit HostStays(size_t tensors) : stayOf(tensors, -1) {}

  /// The live copy of a tensor, or null. Good until the next begin().
  Storage *find(TensorId tensor) {
    int32_t stay = stayOf[tensor.index];
    return stay < 0 ? nullptr : &stays[stay];
  }
  const Storage *find(TensorId tensor) const {
    int32_t stay = stayOf[tensor.index];
    return stay < 0 ? nullptr : &stays[stay];
  }
  /// The bytes of all copies once this one is live too.
  int64_t begin(TensorId tensor, int64_t size, int32_t step,
                const Moment &evict) {
    stayOf[tensor.index] = static_cast<int32_t>(stays.size());
    Storage &stay = stays.emplace_back();
    stay.tensor = tensor;
    stay.begin = step;
    stay.bytes = size;
    stay.taken = evict;
    bytes += size;
    peak = std::max(peak, bytes);
    return bytes;
  }
  void end(TensorId tensor, int32_t step) {
    Storage &stay = *find(tensor);
    stay.end = step;
    bytes -= stay.bytes;
    stayOf[tensor.index] = -1;
  }
  /// Ends all that are left.
  void finish(int32_t step) {
    for (Storage &stay : stays)
      if (stay.end < 0)
        stay.end = step;
  }
  int64_t peakBytes() const { return peak; }
  /// In the order in which they begin.
  const std::vector<Storage> &all() const { return stays; }

private:
  std::vector<int32_t> stayOf; ///< By tensor: index in `stays`, or -1.
  std::vector<Storage> stays;
  int64_t bytes = 0;
  int64_t peak = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_HOSTSTAYS_H

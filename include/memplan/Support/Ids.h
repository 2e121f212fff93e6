//===- Ids.h - Distinct dense indices ---------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor, a node and a storage are all numbered from 0, and each number
// indexes the vector of its kind. Distinct types keep a node's number from
// indexing tensors.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_IDS_H
#define MEMPLAN_SUPPORT_IDS_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace memplan {

/// Index of one kind of entity. `vector[id.index]` is its use; comparison is by
/// number, which is also the order in which every tie is broken.
template <typename Tag> struct Id {
  int32_t index = -1;

  constexpr Id() = default;
  constexpr explicit Id(int32_t index) : index(index) {}
  constexpr explicit Id(size_t index) : index(static_cast<int32_t>(index)) {}

  /// False for a default-made id, which names nothing.
  constexpr bool isValid() const { return index >= 0; }

  friend constexpr auto operator<=>(Id, Id) = default;
  friend llvm::hash_code hash_value(Id id) {
    return llvm::hash_value(id.index);
  }
};

using TensorId = Id<struct TensorTag>;
using NodeId = Id<struct NodeTag>;
using StorageId = Id<struct StorageTag>;

} // namespace memplan

template <typename Tag> struct std::hash<memplan::Id<Tag>> {
  size_t operator()(memplan::Id<Tag> id) const noexcept {
    return std::hash<int32_t>()(id.index);
  }
};

template <typename Tag> struct llvm::DenseMapInfo<memplan::Id<Tag>> {
  static memplan::Id<Tag> getEmptyKey() {
    return memplan::Id<Tag>(int32_t(-2));
  }
  static memplan::Id<Tag> getTombstoneKey() {
    return memplan::Id<Tag>(int32_t(-3));
  }
  static unsigned getHashValue(memplan::Id<Tag> id) {
    return DenseMapInfo<int32_t>::getHashValue(id.index);
  }
  static bool isEqual(memplan::Id<Tag> a, memplan::Id<Tag> b) { return a == b; }
};

#endif // MEMPLAN_SUPPORT_IDS_H

//===- IdsTest.cpp - Distinct dense indices -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include "gtest/gtest.h"
#include <type_traits>
#include <unordered_set>

using namespace memplan;

// If kinds converted into each other, a node's number could index tensors
// without a compiler error.
TEST(Ids, kinds_do_not_mix) {
  static_assert(!std::is_convertible_v<NodeId, TensorId>);
  static_assert(!std::is_constructible_v<TensorId, NodeId>);
  static_assert(!std::is_convertible_v<int, TensorId>);
  EXPECT_FALSE(TensorId().isValid());
  EXPECT_TRUE(TensorId(0).isValid());
}

// Ties are broken by id, so that order must be the order of the numbers.
TEST(Ids, compare_by_number) {
  EXPECT_LT(NodeId(1), NodeId(2));
  EXPECT_EQ(NodeId(size_t(7)), NodeId(7));
  EXPECT_NE(StorageId(1), StorageId(2));
}

// Maps keyed by ids must keep apart all valid ids, and 0 must not be a reserved
// key.
TEST(Ids, work_as_keys) {
  llvm::DenseMap<TensorId, int> dense;
  std::unordered_set<TensorId> hashed;
  for (int32_t i = 0; i < 1000; ++i) {
    dense[TensorId(i)] = i;
    hashed.insert(TensorId(i));
  }
  EXPECT_EQ(dense.size(), 1000u);
  EXPECT_EQ(hashed.size(), 1000u);
  EXPECT_EQ(dense.lookup(TensorId(999)), 999);
}

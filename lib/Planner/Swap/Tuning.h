//===- Tuning.h - The tuned numbers of published swapping -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How TFLMS's parameters are chosen where none are given; the paper leaves that
// to its users. Tried on the networks of docs/Benchmarks/Tflms.md; no record
// says which number owes what to which.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_TUNING_H
#define MEMPLAN_LIB_PLANNER_SWAP_TUNING_H

#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

/// Thresholds of bytes, all of which are tried up to so many: fewer bytes for
/// smaller values is the rule, and has exceptions. Of more, halving asks.
constexpr size_t fewThresholds = 64;
/// Distances: each up to so many, then each half as large again.
constexpr int64_t everyDistance = 16;
/// Names that a message lists.
constexpr size_t mostNames = 12;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_SWAP_TUNING_H

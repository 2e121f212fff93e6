//===- BatchArena.h - Offsets for every batch of a range --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers whose bytes are affine in the batch get offsets that are affine in it
// between two breakpoints. For each two buffers that conflict it is decided
// once which one lies below. Each then lies as low as those below it allow at
// the breakpoints, and on the line between. That the lower one ends below the
// upper one is an inequality of affine functions: it holds in the whole range.
//
// Offsets are multiples of the alignment at every batch because those at the
// breakpoints are, and what each sample adds between them is.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_ARENA_BATCHARENA_H
#define MEMPLAN_PLANNER_ARENA_BATCHARENA_H

#include "memplan/Planner/Arena/ArenaProblem.h"

namespace memplan {

/// Offsets at the breakpoints.
struct BatchArenaPlan {
  std::vector<std::vector<int64_t>> offsets; ///< By buffer, by breakpoint.
};

struct BatchArenaProblem {
  /// The buffers at the largest batch, without fixed offsets, alignments of
  /// their own or allocations of a size.
  ArenaProblem atMost;
  std::vector<int64_t> bytesPerSample; ///< By buffer; not negative.
  std::vector<int64_t> breakpoints;    ///< Batches, ascending; not empty.
  /// What each space may take at the largest batch beyond the packing that is
  /// known for it, where that saves bytes at others.
  int64_t slackBytes = 0;

  llvm::Error check() const;
  /// Offsets are aligned and not negative. Of two buffers that conflict the
  /// same one ends below the other at all breakpoints. Each sample moves a
  /// buffer by a multiple of the alignment. Shares no code with the packer.
  /// O(n^2) for each breakpoint.
  llvm::Error verify(const BatchArenaPlan &plan) const;
  /// The buffers at a batch of the range.
  ArenaProblem at(int64_t batch) const;
};

/// Bytes that a space takes at the breakpoints.
struct BatchSpace {
  std::string space;
  std::vector<int64_t> bytes;
};
std::vector<BatchSpace> batchSpaces(const BatchArenaProblem &problem,
                                    const BatchArenaPlan &plan);

/// A packing of few bytes at the breakpoints, each as a share of what they take
/// at least. `starts` are offsets of the buffers at any batches, each of which
/// decides what lies below what. The first is of the largest batch, and the
/// result takes no more there but for the slack. Then buffers on a stack of
/// buffers that reaches the top are moved up or down in that order, as long as
/// it helps. `effort` limits the pairs that are looked at; 0: a default.
/// Deterministic.
llvm::Expected<BatchArenaPlan>
packBatches(const BatchArenaProblem &problem,
            llvm::ArrayRef<std::vector<int64_t>> starts, int64_t effort = 0);

} // namespace memplan

#endif // MEMPLAN_PLANNER_ARENA_BATCHARENA_H

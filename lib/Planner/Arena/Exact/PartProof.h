//===- PartProof.h - One part packed or refused -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTPROOF_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTPROOF_H

#include "../PackParts.h"
#include <functional>

namespace memplan {

/// How much work a part gets.
struct ProofLimits {
  /// A packing of this height is good enough; not below the part's bound.
  int64_t goalBytes = 0;
  /// The only other height of interest, if set: is there a packing within?
  std::optional<int64_t> budgetBytes;
  int64_t orders = 0;   ///< Orders that dives and first fit may try.
  int64_t patience = 0; ///< Number of orders that may find nothing better.
  int64_t work = 0;     ///< Work of both, in units of PartPacker::work().
  int64_t trials = 0;   ///< Placements that the exact search may try.
  std::function<bool()> isStopped;
  std::function<void(int64_t heightBytes)> report; ///< Now and then.
};

/// What is known of a part.
struct PartProof {
  int64_t heightBytes = 0;
  std::vector<int64_t> offsets;   ///< By item.
  int64_t boundBytes = 0;         ///< No packing is lower.
  int64_t orders = 0, trials = 0; ///< Spent so far.
};

/// The first packing of a part, by a dive.
PartProof packOnce(const PackPart &part);
/// Goes on from what is known: tries orders, then searches all packings, at the
/// goal and at heights between it and the best.
void improveProof(const PackPart &part, const ProofLimits &limits,
                  PartProof &proof);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTPROOF_H

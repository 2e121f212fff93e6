//===- DtrPolicy.h - How DTR chooses what to evict --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_DYNAMIC_DTRPOLICY_H
#define MEMPLAN_PLANNER_DYNAMIC_DTRPOLICY_H

#include "memplan/Eviction/Heuristics.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace memplan {

/// What happens when nothing will read a value any more.
enum class DtrDeletion {
  Eager,  ///< The storage is evicted, and can be recomputed for what follows
          ///< from it.
  Banish, ///< The storage is freed for good as soon as nothing evicted follows
          ///< from it; what does follow from it can never be evicted again.
  Ignore, ///< The storage stays until it is evicted.
};

/// Tensors whose bytes are counted.
enum class DtrMemory {
  Bytes, ///< The sum of the values' bytes, as the original does.
  Pool,  ///< A pool of the budget's size: best fit, rounded to 512 bytes.
};

/// One policy, as `--heuristic=NAME[,KEY=VALUE]...` says it.
struct DtrPolicy {
  const eviction::Heuristic *heuristic = eviction::findHeuristic("h_dtr");
  eviction::Exponents exponents; ///< For `megengine`.
  int64_t leastBytes = 0;        ///< Smaller storages are never evicted.
  /// Smaller storages than this share of the candidates' average are no
  /// candidates while there are others.
  double smallShare = 0;
  /// Only about 2 sqrt(n) of n candidates are looked at, at random.
  bool samples = false;
  uint64_t seed = 1;
  DtrDeletion deletion = DtrDeletion::Eager;
  DtrMemory memory = DtrMemory::Bytes;
  /// Gives up where recomputations cost more than so many times the step.
  double recomputationLimit = 10;

  /// Reads the text of the option. An error names the key and what it may be.
  static llvm::Expected<DtrPolicy> parse(llvm::StringRef text);
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_DYNAMIC_DTRPOLICY_H

//===- Rewriting.h - Which tensors are swapped, and when back --*- C++ -*- ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An edge f1 -> f2 becomes f1 -> out -> in -> f2, where `out` copies to the
// host, `in` back, and a control edge g -> in says when (Le et al., 2018, 4.1
// to 4.3). Swap-outs of one tensor are fused always, swap-ins of near consumers
// where the parameters say so.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_REWRITING_H
#define MEMPLAN_LIB_PLANNER_SWAP_REWRITING_H

#include "ControlOps.h"
#include <algorithm>

namespace memplan {

/// Distances that tuning may change.
struct SwapDistances {
  int64_t threshold = 1;
  int64_t lb = 1;
  /// No control ops: each swap-in is triggered by its consumer.
  bool isLate = false;
  /// Instead of the parameter `n_tensors`; unset: what that says.
  std::optional<int64_t> mostTensors = std::nullopt;
};

/// One copy back, for one consumer or several near ones.
struct SwapIn {
  std::vector<int32_t> consumers; ///< Runs, ascending.
  std::optional<int32_t> control; ///< Unset: nothing triggers it early.
};

/// A value with a swap-out right after its producer.
struct SwappedValue {
  int32_t value = 0;       ///< Number in RunGraph::values.
  std::vector<SwapIn> ins; ///< By first consumer.
  /// Runs that make views for consumers, and need it for that. Ascending.
  std::vector<int32_t> views;
};

struct Rewriting {
  std::vector<SwappedValue> swapped; ///< In the order of the search.

  size_t numSwapIns() const;
  size_t numWithoutControl() const;
};

/// Finds the tensors breadth first, and what triggers their swap-ins.
class Rewriter {
public:
  explicit Rewriter(const RunGraph &graph);

  Rewriting rewrite(const SwapDistances &distances);
  /// Distances of the edges that the threshold chooses from: each once,
  /// ascending.
  const std::vector<int64_t> &distances() const { return found; }

  int32_t highestLevel() const {
    return graph.levels.empty()
               ? 0
               : *std::max_element(graph.levels.begin(), graph.levels.end());
  }

private:
  bool hasCodec() const { return graph.problem.tflms.codec != "none"; }
  /// The edge itself, whatever the threshold. Unset: it is never rewritten.
  std::optional<int64_t> distanceAcross(int32_t producer, int32_t use) const;
  bool isRewritten(int32_t producer, int32_t use, int64_t threshold) const;
  bool isIncluded(int32_t run) const;
  /// All runs that the search reaches, in its order.
  std::vector<int32_t> visit() const;
  SwappedValue makeSwapIns(int32_t value, const SwapDistances &distances);

  const RunGraph &graph;
  ControlOps controls;
  std::vector<int32_t> candidates; ///< Values, in the order of the search.
  std::vector<int64_t> found;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_REWRITING_H

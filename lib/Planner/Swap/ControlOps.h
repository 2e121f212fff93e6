//===- ControlOps.h - What triggers a swap-in ------------------*- C++ -*- ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Le et al., "TFLMS: Large Model Support in TensorFlow by Graph Rewriting",
// 2018, 4.3. Where the text takes any op of several, the one that runs last is
// taken: a copy that is triggered late occupies its bytes for less long.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_CONTROLOPS_H
#define MEMPLAN_LIB_PLANNER_SWAP_CONTROLOPS_H

#include "RunGraph.h"
#include <map>

namespace memplan {

class ControlOps {
public:
  explicit ControlOps(const RunGraph &graph);

  /// The op whose end triggers the swap-in of what `source` made for `target`:
  /// by the strategy of the parameters; by the order where chain_rule has none.
  /// Empty: none within the bounds.
  std::optional<int32_t> find(int32_t source, int32_t target, int64_t lb);

  /// Algorithm 1: back from the target, whose level the bounds refer to.
  std::optional<int32_t> findByDirectOrder(int32_t source, int32_t target,
                                           int64_t lb, int64_t ub);
  /// Algorithm 2: down the forward pass from the source, to which the bounds
  /// refer, and over to a user in the backward pass.
  std::optional<int32_t> findByChainRule(int32_t source, int32_t target,
                                         int64_t lb, int64_t ub);

private:
  std::optional<int32_t> search(int32_t source, int32_t target, int64_t lb);
  /// Marks all from which a path leads to the target.
  void findAncestors(int32_t target);
  bool reachesTarget(int32_t run) const { return reached[run] == stamp; }
  std::optional<int32_t> latestBackwardUser(int32_t run, int32_t source,
                                            int32_t target) const;

  const RunGraph &graph;
  int32_t firstBackwardLevel = 0;
  int32_t ancestorsOf = -1;
  int32_t stamp = 0;
  std::vector<int32_t> reached; ///< By run: `stamp` where marked.
  std::vector<int32_t> visited; ///< By run, for Algorithm 2.
  int32_t visits = 0;
  std::vector<int32_t> latestAt; ///< By level: the last ancestor to run; -1.
  std::map<std::array<int64_t, 3>, std::optional<int32_t>> known;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_CONTROLOPS_H

//===- Schedule.h - Which node runs when ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_SCHEDULE_H
#define MEMPLAN_SCHEDULE_SCHEDULE_H

#include "memplan/Graph/Graph.h"
#include <vector>

namespace memplan {

/// Node runs in execution order; a node with two runs is recomputed. Live
/// ranges, frees and discards follow from it. A tensor lives from the run that
/// makes it to its last read before the next run of its producer.
struct Schedule {
  std::vector<NodeId> runs;
  /// By run: which of its node's variants it takes. Empty: variant 0 always.
  std::vector<int32_t> variants = {};

  NodeVariant variantAt(const Graph &graph, size_t run) const {
    return graph[runs[run]].variant(variants.empty() ? 0 : variants[run]);
  }
};

/// Every node once, in source order.
Schedule sourceSchedule(const Graph &graph);

/// Which in-place pairs of each run are taken: inPlace[r] belongs to
/// schedule.runs[r].
using InPlaceChoice = std::vector<std::vector<InPlacePair>>;

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_SCHEDULE_H

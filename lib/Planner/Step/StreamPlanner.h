//===- StreamPlanner.h - One plan on several streams ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ways to put a plan for one stream on several: as it stands, with its
// bytes and the waits that they take; and ordered by when its runs start, as
// list scheduling says or as a search finds.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STREAMPLANNER_H
#define MEMPLAN_LIB_PLANNER_STEP_STREAMPLANNER_H

#include "BudgetWalk.h"
#include "PlanningContext.h"
#include "memplan/Planner/Step/PackedPlan.h"

namespace memplan {

/// A plan on several streams, and how it was found.
struct StreamPlan : PackedPlan {
  std::shared_ptr<const Plan> source; ///< For one stream.
  /// Places of the source's jobs as they start, where a search goes on from it.
  std::vector<int32_t> order;
};

/// Which ways to take with one source, and within what.
struct StreamTries {
  /// List scheduling by time, where runs that are not next start below so many
  /// live bytes.
  struct ByTime {
    std::optional<int64_t> liveBytes;
    bool keepsOrder = false; ///< Starts keep the order of the source.
  };
  std::vector<ByTime> byTime;
  /// Device bytes within which communication is prefetched, and orders are
  /// searched for, each with so many moves.
  std::vector<int64_t> prefetchBytes, searchBytes;
  int64_t moves = 0;
};

class StreamPlanner {
public:
  explicit StreamPlanner(const StepContext &context) : context(context) {}

  using Plans = std::vector<StreamPlan>;

  /// Takes the bytes of one stream, in its order and in another, and then the
  /// ways asked for.
  llvm::Error tryAll(std::shared_ptr<const Plan> source,
                     const StreamTries &tries, Plans &plans) const;
  /// Whatever the runs take in truth, none of them waits for another's bytes.
  llvm::Error withoutWaitsForBytes(const Plan &source, Plans &plans) const;
  /// In an order that is searched for, so that it takes no more device bytes,
  /// from that of the source or of a plan of it. With no more moves than that.
  llvm::Error bySearch(std::shared_ptr<const Plan> source,
                       llvm::ArrayRef<int32_t> order, int64_t deviceBytes,
                       int64_t moves, Plans &plans) const;

  /// Moves of a search that begins with the order of one stream.
  int64_t movesFor(const Plan &source) const;
  /// First runs have to stay in the order of the list.
  bool keepsOrder() const {
    return context.solvers.order->traits.family == SolverFamily::Baseline;
  }

private:
  llvm::Error asItStands(const Plan &source, Plans &plans) const;
  llvm::Error byTime(const Plan &source, StreamTries::ByTime way,
                     Plans &plans) const;
  /// In its order, with communication as early as it is of use within so many
  /// device bytes.
  llvm::Error withPrefetch(const Plan &source, int64_t deviceBytes,
                           Plans &plans) const;
  ScheduleOptions schedule() const;
  llvm::Expected<PackedPlan> pack(const StreamList &list) const;

  const StepContext &context;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STREAMPLANNER_H

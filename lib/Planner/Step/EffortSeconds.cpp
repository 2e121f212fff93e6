//===- EffortSeconds.cpp - Effort that is given in seconds ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/EffortSeconds.h"
#include "PlanningContext.h"
#include "Tuning.h"
#include "memplan/Planner/Search/Tuning.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace memplan;
using searchTuning::EffortTime;

/// Between two rows of the table, and beyond its ends in proportion to nodes.
static EffortTime timeFor(llvm::ArrayRef<EffortTime> table, double nodes) {
  if (nodes <= table.front().nodes)
    return table.front();
  if (nodes >= table.back().nodes) {
    const double times = nodes / table.back().nodes;
    return {nodes, table.back().fixedSeconds * times,
            table.back().secondsOfMove * times};
  }
  const EffortTime *high = llvm::find_if(
      table, [&](const EffortTime &row) { return row.nodes > nodes; });
  const EffortTime &low = high[-1];
  const double part = (nodes - low.nodes) / (high->nodes - low.nodes);
  auto between = [part](double a, double b) { return a + (b - a) * part; };
  return {nodes, between(low.fixedSeconds, high->fixedSeconds),
          between(low.secondsOfMove, high->secondsOfMove)};
}

int64_t memplan::movesWithin(double seconds, int64_t nodes, bool hasCopies) {
  const EffortTime time =
      timeFor(hasCopies ? llvm::ArrayRef(searchTuning::timeWithCopies)
                        : searchTuning::timeWithoutCopies,
              double(nodes));
  const double moves = (seconds - time.fixedSeconds) / time.secondsOfMove;
  return moves < 1 ? 1 : int64_t(std::min(moves, tuning::endlessMoves));
}

llvm::Error memplan::resolveEffort(const GraphIndex &index,
                                   PlanOptions &options) {
  if (options.effortSeconds <= 0)
    return llvm::Error::success();
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  const bool copies = solvers->swap->traits.family == SolverFamily::Search;
  const SolverFamily family = solvers->remat->traits.family;
  if (family != SolverFamily::Search &&
      !(copies && family == SolverFamily::Baseline))
    return llvm::createStringError(
        "effort: seconds are for searches, and remat=" + options.remat +
        " with swap=" + options.swap +
        " is none; give a count, or a time limit");
  options.limits.effort = movesWithin(
      options.effortSeconds, int64_t(index.graph().nodes.size()), copies);
  options.effortSeconds = 0;
  return llvm::Error::success();
}

llvm::Error memplan::checkEffortIsCount(const PlanOptions &options) {
  if (options.effortSeconds <= 0)
    return llvm::Error::success();
  return llvm::createStringError("effort: seconds are for plans of whole "
                                 "steps; give a count, or a time limit");
}

//===- ScheduleRepair.h - Makes wished-for runs a valid schedule *- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_SCHEDULEREPAIR_H
#define MEMPLAN_TEST_UNIT_SCHEDULEREPAIR_H

#include "memplan/Schedule/ScheduleChecker.h"
#include "llvm/ADT/STLExtras.h"

namespace memplan {

class ScheduleRepairer {
public:
  explicit ScheduleRepairer(const GraphIndex &index)
      : index(index), checker(index) {}

  llvm::Error repair(llvm::ArrayRef<NodeId> wanted);
  Schedule take() { return std::move(schedule); }

private:
  /// Runs the node after whatever it needs.
  llvm::Error runWithNeeds(NodeId node);
  llvm::Error restoreEnd();
  bool isIdle(NodeId node) const;

  const GraphIndex &index;
  ScheduleChecker checker;
  Schedule schedule;
  std::vector<NodeId> stack;
};

/// A recomputation that the schedule is better without.
inline bool ScheduleRepairer::isIdle(NodeId node) const {
  const Node &facts = index.graph()[node];
  if (!checker.hasRun(node))
    return false;
  return facts.runsOnce() || llvm::all_of(facts.outputs, [&](TensorId output) {
           return index.base(output) != output &&
                  index.producer(index.base(output)) != node &&
                  checker.isReadable(output);
         });
}

inline llvm::Error ScheduleRepairer::runWithNeeds(NodeId node) {
  // An own stack: a chain of needs can be as long as the graph. It ends because
  // making a tensor again invalidates only views that are made later in source
  // order.
  stack.assign(1, node);
  while (!stack.empty()) {
    NodeId next = stack.back();
    if (std::optional<TensorId> missing = checker.findUnreadable(next)) {
      NodeId producer = *index.producer(*missing);
      if (checker.hasRun(producer) && index.graph()[producer].runsOnce())
        return toError(index.graph(), *checker.findObstacle(producer));
      stack.push_back(producer);
      continue;
    }
    if (std::optional<ScheduleViolation> obstacle = checker.findObstacle(next))
      return toError(index.graph(), *obstacle);
    checker.run(next);
    schedule.runs.push_back(next);
    stack.pop_back();
  }
  return llvm::Error::success();
}

inline llvm::Error ScheduleRepairer::restoreEnd() {
  while (std::optional<ScheduleViolation> gap = checker.findGapAtEnd()) {
    if (gap->kind == ScheduleViolation::NeverRuns) {
      if (llvm::Error error = runWithNeeds(gap->node))
        return error;
      continue;
    }
    std::optional<NodeId> producer = index.producer(gap->tensor);
    if (!producer || checker.isReadable(gap->tensor))
      return toError(index.graph(), *gap);
    if (llvm::Error error = runWithNeeds(*producer))
      return error;
  }
  return llvm::Error::success();
}

inline llvm::Error ScheduleRepairer::repair(llvm::ArrayRef<NodeId> wanted) {
  size_t count = index.graph().nodes.size();
  for (NodeId node : wanted) {
    if (!node.isValid() || static_cast<size_t>(node.index) >= count)
      return toError(index.graph(), *checker.findObstacle(node));
    if (isIdle(node))
      continue;
    if (llvm::Error error = runWithNeeds(node))
      return error;
  }
  return restoreEnd();
}

/// Turns a wished-for order of runs into a valid schedule: inserts what each
/// run needs right before it (nodes that have not run, views of a base that was
/// recomputed), appends nodes that never run, and drops runs that may not or
/// need not be repeated (nodes that run once, views that are still readable). A
/// valid schedule without such idle runs comes back unchanged. Fails where no
/// insertion helps: a run would read a tensor in another version than source
/// order gives it, a collective is out of order, or a node that runs once would
/// have to run again.
inline llvm::Expected<Schedule> repairSchedule(const GraphIndex &index,
                                               llvm::ArrayRef<NodeId> wanted) {
  ScheduleRepairer repairer(index);
  if (llvm::Error error = repairer.repair(wanted))
    return std::move(error);
  return repairer.take();
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_SCHEDULEREPAIR_H

//===- ScheduleRepair.cpp - Makes wished-for runs a valid schedule --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/ScheduleRepair.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

namespace {
class ScheduleRepairer {
public:
  explicit ScheduleRepairer(const GraphIndex &index)
      : index(index), checker(index) {}

  Error repair(ArrayRef<NodeId> wanted);
  Schedule take() { return std::move(schedule); }

private:
  /// Runs the node after whatever it needs.
  Error runWithNeeds(NodeId node);
  Error restoreEnd();
  bool isIdle(NodeId node) const;

  const GraphIndex &index;
  ScheduleChecker checker;
  Schedule schedule;
  std::vector<NodeId> stack;
};
} // namespace

/// A rerun that the schedule is better without.
bool ScheduleRepairer::isIdle(NodeId node) const {
  const Node &facts = index.graph()[node];
  if (!checker.hasRun(node))
    return false;
  return facts.runsOnce() || llvm::all_of(facts.outputs, [&](TensorId output) {
           return index.base(output) != output &&
                  index.producer(index.base(output)) != node &&
                  checker.isReadable(output);
         });
}

Error ScheduleRepairer::runWithNeeds(NodeId node) {
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
  return Error::success();
}

Error ScheduleRepairer::restoreEnd() {
  while (std::optional<ScheduleViolation> gap = checker.findGapAtEnd()) {
    if (gap->kind == ScheduleViolation::NeverRuns) {
      if (Error error = runWithNeeds(gap->node))
        return error;
      continue;
    }
    std::optional<NodeId> producer = index.producer(gap->tensor);
    if (!producer || checker.isReadable(gap->tensor))
      return toError(index.graph(), *gap);
    if (Error error = runWithNeeds(*producer))
      return error;
  }
  return Error::success();
}

Error ScheduleRepairer::repair(ArrayRef<NodeId> wanted) {
  size_t count = index.graph().nodes.size();
  for (NodeId node : wanted) {
    if (!node.isValid() || static_cast<size_t>(node.index) >= count)
      return toError(index.graph(), *checker.findObstacle(node));
    if (isIdle(node))
      continue;
    if (Error error = runWithNeeds(node))
      return error;
  }
  return restoreEnd();
}

Expected<Schedule> repairSchedule(const GraphIndex &index,
                                  ArrayRef<NodeId> wanted) {
  ScheduleRepairer repairer(index);
  if (Error error = repairer.repair(wanted))
    return std::move(error);
  return repairer.take();
}

namespace {
/// Marks what a schedule can do without, judged from its end: a rerun counts
/// only if something that counts uses what it makes.
class IdleRunFinder {
public:
  IdleRunFinder(const GraphIndex &index, ArrayRef<NodeId> runs)
      : index(index), runs(runs), isRerun(runs.size()),
        wanted(index.graph().tensors.size()) {}

  BitVector find();

private:
  void findMade();
  bool isWanted(size_t run) const;
  void updateWants(size_t run);

  const GraphIndex &index;
  ArrayRef<NodeId> runs;
  BitVector isRerun;
  std::vector<SmallVector<TensorId, 2>>
      made; ///< By run; without views that were still readable.
  BitVector
      wanted; ///< Tensors whose present value a later run that counts uses.
};
} // namespace

void IdleRunFinder::findMade() {
  ScheduleChecker checker(index);
  made.resize(runs.size());
  for (size_t run = 0; run < runs.size(); ++run) {
    NodeId node = runs[run];
    if (checker.hasRun(node))
      isRerun.set(run);
    for (TensorId output : index.graph()[node].outputs) {
      TensorId base = index.base(output);
      if (base == output || index.producer(base) == node ||
          !checker.isReadable(output))
        made[run].push_back(output);
    }
    checker.run(node);
  }
}

bool IdleRunFinder::isWanted(size_t run) const {
  return !isRerun.test(run) || llvm::any_of(made[run], [&](TensorId output) {
    return wanted.test(output.index);
  });
}

void IdleRunFinder::updateWants(size_t run) {
  const Node &node = index.graph()[runs[run]];
  // Making a base makes its whole family anew.
  for (TensorId output : made[run]) {
    wanted.reset(output.index);
    for (TensorId view : index.aliasSet(output))
      wanted.reset(view.index);
  }
  for (TensorId input : node.inputs)
    wanted.set(input.index);
  for (TensorId target : node.writes)
    if (index.producer(target) != runs[run])
      wanted.set(target.index);
  for (TensorId output : node.outputs) {
    std::optional<TensorId> parent = index.graph()[output].viewOf;
    if (parent && index.producer(*parent) != runs[run])
      wanted.set(parent->index);
  }
}

BitVector IdleRunFinder::find() {
  findMade();
  for (size_t i = 0; i < wanted.size(); ++i)
    if (index.staysToTheEnd(TensorId(i)))
      wanted.set(i);
  BitVector idle(runs.size());
  for (size_t run = runs.size(); run-- > 0;)
    if (isWanted(run))
      updateWants(run);
    else
      idle.set(run);
  return idle;
}

Schedule dropIdleRuns(const GraphIndex &index, Schedule schedule) {
  // One pass from the end suffices: whether a run counts depends on later runs
  // only.
  BitVector idle = IdleRunFinder(index, schedule.runs).find();
  Schedule kept;
  for (size_t run = 0; run < schedule.runs.size(); ++run)
    if (!idle.test(run))
      kept.runs.push_back(schedule.runs[run]);
  return kept;
}

} // namespace memplan

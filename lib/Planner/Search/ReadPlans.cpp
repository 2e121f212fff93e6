//===- ReadPlans.cpp - Sequences of plans that exist ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/ReadPlans.h"
#include <map>

using namespace memplan;

namespace {
class Reader {
public:
  Reader(const ContractedStep &contracted, const SearchStep &step)
      : contracted(contracted), step(step) {}
  std::vector<PlannedRun> read(llvm::ArrayRef<PlanAction> actions);

private:
  void readRun(const PlanAction &action);
  void readFetch(TensorId tensor);
  void readEvict(const PlanAction &action);
  void readWait(int64_t event);
  void make(int32_t op);

  const ContractedStep &contracted;
  const SearchStep &step;
  std::vector<int32_t> current; ///< By tensor: its latest version; -1: none.
  std::vector<bool> isAway;     ///< By value: it has been evicted.
  std::map<int64_t, int32_t> evictOfEvent;
  std::vector<PlannedRun> runs;
};
} // namespace

void Reader::make(int32_t op) {
  for (int32_t value : step.outputs(op))
    current[step.tensor(value).index] = value;
}

void Reader::readRun(const PlanAction &action) {
  const int32_t op = contracted.opOf(action.node);
  if (op < 0)
    return; // Makes views.
  const Node &node = contracted.index().graph()[action.node];
  runs.push_back({op, contracted.variantOf(op, node.variant(action.variant))});
  make(op);
}

void Reader::readFetch(TensorId tensor) {
  const int32_t value = current[tensor.index];
  if (value < 0 || step.fetchOf(value) < 0 ||
      !(isAway[value] || step.isHosted(value)))
    return;
  runs.push_back({step.fetchOf(value), 0});
}

void Reader::readEvict(const PlanAction &action) {
  const int32_t value = current[action.tensors.front().index];
  if (value >= 0 && step.evictOf(value) >= 0 && !isAway[value])
    evictOfEvent[*action.event] = step.evictOf(value);
}

void Reader::readWait(int64_t event) {
  auto found = evictOfEvent.find(event);
  if (found == evictOfEvent.end())
    return;
  runs.push_back({found->second, 0});
  isAway[step.copiedValue(found->second)] = true;
  evictOfEvent.erase(found);
}

std::vector<PlannedRun> Reader::read(llvm::ArrayRef<PlanAction> actions) {
  const Graph &graph = contracted.index().graph();
  current.assign(graph.tensors.size(), -1);
  isAway.assign(step.numValues(), false);
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.isHosted(value))
      current[step.tensor(value).index] = value;
  make(step.begin());
  for (const PlanAction &action : actions) {
    if (action.action == ActionKind::Compute)
      readRun(action);
    else if (action.action == ActionKind::Fetch)
      readFetch(action.tensors.front());
    else if (action.action == ActionKind::Evict)
      readEvict(action);
    else if (action.action == ActionKind::Wait)
      readWait(*action.event);
  }
  return std::move(runs);
}

std::vector<PlannedRun>
memplan::readActions(const ContractedStep &contracted, const SearchStep &step,
                     llvm::ArrayRef<PlanAction> actions) {
  return Reader(contracted, step).read(actions);
}

/// Copies of source order that come before, or after, the first run of each op.
static std::vector<std::vector<PlannedRun>> copiesBeside(const SearchStep &step,
                                                         bool isBefore) {
  std::vector<std::vector<PlannedRun>> copies(step.numOps());
  const std::vector<PlannedRun> source = RunSequence::sourceOrder(step);
  for (size_t i = 0; i < source.size(); ++i) {
    if (!step.isCopy(source[i].op) || step.isFetch(source[i].op) != isBefore)
      continue;
    size_t at = i;
    while (step.isCopy(source[at].op))
      isBefore ? ++at : --at;
    copies[source[at].op].push_back(source[i]);
  }
  return copies;
}

std::vector<PlannedRun> memplan::readSchedule(const ContractedStep &contracted,
                                              const SearchStep &step,
                                              const Schedule &schedule) {
  const Graph &graph = contracted.index().graph();
  const auto before = copiesBeside(step, true),
             after = copiesBeside(step, false);
  std::vector<PlannedRun> runs;
  std::vector<bool> ran(step.numOps());
  for (size_t at = 0; at < schedule.runs.size(); ++at) {
    const int32_t op = contracted.opOf(schedule.runs[at]);
    if (op < 0)
      continue;
    if (!ran[op])
      runs.insert(runs.end(), before[op].begin(), before[op].end());
    runs.push_back(
        {op, contracted.variantOf(op, schedule.variantAt(graph, at))});
    if (!ran[op])
      runs.insert(runs.end(), after[op].begin(), after[op].end());
    ran[op] = true;
  }
  return runs;
}

bool memplan::isPlan(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan) {
  std::vector<int32_t> first(size_t(step.numOps()), -1), last = first;
  std::vector<bool> isMade(size_t(step.numValues())), isOnHost = isMade;
  for (int32_t value : step.outputs(step.begin()))
    isMade[value] = true;
  for (int32_t value = 0; value < step.numValues(); ++value)
    isOnHost[value] = step.isHosted(value);
  const auto count = static_cast<int32_t>(plan.size());
  int32_t next = 0;
  for (int32_t at = 0; at < count; ++at) {
    const int32_t op = plan[at].op;
    for (int32_t value : step.inputs(op))
      if (!isMade[value])
        return false;
    if (step.isFetch(op) && !isOnHost[step.copiedValue(op)])
      return false;
    if (step.isEvict(op) && first[op] >= 0)
      return false;
    if (!step.isCopy(op) && first[op] < 0 && op != next++)
      return false;
    if (!step.isCopy(op) && first[op] >= 0 && step.runsOnce(op))
      return false;
    if (step.isEvict(op))
      isOnHost[step.copiedValue(op)] = true;
    for (int32_t value : step.outputs(op))
      isMade[value] = true;
    if (first[op] < 0)
      first[op] = at;
    last[op] = at;
  }
  if (next < step.end())
    return false;
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.mustLeave(value) && !isOnHost[value])
      return false;
  for (int32_t op = 0; op < step.end(); ++op) {
    for (int32_t other : step.after(op))
      if (last[other] > first[op])
        return false;
    for (int32_t other : step.before(op))
      if (first[other] >= 0 && last[op] > first[other])
        return false;
  }
  return true;
}

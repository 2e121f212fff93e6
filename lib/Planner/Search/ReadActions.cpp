//===- ReadActions.cpp - From plan actions to a sequence ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadActions.h"
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
  int32_t wayOf(int32_t op, int32_t variant) const;

  const ContractedStep &contracted;
  const SearchStep &step;
  std::vector<int32_t> opOfNode;
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

/// The way that stands for a variant: no dearer, and of no more workspace.
int32_t Reader::wayOf(int32_t op, int32_t variant) const {
  const std::vector<NodeVariant> &ways = contracted.ops()[op].ways;
  const NodeVariant asked =
      contracted.index().graph()[contracted.ops()[op].node].variant(variant);
  int32_t way = 0;
  while (way + 1 < static_cast<int32_t>(ways.size()) &&
         ways[way].workspaceBytes > asked.workspaceBytes)
    ++way;
  return way;
}

void Reader::readRun(const PlanAction &action) {
  const int32_t op = opOfNode[action.node.index];
  if (op < 0)
    return; // Makes views.
  runs.push_back({op, wayOf(op, action.variant)});
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
  opOfNode.assign(graph.nodes.size(), -1);
  for (int32_t op = 0; op < step.end(); ++op)
    opOfNode[contracted.ops()[op].node.index] = op;
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

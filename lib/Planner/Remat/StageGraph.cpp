//===- StageGraph.cpp - The contracted step in stages ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/StageGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

StageGraph::StageGraph(const GraphIndex &index, bool inPlace)
    : ContractedStep(index, inPlace) {
  const int32_t end = numStages() - 1;
  for (int32_t op = 0; op < numStages(); ++op) {
    // Later ops that must come after every run of this one.
    const std::vector<int32_t> &before = ops()[op].before;
    lastStages.push_back(ops()[op].runsOnce ? op
                         : before.empty()   ? end
                                            : std::min(end, before.front()));
  }
  releaseDonated();
}

/// A donated input is needed until its last first use: nothing recomputes it.
void StageGraph::releaseDonated() {
  lastTouch.assign(index().graph().tensors.size(), -1);
  released.assign(ops().size(), 0);
  for (const DonatedInput &input : donated()) {
    const int32_t last = input.users.empty() ? -1 : input.users.back();
    lastTouch[input.tensor.index] = last;
    for (int32_t stage = last + 1; stage < numStages(); ++stage)
      released[stage] += input.bytes;
  }
}

int32_t StageGraph::lastForwardUser(int32_t value) const {
  int32_t last = values()[value].producer;
  for (int32_t user : values()[value].users)
    if (ops()[user].forward)
      last = std::max(last, user);
  return last;
}

bool StageGraph::isReadBackward(int32_t value) const {
  return llvm::any_of(values()[value].users,
                      [&](int32_t user) { return !ops()[user].forward; });
}

int64_t StageGraph::bytesMade(int32_t op) const {
  int64_t bytes = 0;
  for (int32_t value : ops()[op].outputs)
    bytes += values()[value].bytes;
  return bytes;
}

Schedule StageGraph::expand(const StageRows &rows) const {
  std::vector<int32_t> sequence;
  for (const std::vector<int32_t> &row : rows)
    sequence.insert(sequence.end(), row.begin(), row.end());
  return ContractedStep::expand(sequence);
}

StageRows StageGraph::rowsOf(const Schedule &schedule, bool *isExact) const {
  StageRows rows(ops().size());
  int32_t stage = 0;
  bool isInOrder = true;
  for (NodeId node : schedule.runs) {
    const int32_t op = opOf(node);
    if (op < 0)
      continue;
    std::vector<int32_t> &row = rows[size_t(stage)];
    isInOrder &= op <= stage && (row.empty() || row.back() < op);
    if (!llvm::is_contained(row, op))
      row.insert(llvm::upper_bound(row, op), op);
    stage += op == stage;
  }
  rows[size_t(stage)].push_back(stage);
  if (isExact)
    *isExact = isInOrder;
  return rows;
}

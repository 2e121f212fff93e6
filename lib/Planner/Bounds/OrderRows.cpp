//===- OrderRows.cpp - What plans in source order must hold ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Bounds/OrderRows.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace memplan;

/// Nodes that only make views stand outside the order of first runs, so that
/// they may have run before everything else: what they touch need not be live
/// for them.
static bool standsOutside(const ContractedStep &step, int32_t op) {
  const NodeId id = step.ops()[op].node;
  if (!id.isValid())
    return false;
  const Graph &graph = step.index().graph();
  return !graph[id].outputs.empty() && !graph[id].runsOnce() &&
         llvm::all_of(graph[id].outputs, [&](TensorId output) {
           return graph[output].viewOf.has_value();
         });
}

/// The last op in source order that touches it; -1: none is needed.
static int32_t lastTouch(const ContractedStep &step,
                         const DonatedInput &donated) {
  for (int32_t op : llvm::reverse(donated.users))
    if (!standsOutside(step, op))
      return op;
  return -1;
}

/// Whether an output of the op may lie over that input when the op first runs:
/// what is donated does not go before the last op that touches it.
static bool mayOverlap(const ContractedStep &step, int32_t op,
                       const StepOverlap &overlap) {
  if (overlap.input >= 0)
    return true;
  return llvm::none_of(step.donated(), [&](const DonatedInput &donated) {
    return donated.tensor == overlap.source && lastTouch(step, donated) > op;
  });
}

OrderRows::OrderRows(const ContractedStep &step) : contracted(&step) {
  least = step.costOutside();
  for (const StepOp &op : step.ops())
    least += op.variants.front().cost;
  userLists.resize(size_t(step.numValues()));
  for (int32_t op = 0; op < step.numOps(); ++op)
    listInputs(op);
  byOutput.resize(size_t(step.numOps()));
  bySource.resize(byOutput.size());
  for (int32_t op = 0; op < step.numOps(); ++op)
    listOverlaps(op);
  own.assign(size_t(step.numOps()), step.residentBytes());
  held.assign(own.size(), 0);
  donated.assign(own.size(), 0);
  choosePayers();
  for (int32_t op = 0; op < step.numOps(); ++op)
    countOwn(op);
  for (int32_t value = 0; value < step.numValues(); ++value)
    listGaps(value);
  // From the end, where none is left to be read.
  for (const DonatedInput &input : step.donated())
    if (const int32_t last = lastTouch(step, input); last >= 0)
      donated[last] += input.bytes;
  std::partial_sum(donated.rbegin(), donated.rend(), donated.rbegin());
  // Differences so far.
  std::partial_sum(held.begin(), held.end(), held.begin());
}

bool OrderRows::runsOnce(int32_t op) const {
  const NodeId node = contracted->ops()[op].node;
  return !node.isValid() || contracted->index().graph()[node].runsOnce();
}

/// A node may make views of what it does not read. A view that is discarded
/// needs no base.
void OrderRows::listInputs(int32_t op) {
  const StepOp &stepOp = contracted->ops()[op];
  const GraphIndex &index = contracted->index();
  std::vector<int32_t> &list = inputLists.emplace_back();
  if (standsOutside(*contracted, op))
    return;
  for (int32_t value : stepOp.inputs) {
    const TensorId tensor = contracted->values()[value].tensor;
    auto names = [&](TensorId each) { return index.base(each) == tensor; };
    const Node *node =
        stepOp.node.isValid() ? &index.graph()[stepOp.node] : nullptr;
    if (node && llvm::none_of(node->inputs, names) &&
        llvm::none_of(node->writes, names))
      continue;
    list.push_back(value);
    userLists[value].push_back(op);
  }
}

void OrderRows::listOverlaps(int32_t op) {
  for (const StepOverlap &overlap : contracted->ops()[op].overlaps)
    if (mayOverlap(*contracted, op, overlap))
      byOutput[op].push_back(overlap);
  bySource[op] = byOutput[op];
  llvm::sort(byOutput[op],
             [](const auto &a, const auto &b) { return a.output < b.output; });
  llvm::sort(bySource[op], [](const auto &a, const auto &b) {
    return a.source.index < b.source.index;
  });
}

/// The largest of each group of those that may be used, summed.
template <typename Key>
static int64_t sumOfLargest(llvm::ArrayRef<StepOverlap> overlaps, Key key,
                            llvm::function_ref<bool(int32_t)> goes) {
  int64_t sum = 0, largest = 0;
  for (size_t i = 0; i < overlaps.size(); ++i) {
    if (overlaps[i].input < 0 || goes(overlaps[i].input))
      largest = std::max(largest, overlaps[i].savedBytes);
    if (i + 1 == overlaps.size() || key(overlaps[i]) != key(overlaps[i + 1]))
      sum += std::exchange(largest, 0);
  }
  return sum;
}

int64_t OrderRows::savedBytes(int32_t op,
                              llvm::function_ref<bool(int32_t)> goes) const {
  if (byOutput[op].empty())
    return 0;
  return std::min(
      sumOfLargest(
          byOutput[op], [](const StepOverlap &each) { return each.output; },
          goes),
      sumOfLargest(
          bySource[op],
          [](const StepOverlap &each) { return each.source.index; }, goes));
}

int64_t OrderRows::savedOver(int32_t op, int32_t input) const {
  int64_t sum = 0;
  for (const StepOverlap &overlap : byOutput[op])
    if (overlap.input == input)
      sum += overlap.savedBytes;
  return sum;
}

void OrderRows::choosePayers() {
  const ContractedStep &step = *contracted;
  pays.assign(size_t(step.numValues()), false);
  for (const StepOp &op : step.ops()) {
    auto largest = llvm::max_element(op.outputs, [&](int32_t a, int32_t b) {
      return step.values()[a].bytes < step.values()[b].bytes;
    });
    if (largest != op.outputs.end())
      pays[*largest] = true;
  }
}

std::vector<DeadInput> OrderRows::deadInputs(int32_t value, int32_t begin,
                                             int most) const {
  std::vector<DeadInput> list;
  auto visit = [&](int32_t of, int32_t parent) {
    for (int32_t input : inputs(contracted->values()[of].producer)) {
      const StepValue &read = contracted->values()[input];
      auto isThere = [&](const DeadInput &each) { return each.value == input; };
      if (lastUser(input) <= begin && read.bytes > 0 &&
          static_cast<int>(list.size()) < most && llvm::none_of(list, isThere))
        list.push_back({input, parent, !runsOnce(read.producer)});
    }
  };
  visit(value, -1);
  for (size_t at = 0; at < list.size(); ++at)
    if (list[at].again)
      visit(list[at].value, static_cast<int32_t>(at));
  return list;
}

int32_t OrderRows::firstWriter(int32_t value) const {
  const GraphIndex &index = contracted->index();
  const std::vector<NodeId> &writers =
      index.writersOf(contracted->values()[value].tensor);
  for (int32_t op : userLists[value])
    if (llvm::is_contained(writers, contracted->ops()[op].node))
      return op;
  return -1;
}

void OrderRows::countOwn(int32_t op) {
  const ContractedStep &step = *contracted;
  const StepOp &stepOp = step.ops()[op];
  own[op] += stepOp.variants.back().workspaceBytes -
             savedBytes(op, [](int32_t) { return true; });
  for (int32_t value : inputs(op))
    own[op] += step.values()[value].bytes;
  for (int32_t value : stepOp.outputs)
    own[op] += step.values()[value].bytes;
}

void OrderRows::listGaps(int32_t value) {
  const ContractedStep &step = *contracted;
  const StepValue &stepValue = step.values()[value];
  const GraphIndex &index = step.index();
  if (stepValue.bytes == 0)
    return;
  // Another run of the producer gives the first version.
  bool again = !runsOnce(stepValue.producer);
  int32_t begin = stepValue.producer;
  for (int32_t end : userLists[value]) {
    const NodeId user = step.ops()[begin].node;
    again &= !llvm::is_contained(index.writersOf(stepValue.tensor), user);
    if (end - begin > 1 && again) {
      gapList.push_back({value, begin, end});
    } else if (end - begin > 1) {
      held[begin + 1] += stepValue.bytes;
      held[end] -= stepValue.bytes;
    }
    begin = end;
  }
}

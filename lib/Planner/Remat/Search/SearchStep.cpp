//===- SearchStep.cpp - The contracted step in flat arrays ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Search/SearchStep.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace memplan;

SearchStep::SearchStep(const ContractedStep &step)
    : residentBytes(step.residentBytes()) {
  scale(step);
  valueOfBase.assign(step.index().graph().tensors.size(), -1);
  for (const StepValue &value : step.values()) {
    valueOfBase[value.tensor.index] = static_cast<int32_t>(sizes.size());
    sizes.push_back(roundUp(value.bytes));
    producers.push_back(value.producer);
    places.push_back(0);
    readerLists.add(value.readers);
  }
  for (const DonatedInput &input : step.donated()) {
    valueOfBase[input.tensor.index] = static_cast<int32_t>(sizes.size());
    sizes.push_back(roundUp(input.bytes));
    producers.push_back(step.numOps());
    places.push_back(static_cast<int32_t>(places.size()) - step.numValues());
    readerLists.add(input.readers);
  }
  std::vector<std::vector<int32_t>> donatedReads(step.numOps());
  for (size_t i = 0; i < step.donated().size(); ++i)
    for (int32_t reader : step.donated()[i].readers)
      donatedReads[reader].push_back(step.numValues() +
                                     static_cast<int32_t>(i));
  for (int32_t op = 0; op < step.numOps(); ++op) {
    std::vector<int32_t> inputs = step.ops()[op].inputs;
    inputs.insert(inputs.end(), donatedReads[op].begin(),
                  donatedReads[op].end());
    inputLists.add(inputs);
    addOp(step, op);
  }
  addBegin(step);
}

/// Whole numbers below 2^53 add exactly; the penalty adds up to some thousand
/// of them.
void SearchStep::scale(const ContractedStep &step) {
  constexpr double mostBytes = 0x1p41, costUnits = 0x1p40;
  double bytes = 0, cost = 0;
  for (const StepValue &value : step.values())
    bytes += double(value.bytes);
  for (const DonatedInput &input : step.donated())
    bytes += double(input.bytes);
  double workspace = 0;
  for (const StepOp &op : step.ops()) {
    cost += op.ways.front().cost;
    workspace = std::max(workspace, double(op.ways.front().workspaceBytes));
  }
  for (bytes += workspace; bytes > mostBytes; bytes /= 2)
    ++shift;
  costScale = cost > 0 ? costUnits / cost : 0;
}

double SearchStep::roundUp(int64_t bytes) const {
  return double((bytes + (int64_t(1) << shift) - 1) >> shift);
}

double SearchStep::limitFor(int64_t budgetBytes) const {
  const int64_t left = budgetBytes - residentBytes;
  return left <= 0 ? 0 : double(left >> shift);
}

void SearchStep::addOp(const ContractedStep &step, int32_t op) {
  const StepOp &stepOp = step.ops()[op];
  for (size_t place = 0; place < stepOp.outputs.size(); ++place)
    places[stepOp.outputs[place]] = static_cast<int32_t>(place);
  outputLists.add(stepOp.outputs);
  afterLists.add(stepOp.after);
  beforeLists.add(stepOp.before);
  once.push_back(stepOp.runsOnce);
  std::vector<Way> ways;
  // Of runs that cost nothing, fewer are better.
  for (const NodeVariant &way : stepOp.ways)
    ways.push_back(
        {std::floor(way.cost * costScale) + 1, roundUp(way.workspaceBytes)});
  sumCost += ways.front().cost;
  severalWays |= ways.size() > 1;
  wayLists.add(ways);
  pairLists.add(pairsOf(step, op));
}

void SearchStep::addBegin(const ContractedStep &step) {
  std::vector<int32_t> made;
  for (int32_t value = step.numValues(); value < numValues(); ++value)
    made.push_back(value);
  inputLists.add({});
  outputLists.add(made);
  afterLists.add({});
  beforeLists.add({});
  once.push_back(1);
  wayLists.add(Way{});
  pairLists.add({});
}

/// Those that chooseInPlace() takes where the input ends.
std::vector<SearchStep::Pair> SearchStep::pairsOf(const ContractedStep &step,
                                                  int32_t op) const {
  std::vector<Pair> pairs;
  const GraphIndex &index = step.index();
  const Graph &graph = index.graph();
  if (!step.allowsInPlace() || !step.ops()[op].node.isValid())
    return pairs;
  const Node &node = graph[step.ops()[op].node];
  for (const InPlacePair &pair : node.inPlace) {
    const TensorId source = index.base(pair.input);
    auto ofSource = [&](TensorId tensor) {
      return index.base(tensor) == source;
    };
    const int32_t output = valueOfBase[pair.output.index],
                  input = valueOfBase[source.index];
    if (output >= 0 && input >= 0 &&
        graph[pair.output].bytes == graph[source].bytes &&
        graph[source].kind != TensorKind::Output &&
        llvm::count_if(node.inputs, ofSource) == 1 &&
        llvm::none_of(node.writes, ofSource) &&
        llvm::none_of(node.outputs, ofSource))
      pairs.push_back({places[output], input});
  }
  return pairs;
}

//===- SearchStep.cpp - The contracted step in flat arrays ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/SearchStep.h"
#include "memplan/Graph/CopyTime.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace memplan;

SearchStep::SearchStep(const ContractedStep &step, const CopyRules *rules)
    : beginOp(step.numOps()), residentBytes(step.residentBytes()) {
  const Graph &graph = step.index().graph();
  scale(step);
  valueOfBase.assign(graph.tensors.size(), -1);
  madeBy.resize(size_t(beginOp) + 1);
  readBy.resize(size_t(beginOp) + 1);
  for (const StepValue &value : step.values())
    if (rules)
      addVersions(step, value.tensor, value.bytes, value.producer,
                  value.readers);
    else
      addValue(value.tensor, value.bytes, value.producer, value.readers);
  for (const DonatedInput &input : step.donated())
    addValue(input.tensor, input.bytes, beginOp, input.readers);
  if (rules)
    for (TensorId tensor : rules->hosted)
      addHosted(step, tensor);
  for (int32_t op = 0; op < step.numOps(); ++op)
    addOp(step, op);
  addBegin();
  fetchOps.assign(sizes.size(), -1);
  evictOps.assign(sizes.size(), -1);
  if (rules)
    addCopies(step, *rules);
  for (const std::vector<int32_t> &readers : readersOf)
    readerLists.add(readers);
  madeBy = readBy = readersOf = {};
}

void SearchStep::addValue(TensorId tensor, int64_t bytes, int32_t producer,
                          llvm::ArrayRef<int32_t> readers) {
  const auto value = static_cast<int32_t>(sizes.size());
  if (valueOfBase[tensor.index] < 0)
    valueOfBase[tensor.index] = value;
  tensors.push_back(tensor);
  sizes.push_back(roundUp(bytes));
  producers.push_back(producer);
  leaves.push_back(0);
  places.push_back(0);
  if (producer >= 0) {
    places.back() = static_cast<int32_t>(madeBy[producer].size());
    madeBy[producer].push_back(value);
  }
  for (int32_t reader : readers)
    readBy[reader].push_back(value);
  readersOf.emplace_back(readers.begin(), readers.end());
}

/// A value for every version: each is read by what stands between two writes,
/// the second one included.
void SearchStep::addVersions(const ContractedStep &step, TensorId tensor,
                             int64_t bytes, int32_t producer,
                             llvm::ArrayRef<int32_t> readers) {
  const GraphIndex &index = step.index();
  std::vector<int32_t> readersOfVersion;
  for (int32_t reader : readers) {
    readersOfVersion.push_back(reader);
    const NodeId node = step.ops()[reader].node;
    if (!node.isValid() || !llvm::is_contained(index.writersOf(tensor), node))
      continue;
    addValue(tensor, bytes, producer, readersOfVersion);
    readersOfVersion.clear();
    producer = reader;
  }
  addValue(tensor, bytes, producer, readersOfVersion);
}

/// Nobody makes the first version, and the last one leaves if it is new.
void SearchStep::addHosted(const ContractedStep &step, TensorId tensor) {
  const int64_t bytes = step.index().graph()[tensor].bytes;
  std::vector<int32_t> readers;
  for (int32_t op = 0; op < end(); ++op)
    if (llvm::is_contained(step.index().usedBases(step.ops()[op].node), tensor))
      readers.push_back(op);
  residentBytes -= bytes;
  addVersions(step, tensor, bytes, -1, readers);
  leaves.back() = producers.back() >= 0;
}

/// Whether no view of the tensor dies with its bytes on the device: views that
/// vanished are made again wherever they are read.
static bool mayLeave(const ContractedStep &step, TensorId tensor,
                     const std::vector<bool> &isOp) {
  const GraphIndex &index = step.index();
  return llvm::none_of(index.aliasSet(tensor), [&](TensorId view) {
    const std::optional<NodeId> maker = index.producer(view);
    return view != tensor && (!maker || isOp[maker->index]);
  });
}

void SearchStep::addCopies(const ContractedStep &step, const CopyRules &rules) {
  std::vector<bool> isOp(step.index().graph().nodes.size());
  for (int32_t op = 0; op < end(); ++op)
    isOp[step.ops()[op].node.index] = true;
  auto timeOf = [&](int32_t value, CopyDirection direction) {
    return std::floor(
        memplan::copyTime(rules.bandwidth, direction,
                          step.index().graph()[tensors[value]].bytes) *
        costScale);
  };
  for (int32_t value = 0; value < numValues(); ++value) {
    const bool hosted = producers[value] < 0;
    if (!hosted && (sizes[value] <= 0 || producers[value] == beginOp ||
                    !mayLeave(step, tensors[value], isOp)))
      continue;
    fetchOps[value] = numOps();
    addCopy(timeOf(value, CopyDirection::HostToDevice), {}, value);
    if (hosted) {
      producers[value] = fetchOps[value];
      continue;
    }
    evictOps[value] = numOps();
    readersOf[value].push_back(numOps());
    addCopy(timeOf(value, CopyDirection::DeviceToHost), value, {});
  }
}

void SearchStep::addCopy(double time, llvm::ArrayRef<int32_t> inputs,
                         llvm::ArrayRef<int32_t> outputs) {
  inputLists.add(inputs);
  outputLists.add(outputs);
  afterLists.add({});
  beforeLists.add({});
  once.push_back(1);
  wayLists.add(Way{});
  pairLists.add({});
  copyTimes.push_back(time);
}

int32_t SearchStep::valueRead(int32_t op, TensorId base) const {
  for (int32_t value : inputLists[op])
    if (tensors[value] == base)
      return value;
  return -1;
}

int32_t SearchStep::valueMade(int32_t op, TensorId base) const {
  for (int32_t value : outputLists[op])
    if (tensors[value] == base)
      return value;
  return -1;
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

double SearchStep::excessOf(int64_t bytesOver, int64_t budgetBytes) const {
  if (bytesOver <= 0)
    return 0;
  return std::max(1.0,
                  limitFor(budgetBytes) - limitFor(budgetBytes - bytesOver));
}

void SearchStep::addOp(const ContractedStep &step, int32_t op) {
  const StepOp &stepOp = step.ops()[op];
  inputLists.add(readBy[op]);
  outputLists.add(madeBy[op]);
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

void SearchStep::addBegin() {
  inputLists.add({});
  outputLists.add(madeBy[beginOp]);
  afterLists.add({});
  beforeLists.add({});
  once.push_back(1);
  wayLists.add(Way{});
  pairLists.add({});
}

/// Versions take the bytes of the one before; others those that
/// chooseInPlace() takes where the input ends.
std::vector<SearchStep::Pair> SearchStep::pairsOf(const ContractedStep &step,
                                                  int32_t op) const {
  std::vector<Pair> pairs;
  const GraphIndex &index = step.index();
  const Graph &graph = index.graph();
  if (!step.ops()[op].node.isValid())
    return pairs;
  for (int32_t value : outputLists[op])
    if (const int32_t before = valueRead(op, tensors[value]); before >= 0)
      pairs.push_back({places[value], before});
  if (!step.allowsInPlace())
    return pairs;
  const Node &node = graph[step.ops()[op].node];
  for (const InPlacePair &pair : node.inPlace) {
    const TensorId source = index.base(pair.input);
    auto ofSource = [&](TensorId tensor) {
      return index.base(tensor) == source;
    };
    const int32_t output = valueMade(op, pair.output),
                  input = valueRead(op, source);
    const bool isCallers =
        isCallerOwned(graph[source].kind) && !graph[source].donated;
    if (output >= 0 && input >= 0 && !isCallers &&
        graph[pair.output].bytes == graph[source].bytes &&
        graph[source].kind != TensorKind::Output &&
        llvm::count_if(node.inputs, ofSource) == 1 &&
        llvm::none_of(node.writes, ofSource) &&
        llvm::none_of(node.outputs, ofSource))
      pairs.push_back({places[output], input});
  }
  return pairs;
}

//===- StepBuilder.cpp - From the contracted step to flat arrays ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepBuilder.h"
#include "memplan/Graph/CopyTime.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace memplan;

void StepBuilder::build(const ContractedStep &step, const CopyRules *rules) {
  made.beginOp = step.numOps();
  made.unitsOfStep.residentBytes = step.residentBytes();
  scale(step);
  madeBy.resize(size_t(made.beginOp) + 1);
  readBy.resize(size_t(made.beginOp) + 1);
  for (const StepValue &value : step.values())
    if (rules)
      addVersions(step, value.tensor, value.bytes, value.producer, value.users);
    else
      addValue(value.tensor, value.bytes, value.producer, value.users);
  for (const DonatedInput &input : step.donated())
    addValue(input.tensor, input.bytes, made.beginOp, input.users);
  if (rules)
    for (TensorId tensor : rules->hosted)
      addHosted(step, tensor);
  for (int32_t op = 0; op < step.numOps(); ++op)
    addOp(step, op);
  addOnce({}, madeBy[made.beginOp]);
  made.fetchOps.assign(made.sizes.size(), -1);
  made.evictOps.assign(made.sizes.size(), -1);
  if (rules)
    addCopies(step, *rules);
  finish();
}

void StepBuilder::finish() {
  for (const std::vector<int32_t> &users : usersOf)
    made.userLists.add(users);
}

void StepBuilder::addValue(TensorId tensor, int64_t bytes, int32_t producer,
                           llvm::ArrayRef<int32_t> users) {
  const auto value = static_cast<int32_t>(made.sizes.size());
  made.tensors.push_back(tensor);
  made.sizes.push_back(made.units().roundUp(bytes));
  made.producers.push_back(producer);
  made.leaves.push_back(0);
  made.places.push_back(0);
  if (producer >= 0) {
    made.places.back() = static_cast<int32_t>(madeBy[producer].size());
    madeBy[producer].push_back(value);
  }
  for (int32_t user : users)
    readBy[user].push_back(value);
  usersOf.emplace_back(users.begin(), users.end());
}

/// A value for every version: each is read by what stands between two writes,
/// the second one included.
void StepBuilder::addVersions(const ContractedStep &step, TensorId tensor,
                              int64_t bytes, int32_t producer,
                              llvm::ArrayRef<int32_t> users) {
  const GraphIndex &index = step.index();
  std::vector<int32_t> usersOfVersion;
  for (int32_t user : users) {
    usersOfVersion.push_back(user);
    const NodeId node = step.ops()[user].node;
    if (!node.isValid() || !llvm::is_contained(index.writersOf(tensor), node))
      continue;
    addValue(tensor, bytes, producer, usersOfVersion);
    usersOfVersion.clear();
    producer = user;
  }
  addValue(tensor, bytes, producer, usersOfVersion);
}

/// Nothing makes the first version, and the last one leaves if it is new.
void StepBuilder::addHosted(const ContractedStep &step, TensorId tensor) {
  const int64_t bytes = step.index().graph()[tensor].bytes;
  std::vector<int32_t> users;
  for (int32_t op = 0; op < made.end(); ++op)
    if (llvm::is_contained(step.index().usedBases(step.ops()[op].node), tensor))
      users.push_back(op);
  made.unitsOfStep.residentBytes -= bytes;
  addVersions(step, tensor, bytes, -1, users);
  made.leaves.back() = made.producers.back() >= 0;
}

/// Whether no view of the tensor dies with its bytes on the device: views that
/// vanished are recomputed wherever they are read.
static bool mayLeave(const ContractedStep &step, TensorId tensor,
                     const std::vector<bool> &isOp) {
  const GraphIndex &index = step.index();
  return llvm::none_of(index.aliasSet(tensor), [&](TensorId view) {
    const std::optional<NodeId> producer = index.producer(view);
    return view != tensor && (!producer || isOp[producer->index]);
  });
}

void StepBuilder::addCopies(const ContractedStep &step,
                            const CopyRules &rules) {
  std::vector<bool> isOp(step.index().graph().nodes.size());
  for (int32_t op = 0; op < made.end(); ++op)
    isOp[step.ops()[op].node.index] = true;
  auto timeOf = [&](int32_t value, CopyDirection direction) {
    return std::floor(
        memplan::copyTime(rules.bandwidth, direction,
                          step.index().graph()[made.tensors[value]].bytes) *
        made.unitsOfStep.unitsPerCost);
  };
  for (int32_t value = 0; value < made.numValues(); ++value) {
    const bool hosted = made.producers[value] < 0;
    if (!hosted &&
        (made.sizes[value] <= 0 || made.producers[value] == made.beginOp ||
         !mayLeave(step, made.tensors[value], isOp)))
      continue;
    made.fetchOps[value] = made.numOps();
    addCopy(timeOf(value, CopyDirection::HostToDevice), {}, value);
    if (hosted) {
      made.producers[value] = made.fetchOps[value];
      continue;
    }
    made.evictOps[value] = made.numOps();
    usersOf[value].push_back(made.numOps());
    addCopy(timeOf(value, CopyDirection::DeviceToHost), value, {});
  }
}

void StepBuilder::addCopy(double time, llvm::ArrayRef<int32_t> inputs,
                          llvm::ArrayRef<int32_t> outputs) {
  addOnce(inputs, outputs);
  made.copyTimes.push_back(time);
}

/// What runs once, at no cost and in no order but that of its values.
void StepBuilder::addOnce(llvm::ArrayRef<int32_t> inputs,
                          llvm::ArrayRef<int32_t> outputs) {
  made.inputLists.add(inputs);
  made.outputLists.add(outputs);
  made.afterLists.add({});
  made.beforeLists.add({});
  made.once.push_back(1);
  made.variantLists.add(SearchStep::Variant{});
  made.pairLists.add({});
}

/// Whole numbers below 2^53 add exactly; the penalty adds up to some thousand
/// of them.
void StepBuilder::scale(const ContractedStep &step) {
  constexpr double mostBytes = 0x1p41, costUnits = 0x1p40;
  double bytes = 0, cost = 0;
  for (const StepValue &value : step.values())
    bytes += double(value.bytes);
  for (const DonatedInput &input : step.donated())
    bytes += double(input.bytes);
  double workspace = 0;
  for (const StepOp &op : step.ops()) {
    cost += op.variants.front().cost;
    workspace = std::max(workspace, double(op.variants.front().workspaceBytes));
  }
  for (bytes += workspace; bytes > mostBytes; bytes /= 2)
    ++made.unitsOfStep.shift;
  made.unitsOfStep.unitsPerCost = cost > 0 ? costUnits / cost : 0;
}

void StepBuilder::addOp(const ContractedStep &step, int32_t op) {
  const StepOp &stepOp = step.ops()[op];
  made.inputLists.add(readBy[op]);
  made.outputLists.add(madeBy[op]);
  made.afterLists.add(stepOp.after);
  made.beforeLists.add(stepOp.before);
  made.once.push_back(stepOp.runsOnce);
  std::vector<SearchStep::Variant> variants;
  // Of runs that cost nothing, fewer are better.
  for (const NodeVariant &variant : stepOp.variants)
    variants.push_back(
        {std::floor(variant.cost * made.unitsOfStep.unitsPerCost) + 1,
         made.units().roundUp(variant.workspaceBytes)});
  made.sumCost += variants.front().cost;
  made.severalVariants |= variants.size() > 1;
  made.variantLists.add(variants);
  made.pairLists.add(pairsOf(step, op));
}

/// Versions take the bytes of the one before; others those that
/// chooseInPlace() takes where the input ends.
std::vector<SearchStep::Pair> StepBuilder::pairsOf(const ContractedStep &step,
                                                   int32_t op) const {
  std::vector<SearchStep::Pair> pairs;
  const GraphIndex &index = step.index();
  const Graph &graph = index.graph();
  if (!step.ops()[op].node.isValid())
    return pairs;
  for (int32_t value : made.outputLists[op])
    if (const int32_t before = made.valueRead(op, made.tensors[value]);
        before >= 0)
      pairs.push_back({made.places[value], before});
  if (!step.allowsInPlace())
    return pairs;
  const Node &node = graph[step.ops()[op].node];
  for (const InPlacePair &pair : node.inPlace) {
    const TensorId source = index.base(pair.input);
    auto ofSource = [&](TensorId tensor) {
      return index.base(tensor) == source;
    };
    const int32_t output = made.valueMade(op, pair.output),
                  input = made.valueRead(op, source);
    const bool isCallers =
        isCallerOwned(graph[source].kind) && !graph[source].donated;
    if (output >= 0 && input >= 0 && !isCallers &&
        graph[pair.output].bytes == graph[source].bytes &&
        graph[source].kind != TensorKind::Output &&
        llvm::count_if(node.inputs, ofSource) == 1 &&
        llvm::none_of(node.writes, ofSource) &&
        llvm::none_of(node.outputs, ofSource))
      pairs.push_back({made.places[output], input});
  }
  return pairs;
}

/// Adds copies of values that are those of another step.
void StepBuilder::addCopiesOf(const SearchStep &step,
                              llvm::ArrayRef<int32_t> originals) {
  made.fetchOps.assign(made.sizes.size(), -1);
  made.evictOps = made.fetchOps;
  for (int32_t value = 0; value < made.numValues(); ++value) {
    const int32_t fetch = step.fetchOf(originals[value]),
                  evict = step.evictOf(originals[value]);
    if (fetch >= 0) {
      made.fetchOps[value] = made.numOps();
      addCopy(step.copyTime(fetch), {}, value);
    }
    if (fetch >= 0 && step.isHosted(originals[value]))
      made.producers[value] = made.fetchOps[value];
    if (evict >= 0) {
      made.evictOps[value] = made.numOps();
      usersOf[value].push_back(made.numOps());
      addCopy(step.copyTime(evict), value, {});
    }
  }
}

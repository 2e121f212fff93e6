//===- DtrMachine.cpp - Runs ops, and makes again what they miss ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrMachine.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

DtrMachine::DtrMachine(const DtrGraph &graph, const DtrPolicy &policy,
                       std::optional<int64_t> limitBytes)
    : graph(graph), policy(policy), ops(graph.ops),
      limit(limitBytes.value_or(std::numeric_limits<int64_t>::max() / 2)),
      sampler(policy.seed), isDefined(graph.bytes.size()),
      isStarted(graph.ops.size()), isThere(graph.bytes.size()),
      isBanished(graph.bytes.size()), numberOf(graph.bytes.size(), -1),
      costOf(graph.bytes.size()), dead(graph.bytes.size()),
      isPinned(graph.bytes.size()), locks(graph.bytes.size()),
      lastAccess(graph.bytes.size(), -std::numeric_limits<double>::infinity()),
      recomputations(graph.bytes.size()), addressOf(graph.bytes.size()),
      evictedUsers(banishes() ? graph.bytes.size() : 0) {
  if (policy.memory == DtrMemory::Pool)
    pool.emplace(limitBytes);
  double total = 0;
  for (const DtrOp &op : ops)
    total += op.cost;
  limitCost = total * policy.recomputationLimit;
  result.peakBytes = graph.persistentBytes;
}

DtrRun DtrMachine::run() {
  for (stage = 0; stage < int32_t(ops.size()); ++stage)
    if (!runFirst(stage))
      break;
  // Making one may make views of another stale, which then stays itself.
  for (int round = 0; round < 2 && result.end == DtrEnd::Done; ++round)
    if (!keepOutputs())
      break;
  if (pool)
    result.highWaterBytes = pool->highWaterBytes();
  return std::move(result);
}

/// What has to be live at the end.
bool DtrMachine::keepOutputs() {
  for (int32_t storage = 0; storage < graph.numTensors(); ++storage) {
    if (graph.tensorsOf[size_t(storage)].empty() ||
        graph.isCallers[size_t(storage)] || isDead(storage))
      continue;
    if (!bringBack(storage))
      return false;
    pin(storage);
  }
  return true;
}

bool DtrMachine::runFirst(int32_t op) {
  if (!prepareOnce(op))
    return false;
  start(op);
  const std::vector<int32_t> &outputs = ops[size_t(op)].outputs;
  if (!materialize(op, outputs.empty() ? -1 : outputs.front(), false))
    return false;
  for (int32_t tensor : outputs) {
    const int32_t storage = storageOf(tensor);
    lastAccess[size_t(storage)] = result.clock;
    if (ops[size_t(op)].runsOnce)
      pin(storage);
  }
  for (int32_t storage : ops[size_t(op)].writes)
    if (!graph.isCallers[size_t(storage)])
      pin(storage);
  return llvm::all_of(graph.dying[size_t(op)],
                      [&](int32_t storage) { return release(storage); });
}

/// From here on the op's outputs are known, though they are not there yet.
void DtrMachine::start(int32_t op) {
  isStarted[size_t(op)] = true;
  const DtrOp &started = ops[size_t(op)];
  std::vector<int32_t> counted;
  for (int32_t tensor : started.outputs) {
    const int32_t storage = storageOf(tensor);
    if (!llvm::is_contained(counted, storage)) {
      costOf[size_t(storage)] += started.cost;
      counted.push_back(storage);
      if (numberOf[size_t(storage)] >= 0)
        evicted.setCost(numberOf[size_t(storage)], costOf[size_t(storage)]);
    }
    if (!banishes())
      continue;
    for (int32_t input : started.inputs)
      if (storageOf(input) != storage)
        evictedUsers[size_t(storageOf(input))].insert(tensor);
  }
}

bool DtrMachine::materialize(int32_t op, int32_t wanted, bool isRecomputation) {
  // An own stack: recomputations may lead as far back as the step is long.
  std::vector<Frame> stack{begin(op, wanted, isRecomputation)};
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next == top.missing.size()) {
      if (std::optional<int32_t> view = findMissing(top)) {
        stack.push_back(begin(graph.producer[size_t(*view)], *view, true));
        continue;
      }
      if (!finish(top))
        return false;
      stack.pop_back();
      continue;
    }
    const int32_t input = top.missing[top.next];
    if (!isDefined[size_t(input)] && !top.isAsked) {
      top.isAsked = true;
      stack.push_back(begin(graph.producer[size_t(input)], input, true));
      continue;
    }
    lock(storageOf(input));
    top.isAsked = false;
    ++top.next;
  }
  return true;
}

/// A locked view whose base was recomputed meanwhile.
std::optional<int32_t> DtrMachine::findMissing(const Frame &frame) const {
  for (int32_t input : ops[size_t(frame.op)].inputs)
    if (!isDefined[size_t(input)])
      return input;
  return std::nullopt;
}

DtrMachine::Frame DtrMachine::begin(int32_t op, int32_t wanted,
                                    bool isRecomputation) {
  Frame frame;
  frame.op = op;
  frame.wanted = wanted;
  frame.isRecomputation = isRecomputation;
  const std::vector<int32_t> &inputs = ops[size_t(op)].inputs;
  for (int32_t input : inputs) {
    const int32_t storage = storageOf(input);
    if (!banishes() || !isDead(storage))
      lastAccess[size_t(storage)] = result.clock;
    if (!isDefined[size_t(input)])
      frame.missing.push_back(input);
  }
  for (int32_t input : inputs)
    if (isDefined[size_t(input)])
      lock(storageOf(input));
  return frame;
}

bool DtrMachine::finish(const Frame &frame) {
  if (!makeRoom(frame))
    return false;
  compute(frame);
  unlockInputs(frame);
  if (result.recomputationCost <= limitCost)
    return true;
  result.end = DtrEnd::Thrashing;
  result.node = NodeId(stage);
  return false;
}

void DtrMachine::unlockInputs(const Frame &frame) {
  const std::vector<int32_t> &inputs = ops[size_t(frame.op)].inputs;
  // By place: in the original, banishing an input takes it from the list that
  // is being walked, and the one after it stays locked.
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int32_t storage = storageOf(inputs[i]);
    unlock(storage);
    if (!banishes())
      continue;
    for (int32_t tensor : ops[size_t(frame.op)].outputs)
      if (storageOf(tensor) != storage)
        evictedUsers[size_t(storage)].erase(tensor);
    tryBanish(storage);
  }
}

void DtrMachine::compute(const Frame &frame) {
  const DtrOp &op = ops[size_t(frame.op)];
  DtrStep step;
  step.node = NodeId(frame.op);
  step.isRecomputation = frame.isRecomputation;
  step.clock = result.clock;
  result.clock += op.cost;
  live += op.newBytes;
  result.peakBytes = std::max(result.peakBytes,
                              graph.persistentBytes + live + op.workspaceBytes);
  if (frame.isRecomputation) {
    result.recomputationCost += op.cost;
    ++result.recomputations;
    for (int32_t view : op.lastingViews)
      step.discard.push_back(TensorId(view));
  }
  // The wanted output comes last, as in the original: ties are broken so.
  std::vector<int32_t> outputs = op.outputs, made;
  if (frame.wanted >= 0) {
    llvm::erase(outputs, frame.wanted);
    outputs.push_back(frame.wanted);
  }
  for (int32_t tensor : outputs)
    settle(tensor, frame, step, made);
  if (pool)
    pool->release(reserved.back(), op.workspaceBytes);
  for (int32_t storage : made)
    step.tensors.push_back(TensorId(storage));
  llvm::sort(step.tensors);
  if (pool)
    for (TensorId id : step.tensors)
      step.addresses.push_back(addressOf[size_t(id.index)]);
  for (int32_t storage : made) {
    addCandidate(storage);
    enter(storage, frame.op);
  }
  result.steps.push_back(std::move(step));
}

/// An output has been made. Where it was live already, one of the two is freed.
void DtrMachine::settle(int32_t tensor, const Frame &frame, DtrStep &step,
                        std::vector<int32_t> &made) {
  const std::vector<int32_t> &outputs = ops[size_t(frame.op)].outputs;
  const size_t storage = size_t(storageOf(tensor));
  const size_t place = size_t(llvm::find(outputs, tensor) - outputs.begin());
  const bool wasThere = isDefined[size_t(tensor)];
  isDefined[size_t(tensor)] = true;
  if (wasThere) {
    live -= graph.bytes[size_t(tensor)];
    if (hasViews(tensor)) {
      replace(tensor, place, step.clock);
      step.tensors.push_back(TensorId(tensor));
      return;
    }
    if (pool)
      pool->release(reserved[place], graph.bytes[size_t(tensor)]);
    step.discard.push_back(TensorId(tensor));
    return;
  }
  if (!graph.isBase(tensor))
    return;
  isThere[storage] = true;
  made.push_back(int32_t(storage));
  recomputations[storage] += frame.isRecomputation;
  if (pool)
    addressOf[storage] = reserved[place];
}

bool DtrMachine::hasViews(int32_t tensor) const {
  return graph.isBase(tensor) &&
         llvm::any_of(graph.tensorsOf[size_t(tensor)], [&](int32_t view) {
           return view != tensor && isDefined[size_t(view)];
         });
}

/// A schedule knows one value of a tensor at a time, so views of it are those
/// of the last run: the new one stays, and they are recomputed when they are
/// read.
void DtrMachine::replace(int32_t storage, size_t place, double clock) {
  DtrStep step;
  step.isCompute = false;
  step.tensors.push_back(TensorId(storage));
  step.clock = clock;
  result.steps.push_back(std::move(step));
  if (pool)
    pool->release(std::exchange(addressOf[size_t(storage)], reserved[place]),
                  graph.bytes[size_t(storage)]);
  for (int32_t tensor : graph.tensorsOf[size_t(storage)])
    isDefined[size_t(tensor)] = tensor == storage;
}

/// Makes the storage resident, and a neighbour of what it was made from.
void DtrMachine::enter(int32_t storage, int32_t op) {
  int32_t &number = numberOf[size_t(storage)];
  if (number >= 0)
    return evicted.restore(number);
  std::vector<int32_t> parents;
  for (int32_t input : ops[size_t(op)].inputs)
    parents.push_back(numberOf[size_t(storageOf(input))]);
  number = evicted.add(costOf[size_t(storage)], parents);
}

bool DtrMachine::bringBack(int32_t storage) {
  for (int32_t tensor : graph.tensorsOf[size_t(storage)]) {
    const int32_t producer = graph.producer[size_t(tensor)];
    if (isStarted[size_t(producer)] && !isDefined[size_t(tensor)] &&
        !materialize(producer, tensor, true))
      return false;
  }
  return true;
}

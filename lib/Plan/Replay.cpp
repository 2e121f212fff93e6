//===- Replay.cpp - The memory of the device while a plan runs ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

ReplayMachine::ReplayMachine(const GraphIndex &index)
    : index(index), graph(index.graph()), live(graph.fixedBytes),
      storageOf(graph.tensors.size(), -1), readable(graph.tensors.size()),
      writes(graph.tensors.size()), contents(graph.tensors.size()),
      hostCopy(graph.tensors.size(), -1) {
  result.runsOfNode.assign(graph.nodes.size(), 0);
  // Caller's tensors are there at the start, with the views that no node makes.
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (index.producer(id) || graph[id].viewOf)
      continue;
    auto storage = static_cast<int32_t>(storages.size());
    storages.push_back({id, id, 0, graph[id].bytes});
    live += graph[id].bytes;
    for (TensorId member : index.aliasSet(id))
      if (!index.producer(member)) {
        storageOf[member.index] = storage;
        readable[member.index] = true;
      }
  }
  result.peakBytes = live;
}

Error ReplayMachine::refuse(const Twine &text) const {
  return createStringError("step " + Twine(step) + ": " + text);
}

bool ReplayMachine::isTensor(TensorId id) const {
  return id.index >= 0 && static_cast<size_t>(id.index) < graph.tensors.size();
}

bool ReplayMachine::isNode(NodeId id) const {
  return id.index >= 0 && static_cast<size_t>(id.index) < graph.nodes.size();
}

bool ReplayMachine::isBeingCopied(int32_t storage) const {
  return llvm::any_of(copies, [&](const auto &entry) {
    return entry.second.storage == storage;
  });
}

/// Notes that `bytes` are occupied now. Copies under way can hold a tensor's
/// bytes more than once, so that sums are checked even though the graph's own
/// total is small.
Error ReplayMachine::growTo(int64_t bytes) {
  if (bytes < 0 || bytes > (int64_t(1) << 62))
    return refuse("live bytes exceed 2^62");
  if (bytes > result.peakBytes) {
    result.peakBytes = bytes;
    result.peakStep = step;
  }
  if (result.bytesAtStep[step] < bytes)
    result.bytesAtStep[step] = bytes;
  return Error::success();
}

Expected<int32_t> ReplayMachine::take(TensorId tensor) {
  storages.push_back({tensor, tensor, step, graph[tensor].bytes});
  live += graph[tensor].bytes;
  if (Error error = growTo(live))
    return std::move(error);
  return static_cast<int32_t>(storages.size() - 1);
}

void ReplayMachine::giveBack(int32_t storage) {
  const Storage &gone = storages[storage];
  ended.push_back({gone.allocatedBy, gone.begin, step, gone.bytes});
  live -= gone.bytes;
}

/// Nothing in the storage can be read any more.
void ReplayMachine::forgetOccupant(int32_t storage) {
  TensorId occupant = storages[storage].occupant;
  for (TensorId member : index.aliasSet(occupant)) {
    if (storageOf[member.index] != storage)
      continue;
    storageOf[member.index] = -1;
    readable[member.index] = false;
  }
  storages[storage].occupant = TensorId();
}

Error ReplayMachine::execute(const PlanAction &action) {
  result.bytesAtStep.push_back(live);
  auto perform = [&]() -> Error {
    switch (action.action) {
    case ActionKind::Compute:
      return compute(action);
    case ActionKind::Free:
      return free(action);
    case ActionKind::Evict:
      return evict(action);
    case ActionKind::Fetch:
      return fetch(action);
    case ActionKind::Wait:
      return wait(action);
    case ActionKind::DropHost:
      return dropHost(action);
    }
    return refuse("unknown action");
  };
  Error error = perform();
  ++step;
  return error;
}

Error ReplayMachine::free(const PlanAction &action) {
  for (TensorId tensor : action.tensors) {
    if (!isTensor(tensor))
      return refuse("frees tensor index " + Twine(tensor.index) +
                    ", which does not exist");
    const Tensor &owner = graph[index.base(tensor)];
    if (owner.kind == TensorKind::Parameter || owner.kind == TensorKind::State)
      return refuse(describe(graph, tensor) +
                    " is a parameter or state and may not be freed");
    if (owner.kind == TensorKind::Input && !owner.donated)
      return refuse(describe(graph, tensor) +
                    " is an input that is not donated and may not be freed");
    int32_t storage = storageOf[tensor.index];
    if (storage < 0)
      return refuse(describe(graph, tensor) + " is freed, but is not resident");
    if (isBeingCopied(storage))
      return refuse(describe(graph, tensor) +
                    " is freed while it is being copied");
    forgetOccupant(storage);
    giveBack(storage);
  }
  return Error::success();
}

Expected<TensorId> ReplayMachine::copiedTensor(const PlanAction &action) const {
  if (action.tensors.size() != 1)
    return refuse("must name one tensor, not " + Twine(action.tensors.size()));
  TensorId tensor = action.tensors.front();
  if (!isTensor(tensor))
    return refuse("names tensor index " + Twine(tensor.index) +
                  ", which does not exist");
  if (index.base(tensor) != tensor)
    return refuse(describe(graph, tensor) +
                  " is a view; only base tensors are copied");
  return tensor;
}

Error ReplayMachine::beginEvent(const PlanAction &action) {
  if (!usedEvents.insert(action.event).second)
    return refuse("event " + Twine(action.event) +
                  " is used before; every copy needs its own");
  return Error::success();
}

Error ReplayMachine::evict(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  if (Error error = beginEvent(action))
    return error;
  if (!readable[tensor->index])
    return refuse(describe(graph, *tensor) +
                  " is evicted, but is not resident");
  int32_t &copy = hostCopy[tensor->index];
  if (copy < 0)
    hostBytes += graph[*tensor].bytes;
  if (hostBytes > graph.hostBudgetBytes.value_or(hostBytes))
    return refuse("host copies take " + Twine(hostBytes) +
                  " bytes, more than host_budget_bytes " +
                  Twine(*graph.hostBudgetBytes));
  copy = contents[tensor->index];
  int32_t storage = storageOf[tensor->index];
  // Not readable any more, but occupied until the wait.
  forgetOccupant(storage);
  copies[action.event] = {false, *tensor, storage};
  return Error::success();
}

Error ReplayMachine::fetch(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  if (Error error = beginEvent(action))
    return error;
  int32_t version = hostCopy[tensor->index];
  bool isDraining = llvm::any_of(copies, [&](const auto &entry) {
    return !entry.second.isFetch && entry.second.tensor == *tensor;
  });
  if (version < 0 || isDraining)
    return refuse(describe(graph, *tensor) +
                  " is fetched, but is not on the host");
  if (storageOf[tensor->index] >= 0)
    return refuse(describe(graph, *tensor) +
                  " is fetched, but is resident already");
  if (version != writes[tensor->index])
    return refuse("the host copy of " + describe(graph, *tensor) +
                  " is version " + Twine(version) + ", but version " +
                  Twine(writes[tensor->index]) + " is current");
  Expected<int32_t> storage = take(*tensor);
  if (!storage)
    return storage.takeError();
  storageOf[tensor->index] = *storage;
  contents[tensor->index] = version;
  copies[action.event] = {true, *tensor, *storage};
  return Error::success();
}

Error ReplayMachine::wait(const PlanAction &action) {
  auto found = copies.find(action.event);
  if (found == copies.end())
    return refuse("no copy with event " + Twine(action.event) +
                  " is under way");
  Copy copy = found->second;
  copies.erase(found);
  if (copy.isFetch)
    readable[copy.tensor.index] = true;
  else
    giveBack(copy.storage);
  return Error::success();
}

Error ReplayMachine::dropHost(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  bool isCopying = llvm::any_of(copies, [&](const auto &entry) {
    return entry.second.tensor == *tensor;
  });
  if (hostCopy[tensor->index] < 0)
    return refuse(describe(graph, *tensor) +
                  " is dropped from the host, but is not there");
  if (isCopying)
    return refuse("the host copy of " + describe(graph, *tensor) +
                  " is dropped while it is being copied");
  hostCopy[tensor->index] = -1;
  hostBytes -= graph[*tensor].bytes;
  return Error::success();
}

Error ReplayMachine::finish() {
  if (!copies.empty())
    return createStringError("the copy with event " +
                             Twine(copies.begin()->first) +
                             " is never waited for");
  if (Error error = finishRuns())
    return error;
  if (Error error = finishTensors())
    return error;
  std::vector<bool> isHeld(storages.size());
  for (int32_t storage : storageOf)
    if (storage >= 0)
      isHeld[storage] = true;
  for (size_t i = 0; i < storages.size(); ++i)
    if (isHeld[i])
      giveBack(static_cast<int32_t>(i));
  return Error::success();
}

Error ReplayMachine::finishRuns() const {
  std::vector<NodeId> wanted;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    NodeId id(n);
    if (result.runsOfNode[n] == 0)
      return createStringError(describe(graph, id) + " never runs");
    if (graph[id].keepsPlace())
      wanted.push_back(id);
  }
  if (collectives != wanted)
    return createStringError(
        "collectives and opaque nodes are not in source order");
  return Error::success();
}

Error ReplayMachine::finishTensors() const {
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i), base = index.base(id);
    if (!index.staysToTheEnd(id))
      continue;
    if (!readable[i])
      return createStringError(describe(graph, id) +
                               " is not resident at the end");
    if (contents[base.index] !=
        static_cast<int32_t>(index.writersOf(id).size()))
      return createStringError(describe(graph, id) +
                               " is not in its last version at the end");
  }
  return Error::success();
}

Expected<Replay> replayPlan(const GraphIndex &index, const Plan &plan) {
  ReplayMachine machine(index);
  for (const PlanAction &step : plan.steps)
    if (Error error = machine.execute(step))
      return std::move(error);
  if (Error error = machine.finish())
    return std::move(error);
  return machine.takeReplay();
}

} // namespace memplan

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

Storage &ResidentStorages::take(TensorId tensor, int64_t bytes) {
  Storage &taken = storages.emplace_back();
  taken.tensor = tensor;
  taken.bytes = bytes;
  live += bytes;
  hold(tensor, static_cast<int32_t>(storages.size()) - 1);
  return taken;
}

void ResidentStorages::hold(TensorId tensor, int32_t storage) {
  numbers[tensor.index] = storage;
  storages[storage].members.push_back(tensor);
}

void ResidentStorages::forgetMembers(int32_t storage) {
  for (TensorId member : storages[storage].members)
    numbers[member.index] = -1;
  storages[storage].members.clear();
}

void ResidentStorages::giveBack(int32_t storage, int32_t step) {
  forgetMembers(storage);
  storages[storage].end = step;
  live -= storages[storage].bytes;
}

ReplayMachine::ReplayMachine(const GraphIndex &index,
                             llvm::ArrayRef<TensorId> hosted)
    : index(index), graph(index.graph()), order(graph.bandwidth),
      residents(graph.tensors.size(), graph.fixedBytes),
      viewMade(graph.tensors.size()), writes(graph.tensors.size()),
      host(graph.tensors.size()), livesOnHost(graph.tensors.size()) {
  for (TensorId id : hosted)
    livesOnHost[id.index] = true;
  result.runsOfNode.assign(graph.nodes.size(), 0);
  // Caller's tensors are live at the start, with the views that no node makes.
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (index.producer(id) || graph[id].viewOf)
      continue;
    if (isHosted(id)) {
      host.begin(id, graph[id].bytes, 0, Moment());
      continue;
    }
    residents.take(id, graph[id].bytes);
    for (TensorId member : index.aliasSet(id))
      if (!index.producer(member) && member != id)
        residents.hold(member, residents.find(id));
  }
  result.peakBytes = residents.liveBytes();
}

Error ReplayMachine::refuse(StringRef id, const Twine &text) const {
  return toError(
      Violation{id.str(), ("step " + Twine(step) + ": " + text).str()});
}

Error ReplayMachine::refuseRace(const Twine &text, Mark other,
                                const char *doing) const {
  return refuse("plan_c14", text + ", but " + order.name(other.queue) +
                                ", which " + doing + ", is not waited for");
}

/// Notes that `bytes` are occupied now. A tensor can be recomputed while its
/// bytes of before drain to the host, so that sums are checked even though the
/// graph's own total is small.
Error ReplayMachine::growTo(int64_t bytes) {
  if (bytes < 0 || bytes > (int64_t(1) << 62))
    return refuse("plan_c12", "live bytes exceed 2^62");
  if (bytes > result.peakBytes) {
    result.peakBytes = bytes;
    result.peakStep = step;
  }
  if (result.bytesAtStep[step] < bytes)
    result.bytesAtStep[step] = bytes;
  return Error::success();
}

Error ReplayMachine::take(TensorId tensor, const Moment &now) {
  Storage &taken = residents.take(tensor, graph[tensor].bytes);
  taken.begin = step;
  taken.taken = now;
  taken.made = now.mark;
  taken.touch(now.mark);
  return growTo(residents.liveBytes());
}

/// plan_c1: streams count from 0, and there are not too many of them.
Error ReplayMachine::openStream(const PlanAction &action) {
  if (action.stream < 0)
    return refuse("plan_c1", "stream " + Twine(action.stream) +
                                 " is negative; streams count from 0");
  // The stream of a free orders nothing.
  if (action.action != ActionKind::Free && !order.open(action.stream))
    return refuse("plan_c1", "stream " + Twine(action.stream) +
                                 " is one more than the " +
                                 Twine(Queues::maxStreams) +
                                 " streams that a plan may use");
  return Error::success();
}

Error ReplayMachine::signal(const PlanAction &action, const Moment &end) {
  if (action.event && !events.emplace(*action.event, end).second)
    return refuse("plan_c13", "event " + Twine(*action.event) +
                                  " is used before; each is signalled once");
  return Error::success();
}

Error ReplayMachine::execute(const PlanAction &action) {
  result.bytesAtStep.push_back(residents.liveBytes());
  auto perform = [&]() -> Error {
    if (Error error = openStream(action))
      return error;
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
    return refuse("plan_c1", "unknown action");
  };
  if (Error error = perform())
    return error;
  result.endAtStep.push_back(endOf(action));
  ++step;
  return Error::success();
}

/// End of an action that was performed.
double ReplayMachine::endOf(const PlanAction &action) const {
  switch (action.action) {
  case ActionKind::Evict:
  case ActionKind::Fetch:
    return events.at(*action.event).time;
  case ActionKind::Free:
    return result.endAtStep.empty() ? 0 : result.endAtStep.back();
  case ActionKind::Compute:
  case ActionKind::Wait:
  case ActionKind::DropHost:
    break;
  }
  return order.now(action.stream).time;
}

std::string findKeeper(const GraphIndex &index, TensorId id) {
  const Tensor &owner = index.graph()[index.base(id)];
  if (owner.kind == TensorKind::Parameter || owner.kind == TensorKind::State)
    return "is a parameter or state";
  if (owner.kind == TensorKind::Input && !owner.donated)
    return "is an input that is not donated";
  return "";
}

Error ReplayMachine::free(const PlanAction &action) {
  for (TensorId tensor : action.tensors) {
    if (!contains(graph, tensor))
      return refuse("plan_c1", "frees tensor index " + Twine(tensor.index) +
                                   ", which does not exist");
    std::string name = describe(graph, tensor);
    if (std::string keeper = findKeeper(index, tensor);
        !keeper.empty() && !isHosted(tensor))
      return refuse("plan_c8", name + " " + keeper + " and may not be freed");
    if (!residents.isReadable(tensor))
      return refuse("plan_c8", name + " is freed, but is not resident");
    if (residents.home(tensor).copies > 0)
      return refuse("plan_c9", name + " is freed while it is being copied");
    residents.giveBack(residents.find(tensor), step);
  }
  return Error::success();
}

/// A list for one stream may have all of its runs there.
static Error checkStreams(const Graph &graph, const StreamUse &firstRunOn) {
  if (firstRunOn.empty() ||
      firstRunOn.begin()->first.first == firstRunOn.rbegin()->first.first)
    return Error::success();
  for (const auto &[key, node] : firstRunOn) {
    const auto other = firstRunOn.find({key.first, StreamKind::Communication});
    if (key.second == StreamKind::Compute && other != firstRunOn.end())
      return violation("plan_c22",
                       "stream {0} runs {1}, which computes, and {2}, which "
                       "communicates",
                       key.first, describe(graph, node),
                       describe(graph, other->second));
  }
  return Error::success();
}

Error ReplayMachine::finish() {
  if (!copies.empty())
    return violation("plan_c9", "the copy with event {0} is never waited for",
                     copies.begin()->first);
  if (Error error = finishRuns())
    return error;
  if (Error error = checkStreams(graph, firstRunOn))
    return error;
  if (Error error = finishTensors())
    return error;
  if (host.peakBytes() > graph.hostBudgetBytes.value_or(host.peakBytes()))
    return violation("plan_c16",
                     "host copies take {0} bytes, more than host_budget_bytes "
                     "{1}",
                     host.peakBytes(), *graph.hostBudgetBytes);
  for (size_t i = 0; i < storages().size(); ++i)
    if (storages()[i].end < 0)
      residents.giveBack(static_cast<int32_t>(i), step);
  host.finish(step);
  result.time = order.makespan();
  result.hostPeakBytes = host.peakBytes();
  return Error::success();
}

Error ReplayMachine::finishRuns() const {
  std::vector<NodeId> wanted;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    NodeId id(n);
    if (result.runsOfNode[n] == 0)
      return violation("plan_c5", "{0} never runs", describe(graph, id));
    if (graph[id].keepsPlace())
      wanted.push_back(id);
  }
  if (collectives != wanted)
    return violation("plan_c6",
                     "collectives and opaque nodes are not in source order");
  return Error::success();
}

Error ReplayMachine::finishTensors() const {
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    TensorId id(i);
    if (!index.staysToTheEnd(id))
      continue;
    if (isHosted(id)) {
      if (Error error = finishHosted(id))
        return error;
      continue;
    }
    if (!residents.isReadable(id))
      return violation("plan_c10", "{0} is not resident at the end",
                       describe(graph, id));
    if (residents.home(id).version !=
        static_cast<int32_t>(index.writersOf(id).size()))
      return violation("plan_c10", "{0} is not in its last version at the end",
                       describe(graph, id));
  }
  return Error::success();
}

/// The host has what the step has made of it, whatever the device has.
Error ReplayMachine::finishHosted(TensorId id) const {
  const Storage *stay = host.find(id);
  const auto last = static_cast<int32_t>(index.writersOf(id).size());
  if (stay && stay->version == last)
    return Error::success();
  return violation("plan_c10",
                   "{0} lives on the host, whose copy is version {1} at the "
                   "end, but version {2} is current",
                   describe(graph, id), stay ? stay->version : 0, last);
}

Expected<Replay> replayPlan(const GraphIndex &index, const Plan &plan) {
  ReplayMachine machine(index, plan.hosted());
  for (const PlanAction &action : plan.steps)
    if (Error error = machine.execute(action))
      return std::move(error);
  if (Error error = machine.finish())
    return std::move(error);
  return machine.replay();
}

} // namespace memplan

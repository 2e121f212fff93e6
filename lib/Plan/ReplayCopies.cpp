//===- ReplayCopies.cpp - Replays copies to the host and back -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

using namespace llvm;

namespace memplan {

Expected<TensorId> ReplayMachine::copiedTensor(const PlanAction &action) const {
  if (action.tensors.size() != 1)
    return refuse("plan_c1",
                  "must name one tensor, not " + Twine(action.tensors.size()));
  TensorId tensor = action.tensors.front();
  if (!contains(graph, tensor))
    return refuse("plan_c1", "names tensor index " + Twine(tensor.index) +
                                 ", which does not exist");
  if (index.base(tensor) != tensor)
    return refuse("plan_c9", describe(graph, tensor) +
                                 " is a view; only base tensors are copied");
  return tensor;
}

/// Puts the copy on its engine.
Expected<Moment> ReplayMachine::beginCopy(const PlanAction &action,
                                          TensorId tensor) {
  if (!action.event)
    return refuse("plan_c9",
                  "the copy of " + describe(graph, tensor) + " has no event");
  Queues::Engine engine = action.action == ActionKind::Fetch
                              ? Queues::hostToDevice
                              : Queues::deviceToHost;
  Moment now = order.copy(engine, action.stream, graph[tensor].bytes);
  if (Error error = signal(action, now))
    return std::move(error);
  return now;
}

Error ReplayMachine::evict(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  Expected<Moment> now = beginCopy(action, *tensor);
  if (!now)
    return now.takeError();
  std::string name = describe(graph, *tensor);
  if (!residents.isReadable(*tensor))
    return refuse("plan_c9", name + " is evicted, but is not resident");
  int32_t storage = residents.find(*tensor);
  if (residents.at(storage).leaving)
    return refuse("plan_c9", name + " is evicted while it is being copied out");
  if (!now->includes(residents.at(storage).made))
    return refuseRace("the evict reads " + name, residents.at(storage).made,
                      "makes it");
  residents.at(storage).touch(now->mark);
  // Readable and occupied until the first wait.
  residents.at(storage).leaving = true;
  ++residents.at(storage).copies;
  copies.emplace(*action.event, Copy{false, storage});
  return copyToHost(*tensor, residents.at(storage).version, *now);
}

/// An evict begins a stay on the host, or overwrites the live copy.
Error ReplayMachine::copyToHost(TensorId tensor, int32_t version,
                                const Moment &now) {
  if (Storage *stay = host.find(tensor))
    return overwrite(*stay, now, version,
                     "the evict overwrites the host copy of " +
                         describe(graph, tensor));
  int64_t bytes = host.begin(tensor, graph[tensor].bytes, step, now);
  Storage &stay = *host.find(tensor);
  stay.made = now.mark;
  stay.touch(now.mark);
  stay.version = version;
  if (bytes > graph.hostBudgetBytes.value_or(bytes))
    return refuse("plan_c16", "host copies take " + Twine(bytes) +
                                  " bytes, more than host_budget_bytes " +
                                  Twine(*graph.hostBudgetBytes));
  return Error::success();
}

Error ReplayMachine::fetch(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  Expected<Moment> now = beginCopy(action, *tensor);
  if (!now)
    return now.takeError();
  std::string name = describe(graph, *tensor);
  Storage *stay = host.find(*tensor);
  if (!stay)
    return refuse("plan_c9", name + " is fetched, but is not on the host");
  if (residents.isReadable(*tensor))
    return refuse("plan_c9", name + " is fetched, but is resident already");
  int32_t current = writes[tensor->index];
  if (stay->version != current)
    return refuse("plan_c9", "the host copy of " + name + " is version " +
                                 Twine(stay->version) + ", but version " +
                                 Twine(current) + " is current");
  if (!now->includes(stay->made))
    return refuseRace("the fetch reads the host copy of " + name, stay->made,
                      "makes it");
  stay->touch(now->mark);
  // Occupied from the start; who reads it must happen after the end.
  if (Error error = take(*tensor, *now))
    return error;
  Storage &storage = residents.home(*tensor);
  storage.version = current;
  ++storage.copies;
  copies.emplace(*action.event, Copy{true, residents.find(*tensor)});
  return Error::success();
}

Error ReplayMachine::wait(const PlanAction &action) {
  auto event = action.event ? events.find(*action.event) : events.end();
  if (event == events.end())
    return refuse("plan_c13", "no step before this wait has event " +
                                  Twine(action.event.value_or(0)));
  order.wait(action.stream, event->second);
  auto copy = copies.find(*action.event);
  if (copy == copies.end())
    return Error::success();
  auto [isFetch, storage] = copy->second;
  copies.erase(copy);
  --residents.at(storage).copies;
  if (!isFetch)
    residents.giveBack(storage, step);
  return Error::success();
}

Error ReplayMachine::dropHost(const PlanAction &action) {
  Expected<TensorId> tensor = copiedTensor(action);
  if (!tensor)
    return tensor.takeError();
  std::string name = describe(graph, *tensor);
  Storage *stay = host.find(*tensor);
  if (!stay)
    return refuse("plan_c16",
                  name + " is dropped from the host, but is not there");
  if (isHosted(*tensor))
    return refuse("plan_c16",
                  name + " is dropped from the host, but lives there");
  if (std::optional<Mark> user = stay->findUser(order.now(action.stream)))
    return refuseRace(name + " is dropped from the host", *user, "copies it");
  host.end(*tensor, step);
  return Error::success();
}

} // namespace memplan

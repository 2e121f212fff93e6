//===- ActionStorages.cpp - What a list of actions takes ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/ActionStorages.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace memplan;

std::vector<TensorId>
memplan::findHosted(const GraphIndex &index,
                    const std::vector<PlanAction> &actions) {
  std::vector<bool> copied(index.graph().tensors.size());
  std::vector<TensorId> hosted;
  for (const PlanAction &action : actions) {
    if (action.action != ActionKind::Evict &&
        action.action != ActionKind::Fetch)
      continue;
    if (action.tensors.size() != 1 || action.tensors.front().index < 0 ||
        size_t(action.tensors.front().index) >= copied.size())
      continue; // The replay says what is wrong.
    const TensorId tensor = action.tensors.front();
    if (!copied[tensor.index] && action.action == ActionKind::Fetch &&
        !index.producer(tensor))
      hosted.push_back(tensor);
    copied[tensor.index] = true;
  }
  llvm::sort(hosted);
  return hosted;
}

namespace {
/// Walks over the list once, trusting it.
class Walk {
public:
  Walk(const GraphIndex &index, const std::vector<PlanAction> &actions);
  ActionStorages take();

private:
  /// Action that made the contents of a storage, and those that used them
  /// since.
  struct Contents {
    int32_t producer = -1; ///< -1: the caller, before the first action.
    std::vector<int32_t> users;
  };

  void visit();
  void compute(const PlanAction &action);
  void makeOutput(const PlanAction &action, TensorId output);
  void evict(const PlanAction &action);
  void fetch(const PlanAction &action);
  void wait(const PlanAction &action);

  int32_t add(PlacementKind kind, int64_t bytes, MemorySpace space);
  int32_t take(TensorId tensor, MemorySpace space);
  void touch(int32_t storage);
  void comeAfter(int32_t earlier);
  /// Records that the action makes a tensor that was live before.
  void rename(TensorId tensor, MemorySpace space);
  /// Records that the action uses what the storage holds.
  void read(int32_t storage);
  /// Records that the action replaces what the storage holds.
  void write(int32_t storage);
  void giveBack(int32_t storage);

  const GraphIndex &index;
  const Graph &graph;
  const std::vector<PlanAction> &actions;
  int32_t at = 0;
  ActionStorages result;
  std::vector<Contents> contents; ///< By storage.
  std::vector<int32_t> deviceOf;  ///< By base: its storage, or -1.
  std::vector<int32_t> hostOf;    ///< Storage of the tensor's copy on the host.
  std::vector<int32_t> overwriter; ///< By base: who put another over it, or -1.
  std::vector<int32_t> lastStay;   ///< By base: its latest stay on the host.
  std::vector<int32_t> lastOf;     ///< By base: its latest storage, or -1.
  std::vector<int32_t> viewProducer; ///< By view: the run that made it, or -1.
  /// By event of an evict: what its first wait gives back, and of whom.
  std::map<int64_t, std::pair<int32_t, TensorId>> draining;
};
} // namespace

Walk::Walk(const GraphIndex &index, const std::vector<PlanAction> &actions)
    : index(index), graph(index.graph()), actions(actions),
      deviceOf(graph.tensors.size(), -1), hostOf(graph.tensors.size(), -1),
      overwriter(graph.tensors.size(), -1), lastStay(graph.tensors.size(), -1),
      lastOf(graph.tensors.size(), -1), viewProducer(graph.tensors.size(), -1) {
  result.after.resize(actions.size());
  result.renames.resize(actions.size());
  std::vector<bool> onHost(graph.tensors.size());
  for (TensorId tensor : findHosted(index, actions))
    onHost[tensor.index] = true;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const TensorId id(i);
    if (index.producer(id) || graph[id].viewOf)
      continue;
    const bool isOnHost = onHost[i];
    const int32_t storage =
        take(id, isOnHost ? MemorySpace::Host : MemorySpace::Device);
    // Nothing has touched it yet.
    contents[storage] = {};
    result.all[storage].users.clear();
    result.all[storage].isInitial = true;
  }
}

int32_t Walk::add(PlacementKind kind, int64_t bytes, MemorySpace space) {
  ActionStorage &storage = result.all.emplace_back();
  storage.placement.kind = kind;
  storage.placement.stepBegin = at;
  storage.placement.stepEnd = -1;
  storage.bytes = bytes;
  storage.space = space;
  contents.emplace_back().producer = at;
  storage.users.push_back(at);
  return static_cast<int32_t>(result.all.size() - 1);
}

int32_t Walk::take(TensorId tensor, MemorySpace space) {
  rename(tensor, space);
  const int32_t storage =
      add(PlacementKind::Tensor, graph[tensor].bytes, space);
  result.all[storage].placement.tensor = tensor;
  result.all[storage].last = tensor;
  const bool isHost = space == MemorySpace::Host;
  (isHost ? hostOf : deviceOf)[tensor.index] = storage;
  (isHost ? lastStay : lastOf)[tensor.index] = storage;
  return storage;
}

void Walk::rename(TensorId tensor, MemorySpace space) {
  const bool isHost = space == MemorySpace::Host;
  const int32_t before = (isHost ? lastStay : lastOf)[tensor.index];
  if (before < 0)
    return;
  if (int32_t over = overwriter[tensor.index]; !isHost && over >= 0)
    result.renames[at].push_back(over);
  else
    for (int32_t user : result.all[before].users)
      result.renames[at].push_back(user);
}

void Walk::touch(int32_t storage) {
  std::vector<int32_t> &users = result.all[storage].users;
  if (users.empty() || users.back() != at)
    users.push_back(at);
}

void Walk::comeAfter(int32_t earlier) {
  if (earlier >= 0 && earlier != at)
    result.after[at].push_back(earlier);
}

void Walk::read(int32_t storage) {
  touch(storage);
  comeAfter(contents[storage].producer);
  contents[storage].users.push_back(at);
}

void Walk::write(int32_t storage) {
  touch(storage);
  comeAfter(contents[storage].producer);
  for (int32_t user : contents[storage].users)
    comeAfter(user);
  contents[storage] = {at, {}};
}

void Walk::giveBack(int32_t storage) {
  result.all[storage].placement.stepEnd = at;
}

void Walk::makeOutput(const PlanAction &action, TensorId output) {
  if (llvm::is_contained(action.discard, output)) {
    const int32_t storage =
        add(PlacementKind::Discard, graph[output].bytes, MemorySpace::Device);
    result.all[storage].placement.tensor = output;
    result.all[storage].placement.stepEnd = at + 1;
    // Else the earlier run that made it could seem to be in vain.
    if (const int32_t before = lastOf[output.index];
        before >= 0 && result.all[before].users.size() > 1)
      result.renames[at].push_back(result.all[before].users[1]);
    return;
  }
  for (const InPlacePair &pair : action.inPlace)
    if (pair.output == output) {
      const TensorId source = index.base(pair.input);
      const int32_t storage = deviceOf[source.index];
      write(storage);
      rename(output, MemorySpace::Device);
      deviceOf[source.index] = -1;
      overwriter[source.index] = at;
      overwriter[output.index] = -1;
      deviceOf[output.index] = lastOf[output.index] = storage;
      result.all[storage].last = output;
      return;
    }
  take(output, MemorySpace::Device);
  overwriter[output.index] = -1;
}

void Walk::compute(const PlanAction &action) {
  const Node &node = graph[action.node];
  for (TensorId input : node.inputs) {
    read(deviceOf[index.base(input).index]);
    comeAfter(viewProducer[input.index]);
  }
  if (int64_t bytes = node.variant(action.variant).workspaceBytes) {
    const int32_t storage =
        add(PlacementKind::Workspace, bytes, MemorySpace::Device);
    result.all[storage].placement.node = action.node;
    result.all[storage].placement.stepEnd = at + 1;
  }
  for (TensorId output : node.outputs)
    if (!graph[output].viewOf)
      makeOutput(action, output);
  for (TensorId output : node.outputs) {
    if (!graph[output].viewOf || llvm::is_contained(action.discard, output))
      continue;
    read(deviceOf[index.base(output).index]);
    comeAfter(viewProducer[graph[output].viewOf->index]);
    viewProducer[output.index] = at;
  }
  for (TensorId target : node.writes)
    write(deviceOf[index.base(target).index]);
}

/// Readable and occupied until the first wait.
void Walk::evict(const PlanAction &action) {
  const TensorId tensor = action.tensors.front();
  const int32_t storage = deviceOf[tensor.index];
  read(storage);
  draining[*action.event] = {storage, tensor};
  if (hostOf[tensor.index] >= 0)
    write(hostOf[tensor.index]);
  else
    take(tensor, MemorySpace::Host);
}

void Walk::fetch(const PlanAction &action) {
  const TensorId tensor = action.tensors.front();
  read(hostOf[tensor.index]);
  take(tensor, MemorySpace::Device);
  overwriter[tensor.index] = -1;
}

void Walk::wait(const PlanAction &action) {
  auto found = draining.find(*action.event);
  if (found == draining.end())
    return;
  auto [storage, tensor] = found->second;
  giveBack(storage);
  deviceOf[tensor.index] = -1;
  draining.erase(found);
}

void Walk::visit() {
  const PlanAction &action = actions[at];
  switch (action.action) {
  case ActionKind::Compute:
    return compute(action);
  case ActionKind::Free:
    for (TensorId tensor : action.tensors) {
      int32_t &storage = deviceOf[index.base(tensor).index];
      giveBack(storage);
      storage = -1;
    }
    return;
  case ActionKind::Evict:
    return evict(action);
  case ActionKind::Fetch:
    return fetch(action);
  case ActionKind::Wait:
    return wait(action);
  case ActionKind::DropHost: {
    int32_t &stay = hostOf[action.tensors.front().index];
    // Nothing may still copy from or to what is dropped.
    comeAfter(contents[stay].producer);
    for (int32_t user : contents[stay].users)
      comeAfter(user);
    giveBack(stay);
    stay = -1;
    return;
  }
  }
}

ActionStorages Walk::take() {
  for (; at < static_cast<int32_t>(actions.size()); ++at)
    visit();
  for (ActionStorage &storage : result.all)
    if (storage.placement.stepEnd < 0)
      storage.placement.stepEnd = at;
  for (auto *lists : {&result.after, &result.renames})
    for (auto &earlier : *lists) {
      llvm::sort(earlier);
      earlier.erase(llvm::unique(earlier), earlier.end());
    }
  return std::move(result);
}

ActionStorages memplan::findStorages(const GraphIndex &index,
                                     const std::vector<PlanAction> &actions) {
  return Walk(index, actions).take();
}

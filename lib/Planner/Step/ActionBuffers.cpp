//===- ActionBuffers.cpp - From any list of actions to buffers ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "memplan/Plan/ActionStorages.h"

using namespace memplan;

/// The caller's tensors that lie in an arena: what is donated or copied.
static std::vector<bool> findOwned(const Graph &graph,
                                   const std::vector<PlanAction> &actions) {
  std::vector<bool> owned;
  for (const Tensor &tensor : graph.tensors)
    owned.push_back(tensor.donated && tensor.kind == TensorKind::Input &&
                    !tensor.viewOf);
  for (const PlanAction &action : actions)
    if (action.action == ActionKind::Evict ||
        action.action == ActionKind::Fetch)
      owned[action.tensors.front().index] = true;
  return owned;
}

/// A caller's tensor that is there at the beginning and at the end lies in one
/// place at both, which its caller knows. By storage: the one that it lies
/// with.
static std::vector<int32_t>
findTies(const GraphIndex &index, const ActionStorages &storages, int32_t end) {
  std::vector<int32_t> first(index.graph().tensors.size(), -1), ties;
  for (size_t i = 0; i < storages.all.size(); ++i) {
    const ActionStorage &storage = storages.all[i];
    ties.push_back(static_cast<int32_t>(i));
    if (storage.space != MemorySpace::Device ||
        storage.placement.kind != PlacementKind::Tensor)
      continue;
    int32_t &tie = first[storage.placement.tensor.index];
    if (storage.isInitial)
      tie = ties.back();
    else if (tie >= 0 && storage.placement.stepEnd == end)
      ties.back() = tie;
  }
  return ties;
}

/// The buffer is live until then, so that whatever is taken before does not
/// share its bytes.
static void stretch(ArenaBuffer &buffer, int64_t end) {
  buffer.gaps.clear();
  buffer.end = std::max(buffer.end, end);
}

StepBuffers memplan::makeBuffers(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 int64_t alignmentBytes) {
  // With as many, packing a step of eight thousand nodes takes ten seconds.
  constexpr size_t mostPairs = 400'000;
  return makeBuffers(index, actions, alignmentBytes, mostPairs);
}

StepBuffers memplan::makeBuffers(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 int64_t alignmentBytes, size_t mostPairs) {
  const ActionStorages storages = findStorages(index, actions);
  const std::vector<bool> owned = findOwned(index.graph(), actions);
  const std::vector<int32_t> ties =
      findTies(index, storages, static_cast<int32_t>(actions.size()));
  std::vector<TensorId> owns, hostOwns;
  std::vector<Allocation> allocations;
  for (size_t i = 0; i < storages.all.size(); ++i) {
    const ActionStorage &storage = storages.all[i];
    const Placement &placement = storage.placement;
    if (storage.isInitial && !owned[placement.tensor.index])
      continue;
    if (storage.isInitial)
      (storage.space == MemorySpace::Host ? hostOwns : owns)
          .push_back(placement.tensor);
    Allocation &allocation = allocations.emplace_back();
    allocation.placement = placement;
    // What is given back by the first action was there before it.
    allocation.placement.stepEnd =
        std::max(placement.stepEnd, placement.stepBegin + 1);
    allocation.bytes = storage.bytes;
    allocation.space = storage.space;
    allocation.storage = StorageId(ties[i]);
  }
  std::vector<int32_t> bufferOf;
  StepBuffers buffers = makeBuffers(index.graph(), std::move(allocations),
                                    alignmentBytes, &bufferOf);
  buffers.owns = std::move(owns);
  buffers.hostOwns = std::move(hostOwns);
  auto bufferOfStorage = [&](int32_t storage) {
    const auto tie = static_cast<size_t>(ties[storage]);
    return tie < bufferOf.size() ? bufferOf[tie] : -1;
  };
  const UnorderedPairs unordered =
      findUnorderedPairs(actions, storages, mostPairs);
  for (auto [a, b] : unordered.pairs) {
    const int32_t first = bufferOfStorage(a), second = bufferOfStorage(b);
    if (first >= 0 && second >= 0 && first != second)
      buffers.problem.conflicts.push_back({first, second});
  }
  if (unordered.isTooMany)
    for (size_t i = 0; i < storages.all.size(); ++i)
      if (int32_t buffer = bufferOfStorage(static_cast<int32_t>(i));
          buffer >= 0 && unordered.lastTaken[i] >= 0)
        stretch(buffers.problem.buffers[buffer], unordered.lastTaken[i] + 1);
  return buffers;
}

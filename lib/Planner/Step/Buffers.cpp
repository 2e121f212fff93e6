//===- Buffers.cpp - From actions to buffers, and offsets back ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/Buffers.h"
#include "UnorderedPairs.h"
#include "memplan/Plan/ActionStorages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <tuple>

using namespace memplan;

namespace {
/// A placement and what its buffer must be.
struct Allocation {
  Placement placement;
  int64_t bytes = 0;
  MemorySpace space = MemorySpace::Device;
  int32_t storage = 0;
  /// The storage at whose offset it lies: itself, or an earlier one.
  int32_t leader = 0;
};
} // namespace

static std::string nameOf(const Graph &graph, const Placement &placement) {
  switch (placement.kind) {
  case PlacementKind::Tensor:
  case PlacementKind::Discard:
    return llvm::formatv(
        "{0}tensor {1}@{2}",
        placement.kind == PlacementKind::Discard ? "discarded " : "",
        graph[placement.tensor].externalId, placement.stepBegin);
  case PlacementKind::Workspace:
    return llvm::formatv("workspace of node {0}@{1}",
                         graph[placement.node].externalId, placement.stepBegin);
  }
  llvm_unreachable("unknown kind of placement");
}

/// A buffer that lives as long as its first allocation.
static ArenaBuffer makeBuffer(const Graph &graph,
                              const Allocation &allocation) {
  ArenaBuffer buffer;
  buffer.id = nameOf(graph, allocation.placement);
  if (allocation.space == MemorySpace::Host)
    buffer.id = "host " + buffer.id;
  buffer.bytes = allocation.bytes;
  buffer.begin = allocation.placement.stepBegin;
  buffer.end = allocation.placement.stepEnd;
  buffer.space = spaceName(allocation.space);
  return buffer;
}

/// Lets the buffer live on for an allocation that begins after its others,
/// dead in between.
static void extend(ArenaBuffer &buffer, const Placement &next) {
  if (next.stepBegin > buffer.end)
    buffer.gaps.push_back({buffer.end, next.stepBegin});
  buffer.end = std::max<int64_t>(buffer.end, next.stepEnd);
}

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

/// A caller's tensor that is live at the beginning and at the end lies in one
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

/// Puts the storages of the list together that a sharing solver did.
static void share(const std::vector<PlanAction> &actions,
                  const StorageMap &sharing,
                  std::vector<Allocation> &allocations) {
  std::vector<int32_t> actionOf; // By run.
  for (size_t i = 0; i < actions.size(); ++i)
    if (actions[i].action == ActionKind::Compute)
      actionOf.push_back(static_cast<int32_t>(i));
  std::map<std::pair<TensorId, int32_t>, StorageId> sharers;
  for (size_t i = 0; i < sharing.liveRanges.size(); ++i)
    if (const LiveRange &range = sharing.liveRanges[i];
        !range.isInPlace() && range.begin >= 0)
      sharers[{range.tensor, actionOf[range.begin]}] = sharing.storageOf[i];
  std::vector<int32_t> leaders(sharing.storageBytes.size(), -1);
  for (Allocation &allocation : allocations) {
    const auto found = sharers.find(
        {allocation.placement.tensor, allocation.placement.stepBegin});
    if (allocation.placement.kind == PlacementKind::Workspace ||
        found == sharers.end() || !found->second.isValid())
      continue;
    const int32_t shared = found->second.index;
    if (leaders[shared] < 0)
      leaders[shared] = allocation.storage;
    allocation.leader = leaders[shared];
    allocation.bytes = sharing.storageBytes[shared];
  }
}

/// What the arenas hold, by storage of the list.
static std::vector<Allocation>
findAllocations(const GraphIndex &index, const std::vector<PlanAction> &actions,
                const ActionStorages &storages, StepBuffers &buffers) {
  const std::vector<bool> owned = findOwned(index.graph(), actions);
  const std::vector<int32_t> ties =
      findTies(index, storages, static_cast<int32_t>(actions.size()));
  std::vector<Allocation> allocations;
  for (size_t i = 0; i < storages.all.size(); ++i) {
    const ActionStorage &storage = storages.all[i];
    const Placement &placement = storage.placement;
    if (storage.isInitial && !owned[placement.tensor.index])
      continue;
    if (storage.isInitial)
      (storage.space == MemorySpace::Host ? buffers.hostOwns : buffers.owns)
          .push_back(placement.tensor);
    Allocation &allocation = allocations.emplace_back();
    allocation.placement = placement;
    // What is given back by the first action was live before it.
    allocation.placement.stepEnd =
        std::max(placement.stepEnd, placement.stepBegin + 1);
    allocation.bytes = storage.bytes;
    allocation.space = storage.space;
    allocation.storage = static_cast<int32_t>(i);
    allocation.leader = ties[i];
  }
  return allocations;
}

/// One buffer for each leader. Returns the buffer of each storage, or -1.
static std::vector<int32_t> addBuffers(const Graph &graph, size_t numStorages,
                                       std::vector<Allocation> allocations,
                                       StepBuffers &buffers) {
  llvm::sort(allocations, [](const Allocation &a, const Allocation &b) {
    auto key = [](const Allocation &allocation) {
      const Placement &placement = allocation.placement;
      return std::tuple(placement.stepBegin, placement.kind, placement.tensor,
                        placement.node, allocation.space);
    };
    return key(a) < key(b);
  });
  std::vector<ArenaBuffer> &list = buffers.problem.buffers;
  std::vector<int32_t> bufferOf(numStorages, -1), ofLeader(numStorages, -1);
  for (const Allocation &allocation : allocations) {
    int32_t &buffer = ofLeader[allocation.leader];
    if (buffer >= 0)
      extend(list[buffer], allocation.placement);
    else {
      buffer = static_cast<int32_t>(list.size());
      list.push_back(makeBuffer(graph, allocation));
    }
    buffers.placements.push_back(allocation.placement);
    buffers.bufferOf.push_back(buffer);
    bufferOf[allocation.storage] = buffer;
  }
  return bufferOf;
}

/// What no queue orders: conflicts, or where they are too many, longer lives.
static void keepApart(const std::vector<PlanAction> &actions,
                      const ActionStorages &storages,
                      const std::vector<int32_t> &bufferOf, size_t mostPairs,
                      ArenaProblem &problem) {
  const UnorderedPairs unordered =
      findUnorderedPairs(actions, storages, mostPairs);
  for (auto [a, b] : unordered.pairs)
    if (bufferOf[a] >= 0 && bufferOf[b] >= 0 && bufferOf[a] != bufferOf[b])
      problem.conflicts.push_back({bufferOf[a], bufferOf[b]});
  if (!unordered.isTooMany)
    return;
  for (size_t i = 0; i < bufferOf.size(); ++i)
    if (bufferOf[i] >= 0 && unordered.lastTaken[i] >= 0) {
      ArenaBuffer &buffer = problem.buffers[bufferOf[i]];
      buffer.gaps.clear();
      buffer.end = std::max<int64_t>(buffer.end, unordered.lastTaken[i] + 1);
    }
}

static StepBuffers makeBuffers(const GraphIndex &index,
                               const std::vector<PlanAction> &actions,
                               const StorageMap *sharing,
                               int64_t alignmentBytes, size_t mostPairs) {
  const ActionStorages storages = findStorages(index, actions);
  StepBuffers buffers;
  buffers.problem.alignmentBytes = alignmentBytes;
  std::vector<Allocation> allocations =
      findAllocations(index, actions, storages, buffers);
  if (sharing)
    share(actions, *sharing, allocations);
  const std::vector<int32_t> bufferOf = addBuffers(
      index.graph(), storages.all.size(), std::move(allocations), buffers);
  keepApart(actions, storages, bufferOf, mostPairs, buffers.problem);
  return buffers;
}

StepBuffers memplan::makeBuffers(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 int64_t alignmentBytes, size_t mostPairs) {
  return ::makeBuffers(index, actions, nullptr, alignmentBytes, mostPairs);
}

StepBuffers memplan::makeBuffers(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 const StorageMap &sharing,
                                 int64_t alignmentBytes) {
  return ::makeBuffers(index, actions, &sharing, alignmentBytes,
                       mostUnorderedPairs);
}

std::vector<PlanArena> memplan::makeArenas(const StepBuffers &buffers,
                                           const ArenaPlan &plan) {
  const std::vector<ArenaBuffer> &list = buffers.problem.buffers;
  std::vector<PlanArena> arenas(1);
  arenas.front().space = spaceName(MemorySpace::Device);
  arenas.front().owns = buffers.owns;
  for (size_t i = 0; i < buffers.placements.size(); ++i) {
    const ArenaBuffer &buffer = list[buffers.bufferOf[i]];
    auto arena = llvm::find_if(arenas, [&](const PlanArena &each) {
      return each.space == buffer.space;
    });
    if (arena == arenas.end()) {
      arena = arenas.emplace(arenas.end());
      arena->space = buffer.space;
    }
    Placement &placement =
        arena->placements.emplace_back(buffers.placements[i]);
    placement.offset = plan.offsets[buffers.bufferOf[i]];
    if (buffer.bytes > 0)
      arena->bytes = std::max(arena->bytes, placement.offset + buffer.bytes);
  }
  for (PlanArena &arena : arenas) {
    arena.alignment = buffers.problem.alignmentBytes;
    if (arena.space == spaceName(MemorySpace::Host))
      arena.owns = buffers.hostOwns;
  }
  return arenas;
}

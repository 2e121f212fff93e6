//===- Buffers.cpp - From live ranges to buffers, and offsets back --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace memplan;

/// The action at which each run stands, by run.
static std::vector<int32_t>
findActionsOfRuns(const std::vector<PlanAction> &actions) {
  std::vector<int32_t> actionOf;
  for (size_t i = 0; i < actions.size(); ++i)
    if (actions[i].action == ActionKind::Compute)
      actionOf.push_back(static_cast<int32_t>(i));
  return actionOf;
}

static void addWorkspaces(const Graph &graph,
                          const std::vector<PlanAction> &actions,
                          std::vector<Allocation> &allocations) {
  for (size_t i = 0; i < actions.size(); ++i) {
    const PlanAction &action = actions[i];
    if (action.action != ActionKind::Compute)
      continue;
    int64_t bytes = graph[action.node].variant(action.variant).workspaceBytes;
    if (bytes == 0)
      continue;
    Allocation &scratch = allocations.emplace_back();
    scratch.placement.kind = PlacementKind::Workspace;
    scratch.placement.node = action.node;
    scratch.placement.stepBegin = static_cast<int32_t>(i);
    scratch.placement.stepEnd = scratch.placement.stepBegin + 1;
    scratch.bytes = bytes;
  }
}

/// One allocation for each in-place chain; what the caller donated is there
/// from the first action on.
static void addStorages(const std::vector<PlanAction> &actions,
                        const StorageMap &storages,
                        std::vector<Allocation> &allocations) {
  std::vector<int32_t> actionOf = findActionsOfRuns(actions);
  std::vector<size_t> allocationOf(storages.liveRanges.size());
  for (size_t i = 0; i < storages.liveRanges.size(); ++i) {
    const LiveRange &range = storages.liveRanges[i];
    StorageId storage = storages.storageOf[i];
    if (range.isInPlace()) {
      allocationOf[i] = allocationOf[range.over];
    } else {
      allocationOf[i] = allocations.size();
      Allocation &taken = allocations.emplace_back();
      taken.placement.kind =
          range.discarded ? PlacementKind::Discard : PlacementKind::Tensor;
      taken.placement.tensor = range.tensor;
      taken.placement.stepBegin = range.begin < 0 ? 0 : actionOf[range.begin];
      taken.bytes = storage.isValid() ? storages.storageBytes[storage.index]
                                      : range.bytes;
      taken.space = range.space;
      taken.storage = storage;
    }
    // What ends at a run is given back by the action after it.
    bool survives = static_cast<size_t>(range.end) > actionOf.size();
    allocations[allocationOf[i]].placement.stepEnd =
        survives         ? static_cast<int32_t>(actions.size())
        : range.end == 0 ? 1
                         : actionOf[range.end - 1] + 1;
  }
}

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

StepBuffers memplan::makeBuffers(const Graph &graph,
                                 std::vector<Allocation> allocations,
                                 int64_t alignmentBytes,
                                 std::vector<int32_t> *bufferOf) {
  llvm::sort(allocations, [](const Allocation &a, const Allocation &b) {
    auto key = [](const Allocation &allocation) {
      const Placement &placement = allocation.placement;
      return std::tuple(placement.stepBegin, placement.kind, placement.tensor,
                        placement.node, allocation.space);
    };
    return key(a) < key(b);
  });
  StepBuffers buffers;
  buffers.problem.alignmentBytes = alignmentBytes;
  std::vector<ArenaBuffer> &list = buffers.problem.buffers;
  std::vector<int32_t> bufferOfStorage;
  for (const Allocation &allocation : allocations) {
    buffers.placements.push_back(allocation.placement);
    auto next = static_cast<int32_t>(list.size());
    int32_t buffer = next;
    if (allocation.storage.isValid()) {
      const auto storage = static_cast<size_t>(allocation.storage.index);
      if (bufferOfStorage.size() <= storage)
        bufferOfStorage.resize(storage + 1, -1);
      if (bufferOfStorage[storage] < 0)
        bufferOfStorage[storage] = next;
      buffer = bufferOfStorage[storage];
    }
    if (buffer == next)
      list.push_back(makeBuffer(graph, allocation));
    else
      extend(list[buffer], allocation.placement);
    buffers.bufferOf.push_back(buffer);
  }
  if (bufferOf)
    *bufferOf = std::move(bufferOfStorage);
  return buffers;
}

StepBuffers memplan::makeBuffers(const GraphIndex &index,
                                 const std::vector<PlanAction> &actions,
                                 const StorageMap &storages,
                                 int64_t alignmentBytes) {
  std::vector<Allocation> allocations;
  addWorkspaces(index.graph(), actions, allocations);
  addStorages(actions, storages, allocations);
  StepBuffers buffers =
      makeBuffers(index.graph(), std::move(allocations), alignmentBytes);
  for (const LiveRange &range : storages.liveRanges)
    if (range.begin < 0)
      buffers.owns.push_back(range.tensor);
  return buffers;
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

//===- Lifetimes.cpp - From plan steps to buffers and back ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/Lifetimes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <tuple>

using namespace memplan;

namespace {
/// Follows who holds which storage while the steps go by. A storage is numbered
/// by its placement, or is the caller's.
class StepWalk {
public:
  explicit StepWalk(const GraphIndex &index)
      : index(index), holder(index.graph().tensors.size(), none) {
    for (size_t i = 0; i < holder.size(); ++i)
      if (!index.producer(TensorId(i)) &&
          index.base(TensorId(i)) == TensorId(i))
        holder[i] = callers;
  }

  void walk(const std::vector<PlanAction> &steps) {
    for (size_t i = 0; i < steps.size(); ++i)
      step(steps[i], static_cast<int32_t>(i));
    for (int32_t storage : holder)
      giveBack(storage, static_cast<int32_t>(steps.size()));
  }

  std::vector<Placement> placements;

private:
  static constexpr int32_t none = -1, callers = -2;

  void step(const PlanAction &step, int32_t at) {
    switch (step.action) {
    case ActionKind::Compute:
      return compute(step, at);
    case ActionKind::Free:
      for (TensorId tensor : step.tensors)
        giveBack(std::exchange(holder[index.base(tensor).index], none), at);
      return;
    case ActionKind::Evict: // Occupied until the copy is waited for.
      evicting[step.event] =
          std::exchange(holder[step.tensors.front().index], none);
      return;
    case ActionKind::Fetch: {
      TensorId tensor = step.tensors.front();
      holder[tensor.index] =
          index.producer(tensor) ? take(tensor, at) : callers;
      return;
    }
    case ActionKind::Wait:
      if (auto copy = evicting.find(step.event); copy != evicting.end()) {
        giveBack(copy->second, at);
        evicting.erase(copy);
      }
      return;
    case ActionKind::DropHost:
      return;
    }
  }

  void compute(const PlanAction &step, int32_t at) {
    const Graph &graph = index.graph();
    const Node &node = graph[step.node];
    int64_t workspaceBytes =
        step.variant == 0 ? node.workspaceBytes
                          : node.variants[step.variant - 1].workspaceBytes;
    if (workspaceBytes > 0) {
      Placement scratch = placement(PlacementKind::Workspace, at);
      scratch.node = step.node;
      scratch.stepEnd = at + 1;
      placements.push_back(scratch);
    }
    for (TensorId output : node.outputs) {
      if (graph[output].viewOf)
        continue;
      if (llvm::is_contained(step.discard, output)) {
        Placement scratch = placement(PlacementKind::Discard, at);
        scratch.tensor = output;
        scratch.stepEnd = at + 1;
        placements.push_back(scratch);
        continue;
      }
      auto pair = llvm::find_if(step.inPlace, [&](const InPlacePair &each) {
        return each.output == output;
      });
      holder[output.index] =
          pair == step.inPlace.end()
              ? take(output, at)
              : std::exchange(holder[index.base(pair->input).index], none);
    }
  }

  static Placement placement(PlacementKind kind, int32_t at) {
    Placement result;
    result.kind = kind;
    result.stepBegin = at;
    return result;
  }

  int32_t take(TensorId tensor, int32_t at) {
    Placement taken = placement(PlacementKind::Tensor, at);
    taken.tensor = tensor;
    placements.push_back(taken);
    return static_cast<int32_t>(placements.size()) - 1;
  }

  void giveBack(int32_t storage, int32_t at) {
    if (storage >= 0)
      placements[storage].stepEnd = at;
  }

  const GraphIndex &index;
  std::vector<int32_t> holder;         ///< By base tensor.
  std::map<int64_t, int32_t> evicting; ///< By event.
};
} // namespace

static std::vector<Placement>
findPlacements(const GraphIndex &index, const std::vector<PlanAction> &steps) {
  StepWalk walk(index);
  walk.walk(steps);
  llvm::sort(walk.placements, [](const Placement &a, const Placement &b) {
    return std::tuple(a.stepBegin, a.kind, a.tensor, a.node) <
           std::tuple(b.stepBegin, b.kind, b.tensor, b.node);
  });
  return std::move(walk.placements);
}

static int64_t bytesOf(const Graph &graph, const std::vector<PlanAction> &steps,
                       const Placement &placement) {
  if (placement.kind != PlacementKind::Workspace)
    return graph[placement.tensor].bytes;
  const Node &node = graph[placement.node];
  int32_t variant = steps[placement.stepBegin].variant;
  return variant == 0 ? node.workspaceBytes
                      : node.variants[variant - 1].workspaceBytes;
}

static ArenaBuffer makeBuffer(const Graph &graph, const Placement &placement,
                              int64_t bytes) {
  ArenaBuffer buffer;
  const char *kind = placement.kind == PlacementKind::Tensor ? ""
                     : placement.kind == PlacementKind::Workspace
                         ? "workspace of "
                         : "discarded ";
  buffer.id = llvm::formatv(
      "{0}{1}@{2}", kind,
      placement.kind == PlacementKind::Workspace
          ? llvm::formatv("node {0}", graph[placement.node].externalId).str()
          : llvm::formatv("tensor {0}", graph[placement.tensor].externalId)
                .str(),
      placement.stepBegin);
  buffer.bytes = bytes;
  buffer.begin = placement.stepBegin;
  buffer.end = placement.stepEnd;
  return buffer;
}

StepLifetimes memplan::makeArenaProblem(const GraphIndex &index,
                                        const std::vector<PlanAction> &steps,
                                        int64_t alignmentBytes) {
  StepLifetimes lifetimes;
  lifetimes.problem.alignmentBytes = alignmentBytes;
  lifetimes.placements = findPlacements(index, steps);
  for (const Placement &placement : lifetimes.placements) {
    lifetimes.bufferOf.push_back(
        static_cast<int32_t>(lifetimes.bufferOf.size()));
    lifetimes.problem.buffers.push_back(makeBuffer(
        index.graph(), placement, bytesOf(index.graph(), steps, placement)));
  }
  return lifetimes;
}

/// Lets the buffer live from the first begin to the last end of its sharers,
/// dead between them.
static void uniteLifetimes(ArenaBuffer &buffer,
                           std::vector<std::pair<int64_t, int64_t>> sharers) {
  llvm::sort(sharers);
  buffer.begin = buffer.end = sharers.front().first;
  for (auto [begin, end] : sharers) {
    if (begin > buffer.end)
      buffer.gaps.push_back({buffer.end, begin});
    buffer.end = std::max(buffer.end, end);
  }
}

llvm::Expected<StepLifetimes>
memplan::makeArenaProblem(const GraphIndex &index,
                          const std::vector<PlanAction> &steps,
                          int64_t alignmentBytes, const StorageMap &storages) {
  // Live ranges count runs, placements count steps.
  std::vector<int32_t> runOfStep;
  int32_t runs = 0;
  for (const PlanAction &step : steps)
    runOfStep.push_back(step.action == ActionKind::Compute ? runs++ : -1);
  std::map<std::pair<int32_t, TensorId>, StorageId> storageOf;
  for (size_t i = 0; i < storages.liveRanges.size(); ++i)
    storageOf[{storages.liveRanges[i].begin, storages.liveRanges[i].tensor}] =
        storages.storageOf[i];

  StepLifetimes lifetimes;
  lifetimes.problem.alignmentBytes = alignmentBytes;
  lifetimes.placements = findPlacements(index, steps);
  const Graph &graph = index.graph();
  std::vector<int32_t> bufferOfStorage(storages.storageBytes.size(), -1);
  std::vector<std::vector<std::pair<int64_t, int64_t>>> sharers(
      storages.storageBytes.size());
  for (const Placement &placement : lifetimes.placements) {
    auto next = static_cast<int32_t>(lifetimes.problem.buffers.size());
    if (placement.kind == PlacementKind::Workspace) {
      lifetimes.bufferOf.push_back(next);
      lifetimes.problem.buffers.push_back(
          makeBuffer(graph, placement, bytesOf(graph, steps, placement)));
      continue;
    }
    auto found =
        storageOf.find({runOfStep[placement.stepBegin], placement.tensor});
    if (found == storageOf.end() || !found->second.isValid())
      return llvm::createStringError(
          llvm::formatv("{0}, taken at step {1}, has no storage; were the "
                        "storages planned for another schedule?",
                        describe(graph, placement.tensor), placement.stepBegin)
              .str());
    StorageId storage = found->second;
    if (bufferOfStorage[storage.index] < 0) {
      bufferOfStorage[storage.index] = next;
      lifetimes.problem.buffers.push_back(
          makeBuffer(graph, placement, storages.storageBytes[storage.index]));
      lifetimes.problem.buffers.back().id =
          llvm::formatv("storage {0}", storage.index);
    }
    lifetimes.bufferOf.push_back(bufferOfStorage[storage.index]);
    sharers[storage.index].push_back({placement.stepBegin, placement.stepEnd});
  }
  for (size_t i = 0; i < sharers.size(); ++i)
    if (bufferOfStorage[i] >= 0)
      uniteLifetimes(lifetimes.problem.buffers[bufferOfStorage[i]], sharers[i]);
  return lifetimes;
}

PlanArena memplan::makeArena(const StepLifetimes &lifetimes,
                             const ArenaPlan &plan) {
  PlanArena arena;
  arena.bytes = plan.peakBytes;
  arena.alignment = lifetimes.problem.alignmentBytes;
  arena.placements = lifetimes.placements;
  for (size_t i = 0; i < arena.placements.size(); ++i)
    arena.placements[i].offset = plan.offsets[lifetimes.bufferOf[i]];
  return arena;
}

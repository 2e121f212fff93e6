//===- BatchPlan.cpp - One plan for a range of batches --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/BatchPlan.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Plan/PlanVerifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

std::string hashStep(const Graph &graph, const BatchRange &range,
                     int64_t batch) {
  Graph step = graph;
  step.bandwidth.reset();
  step.hostBudgetBytes.reset();
  for (size_t i = 0; i < step.tensors.size(); ++i) {
    step.tensors[i].partOf.reset();
    if (i < range.bytesPerSample.size())
      step.tensors[i].bytes += range.bytesPerSample[i] * (range.most() - batch);
  }
  for (Node &node : step.nodes) {
    node.cost = 0;
    node.workspaceBytes = 0;
    node.variants.clear();
  }
  return hashGraph(step);
}

Graph graphAtBatch(const Graph &most, const BatchRange &range, int64_t batch) {
  Graph graph = most;
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    graph.tensors[i].bytes =
        range.affine(batch, {most.tensors[i].bytes, range.bytesPerSample[i]});
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    Node &node = graph.nodes[n];
    node.workspaceBytes = range.affine(batch, range.scratch[n]);
    for (NodeVariant &variant : node.variants)
      variant.workspaceBytes = node.workspaceBytes;
  }
  return graph;
}

static Error checkStep(const Graph &graph, const Plan &plan, int64_t batch) {
  const BatchRange &range = *plan.batches;
  if (batch < range.least() || batch > range.most())
    return createStringError(
        "the plan is for batches from " + Twine(range.least()) + " to " +
        Twine(range.most()) + ", not for " + Twine(batch) +
        "; plan again with --batch=" + Twine(std::min(batch, range.least())) +
        ":" + Twine(std::max(batch, range.most())));
  if (graph.tensors.size() != range.bytesPerSample.size() ||
      graph.nodes.size() != range.scratch.size() ||
      hashStep(graph, range, batch) != range.stepHash)
    return createStringError(
        "the plan is of another step: at batch " + Twine(batch) +
        " this one has other tensors or nodes, or tensors of other bytes, than "
        "the plan has for that batch; plan it again");
  for (const PlanAction &action : plan.steps) {
    if (action.action != ActionKind::Compute)
      continue;
    const Node &node = graph[action.node];
    if (action.variant < 0 || action.variant >= node.numVariants())
      return createStringError("at batch " + Twine(batch) + " " +
                               describe(graph, action.node) +
                               " has no variant " + Twine(action.variant) +
                               ", which the plan has chosen for it");
    const int64_t wanted = node.variant(action.variant).workspaceBytes,
                  planned =
                      range.affine(batch, range.scratch[action.node.index]);
    if (wanted > planned)
      return createStringError(
          "at batch " + Twine(batch) + " " + describe(graph, action.node) +
          " takes " + Twine(wanted) + " bytes of scratch, and the plan has " +
          Twine(planned) +
          " for it; plan again with the backend and the threads that it runs "
          "on");
  }
  return Error::success();
}

static bool takesNothing(const Graph &graph, const Plan &plan,
                         const Placement &placement) {
  return placement.kind == PlacementKind::Workspace &&
         graph[placement.node]
                 .variant(plan.steps[placement.stepBegin].variant)
                 .workspaceBytes == 0;
}

Expected<Plan> planAtBatch(const GraphIndex &index, const Plan &plan,
                           int64_t batch) {
  const Graph &graph = index.graph();
  if (Error error = checkStep(graph, plan, batch))
    return error;
  const BatchRange &range = *plan.batches;
  Plan at = plan;
  at.batches.reset();
  at.graphHash = hashGraph(graph);
  // A bound is of the costs at the largest batch.
  at.status = SolveStatus::Feasible;
  at.bound.reset();
  at.timeBound.reset();
  at.boundSpace = at.timeBoundSpace = at.proof = "";
  for (PlanArena &arena : at.arenas) {
    arena.bytes = range.between(batch, arena.bytesAt);
    std::vector<Placement> placements;
    for (size_t i = 0; i < arena.placements.size(); ++i) {
      if (takesNothing(graph, plan, arena.placements[i]))
        continue;
      placements.push_back(arena.placements[i]);
      placements.back().offset = range.between(batch, arena.offsetsAt[i]);
    }
    arena.placements = std::move(placements);
    arena.bytesAt.clear();
    arena.offsetsAt.clear();
    arena.liveBytes = liveBoundBytes(graph, at, arena);
  }
  Expected<Replay> replay = replayPlan(index, at);
  if (!replay)
    return replay.takeError();
  at.cost = replay->cost;
  at.time = replay->time;
  at.peakBytes = replay->peakBytes;
  return at;
}

} // namespace memplan

//===- NaivePlan.cpp - The plan of the unplanned program ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Graph/GraphJson.h"

using namespace mlir;
using namespace mlir::memplan;

core::Plan mlir::memplan::naivePlan(const core::Graph &graph,
                                    int64_t alignmentBytes) {
  core::Plan plan;
  plan.graphName = graph.name;
  plan.graphHash = core::hashGraph(graph);
  plan.status = core::SolveStatus::Feasible;
  plan.solver = "naive";
  plan.time = plan.cost = graph.totalCost();
  core::PlanArena &arena = plan.arenas.emplace_back();
  arena.alignment = alignmentBytes;
  int32_t end = graph.nodes.size();
  int64_t workspacePeak = 0, valueBytes = 0;
  auto place = [&](core::Placement placement, int64_t bytes) {
    placement.offset = arena.bytes;
    arena.placements.push_back(placement);
    arena.bytes +=
        (bytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
  };
  for (int32_t step = 0; step < end; ++step) {
    core::NodeId id(step);
    const core::Node &node = graph[id];
    plan.steps.push_back(core::PlanAction::compute(id));
    for (core::TensorId output : node.outputs)
      if (!graph[output].viewOf && graph[output].bytes != 0) {
        place({core::PlacementKind::Tensor, output, {}, step, end, 0},
              graph[output].bytes);
        valueBytes += graph[output].bytes;
      }
    if (node.workspaceBytes != 0)
      place({core::PlacementKind::Workspace, {}, id, step, step + 1, 0},
            node.workspaceBytes);
    // Nothing is freed, so that what is live only grows but for the workspace.
    workspacePeak = std::max(workspacePeak, valueBytes + node.workspaceBytes);
  }
  plan.peakBytes = graph.persistentBytes() + workspacePeak;
  return plan;
}

//===- DtrTrace.cpp - A simulated run as a trace --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

static void listTensors(const Graph &graph, Trace &trace) {
  for (const Node &node : graph.nodes)
    for (size_t output = 0; output < node.outputs.size(); ++output) {
      const Tensor &tensor = graph[node.outputs[output]];
      trace.tensors.push_back({tensor.externalId,
                               tensor.viewOf ? 0 : tensor.bytes,
                               node.externalId, int64_t(output)});
    }
}

Trace memplan::makeTrace(const GraphIndex &index, const DtrRun &run) {
  const Graph &graph = index.graph();
  Trace trace;
  trace.program = graph.name;
  if (run.highWaterBytes > 0)
    trace.highWaterBytes = run.highWaterBytes;
  listTensors(graph, trace);
  for (const DtrStep &did : run.steps) {
    TraceStep step;
    step.at = did.clock;
    if (!did.isCompute) {
      step.action = ActionKind::Free;
      for (TensorId id : did.tensors)
        step.tensors.push_back(graph[id].externalId);
      trace.steps.push_back(std::move(step));
      continue;
    }
    step.node = graph[did.node].externalId;
    for (TensorId id : did.discard)
      step.discard.push_back(graph[id].externalId);
    if (!did.addresses.empty())
      for (TensorId id : graph[did.node].outputs) {
        auto found = llvm::find(did.tensors, id);
        step.addresses.push_back(
            found == did.tensors.end()
                ? -1
                : did.addresses[size_t(found - did.tensors.begin())]);
      }
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

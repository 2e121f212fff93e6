//===- PlanWriter.cpp - Writes *.plan.json --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Support/JsonWriter.h"

using namespace llvm;

namespace memplan {

static constexpr int64_t formatVersion = 1;

namespace {
class PlanWriter {
public:
  PlanWriter(const Graph &graph, const Plan &plan, raw_ostream &os,
             StringRef device)
      : graph(graph), plan(plan), os(os), device(device) {}
  void write();

private:
  void writeSummary();
  void writeBudgets();
  void writeBatches(const BatchRange &range);
  void writeCompute(const PlanAction &step);
  void writeQueue(const PlanAction &step);
  void writeStep(const PlanAction &step);
  void writeArena(const PlanArena &arena);
  void writeNumbers(ArrayRef<int64_t> numbers) {
    printList(os, numbers, [&](int64_t number) { os << number; });
  }
  void writeIds(ArrayRef<TensorId> ids) {
    printList(os, ids, [&](TensorId id) { os << graph[id].externalId; });
  }

  const Graph &graph;
  const Plan &plan;
  raw_ostream &os;
  StringRef device;
};
} // namespace

void PlanWriter::writeCompute(const PlanAction &step) {
  os << "{\"compute\": " << graph[step.node].externalId;
  if (!step.inPlace.empty()) {
    os << ", \"in_place\": ";
    printList(os, step.inPlace, [&](const InPlacePair &pair) {
      os << '[' << graph[pair.output].externalId << ", "
         << graph[pair.input].externalId << ']';
    });
  }
  if (step.variant != 0)
    os << ", \"variant\": " << step.variant;
  writeQueue(step);
  if (!step.discard.empty()) {
    os << ", \"discard\": ";
    writeIds(step.discard);
  }
  os << '}';
}

/// The stream, where it is not the first, and the event signalled at the end.
void PlanWriter::writeQueue(const PlanAction &step) {
  if (step.stream != 0)
    os << ", \"stream\": " << step.stream;
  if (step.event && step.action != ActionKind::Wait)
    os << ", \"event\": " << *step.event;
}

void PlanWriter::writeStep(const PlanAction &step) {
  auto ofTensor = [&](const char *action) {
    os << "{\"" << action << "\": " << graph[step.tensors.front()].externalId;
  };
  switch (step.action) {
  case ActionKind::Compute:
    return writeCompute(step);
  case ActionKind::Free:
    os << "{\"free\": ";
    writeIds(step.tensors);
    break;
  case ActionKind::Evict:
    ofTensor("evict");
    break;
  case ActionKind::Fetch:
    ofTensor("fetch");
    break;
  case ActionKind::Wait:
    os << "{\"wait\": " << step.event.value_or(0);
    break;
  case ActionKind::DropHost:
    ofTensor("drop_host");
    break;
  }
  writeQueue(step);
  os << '}';
}

void PlanWriter::writeArena(const PlanArena &arena) {
  os << "{\"space\": " << printString(arena.space)
     << ", \"bytes\": " << arena.bytes;
  if (!arena.bytesAt.empty()) {
    os << ", \"bytes_at\": ";
    writeNumbers(arena.bytesAt);
  }
  if (arena.liveBytes)
    os << ", \"live_bytes\": " << *arena.liveBytes;
  os << ", \"alignment\": " << arena.alignment;
  if (!arena.owns.empty()) {
    os << ", \"owns\": ";
    writeIds(arena.owns);
  }
  os << ", \"placements\": [";
  const char *separator = "\n   ";
  for (size_t i = 0; i < arena.placements.size(); ++i) {
    const Placement &placement = arena.placements[i];
    os << separator << "{\"";
    switch (placement.kind) {
    case PlacementKind::Tensor:
      os << "tensor\": " << graph[placement.tensor].externalId;
      break;
    case PlacementKind::Workspace:
      os << "workspace\": " << graph[placement.node].externalId;
      break;
    case PlacementKind::Discard:
      os << "discard\": " << graph[placement.tensor].externalId;
      break;
    }
    os << ", \"step_begin\": " << placement.stepBegin
       << ", \"step_end\": " << placement.stepEnd
       << ", \"offset\": " << placement.offset;
    if (i < arena.offsetsAt.size()) {
      os << ", \"offsets_at\": ";
      writeNumbers(arena.offsetsAt[i]);
    }
    os << '}';
    separator = ",\n   ";
  }
  os << "]}";
}

void PlanWriter::writeSummary() {
  os << "{\"version\": " << formatVersion
     << ", \"graph\": " << printString(plan.graphName) << ", \"graph_hash\": "
     << printString(plan.graphHash == hashGraph(graph)
                        ? hashGraphFor(graph, plan)
                        : plan.graphHash);
  if (!device.empty())
    os << ", \"device\": " << printString(device);
  os << ", \"status\": \"" << statusName(plan.status) << '"';
  if (hasSteps(plan.status))
    os << ",\n \"cost\": " << printNumber(plan.cost);
  if (hasSteps(plan.status) && plan.time)
    os << ", \"time\": " << printNumber(*plan.time);
  if (plan.bound)
    os << ", \"bound\": " << printNumber(*plan.bound);
  if (!plan.boundSpace.empty())
    os << ", \"bound_space\": " << printString(plan.boundSpace);
  if (!plan.proof.empty())
    os << ", \"proof\": " << printString(plan.proof);
  if (plan.timeBound)
    os << ", \"time_bound\": " << printNumber(*plan.timeBound);
  if (!plan.timeBoundSpace.empty())
    os << ", \"time_bound_space\": " << printString(plan.timeBoundSpace);
  if (hasSteps(plan.status))
    os << ", \"peak_bytes\": " << plan.peakBytes;
  os << ", \"solver\": " << printString(plan.solver);
}

void PlanWriter::writeBudgets() {
  if (plan.budgetBytes)
    os << ", \"budget_bytes\": " << *plan.budgetBytes;
  if (plan.boundBytes)
    os << ", \"bound_bytes\": " << *plan.boundBytes;
  if (plan.minimumBudgetBytes)
    os << ", \"minimum_budget_bytes\": " << *plan.minimumBudgetBytes;
  if (!plan.witnessNode && plan.witnessTensors.empty())
    return;
  os << ",\n \"witness\": {";
  if (plan.witnessNode)
    os << "\"node\": " << graph[*plan.witnessNode].externalId << ", ";
  os << "\"tensors\": ";
  writeIds(plan.witnessTensors);
  os << '}';
}

void PlanWriter::writeBatches(const BatchRange &range) {
  os << ",\n \"batches\": {\"breakpoints\": ";
  writeNumbers(range.breakpoints);
  os << ", \"step_hash\": " << printString(range.stepHash)
     << ", \"tensors\": [";
  const char *separator = "\n   ";
  for (size_t i = 0; i < range.bytesPerSample.size(); ++i) {
    if (range.bytesPerSample[i] == 0)
      continue;
    os << separator << "{\"tensor\": " << graph.tensors[i].externalId
       << ", \"bytes_per_sample\": " << range.bytesPerSample[i] << '}';
    separator = ",\n   ";
  }
  os << "], \"scratch\": [";
  separator = "\n   ";
  for (size_t n = 0; n < range.scratch.size(); ++n) {
    if (range.scratch[n].most == 0)
      continue;
    os << separator << "{\"workspace\": " << graph.nodes[n].externalId
       << ", \"bytes\": " << range.scratch[n].most
       << ", \"bytes_per_sample\": " << range.scratch[n].perSample << '}';
    separator = ",\n   ";
  }
  os << "]}";
}

void PlanWriter::write() {
  writeSummary();
  writeBudgets();
  if (plan.batches)
    writeBatches(*plan.batches);
  if (hasSteps(plan.status)) {
    os << ",\n \"steps\": [";
    const char *separator = "\n  ";
    for (const PlanAction &step : plan.steps) {
      os << separator;
      writeStep(step);
      separator = ",\n  ";
    }
    os << ']';
  }
  if (!plan.arenas.empty()) {
    os << ",\n \"arenas\": [";
    const char *separator = "\n  ";
    for (const PlanArena &arena : plan.arenas) {
      os << separator;
      writeArena(arena);
      separator = ",\n  ";
    }
    os << ']';
  }
  os << "}\n";
}

void writePlan(const Graph &graph, const Plan &plan, raw_ostream &os,
               StringRef device) {
  PlanWriter(graph, plan, os, device).write();
}

} // namespace memplan

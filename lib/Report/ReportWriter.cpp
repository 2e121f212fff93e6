//===- ReportWriter.cpp - Writes *.report.json ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collect.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Report/ReportWriters.h"
#include "memplan/Support/JsonWriter.h"

using namespace memplan;

static constexpr int64_t formatVersion = 1;

static const char *actionName(ActionKind action) {
  switch (action) {
  case ActionKind::Compute:
    return "compute";
  case ActionKind::Free:
    return "free";
  case ActionKind::Evict:
    return "evict";
  case ActionKind::Fetch:
    return "fetch";
  case ActionKind::Wait:
    return "wait";
  case ActionKind::DropHost:
    return "drop_host";
  }
  return "";
}

static const char *kindName(PlacementKind kind) {
  switch (kind) {
  case PlacementKind::Tensor:
    return "tensor";
  case PlacementKind::Workspace:
    return "workspace";
  case PlacementKind::Discard:
    return "discard";
  }
  return "";
}

static const char *kindName(TensorKind kind) {
  static const char *const names[] = {"parameter",  "state",    "input",
                                      "activation", "gradient", "output"};
  return names[static_cast<int>(kind)];
}

namespace {
class ReportWriter {
public:
  ReportWriter(const GraphIndex &index, const Plan &plan,
               const ReportData &data, llvm::raw_ostream &os)
      : index(index), graph(index.graph()), plan(plan), data(data), os(os) {}
  void write();
  void writeSummary();

private:
  void text(const char *key, llvm::StringRef value) {
    if (!value.empty())
      os << ", \"" << key << "\": " << printString(value);
  }
  void number(const char *key, std::optional<int64_t> value) {
    if (value)
      os << ", \"" << key << "\": " << *value;
  }
  void number(const char *key, std::optional<double> value) {
    if (value)
      os << ", \"" << key << "\": " << printNumber(*value);
  }
  void flag(const char *key, bool value) {
    if (value)
      os << ", \"" << key << "\": true";
  }
  void ids(const char *key, const std::vector<TensorId> &tensors) {
    os << ", \"" << key << "\": ";
    printList(os, tensors, [&](TensorId id) { os << graph[id].externalId; });
  }
  template <typename List, typename Write>
  void rows(const char *key, const List &list, Write write) {
    os << ",\n \"" << key << "\": [";
    const char *separator = "\n  ";
    for (const auto &element : list) {
      os << separator;
      write(element);
      os << '}';
      separator = ",\n  ";
    }
    os << ']';
  }
  void writeFailure();
  void writePeak();
  void writeNode(const Node &node);
  void writeTensor(const Tensor &tensor);
  void writeRange(const ReportRange &range);
  void writeStep(size_t step);
  void writeRefusal(const Refusal &refusal);

  const GraphIndex &index;
  const Graph &graph;
  const Plan &plan;
  const ReportData &data;
  llvm::raw_ostream &os;
};
} // namespace

void ReportWriter::writeSummary() {
  os << "{\"status\": \"" << statusName(plan.status) << '"';
  text("solver", plan.solver);
  if (hasSteps(plan.status)) {
    os << ", \"device_bytes\": " << data.deviceBytes
       << ", \"peak_bytes\": " << data.replay.peakBytes
       << ", \"host_bytes\": " << data.replay.hostPeakBytes
       << ", \"cost\": " << printNumber(plan.cost)
       << ", \"time\": " << printNumber(plan.makespan());
    for (const PlanArena &arena : plan.arenas)
      if (arena.space == spaceName(MemorySpace::Device)) {
        number("arena_bytes", std::optional(arena.bytes));
        number("live_bytes", arena.liveBytes);
      }
  }
  number("budget_bytes", plan.budgetBytes);
  os << ", \"fixed_bytes\": " << graph.fixedBytes
     << ", \"caller_bytes\": " << graph.persistentBytes() - graph.fixedBytes
     << ", \"unplanned_bytes\": " << data.unplannedBytes
     << ", \"unplanned_cost\": " << printNumber(data.unplannedCost);
  number("bound", plan.bound);
  text("bound_space", plan.boundSpace);
  text("proof", plan.proof);
  number("time_bound", plan.timeBound);
  text("time_bound_space", plan.timeBoundSpace);
  if (graph.bandwidth) {
    number("bandwidth_h2d", graph.bandwidth->hostToDevice);
    number("bandwidth_d2h", graph.bandwidth->deviceToHost);
    number("copy_latency", std::optional(graph.bandwidth->latency));
  }
  if (data.batch) {
    number("batch", std::optional(data.batch->batch));
    text("slowdown", data.batch->slowdown);
    flag("batch_is_estimated", data.batch->isEstimated);
    flag("batch_search_stopped", data.batch->isStopped);
  }
  writeFailure();
  os << '}';
}

void ReportWriter::writeFailure() {
  number("bound_bytes", plan.boundBytes);
  number("minimum_budget_bytes", plan.minimumBudgetBytes);
  if (plan.witnessNode)
    os << ", \"witness_node\": " << graph[*plan.witnessNode].externalId;
  if (!plan.witnessTensors.empty())
    ids("witness_tensors", plan.witnessTensors);
  text("note", plan.note);
}

void ReportWriter::writePeak() {
  os << ",\n \"peak\": {\"step\": " << data.replay.peakStep
     << ", \"bytes\": " << data.replay.peakBytes << ", \"categories\": {";
  const char *separator = "";
  for (const auto &[category, bytes] : sumCategories(index, data)) {
    os << separator << printString(category) << ": " << bytes;
    separator = ", ";
  }
  os << "}, \"live_ranges\": ";
  printList(os, data.peak, [&](int32_t place) { os << place; });
  os << '}';
}

void ReportWriter::writeNode(const Node &node) {
  const NodeId id(static_cast<int32_t>(&node - graph.nodes.data()));
  os << "{\"id\": " << node.externalId;
  text("name", node.name);
  text("module", moduleOf(graph, id));
  if (!data.sources.empty())
    text("source", data.sources[id.index]);
  os << ", \"cost\": " << printNumber(node.cost);
  if (!data.replay.runsOfNode.empty())
    os << ", \"runs\": " << data.replay.runsOfNode[id.index];
  flag("backward", node.backward);
  flag("runs_once", node.runsOnce());
}

void ReportWriter::writeTensor(const Tensor &tensor) {
  const TensorId id(static_cast<int32_t>(&tensor - graph.tensors.data()));
  os << "{\"id\": " << tensor.externalId;
  text("name", tensor.name);
  text("title", titleOf(index, id));
  os << ", \"bytes\": " << tensor.bytes << ", \"kind\": \""
     << kindName(tensor.kind) << '"';
  text("module", moduleOf(index, id));
  if (tensor.viewOf)
    os << ", \"view_of\": " << graph[*tensor.viewOf].externalId;
  if (const std::optional<NodeId> producer = index.producer(id))
    os << ", \"producer\": " << graph[*producer].externalId;
  os << ", \"users\": ";
  printList(os, index.users(id),
            [&](NodeId user) { os << graph[user].externalId; });
}

void ReportWriter::writeRange(const ReportRange &range) {
  os << "{\"what\": \"" << kindName(range.kind) << '"';
  if (range.kind == PlacementKind::Workspace)
    os << ", \"node\": " << graph[range.node].externalId;
  else
    os << ", \"tensor\": " << graph[range.tensor].externalId;
  if (range.space == MemorySpace::Host)
    os << ", \"space\": \"host\"";
  os << ", \"begin\": " << range.begin << ", \"end\": " << range.end;
  if (range.lastUse >= 0)
    os << ", \"last_use\": " << range.lastUse;
  os << ", \"bytes\": " << range.bytes;
  number("offset", range.offset);
  os << ", \"origin\": \"" << originName(range.origin) << "\", \"category\": \""
     << categoryOf(index, range) << '"';
  if (range.over)
    os << ", \"over\": " << graph[*range.over].externalId;
  if (range.reuses >= 0)
    os << ", \"reuses\": " << range.reuses;
}

void ReportWriter::writeStep(size_t step) {
  const PlanAction &action = plan.steps[step];
  const ReportStep &found = data.steps[step];
  os << "{\"action\": \"" << actionName(action.action) << '"';
  if (action.action == ActionKind::Compute)
    os << ", \"node\": " << graph[action.node].externalId;
  if (!action.tensors.empty())
    ids("tensors", action.tensors);
  os << ", \"start\": " << printNumber(found.start)
     << ", \"end\": " << printNumber(found.end)
     << ", \"bytes\": " << found.bytes;
  if (action.stream != 0)
    os << ", \"stream\": " << action.stream;
  if (action.variant != 0)
    os << ", \"variant\": " << action.variant;
  flag("recomputation", found.isRecomputation);
}

void ReportWriter::writeRefusal(const Refusal &refusal) {
  os << "{\"what\": \""
     << (refusal.kind == Refusal::Kind::Recompute ? "recompute" : "in place")
     << "\", \"tensor\": " << graph[refusal.tensor].externalId
     << ", \"node\": " << graph[refusal.node].externalId
     << ", \"bytes\": " << refusal.bytes;
  text("reason", refusal.reason);
}

void ReportWriter::write() {
  os << "{\"version\": " << formatVersion
     << ", \"kind\": \"memplan report\", \"graph\": " << printString(graph.name)
     << ", \"graph_hash\": " << printString(hashGraphFor(graph, plan))
     << ",\n \"verdict\": " << printString(data.verdict) << ",\n \"summary\": ";
  writeSummary();
  if (hasSteps(plan.status))
    writePeak();
  rows("nodes", graph.nodes, [&](const Node &node) { writeNode(node); });
  rows("tensors", graph.tensors,
       [&](const Tensor &tensor) { writeTensor(tensor); });
  rows("live_ranges", data.ranges,
       [&](const ReportRange &range) { writeRange(range); });
  size_t step = 0;
  rows("steps", data.steps, [&](const ReportStep &) { writeStep(step++); });
  rows("refused", data.refusals,
       [&](const Refusal &refusal) { writeRefusal(refusal); });
  os << "}\n";
}

void memplan::writeReportData(const GraphIndex &index, const Plan &plan,
                              const ReportData &data, llvm::raw_ostream &os) {
  ReportWriter(index, plan, data, os).write();
}

void memplan::writeSummaryJson(const GraphIndex &index, const Plan &plan,
                               const ReportData &data, llvm::raw_ostream &os) {
  os << "{\"graph\": " << printString(index.graph().name)
     << ", \"verdict\": " << printString(data.verdict) << ", \"summary\": ";
  ReportWriter(index, plan, data, os).writeSummary();
  os << "}\n";
}

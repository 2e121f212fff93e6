//===- PlanReader.cpp - Reads *.plan.json ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Support/JsonReader.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <unordered_map>

using namespace llvm;

namespace memplan {

static constexpr int64_t formatVersion = 1;

namespace {
class PlanReader {
public:
  PlanReader(const Graph &graph, std::vector<std::string> *warnings);

  Expected<Plan> read(const json::Value &root);
  const std::string &forDevice() const { return device; }

private:
  void readTop(JsonFields &fields);
  void readWitness(const json::Value &value);
  void readBatches(const json::Value &value);
  void readStep(JsonFields &fields);
  void readArena(JsonFields &fields);
  void readPlacement(JsonFields &fields, PlanArena &arena);
  TensorId tensor(const JsonFields &fields, StringRef key, int64_t externalId);
  NodeId node(const JsonFields &fields, StringRef key, int64_t externalId);
  int32_t small(JsonFields &fields, StringRef key, bool isRequired);
  template <typename Read>
  void readEach(JsonFields &fields, StringRef key, bool isRequired,
                StringRef what, Read read);

  const Graph &graph;
  std::vector<std::string> *warnings;
  JsonIssues issues;
  Plan plan;
  std::string device;
  std::unordered_map<int64_t, TensorId> tensorIds;
  std::unordered_map<int64_t, NodeId> nodeIds;
};
} // namespace

PlanReader::PlanReader(const Graph &graph, std::vector<std::string> *warnings)
    : graph(graph), warnings(warnings) {
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    tensorIds.emplace(graph.tensors[i].externalId, TensorId(i));
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    nodeIds.emplace(graph.nodes[n].externalId, NodeId(n));
}

TensorId PlanReader::tensor(const JsonFields &fields, StringRef key,
                            int64_t externalId) {
  auto found = tensorIds.find(externalId);
  if (found != tensorIds.end())
    return found->second;
  issues.fail("key '" + key + "' of " + fields.where() + " names tensor " +
              Twine(externalId) + ", which is not in the graph");
  return TensorId();
}

NodeId PlanReader::node(const JsonFields &fields, StringRef key,
                        int64_t externalId) {
  auto found = nodeIds.find(externalId);
  if (found != nodeIds.end())
    return found->second;
  issues.fail("key '" + key + "' of " + fields.where() + " names node " +
              Twine(externalId) + ", which is not in the graph");
  return NodeId();
}

/// A count or position; 0 where it is absent.
int32_t PlanReader::small(JsonFields &fields, StringRef key, bool isRequired) {
  int64_t value = isRequired ? fields.integer(key) : fields.integerOr(key, 0);
  if (value < 0 || value > std::numeric_limits<int32_t>::max())
    issues.fail("key '" + key + "' of " + fields.where() + " is " +
                Twine(value) + ", outside 0 to 2147483647");
  return static_cast<int32_t>(value);
}

template <typename Read>
void PlanReader::readEach(JsonFields &fields, StringRef key, bool isRequired,
                          StringRef what, Read read) {
  const json::Array *values = fields.array(key, isRequired);
  for (size_t i = 0; values && i < values->size() && !issues.failed(); ++i) {
    JsonFields element(issues, &(*values)[i],
                       (key + "[" + Twine(i) + "]").str(), what);
    read(element);
  }
}

void PlanReader::readTop(JsonFields &fields) {
  int64_t version = fields.integer("version");
  if (version != formatVersion)
    issues.fail("version " + Twine(version) +
                " is not known; this is memplan's version " +
                Twine(formatVersion));
  std::string status = fields.string("status");
  std::optional<SolveStatus> known;
  for (SolveStatus candidate : {SolveStatus::Optimal, SolveStatus::Feasible,
                                SolveStatus::Infeasible, SolveStatus::NoPlan})
    if (status == statusName(candidate))
      known = candidate;
  if (!known)
    issues.fail("key 'status' of the plan is '" + status +
                "'; known are optimal, feasible, infeasible and no_plan");
  plan.status = known.value_or(SolveStatus::NoPlan);
  plan.graphName = fields.stringOr("graph", "");
  plan.graphHash = fields.stringOr("graph_hash", "");
  device = fields.stringOr("device", "");
  plan.bound = fields.optionalNumber("bound");
  plan.boundSpace = fields.stringOr("bound_space", "");
  plan.proof = fields.stringOr("proof", "");
  plan.timeBound = fields.optionalNumber("time_bound");
  plan.timeBoundSpace = fields.stringOr("time_bound_space", "");
  plan.solver = fields.stringOr("solver", "");
  plan.budgetBytes = fields.optionalInteger("budget_bytes");
  plan.boundBytes = fields.optionalInteger("bound_bytes");
  plan.minimumBudgetBytes = fields.optionalInteger("minimum_budget_bytes");
  if (hasSteps(plan.status)) {
    plan.cost = fields.number("cost");
    plan.peakBytes = fields.integer("peak_bytes");
  } else {
    plan.cost = fields.optionalNumber("cost").value_or(0);
    plan.peakBytes = fields.integerOr("peak_bytes", 0);
  }
  plan.time = fields.optionalNumber("time");
  if (const json::Value *witness = fields.value("witness"))
    readWitness(*witness);
  if (const json::Value *batches = fields.value("batches"))
    readBatches(*batches);
}

void PlanReader::readBatches(const json::Value &value) {
  JsonFields fields(issues, &value, "batches", "range of batches");
  BatchRange range;
  range.breakpoints = fields.integers("breakpoints", true);
  if (range.breakpoints.empty() && !issues.failed())
    issues.fail("key 'breakpoints' of " + fields.where() + " is empty");
  range.stepHash = fields.string("step_hash");
  range.bytesPerSample.resize(graph.tensors.size());
  range.scratch.resize(graph.nodes.size());
  readEach(fields, "tensors", true, "tensor", [&](JsonFields &entry) {
    const TensorId id = tensor(entry, "tensor", entry.integer("tensor"));
    const int64_t bytes = entry.integer("bytes_per_sample");
    if (id.isValid())
      range.bytesPerSample[id.index] = bytes;
  });
  readEach(fields, "scratch", true, "scratch", [&](JsonFields &entry) {
    const NodeId id = node(entry, "workspace", entry.integer("workspace"));
    const BatchBytes scratch = {entry.integer("bytes"),
                                entry.integer("bytes_per_sample")};
    if (id.isValid())
      range.scratch[id.index] = scratch;
  });
  plan.batches = std::move(range);
}

void PlanReader::readWitness(const json::Value &value) {
  JsonFields fields(issues, &value, "witness", "witness");
  if (std::optional<int64_t> externalId = fields.optionalInteger("node"))
    plan.witnessNode = node(fields, "node", *externalId);
  for (int64_t externalId : fields.integers("tensors", false))
    plan.witnessTensors.push_back(tensor(fields, "tensors", externalId));
}

void PlanReader::readStep(JsonFields &fields) {
  static constexpr std::pair<const char *, ActionKind> actions[] = {
      {"compute", ActionKind::Compute}, {"free", ActionKind::Free},
      {"evict", ActionKind::Evict},     {"fetch", ActionKind::Fetch},
      {"wait", ActionKind::Wait},       {"drop_host", ActionKind::DropHost}};
  PlanAction step;
  const char *key = nullptr;
  for (auto [name, action] : actions) {
    if (!fields.has(name))
      continue;
    if (key)
      issues.fail(fields.where() + " has two actions, '" + key + "' and '" +
                  name + "'");
    key = name;
    step.action = action;
  }
  if (!key)
    return issues.fail(fields.where() +
                       " has no action: compute, free, evict, fetch, wait or "
                       "drop_host");
  switch (step.action) {
  case ActionKind::Compute:
    step.node = node(fields, key, fields.integer(key));
    for (auto [output, input] : fields.integerPairs("in_place"))
      step.inPlace.push_back({tensor(fields, "in_place", output),
                              tensor(fields, "in_place", input)});
    for (int64_t externalId : fields.integers("discard", false))
      step.discard.push_back(tensor(fields, "discard", externalId));
    step.variant = small(fields, "variant", false);
    step.event = fields.optionalInteger("event");
    break;
  case ActionKind::Free:
    for (int64_t externalId : fields.integers(key, true))
      step.tensors.push_back(tensor(fields, key, externalId));
    break;
  case ActionKind::Evict:
  case ActionKind::Fetch:
    step.tensors.push_back(tensor(fields, key, fields.integer(key)));
    step.event = fields.integer("event");
    break;
  case ActionKind::Wait:
    step.event = fields.integer(key);
    break;
  case ActionKind::DropHost:
    step.tensors.push_back(tensor(fields, key, fields.integer(key)));
    break;
  }
  step.stream = small(fields, "stream", false);
  plan.steps.push_back(std::move(step));
}

void PlanReader::readPlacement(JsonFields &fields, PlanArena &arena) {
  Placement placement;
  const char *key = nullptr;
  for (auto [name, kind] : {std::pair("tensor", PlacementKind::Tensor),
                            std::pair("workspace", PlacementKind::Workspace),
                            std::pair("discard", PlacementKind::Discard)}) {
    if (!fields.has(name))
      continue;
    if (key)
      issues.fail(fields.where() + " places two things, '" + key + "' and '" +
                  name + "'");
    key = name;
    placement.kind = kind;
  }
  if (!key)
    return issues.fail(fields.where() +
                       " places nothing: tensor, workspace or discard");
  int64_t externalId = fields.integer(key);
  if (placement.kind == PlacementKind::Workspace)
    placement.node = node(fields, key, externalId);
  else
    placement.tensor = tensor(fields, key, externalId);
  placement.stepBegin = small(fields, "step_begin", true);
  placement.stepEnd = small(fields, "step_end", true);
  placement.offset = fields.integer("offset");
  if (plan.batches)
    arena.offsetsAt.push_back(fields.integers("offsets_at", true));
  arena.placements.push_back(placement);
}

void PlanReader::readArena(JsonFields &fields) {
  PlanArena arena;
  arena.space = fields.stringOr("space", "device");
  if (arena.space != "device" && arena.space != "host")
    issues.fail("key 'space' of " + fields.where() + " is '" + arena.space +
                "'; known are device and host");
  arena.bytes = fields.integer("bytes");
  if (plan.batches)
    arena.bytesAt = fields.integers("bytes_at", true);
  arena.liveBytes = fields.optionalInteger("live_bytes");
  arena.alignment = fields.integerOr("alignment", 1);
  for (int64_t externalId : fields.integers("owns", false))
    arena.owns.push_back(tensor(fields, "owns", externalId));
  readEach(fields, "placements", true, "placement",
           [&](JsonFields &placement) { readPlacement(placement, arena); });
  plan.arenas.push_back(std::move(arena));
}

Expected<Plan> PlanReader::read(const json::Value &root) {
  {
    JsonFields top(issues, &root, "the plan", "plan");
    readTop(top);
    readEach(top, "steps", hasSteps(plan.status), "step",
             [&](JsonFields &fields) { readStep(fields); });
    readEach(top, "arenas", false, "arena",
             [&](JsonFields &fields) { readArena(fields); });
  }
  if (issues.failed())
    return issues.takeError();
  issues.appendWarnings(warnings);
  // One for a range of batches says itself which steps it is of.
  if (warnings && !plan.batches && !isOfGraph(plan, graph))
    warnings->push_back("the plan was made for a graph with hash " +
                        plan.graphHash + ", this one has " +
                        hashGraphFor(graph, plan));
  return std::move(plan);
}

static bool dependsOnCopies(const Plan &plan) {
  return plan.timeBound || any_of(plan.steps, [](const PlanAction &action) {
           return action.action == ActionKind::Evict ||
                  action.action == ActionKind::Fetch;
         });
}

std::string hashGraphFor(const Graph &graph, const Plan &plan) {
  if (dependsOnCopies(plan))
    return hashGraph(graph);
  Graph without = graph;
  without.bandwidth.reset();
  without.hostBudgetBytes.reset();
  return hashGraph(without);
}

bool isOfGraph(const Plan &plan, const Graph &graph) {
  return plan.graphHash.empty() || plan.graphHash == hashGraph(graph) ||
         plan.graphHash == hashGraphFor(graph, plan);
}

Expected<Plan> parsePlan(const Graph &graph, StringRef text,
                         std::vector<std::string> *warnings,
                         std::string *device) {
  Expected<json::Value> root = parseJson(text);
  if (!root)
    return root.takeError();
  PlanReader reader(graph, warnings);
  Expected<Plan> plan = reader.read(*root);
  if (device)
    *device = reader.forDevice();
  return plan;
}

} // namespace memplan

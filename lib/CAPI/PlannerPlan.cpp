//===- PlannerPlan.cpp - Plans for C --------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannerHandles.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Plan/Trace.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Profile/CostModel.h"
#include <limits>

using namespace memplan;
using namespace memplan::capi;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

memplan_plan::memplan_plan(Plan made) : plan(std::move(made)) {
  for (const PlanAction &action : plan.steps)
    addAction(action);
  for (const PlanArena &arena : plan.arenas)
    addArena(arena);
  witnessTensors = keep(plan.witnessTensors);
}

const int32_t *memplan_plan::keep(const std::vector<TensorId> &ids) {
  if (ids.empty())
    return nullptr;
  std::vector<int32_t> &kept = numbers.emplace_back();
  for (TensorId id : ids)
    kept.push_back(id.index);
  return kept.data();
}

void memplan_plan::addAction(const PlanAction &action) {
  const bool computes = action.action == ActionKind::Compute;
  memplan_action_t shown = {};
  shown.kind = int32_t(action.action);
  shown.node = computes ? action.node.index : -1;
  shown.variant = computes ? action.variant : 0;
  shown.stream = action.stream;
  shown.event = action.event.value_or(-1);
  shown.tensors = keep(action.tensors);
  shown.tensor_count = int64_t(action.tensors.size());
  if (!action.inPlace.empty()) {
    std::vector<memplan_graph_in_place_t> &kept = pairs.emplace_back();
    for (const InPlacePair &pair : action.inPlace)
      kept.push_back({pair.output.index, pair.input.index});
    shown.in_place = kept.data();
    shown.in_place_count = int64_t(kept.size());
  }
  shown.discards = keep(action.discard);
  shown.discard_count = int64_t(action.discard.size());
  actions.push_back(shown);
}

void memplan_plan::addArena(const PlanArena &arena) {
  std::vector<memplan_placement_t> &kept = placements.emplace_back();
  for (const Placement &placement : arena.placements) {
    const bool scratch = placement.kind == PlacementKind::Workspace;
    kept.push_back({int32_t(placement.kind),
                    scratch ? -1 : placement.tensor.index,
                    scratch ? placement.node.index : -1, placement.stepBegin,
                    placement.stepEnd, 0, placement.offset});
  }
  arenas.push_back({arena.space.c_str(), arena.bytes, arena.alignment,
                    kept.data(), int64_t(kept.size()), keep(arena.owns),
                    int64_t(arena.owns.size())});
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

llvm::Expected<Graph> memplan::capi::prepareGraph(const Graph &graph,
                                                  const PlanOptions &options) {
  Graph prepared = graph;
  if (llvm::Error wrong = prepared.check())
    return std::move(wrong);
  llvm::Expected<CostModel> model = CostModel::parse(options.costModel);
  if (!model)
    return model.takeError();
  if (model->kind() != CostModel::Kind::AsItStands)
    if (llvm::Error wrong = model->apply(prepared))
      return std::move(wrong);
  applyCopyOptions(options, prepared);
  return prepared;
}

memplan_status_t memplan_plan_step(const memplan_graph_t *graph,
                                   const memplan_options_t *options,
                                   memplan_plan_t **plan) {
  clear(plan);
  return guardLlvm([&] {
    if (!graph || !plan)
      return refuse("memplan_plan_step got a null pointer");
    const PlanOptions asked = options ? options->forPlanning() : PlanOptions();
    if (asked.pareto > 0)
      return refuse("memplan_plan_step makes one plan; for the option pareto "
                    "call memplan_plan_curve");
    llvm::Expected<Graph> prepared = prepareGraph(graph->graph, asked);
    if (!prepared)
      return fail(MEMPLAN_INVALID_ARGUMENT, prepared.takeError());
    llvm::Expected<Plan> made = planStep(*prepared, asked);
    if (!made)
      return fail(MEMPLAN_FAILED, made.takeError());
    made->graphHash = hashGraphFor(*prepared, *made);
    *plan = new memplan_plan(std::move(*made));
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_plan_read_json(const memplan_graph_t *graph,
                                        const char *text, int64_t byte_count,
                                        memplan_plan_t **plan) {
  clear(plan);
  return guardLlvm([&] {
    if (!graph || !text || byte_count < 0 || !plan)
      return refuse("memplan_plan_read_json got a null pointer or a negative "
                    "size");
    if (llvm::Error wrong = graph->graph.check())
      return fail(MEMPLAN_INVALID_ARGUMENT, std::move(wrong));
    llvm::Expected<Plan> read =
        parsePlan(graph->graph, llvm::StringRef(text, size_t(byte_count)));
    if (!read)
      return fail(MEMPLAN_INVALID_ARGUMENT, read.takeError());
    *plan = new memplan_plan(std::move(*read));
    return MEMPLAN_OK;
  });
}

/// The sequence of a trace with static offsets.
static llvm::Expected<Plan> packTrace(const Graph &graph, llvm::StringRef text,
                                      const PlanOptions &options) {
  llvm::Expected<Trace> trace = parseTrace(text);
  if (!trace)
    return trace.takeError();
  llvm::Expected<const ArenaSolver *> solver =
      lookUpSolver("arena", arenaSolvers(), options.arena);
  if (!solver)
    return solver.takeError();
  const GraphIndex index(graph);
  llvm::Expected<std::vector<PlanAction>> actions = toActions(index, *trace);
  if (!actions)
    return actions.takeError();
  llvm::Expected<PackedPlan> packed =
      packActions(index, std::move(*actions), **solver, options.alignmentBytes,
                  options.limits);
  if (!packed)
    return packed.takeError();
  Plan plan = std::move(packed->plan);
  plan.graphHash = hashGraph(graph);
  plan.solver = "trace";
  boundByRunOnce(graph, plan);
  return plan;
}

memplan_status_t memplan_plan_read_trace(const memplan_graph_t *graph,
                                         const memplan_options_t *options,
                                         const char *text, int64_t byte_count,
                                         memplan_plan_t **plan) {
  clear(plan);
  return guardLlvm([&] {
    if (!graph || !text || byte_count < 0 || !plan)
      return refuse("memplan_plan_read_trace got a null pointer or a negative "
                    "size");
    const PlanOptions asked = options ? options->forPlanning() : PlanOptions();
    llvm::Expected<Graph> prepared = prepareGraph(graph->graph, asked);
    if (!prepared)
      return fail(MEMPLAN_INVALID_ARGUMENT, prepared.takeError());
    llvm::Expected<Plan> read =
        packTrace(*prepared, llvm::StringRef(text, size_t(byte_count)), asked);
    if (!read)
      return fail(MEMPLAN_INVALID_ARGUMENT, read.takeError());
    *plan = new memplan_plan(std::move(*read));
    return MEMPLAN_OK;
  });
}

void memplan_plan_destroy(memplan_plan_t *plan) { delete plan; }

bool memplan::capi::fits(const Graph &graph, const Plan &plan) {
  auto inside = [](int32_t index, size_t count) {
    return index >= 0 && size_t(index) < count;
  };
  auto tensors = [&](const std::vector<TensorId> &ids) {
    return llvm::all_of(ids, [&](TensorId id) {
      return inside(id.index, graph.tensors.size());
    });
  };
  for (const PlanAction &action : plan.steps) {
    if (action.action == ActionKind::Compute &&
        !inside(action.node.index, graph.nodes.size()))
      return false;
    if (!tensors(action.tensors) || !tensors(action.discard))
      return false;
    for (const InPlacePair &pair : action.inPlace)
      if (!tensors({pair.output, pair.input}))
        return false;
  }
  for (const PlanArena &arena : plan.arenas) {
    for (const Placement &placement : arena.placements)
      if (placement.kind == PlacementKind::Workspace
              ? !inside(placement.node.index, graph.nodes.size())
              : !tensors({placement.tensor}))
        return false;
    if (!tensors(arena.owns))
      return false;
  }
  return (!plan.witnessNode ||
          inside(plan.witnessNode->index, graph.nodes.size())) &&
         tensors(plan.witnessTensors);
}

memplan_status_t memplan_plan_verify(const memplan_graph_t *graph,
                                     const memplan_plan_t *plan,
                                     const memplan_options_t *options) {
  return guardLlvm([&] {
    if (!graph || !plan)
      return refuse("memplan_plan_verify got a null pointer");
    PlanOptions asked = options ? options->options : PlanOptions();
    llvm::Expected<Graph> prepared = prepareGraph(graph->graph, asked);
    if (!prepared)
      return fail(MEMPLAN_INVALID_ARGUMENT, prepared.takeError());
    if (!fits(*prepared, plan->plan))
      return refuse("the plan was made for another graph");
    GraphIndex index(*prepared);
    resolveBudget(index, asked);
    if (llvm::Error wrong = verifyPlan(index, plan->plan, asked.budgetBytes,
                                       firstRunsAskedFor(asked)))
      return fail(MEMPLAN_CHECK_FAILED, std::move(wrong));
    return MEMPLAN_OK;
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// What a better plan could save at most: of the time, where a bound on that is
/// known, else of the cost.
static double gapOf(const Plan &plan) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (!hasSteps(plan.status) || (!plan.bound && !plan.timeBound))
    return unknown;
  const double cost = plan.timeBound ? plan.makespan() : plan.cost;
  double bound = plan.timeBound.value_or(0);
  if (cost == plan.cost)
    bound = std::max(bound, plan.bound.value_or(0));
  return cost > 0 ? std::max(0.0, 1 - bound / cost) : 0;
}

memplan_status_t memplan_plan_get_info(const memplan_plan_t *handle,
                                       memplan_plan_info_t *info) {
  return guardLlvm([&] {
    if (!handle || !hasSize(info))
      return refuse("memplan_plan_get_info got a null pointer or a struct "
                    "without struct_bytes");
    const Plan &plan = handle->plan;
    memplan_plan_info_t said = MEMPLAN_PLAN_INFO_INIT;
    said.status = int32_t(plan.status);
    said.cost = plan.cost;
    said.bound = plan.bound.value_or(std::numeric_limits<double>::quiet_NaN());
    said.peak_bytes = plan.peakBytes;
    said.budget_bytes = plan.budgetBytes.value_or(-1);
    said.bound_bytes = plan.boundBytes.value_or(-1);
    said.minimum_budget_bytes = plan.minimumBudgetBytes.value_or(-1);
    said.witness_node = plan.witnessNode ? plan.witnessNode->index : -1;
    said.solver = plan.solver.c_str();
    said.bound_space = plan.boundSpace.c_str();
    said.proof = plan.proof.c_str();
    said.note = plan.note.c_str();
    said.gap = gapOf(plan);
    said.time = plan.makespan();
    said.time_bound =
        plan.timeBound.value_or(std::numeric_limits<double>::quiet_NaN());
    said.time_bound_space = plan.timeBoundSpace.c_str();
    said.graph_hash = plan.graphHash.c_str();
    said.witness_tensors = handle->witnessTensors;
    said.witness_tensor_count = int64_t(plan.witnessTensors.size());
    fill(info, said);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_plan_actions(const memplan_plan_t *plan,
                                      const memplan_action_t **actions,
                                      int64_t *count) {
  clear(actions);
  clear(count);
  return guardLlvm([&] {
    if (!plan || !actions || !count)
      return refuse("memplan_plan_actions got a null pointer");
    *actions = plan->actions.data();
    *count = int64_t(plan->actions.size());
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_plan_arenas(const memplan_plan_t *plan,
                                     const memplan_arena_t **arenas,
                                     int64_t *count) {
  clear(arenas);
  clear(count);
  return guardLlvm([&] {
    if (!plan || !arenas || !count)
      return refuse("memplan_plan_arenas got a null pointer");
    *arenas = plan->arenas.data();
    *count = int64_t(plan->arenas.size());
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_plan_device_bytes(const memplan_graph_t *graph,
                                           const memplan_plan_t *plan,
                                           int64_t *bytes) {
  return guardLlvm([&] {
    if (!graph || !plan || !bytes)
      return refuse("memplan_plan_device_bytes got a null pointer");
    if (!fits(graph->graph, plan->plan))
      return refuse("the plan was made for another graph");
    if (!hasSteps(plan->plan.status))
      return refuse("a plan without actions takes no bytes");
    *bytes = deviceBytesOf(graph->graph, plan->plan);
    return MEMPLAN_OK;
  });
}

memplan_status_t memplan_plan_json(const memplan_graph_t *graph,
                                   const memplan_plan_t *plan, char **text,
                                   int64_t *byte_count) {
  clear(text);
  clear(byte_count);
  return guardLlvm([&] {
    if (!graph || !plan || !text)
      return refuse("memplan_plan_json got a null pointer");
    if (!fits(graph->graph, plan->plan))
      return refuse("the plan was made for another graph");
    return giveText(textOf([&](llvm::raw_ostream &os) {
                      writePlan(graph->graph, plan->plan, os);
                    }),
                    text, byte_count);
  });
}

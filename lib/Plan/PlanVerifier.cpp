//===- PlanVerifier.cpp - Everything that a plan claims -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <tuple>

using namespace llvm;

namespace memplan {

namespace {
/// One thing that an arena must place, or a placement of it.
struct Demand {
  PlacementKind kind = PlacementKind::Tensor;
  int32_t id = 0; ///< Tensor or node index.
  int32_t begin = 0;
  int32_t end = 0;
  int64_t bytes = 0;
  int64_t offset = 0;

  auto key() const { return std::tuple(kind, id, begin); }
};

class ArenaVerifier {
public:
  ArenaVerifier(const GraphIndex &index, const ReplayMachine &machine,
                const PlanArena &arena)
      : index(index), graph(index.graph()), machine(machine), arena(arena) {}

  Error verify(std::optional<int64_t> limit);

private:
  Error checkFields() const;
  Error checkBudget(std::optional<int64_t> limit) const;
  Error collectPlacements();
  void collectDemands();
  Error place(Demand &demand);
  Error checkDisjoint() const;
  bool isOwned(TensorId id) const { return llvm::is_contained(arena.owns, id); }
  std::string name(const Demand &demand) const;

  const GraphIndex &index;
  const Graph &graph;
  const ReplayMachine &machine;
  const PlanArena &arena;
  std::vector<Demand> placements; ///< Sorted by key.
  std::vector<Demand> demands;    ///< Sorted by key.
};
} // namespace

static bool precedes(const Demand &a, const Demand &b) {
  return a.key() < b.key();
}

static Error wrong(const Twine &text) {
  return createStringError("arena: " + text);
}

std::string ArenaVerifier::name(const Demand &demand) const {
  std::string what;
  switch (demand.kind) {
  case PlacementKind::Tensor:
    what = describe(graph, TensorId(demand.id));
    break;
  case PlacementKind::Workspace:
    what = "the workspace of " + describe(graph, NodeId(demand.id));
    break;
  case PlacementKind::Discard:
    what = "discarded " + describe(graph, TensorId(demand.id));
    break;
  }
  return what + " taken at step " + std::to_string(demand.begin);
}

Error ArenaVerifier::checkFields() const {
  if (arena.bytes < 0)
    return wrong("negative bytes: " + Twine(arena.bytes));
  if (arena.alignment < 1)
    return wrong("alignment must be positive, not " + Twine(arena.alignment));
  for (TensorId id : arena.owns) {
    if (id.index < 0 || static_cast<size_t>(id.index) >= graph.tensors.size())
      return wrong("owns a tensor that does not exist");
    if (index.producer(id) || graph[id].viewOf)
      return wrong("owns " + describe(graph, id) +
                   ", which is no base tensor of the caller");
  }
  return Error::success();
}

Error ArenaVerifier::checkBudget(std::optional<int64_t> limit) const {
  int64_t outside = graph.fixedBytes;
  for (size_t i = 0; i < graph.tensors.size(); ++i) {
    const Tensor &tensor = graph.tensors[i];
    if (isCallerOwned(tensor.kind) && !tensor.viewOf && !isOwned(TensorId(i)))
      outside += tensor.bytes;
  }
  // The bytes outside are below 2^61, so that this cannot overflow.
  if (limit && (arena.bytes > *limit || outside + arena.bytes > *limit))
    return wrong(Twine(outside) + " bytes outside and " + Twine(arena.bytes) +
                 " bytes inside exceed the budget of " + Twine(*limit));
  return Error::success();
}

Error ArenaVerifier::collectPlacements() {
  for (const Placement &placement : arena.placements) {
    bool isNode = placement.kind == PlacementKind::Workspace;
    int32_t id = isNode ? placement.node.index : placement.tensor.index;
    size_t count = isNode ? graph.nodes.size() : graph.tensors.size();
    if (id < 0 || static_cast<size_t>(id) >= count)
      return wrong("a placement names nothing that exists");
    placements.push_back({placement.kind, id, placement.stepBegin,
                          placement.stepEnd, 0, placement.offset});
  }
  llvm::sort(placements, precedes);
  for (size_t i = 1; i < placements.size(); ++i)
    if (placements[i - 1].key() == placements[i].key())
      return wrong("two placements for " + name(placements[i]));
  return Error::success();
}

void ArenaVerifier::collectDemands() {
  for (const ReplayedAllocation &allocation : machine.allocations())
    if (index.producer(allocation.allocatedBy) ||
        isOwned(allocation.allocatedBy))
      demands.push_back({PlacementKind::Tensor, allocation.allocatedBy.index,
                         allocation.begin, allocation.end, allocation.bytes,
                         0});
  for (const ReplayedScratch &scratch : machine.scratch())
    demands.push_back({scratch.kind,
                       scratch.kind == PlacementKind::Workspace
                           ? scratch.node.index
                           : scratch.tensor.index,
                       scratch.step, scratch.step + 1, scratch.bytes, 0});
  llvm::sort(demands, precedes);
}

/// Finds the demand's placement and checks it alone.
Error ArenaVerifier::place(Demand &demand) {
  auto found = llvm::lower_bound(placements, demand, precedes);
  bool isPlaced = found != placements.end() && found->key() == demand.key();
  if (!isPlaced && demand.bytes > 0)
    return wrong("no placement for " + name(demand));
  if (!isPlaced)
    return Error::success();
  demand.offset = found->offset;
  if (found->end < demand.end)
    return wrong(name(demand) + " lives until step " + Twine(demand.end) +
                 ", its placement until " + Twine(found->end));
  if (demand.bytes == 0)
    return Error::success();
  if (demand.offset < 0 || demand.offset % arena.alignment != 0)
    return wrong(name(demand) + " is at offset " + Twine(demand.offset) +
                 ", alignment " + Twine(arena.alignment));
  if (demand.bytes > arena.bytes || demand.offset > arena.bytes - demand.bytes)
    return wrong(name(demand) + " (" + Twine(demand.bytes) +
                 " bytes at offset " + Twine(demand.offset) +
                 ") ends beyond the arena of " + Twine(arena.bytes) + " bytes");
  return Error::success();
}

/// Sweeps over the steps with the live demands ordered by offset: each newcomer
/// can only overlap its neighbours.
Error ArenaVerifier::checkDisjoint() const {
  struct Event {
    int32_t step;
    bool starts;
    size_t demand;
  };
  std::vector<Event> events;
  for (size_t i = 0; i < demands.size(); ++i) {
    if (demands[i].bytes == 0 || demands[i].begin >= demands[i].end)
      continue;
    events.push_back({demands[i].begin, true, i});
    events.push_back({demands[i].end, false, i});
  }
  llvm::sort(events, [](const Event &a, const Event &b) {
    return std::tuple(a.step, a.starts, a.demand) <
           std::tuple(b.step, b.starts, b.demand);
  });
  std::map<int64_t, size_t> live; // By offset.
  auto shares = [&](size_t a, size_t b) {
    return demands[a].offset < demands[b].offset + demands[b].bytes &&
           demands[b].offset < demands[a].offset + demands[a].bytes;
  };
  for (const Event &event : events) {
    const Demand &demand = demands[event.demand];
    if (!event.starts) {
      live.erase(demand.offset);
      continue;
    }
    auto next = live.lower_bound(demand.offset);
    std::optional<size_t> other;
    if (next != live.end() && shares(event.demand, next->second))
      other = next->second;
    else if (next != live.begin() &&
             shares(event.demand, std::prev(next)->second))
      other = std::prev(next)->second;
    if (other)
      return wrong(name(demand) + " and " + name(demands[*other]) +
                   " share bytes at step " + Twine(event.step));
    live.emplace(demand.offset, event.demand);
  }
  return Error::success();
}

Error ArenaVerifier::verify(std::optional<int64_t> limit) {
  // plan_c11
  if (Error error = checkFields())
    return error;
  if (Error error = checkBudget(limit))
    return error;
  if (Error error = collectPlacements())
    return error;
  collectDemands();
  for (Demand &demand : demands)
    if (Error error = place(demand))
      return error;
  for (const Demand &placement : placements)
    if (!std::binary_search(demands.begin(), demands.end(), placement,
                            precedes))
      return wrong("a placement for " + name(placement) +
                   ", where nothing is taken");
  return checkDisjoint();
}

static Error verifyCost(const Plan &plan, const Replay &replay) {
  // Sums of doubles in another order differ in the last digits.
  double tolerance = 1e-6 * std::max(1.0, replay.cost);
  auto agrees = [&](double value) {
    return std::abs(value - replay.cost) <= tolerance; // False for NaN.
  };
  if (!agrees(plan.cost))
    return createStringError(
        "plan says cost " + Twine(std::to_string(plan.cost)) +
        ", replaying gives " + std::to_string(replay.cost));
  bool copies = llvm::any_of(plan.steps, [](const PlanAction &step) {
    return step.action == ActionKind::Evict || step.action == ActionKind::Fetch;
  });
  if (!agrees(plan.time) && (!copies || !(plan.time >= replay.cost)))
    return createStringError(
        "plan says time " + Twine(std::to_string(plan.time)) +
        ", running all nodes takes " + std::to_string(replay.cost));
  bool staged = plan.boundSpace == "staged";
  if (plan.bound && !staged &&
      !(*plan.bound <= replay.cost * (1 + 1e-6) + 1e-9))
    return createStringError("bound " + Twine(std::to_string(*plan.bound)) +
                             " is above the cost " +
                             std::to_string(replay.cost));
  if (plan.status == SolveStatus::Optimal &&
      !(plan.bound && *plan.bound >= replay.cost * (1 - 1e-4) - 1e-9))
    return createStringError(
        "status is optimal, but the bound is missing or below the cost");
  return Error::success();
}

static Error verifyWithoutSteps(const Plan &plan,
                                std::optional<int64_t> limit) {
  if (!plan.steps.empty() || !plan.arenas.empty())
    return createStringError(Twine("status ") + statusName(plan.status) +
                             " with steps or arenas");
  if (plan.status != SolveStatus::Infeasible)
    return Error::success();
  if (limit && plan.boundBytes && *plan.boundBytes <= *limit)
    return createStringError("status is infeasible, but bound_bytes " +
                             Twine(*plan.boundBytes) +
                             " is within the budget " + Twine(*limit));
  if (plan.boundBytes && plan.minimumBudgetBytes &&
      *plan.boundBytes > *plan.minimumBudgetBytes)
    return createStringError("bound_bytes " + Twine(*plan.boundBytes) +
                             " is above minimum_budget_bytes " +
                             Twine(*plan.minimumBudgetBytes));
  return Error::success();
}

Error verifyPlan(const GraphIndex &index, const Plan &plan,
                 std::optional<int64_t> budgetBytes) {
  // plan_c12 says which budget counts: the caller's, else the plan's own.
  std::optional<int64_t> limit = budgetBytes ? budgetBytes : plan.budgetBytes;
  if (plan.status == SolveStatus::Infeasible ||
      plan.status == SolveStatus::NoPlan)
    return verifyWithoutSteps(plan, limit);
  ReplayMachine machine(index);
  for (const PlanAction &step : plan.steps)
    if (Error error = machine.execute(step))
      return error;
  if (Error error = machine.finish())
    return error;
  const Replay &replay = machine.replay();
  if (plan.peakBytes != replay.peakBytes)
    return createStringError("plan says peak " + Twine(plan.peakBytes) +
                             " bytes, replaying gives " +
                             Twine(replay.peakBytes));
  if (limit && replay.peakBytes > *limit)
    return createStringError("peak " + Twine(replay.peakBytes) +
                             " bytes exceeds the budget of " + Twine(*limit) +
                             " at step " + Twine(replay.peakStep));
  if (Error error = verifyCost(plan, replay))
    return error;
  int deviceArenas = 0;
  for (const PlanArena &arena : plan.arenas) {
    // Host arenas hold evicted tensors, whose bytes the replay counts.
    if (arena.space != "device")
      continue;
    if (++deviceArenas > 1)
      return createStringError("arena: more than one device arena");
    if (Error error = ArenaVerifier(index, machine, arena).verify(limit))
      return error;
  }
  return Error::success();
}

} // namespace memplan

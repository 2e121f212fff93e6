//===- Plan.cpp - Plans and curves as Python values -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include <cmath>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>

using namespace memplan::python;

using PlanHandle = std::shared_ptr<const memplan_plan_t>;

memplan_plan_info_t Plan::info() const {
  memplan_plan_info_t info = MEMPLAN_PLAN_INFO_INIT;
  check(memplan_plan_get_info(handle.get(), &info));
  return info;
}

//===----------------------------------------------------------------------===//
// Actions and arenas
//===----------------------------------------------------------------------===//

namespace {
/// Names something inside a plan, and keeps that.
struct ActionView {
  PlanHandle plan;
  const memplan_action_t *action;
};
struct ArenaView {
  PlanHandle plan;
  const memplan_arena_t *arena;
};
template <typename Struct> struct Span {
  const Struct *first = nullptr;
  int64_t count = 0;
};
} // namespace

static Span<memplan_action_t> actionsOf(const Plan &plan) {
  Span<memplan_action_t> span;
  check(memplan_plan_actions(plan.handle.get(), &span.first, &span.count));
  return span;
}

static Span<memplan_arena_t> arenasOf(const Plan &plan) {
  Span<memplan_arena_t> span;
  check(memplan_plan_arenas(plan.handle.get(), &span.first, &span.count));
  return span;
}

static std::vector<int32_t> toNumbers(const int32_t *numbers, int64_t count) {
  return std::vector<int32_t>(numbers, numbers + count);
}

static std::optional<int64_t> known(int64_t number) {
  return number < 0 ? std::nullopt : std::optional(number);
}
static std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

static void addAction(nb::module_ &module) {
  nb::enum_<memplan_action_kind_t>(module, "ActionKind", nb::is_arithmetic(),
                                   "What one action of a plan does.")
      .value("COMPUTE", MEMPLAN_COMPUTE, "Runs a node.")
      .value("FREE", MEMPLAN_FREE, "Gives the bytes of tensors back.")
      .value("EVICT", MEMPLAN_EVICT, "Copies a tensor to the host.")
      .value("FETCH", MEMPLAN_FETCH, "Copies a tensor from the host.")
      .value("WAIT", MEMPLAN_WAIT, "Waits for the event of another action.")
      .value("DROP_HOST", MEMPLAN_DROP_HOST, "Gives up the copy on the host.");
  nb::class_<ActionView>(module, "Action", "One action of a plan.")
      .def_prop_ro(
          "kind",
          [](const ActionView &self) {
            return memplan_action_kind_t(self.action->kind);
          },
          "What it does.")
      .def_prop_ro(
          "node",
          [](const ActionView &self) {
            return known(int64_t(self.action->node));
          },
          "Of COMPUTE: number of the node.")
      .def_prop_ro(
          "variant",
          [](const ActionView &self) { return self.action->variant; },
          "Of COMPUTE: 0 is the node's own cost and workspace.")
      .def_prop_ro(
          "stream", [](const ActionView &self) { return self.action->stream; },
          "The queue that it belongs to, from 0.")
      .def_prop_ro(
          "event",
          [](const ActionView &self) { return known(self.action->event); },
          "Signalled at its end; of WAIT: what is waited for.")
      .def_prop_ro(
          "tensors",
          [](const ActionView &self) {
            return toNumbers(self.action->tensors, self.action->tensor_count);
          },
          "Of FREE, EVICT, FETCH and DROP_HOST: numbers of tensors.")
      .def_prop_ro(
          "in_place",
          [](const ActionView &self) {
            std::vector<std::pair<int32_t, int32_t>> pairs;
            for (int64_t i = 0; i < self.action->in_place_count; ++i)
              pairs.emplace_back(self.action->in_place[i].output,
                                 self.action->in_place[i].input);
            return pairs;
          },
          "Of COMPUTE: (output, input) pairs that share bytes.")
      .def_prop_ro(
          "discards",
          [](const ActionView &self) {
            return toNumbers(self.action->discards, self.action->discard_count);
          },
          "Of COMPUTE: outputs that are live already or have no user left.")
      .def("__repr__", [](const ActionView &self) {
        static const char *const names[] = {"compute", "free", "evict",
                                            "fetch",   "wait", "drop_host"};
        std::string text = "<memplan.Action ";
        text += names[self.action->kind];
        if (self.action->node >= 0)
          text += " node " + std::to_string(self.action->node);
        for (int64_t i = 0; i < self.action->tensor_count; ++i)
          text += " " + std::to_string(self.action->tensors[i]);
        return text + ">";
      });
}

template <typename Value>
static void addPlacements(nb::class_<ArenaView> &type, const char *name,
                          Value memplan_placement_t::*field, const char *text) {
  type.def_prop_ro(
      name,
      [field](nb::handle_t<ArenaView> self) {
        const memplan_arena_t &arena = *nb::cast<ArenaView &>(self).arena;
        const memplan_placement_t *all = arena.placements;
        const size_t count = size_t(arena.placement_count);
        return columnOf(all, count ? &(all->*field) : nullptr, count, self);
      },
      text);
}

static void addArena(nb::module_ &module) {
  nb::enum_<memplan_placement_kind_t>(module, "PlacementKind",
                                      nb::is_arithmetic(),
                                      "What lies in the bytes of an arena.")
      .value("TENSOR", MEMPLAN_PLACE_TENSOR)
      .value("WORKSPACE", MEMPLAN_PLACE_WORKSPACE)
      .value("DISCARD", MEMPLAN_PLACE_DISCARD);
  nb::class_<ArenaView> arena(
      module, "Arena",
      "One allocation and what lies where in it. All arrays are views, have "
      "one element a placement and are read-only.");
  arena
      .def_prop_ro(
          "space", [](const ArenaView &self) { return self.arena->space; },
          "\"device\" or \"host\".")
      .def_prop_ro(
          "bytes", [](const ArenaView &self) { return self.arena->bytes; },
          "Bytes of the allocation.")
      .def_prop_ro(
          "alignment_bytes",
          [](const ArenaView &self) { return self.arena->alignment_bytes; },
          "Every offset is a multiple of it.")
      .def_prop_ro(
          "owns",
          [](const ArenaView &self) {
            return toNumbers(self.arena->owns, self.arena->owns_count);
          },
          "Numbers of the caller's tensors that lie in it.")
      .def("__repr__", [](const ArenaView &self) {
        return "<memplan.Arena " + std::string(self.arena->space) + ", " +
               std::to_string(self.arena->bytes) + " bytes>";
      });
  addPlacements(arena, "kinds", &memplan_placement_t::kind,
                "int32: PlacementKind.");
  addPlacements(arena, "tensors", &memplan_placement_t::tensor,
                "int32: number of the tensor, or -1.");
  addPlacements(arena, "nodes", &memplan_placement_t::node,
                "int32: number of the node that has the workspace, or -1.");
  addPlacements(arena, "begins", &memplan_placement_t::begin,
                "int32: the action from which on the bytes are taken.");
  addPlacements(arena, "ends", &memplan_placement_t::end,
                "int32: the action before which they are given back.");
  addPlacements(arena, "offsets", &memplan_placement_t::offset,
                "int64: bytes from the start of the arena.");
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

static nb::str jsonOf(const Plan &plan) {
  OwnedText json;
  check(memplan_plan_json(plan.graph.get(), plan.handle.get(), &json.text,
                          &json.bytes));
  return nb::str(json.text, size_t(json.bytes));
}

static Plan readPlan(const Graph &graph, nb::bytes text) {
  memplan_plan_t *made = nullptr;
  check(memplan_plan_read_json(graph.handle.get(), text.c_str(),
                               int64_t(text.size()), &made));
  return {graph.handle, {made, memplan_plan_destroy}};
}

static std::optional<int64_t> deviceBytes(const Plan &plan) {
  if (plan.info().status > MEMPLAN_FEASIBLE)
    return std::nullopt;
  int64_t bytes = 0;
  check(memplan_plan_device_bytes(plan.graph.get(), plan.handle.get(), &bytes));
  return bytes;
}

/// Numbers and texts that the plan's info has, one property each.
template <auto field> static auto fieldOf(const Plan &plan) {
  const auto value = plan.info().*field;
  if constexpr (std::is_same_v<decltype(value), const char *const>)
    return std::string(value);
  else
    return known(value);
}

static void addClaims(nb::class_<Plan> &plan) {
  using Info = memplan_plan_info_t;
  plan.def_prop_ro(
          "status",
          [](const Plan &self) {
            return memplan_plan_status_t(self.info().status);
          },
          "What is known of the plan.")
      .def_prop_ro(
          "cost", [](const Plan &self) { return self.info().cost; },
          "Sum of the costs of all runs, in the graph's unit.")
      .def_prop_ro(
          "time", [](const Plan &self) { return self.info().time; },
          "When the last queue is done; the cost on one stream.")
      .def_prop_ro("bound", fieldOf<&Info::bound>,
                   "No plan of bound_space costs less; None where unknown.")
      .def_prop_ro("bound_space", fieldOf<&Info::bound_space>,
                   "\"staged\", \"fixed-order\" or \"free-order\".")
      .def_prop_ro("proof", fieldOf<&Info::proof>,
                   "\"exact\", \"rounded-dual\" or \"solver\".")
      .def_prop_ro("gap", fieldOf<&Info::gap>,
                   "Share of the time, 0 to 1, that a better plan could save "
                   "at most; None where no bound is known.")
      .def_prop_ro(
          "peak_bytes", [](const Plan &self) { return self.info().peak_bytes; },
          "Most live device bytes at one action, before packing.")
      .def_prop_ro("device_bytes", deviceBytes,
                   "Fixed bytes, the caller's tensors and the arena: what the "
                   "budget limits. None for a plan without actions.")
      .def_prop_ro("budget_bytes", fieldOf<&Info::budget_bytes>,
                   "The budget it was made for, or None.")
      .def_prop_ro("bound_bytes", fieldOf<&Info::bound_bytes>,
                   "Of a plan without actions: no budget below works.")
      .def_prop_ro("least_bytes", fieldOf<&Info::minimum_budget_bytes>,
                   "Of a plan without actions: the least budget known to work.")
      .def_prop_ro("solver", fieldOf<&Info::solver>, "Who made it.")
      .def_prop_ro("note", fieldOf<&Info::note>,
                   "Why the plan is not better, in plain words.")
      .def_prop_ro("graph_hash", fieldOf<&Info::graph_hash>,
                   "Hash of the graph that it was made for.")
      .def_prop_ro(
          "witness_node",
          [](const Plan &self) {
            return known(int64_t(self.info().witness_node));
          },
          "Number of the node that cannot fit, or None.")
      .def_prop_ro(
          "witness_tensors",
          [](const Plan &self) {
            const Info info = self.info();
            return toNumbers(info.witness_tensors, info.witness_tensor_count);
          },
          "Numbers of the tensors that are live beside that node.");
}

static void addActions(nb::class_<Plan> &plan) {
  plan.def_prop_ro(
          "actions",
          [](const Plan &self) {
            const Span<memplan_action_t> all = actionsOf(self);
            std::vector<ActionView> views;
            for (int64_t i = 0; i < all.count; ++i)
              views.push_back({self.handle, all.first + i});
            return views;
          },
          "All actions, in the order in which they are issued.")
      .def_prop_ro(
          "action_kinds",
          [](nb::handle_t<Plan> self) {
            const Span<memplan_action_t> all =
                actionsOf(nb::cast<Plan &>(self));
            return columnOf(all.first, all.count ? &all.first->kind : nullptr,
                            size_t(all.count), self);
          },
          "int32[actions]: ActionKind of each action. A read-only view.")
      .def_prop_ro(
          "action_nodes",
          [](nb::handle_t<Plan> self) {
            const Span<memplan_action_t> all =
                actionsOf(nb::cast<Plan &>(self));
            return columnOf(all.first, all.count ? &all.first->node : nullptr,
                            size_t(all.count), self);
          },
          "int32[actions]: number of the node, -1 where none runs. A read-only "
          "view.")
      .def_prop_ro(
          "arenas",
          [](const Plan &self) {
            const Span<memplan_arena_t> all = arenasOf(self);
            std::vector<ArenaView> views;
            for (int64_t i = 0; i < all.count; ++i)
              views.push_back({self.handle, all.first + i});
            return views;
          },
          "Arenas, that of the device first.");
}

void memplan::python::addPlan(nb::module_ &module) {
  using namespace nb::literals;
  nb::enum_<memplan_plan_status_t>(module, "PlanStatus", nb::is_arithmetic(),
                                   "What is known of a plan.")
      .value("OPTIMAL", MEMPLAN_OPTIMAL, "No plan of its space costs less.")
      .value("FEASIBLE", MEMPLAN_FEASIBLE, "A plan that keeps the budget.")
      .value("INFEASIBLE", MEMPLAN_INFEASIBLE,
             "It is proved that there is none.")
      .value("NO_PLAN", MEMPLAN_NO_PLAN,
             "None was found, which proves nothing.");
  addAction(module);
  addArena(module);
  nb::class_<Plan> plan(
      module, "Plan",
      "What to run and free in which order, and where it lies. A value.");
  addClaims(plan);
  addActions(plan);
  plan.def_prop_ro(
          "graph", [](const Plan &self) { return Graph(self.graph); },
          "The graph that it was made for.")
      .def_static("_read", readPlan, "graph"_a, "text"_a,
                  "Reads UTF-8 text of a *.plan.json, which is not verified.")
      .def("json", jsonOf, "The plan as text of a *.plan.json.")
      .def("__repr__", [](const Plan &self) {
        static const char *const names[] = {"optimal", "feasible", "infeasible",
                                            "no plan"};
        const memplan_plan_info_t info = self.info();
        std::string text = "<memplan.Plan ";
        text += names[info.status];
        if (info.status <= MEMPLAN_FEASIBLE)
          text += ", cost " + std::to_string(info.cost) + ", " +
                  std::to_string(*deviceBytes(self)) + " device bytes";
        return text + ">";
      });
}

//===- Planning.cpp - Planning from Python --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Worker.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace memplan::python;

/// What there is goes with the exception that stopped it: `error.plan`.
[[noreturn]] static void raiseWith(nb::python_error &interruption,
                                   const char *name, nb::object made) {
  nb::setattr(interruption.value(), name, made);
  throw nb::python_error(interruption);
}

static Plan planStep(const Graph &graph, Options &options, nb::object progress,
                     const Cancel *cancel) {
  memplan_plan_t *made = nullptr;
  Worker planning(options.handle.get(), std::move(progress), cancel);
  planning.run([&] {
    return memplan_plan_step(graph.handle.get(), options.handle.get(), &made);
  });
  Plan plan{graph.handle, {made, memplan_plan_destroy}};
  if (planning.interruption)
    raiseWith(*planning.interruption, "plan",
              made && plan.info().status <= MEMPLAN_FEASIBLE ? nb::cast(plan)
                                                             : nb::none());
  return plan;
}

static Curve planCurve(const Graph &graph, Options &options,
                       nb::object progress, const Cancel *cancel) {
  memplan_curve_t *made = nullptr;
  Worker planning(options.handle.get(), std::move(progress), cancel);
  planning.run([&] {
    return memplan_plan_curve(graph.handle.get(), options.handle.get(), &made);
  });
  Curve curve{graph.handle, {made, memplan_curve_destroy}};
  if (planning.interruption)
    raiseWith(*planning.interruption, "curve",
              made ? nb::cast(curve) : nb::none());
  return curve;
}

static Plan readTrace(const Graph &graph, nb::bytes text,
                      const Options &options) {
  memplan_plan_t *made = nullptr;
  check(memplan_plan_read_trace(graph.handle.get(), options.handle.get(),
                                text.c_str(), int64_t(text.size()), &made));
  return {graph.handle, {made, memplan_plan_destroy}};
}

static void verifyPlan(const Graph &graph, const Plan &plan,
                       const Options &options) {
  check(memplan_plan_verify(graph.handle.get(), plan.handle.get(),
                            options.handle.get()));
}

using PlanText = memplan_status_t (*)(const memplan_graph_t *,
                                      const memplan_plan_t *,
                                      const memplan_options_t *, char **,
                                      int64_t *);

template <PlanText write>
static nb::str reportText(const Plan &plan, const Options &options) {
  OwnedText text;
  check(write(plan.graph.get(), plan.handle.get(), options.handle.get(),
              &text.text, &text.bytes));
  return nb::str(text.text, size_t(text.bytes));
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

static memplan_curve_info_t infoOf(const Curve &curve) {
  memplan_curve_info_t info = MEMPLAN_CURVE_INFO_INIT;
  check(memplan_curve_get_info(curve.handle.get(), &info));
  return info;
}

static std::vector<Plan> plansOf(const Curve &curve) {
  std::vector<Plan> plans;
  for (int64_t i = 0; i < memplan_curve_count(curve.handle.get()); ++i) {
    const memplan_plan_t *plan = nullptr;
    check(memplan_curve_plan(curve.handle.get(), i, &plan));
    plans.push_back({curve.graph, {curve.handle, plan}});
  }
  return plans;
}

static nb::str jsonOf(const Curve &curve) {
  OwnedText json;
  check(memplan_curve_json(curve.graph.get(), curve.handle.get(), &json.text,
                           &json.bytes));
  return nb::str(json.text, size_t(json.bytes));
}

static void addCurve(nb::module_ &module) {
  nb::class_<Curve>(module, "Curve",
                    "Plans for rising budgets, none of which costs more than "
                    "one of fewer bytes.")
      .def_prop_ro("plans", plansOf, "By rising budget_bytes.")
      .def_prop_ro(
          "least_cost",
          [](const Curve &self) { return infoOf(self).least_cost; },
          "Cost of each node once: what overheads refer to.")
      .def_prop_ro(
          "unplanned_peak_bytes",
          [](const Curve &self) { return infoOf(self).unplanned_bytes; },
          "Peak of live bytes in source order: what shares of bytes refer to.")
      .def("json", jsonOf, "The curve as text of a *.curve.json.")
      .def("__len__",
           [](const Curve &self) {
             return memplan_curve_count(self.handle.get());
           })
      .def("__repr__", [](const Curve &self) {
        return "<memplan.Curve of " +
               std::to_string(memplan_curve_count(self.handle.get())) +
               " plans>";
      });
}

void memplan::python::addPlanning(nb::module_ &module) {
  using namespace nb::literals;
  nb::class_<Progress>(module, "Progress", "How far planning is.")
      .def_ro("solver", &Progress::solver, "Who is at work.")
      .def_ro("incumbent", &Progress::incumbent,
              "Cost of the best plan so far, or None.")
      .def_ro("bound", &Progress::bound, "No plan costs less, or None.")
      .def_ro("seconds", &Progress::seconds, "Since the solver began.");
  nb::class_<Cancel>(module, "Cancel",
                     "Stops the plannings that it is given to: they return the "
                     "best plan so far.")
      .def(nb::init<>())
      .def(
          "cancel", [](Cancel &self) { self.cancelled = true; },
          "Stops them, from any thread.")
      .def_prop_ro(
          "cancelled", [](const Cancel &self) { return self.cancelled.load(); },
          "Whether cancel() was called.");
  addCurve(module);
  module.def("_plan", planStep, "graph"_a, "options"_a, "progress"_a.none(),
             "cancel"_a.none());
  module.def("_curve", planCurve, "graph"_a, "options"_a, "progress"_a.none(),
             "cancel"_a.none());
  module.def("_read_trace", readTrace, "graph"_a, "text"_a, "options"_a);
  module.def("_verify", verifyPlan, "graph"_a, "plan"_a, "options"_a);
  module.def("_report", reportText<memplan_plan_report_json>, "plan"_a,
             "options"_a);
  module.def("_perfetto", reportText<memplan_plan_perfetto>, "plan"_a,
             "options"_a);
}

//===- Compiler.cpp - The Python module memplan._compiler -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Graphs, plans and programs leave this module as text or bytes: it is linked
// with a planner of its own and shares no handle with the other modules.

#include "memplan-c/Compiler.h"
#include "Worker.h"
#include <memory>
#include <mutex>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace memplan::python;

namespace {
template <typename Handle>
using Owner = std::unique_ptr<Handle, void (*)(Handle *)>;

struct Diagnostic {
  std::string severity, message, file;
  int32_t line = 0, column = 0;
};

/// A step on its way from MLIR to a program; one thread at a time is inside.
class Step {
public:
  Step(nb::bytes source, const std::string &name, nb::dict options,
       const std::string &backend, int32_t threads, const std::string &passes,
       bool fuses);

  nb::bytes program(nb::object progress, const Cancel *cancel);
  nb::str graph();
  nb::str plan();
  nb::str refusal();
  nb::str plannedIR();

  std::vector<Diagnostic> diagnostics;

private:
  static void tell(void *user, const memplan_diagnostic_t *said);
  void call(const std::function<memplan_status_t()> &body,
            nb::object progress = nb::none(), const Cancel *cancel = nullptr);
  template <typename Result>
  Result text(memplan_status_t (*make)(memplan_step_t *, char **, int64_t *),
              nb::object progress = nb::none(), const Cancel *cancel = nullptr);

  Owner<memplan_options_t> options{nullptr, memplan_options_destroy};
  Owner<memplan_compiler_t> compiler{nullptr, memplan_compiler_destroy};
  Owner<memplan_step_t> step{nullptr, memplan_step_destroy};
  std::mutex mutex;
};
} // namespace

void Step::tell(void *user, const memplan_diagnostic_t *said) {
  static const char *const severities[] = {"note", "remark", "warning",
                                           "error"};
  static_cast<Step *>(user)->diagnostics.push_back({severities[said->severity],
                                                    said->message, said->file,
                                                    said->line, said->column});
}

void Step::call(const std::function<memplan_status_t()> &body,
                nb::object progress, const Cancel *cancel) {
  Worker worker(options.get(), std::move(progress), cancel);
  worker.run([&] {
    const std::lock_guard lock(mutex);
    return body();
  });
  if (worker.interruption)
    throw nb::python_error(*worker.interruption);
}

Step::Step(nb::bytes source, const std::string &name, nb::dict given,
           const std::string &backend, int32_t threads,
           const std::string &passes, bool fuses) {
  memplan_options_t *made = nullptr;
  check(memplan_options_create(&made));
  options.reset(made);
  for (auto [key, value] : given)
    check(memplan_options_set(made, nb::cast<std::string>(key).c_str(),
                              nb::cast<std::string>(value).c_str()));
  // Asked for now, heard by whoever listens when the step is planned.
  check(memplan_options_set_progress(
      made, [](void *, const memplan_progress_t *) { return 0; }, nullptr));
  memplan_compiler_t *opened = nullptr;
  check(memplan_compiler_create(&opened));
  compiler.reset(opened);
  check(memplan_compiler_set_diagnostics(opened, tell, this));
  check(memplan_compiler_set_backend(opened, backend.c_str(), threads));
  check(memplan_compiler_set_passes(opened, passes.c_str()));
  check(memplan_compiler_set_fusion(opened, fuses));
  memplan_step_t *read = nullptr;
  check(memplan_step_read(opened, source.c_str(), int64_t(source.size()),
                          name.c_str(), made, &read));
  step.reset(read);
}

template <typename Result>
Result Step::text(memplan_status_t (*make)(memplan_step_t *, char **,
                                           int64_t *),
                  nb::object progress, const Cancel *cancel) {
  Owner<char> text{nullptr, memplan_text_destroy};
  int64_t bytes = 0;
  call(
      [&] {
        char *made = nullptr;
        const memplan_status_t status = make(step.get(), &made, &bytes);
        text.reset(made);
        return status;
      },
      std::move(progress), cancel);
  return Result(text.get(), size_t(bytes));
}

nb::bytes Step::program(nb::object progress, const Cancel *cancel) {
  return text<nb::bytes>(memplan_step_program_bytes, std::move(progress),
                         cancel);
}

static memplan_status_t graphText(memplan_step_t *step, char **text,
                                  int64_t *bytes) {
  memplan_graph_t *graph = nullptr;
  memplan_status_t status = memplan_step_graph(step, &graph);
  if (status == MEMPLAN_OK)
    status = memplan_graph_json(graph, text, bytes);
  memplan_graph_destroy(graph);
  return status;
}

static memplan_status_t planText(memplan_step_t *step, char **text,
                                 int64_t *bytes) {
  memplan_graph_t *graph = nullptr;
  memplan_plan_t *plan = nullptr;
  memplan_status_t status = memplan_step_plan(step, &plan);
  if (status == MEMPLAN_OK)
    status = memplan_step_graph(step, &graph);
  if (status == MEMPLAN_OK)
    status = memplan_plan_json(graph, plan, text, bytes);
  memplan_plan_destroy(plan);
  memplan_graph_destroy(graph);
  return status;
}

/// Empty where nothing was refused.
static memplan_status_t refusalText(memplan_step_t *step, char **text,
                                    int64_t *bytes) {
  memplan_graph_t *graph = nullptr;
  memplan_plan_t *plan = nullptr;
  memplan_status_t status = memplan_step_refusal(step, &plan);
  if (status == MEMPLAN_OK && plan)
    status = memplan_step_graph(step, &graph);
  if (status == MEMPLAN_OK && plan)
    status = memplan_plan_json(graph, plan, text, bytes);
  memplan_plan_destroy(plan);
  memplan_graph_destroy(graph);
  return status;
}

nb::str Step::graph() { return text<nb::str>(graphText); }
nb::str Step::plan() { return text<nb::str>(planText); }
nb::str Step::refusal() { return text<nb::str>(refusalText); }
nb::str Step::plannedIR() { return text<nb::str>(memplan_step_planned_ir); }

NB_MODULE(_compiler, module) {
  using namespace nb::literals;
  module.doc() = "memplan-c/Compiler.h for Python; use memplan instead.";
  nb::class_<Diagnostic>(module, "Diagnostic",
                         "What the compiler has to say of a program.")
      .def_ro("severity", &Diagnostic::severity,
              "\"note\", which belongs to the one before it, \"remark\", "
              "\"warning\" or \"error\".")
      .def_ro("message", &Diagnostic::message, "One clause.")
      .def_ro("file", &Diagnostic::file, "Empty where the place is not known.")
      .def_ro("line", &Diagnostic::line, "From 1; 0: not known.")
      .def_ro("column", &Diagnostic::column, "From 1; 0: not known.")
      .def("__repr__", [](const Diagnostic &self) {
        const std::string place =
            self.file.empty() ? ""
                              : self.file + ":" + std::to_string(self.line) +
                                    ":" + std::to_string(self.column) + ": ";
        return place + self.severity + ": " + self.message;
      });
  nb::class_<Step>(module, "_Step")
      .def(nb::init<nb::bytes, const std::string &, nb::dict,
                    const std::string &, int32_t, const std::string &, bool>(),
           "source"_a, "name"_a, "options"_a, "backend"_a, "threads"_a,
           "passes"_a, "fuses"_a)
      .def("program", &Step::program, "progress"_a.none(), "cancel"_a.none(),
           "Bytes of the program, planned when first asked for.")
      .def("graph", &Step::graph, "Text of the graph that was planned.")
      .def("plan", &Step::plan, "Text of the plan.")
      .def("refusal", &Step::refusal,
           "Text of the plan without actions that says why there is none for "
           "the budget; empty where nothing was refused.")
      .def("planned_ir", &Step::plannedIR, "MLIR of the planned step.")
      .def_prop_ro(
          "diagnostics", [](const Step &self) { return self.diagnostics; },
          "What the compiler has said so far.");
}

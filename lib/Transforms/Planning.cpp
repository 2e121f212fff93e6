//===- Planning.cpp - What the planning passes share ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Transforms/PlanningControl.h"

using namespace mlir;
using namespace mlir::memplan;

core::ScheduleMetrics
mlir::memplan::measureUnplanned(const core::GraphIndex &index) {
  core::Schedule source;
  for (size_t i = 0; i < index.graph().nodes.size(); ++i)
    source.runs.emplace_back(i);
  return core::measureSchedule(index, source,
                               core::InPlaceChoice(source.runs.size()));
}

llvm::Expected<BudgetText> mlir::memplan::parseBudget(StringRef text) {
  if (text.empty())
    return BudgetText();
  llvm::Expected<core::ByteSizeOrPercentage> size =
      core::parseByteSizeOrPercentage(text);
  if (!size)
    return llvm::createStringError("budget: " +
                                   llvm::toString(size.takeError()));
  if (const int64_t *bytes = std::get_if<int64_t>(&*size); bytes && *bytes == 0)
    return llvm::createStringError("budget: must be above 0 bytes");
  return BudgetText(*size);
}

std::optional<int64_t> mlir::memplan::budgetBytes(const BudgetText &budget,
                                                  int64_t unplannedPeakBytes) {
  if (!budget)
    return std::nullopt;
  if (const int64_t *bytes = std::get_if<int64_t>(&*budget))
    return *bytes;
  return std::get<core::Percentage>(*budget).ofBytes(unplannedPeakBytes);
}

LogicalResult mlir::memplan::emitOptionError(MLIRContext *context,
                                             StringRef pass,
                                             llvm::Error error) {
  return emitError(UnknownLoc::get(context))
         << pass << ": " << llvm::toString(std::move(error));
}

static std::string inBytes(int64_t bytes) {
  std::string text = core::describeByteSize(bytes);
  std::string exact = std::to_string(bytes) + " bytes";
  return bytes < 1024 ? exact : text + " (" + exact + ")";
}

void mlir::memplan::emitNoPlan(const GraphView &view, const core::Plan &plan) {
  func::FuncOp function = view.function;
  bool proved = plan.status == core::SolveStatus::Infeasible;
  Location where =
      plan.witnessNode ? view.location(*plan.witnessNode) : function.getLoc();
  InFlightDiagnostic diag = emitError(where);
  if (plan.witnessNode)
    diag << "'" << view.graph[*plan.witnessNode].name << "' (node "
         << view.graph[*plan.witnessNode].externalId << "): ";
  diag << "no plan of @" << function.getName();
  if (plan.budgetBytes)
    diag << " fits the budget of " << inBytes(*plan.budgetBytes);
  else
    diag << " was found";
  diag << (proved ? "; this is proved"
                  : "; this is not proved, the solver '" + plan.solver +
                        "' found none");
  if (plan.boundBytes)
    diag << ", every plan needs at least " << inBytes(*plan.boundBytes);
  for (core::TensorId tensor : plan.witnessTensors)
    diag.attachNote(view.location(tensor))
        << "live beside it: " << core::describe(view.graph, tensor) << ", "
        << inBytes(view.graph[tensor].bytes);
  if (int64_t bytes = view.graph.persistentBytes())
    diag.attachNote(function.getLoc()) << "always there: " << inBytes(bytes)
                                       << " of parameters, states and inputs";
  if (plan.minimumBudgetBytes)
    diag.attachNote(function.getLoc())
        << "a budget of " << inBytes(*plan.minimumBudgetBytes)
        << " works; it is known to work, not known to be the least";
  if (!plan.note.empty())
    diag.attachNote(function.getLoc()) << plan.note;
}

/// What the steps take if everything is freed after its last reader and runs
/// that nobody needs are left out, as in the planned form, where nothing says
/// when bytes are given back.
static core::ScheduleMetrics measureNeeded(const core::GraphIndex &index,
                                           const core::Plan &plan) {
  const core::Graph &graph = index.graph();
  core::Schedule schedule;
  core::InPlaceChoice inPlace;
  for (const core::PlanAction &step : plan.steps)
    if (step.action == core::ActionKind::Compute) {
      schedule.runs.push_back(step.node);
      inPlace.push_back(step.inPlace);
    }
  // Only views can vanish: an operation stands in the planned form whether it
  // is read or not, and takes its bytes.
  std::vector<bool> wanted(graph.tensors.size(), false);
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    wanted[i] = graph.tensors[i].kind == core::TensorKind::Output;
  core::Schedule needed;
  core::InPlaceChoice neededInPlace;
  for (size_t at = schedule.runs.size(); at-- > 0;) {
    const core::Node &node = graph[schedule.runs[at]];
    bool onlyViews = !node.outputs.empty() && node.writes.empty() &&
                     llvm::all_of(node.outputs, [&](core::TensorId t) {
                       return graph[t].viewOf.has_value();
                     });
    bool isWanted = llvm::any_of(
        node.outputs, [&](core::TensorId t) { return bool(wanted[t.index]); });
    if (onlyViews && !isWanted)
      continue;
    for (core::TensorId output : node.outputs)
      wanted[output.index] = false;
    for (core::TensorId input : node.inputs)
      wanted[input.index] = true;
    needed.runs.push_back(schedule.runs[at]);
    neededInPlace.push_back(inPlace[at]);
  }
  std::reverse(needed.runs.begin(), needed.runs.end());
  std::reverse(neededInPlace.begin(), neededInPlace.end());
  return core::measureSchedule(index, needed, neededInPlace);
}

LogicalResult mlir::memplan::applyAndVerify(const GraphView &view,
                                            core::Plan plan) {
  func::FuncOp function = view.function;
  core::GraphIndex index(view.graph);
  if (llvm::Error error = core::verifyPlan(index, plan, plan.budgetBytes))
    return emitError(function.getLoc(), "plan is invalid: ")
           << llvm::toString(std::move(error));
  core::ScheduleMetrics needed = measureNeeded(index, plan);
  if (needed.peakBytes > plan.peakBytes)
    return emitError(function.getLoc(), "plan promises a peak of ")
           << plan.peakBytes << " bytes, but its runs take "
           << needed.peakBytes;
  plan.peakBytes = needed.peakBytes;
  ValueHashes expected = hashValues(view);
  if (failed(applyPlan(view, plan)))
    return failure();
  // Trust nothing: what the plan promised must hold of the IR just written.
  return verifyPlanned(function, &expected);
}

PlanningControl &mlir::memplan::planningControl() {
  static PlanningControl control;
  return control;
}

//===- Plan.cpp - Planning a whole step -----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostModel.h"
#include "Planning.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/PlanningControl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_PLANPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct Plan : mlir::memplan::impl::PlanPassBase<Plan> {
  using PlanPassBase::PlanPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (llvm::Error error = readOptions())
      return emitOptionError(context, getArgument(), std::move(error));
    if (llvm::Error error = core::checkWritable(emitPlan))
      return emitOptionError(context, getArgument(), std::move(error));
    return success();
  }

  void runOnOperation() override {
    if (!getOperation().isExternal() && failed(plan(getOperation())))
      signalPassFailure();
  }

private:
  llvm::Error readOptions();
  LogicalResult plan(func::FuncOp function);
  FailureOr<core::Plan> makePlan(const GraphView &view);
  FailureOr<core::Plan> readPlan(const GraphView &view);
  LogicalResult writePlanFile(const GraphView &view, const core::Plan &plan);

  core::PlanOptions planOptions;
  BudgetText budgetText;
  core::CostModel model;
};

} // namespace

namespace {

/// The options of the pass, understood.
struct ParsedOptions {
  core::PlanOptions options; ///< Without the budget, which may be a percentage.
  BudgetText budget;
  core::CostModel model;
};

} // namespace

static llvm::Expected<ParsedOptions> parseOptions(const PlanPassOptions &text) {
  core::PlanOptions named;
  named.remat = text.remat;
  named.order = text.order;
  named.sharing = text.sharing;
  named.arena = text.arena;
  if (llvm::Error error = core::checkPlanOptions(named))
    return error;
  if (text.alignment <= 0 || !llvm::isPowerOf2_64(text.alignment))
    return llvm::createStringError(
        "alignment " + std::to_string(text.alignment) + " is no power of two");
  if (text.effort < 0)
    return llvm::createStringError("effort must not be negative, but is " +
                                   std::to_string(text.effort));
  if (!(text.timeLimit >= 0))
    return llvm::createStringError("time-limit must not be negative, but is " +
                                   std::to_string(text.timeLimit));
  if (text.threads < 1 || text.threads > 1024)
    return llvm::createStringError("threads must be from 1 to 1024, but is " +
                                   std::to_string(text.threads));
  ParsedOptions parsed;
  llvm::Expected<BudgetText> budget = parseBudget(text.budget);
  if (!budget)
    return budget.takeError();
  parsed.budget = *budget;
  llvm::Expected<core::CostModel> model =
      core::CostModel::parse(text.costModel);
  if (!model)
    return model.takeError();
  parsed.model = std::move(*model);

  core::PlanOptions &options = parsed.options;
  options.remat = text.remat;
  options.order = text.order;
  options.sharing = text.sharing;
  options.arena = text.arena;
  options.inPlace = text.inPlace;
  options.alignmentBytes = text.alignment;
  options.limits.effort = text.effort;
  if (text.timeLimit > 0)
    options.limits.timeLimitSeconds = text.timeLimit;
  options.limits.threads = text.threads;
  return parsed;
}

llvm::Error mlir::memplan::checkPlanOptions(const PlanPassOptions &options) {
  return parseOptions(options).takeError();
}

llvm::Error Plan::readOptions() {
  PlanPassOptions text;
  text.remat = remat;
  text.order = order;
  text.sharing = sharing;
  text.arena = arena;
  text.inPlace = inPlace;
  text.budget = budget;
  text.alignment = alignment;
  text.effort = effort;
  text.timeLimit = timeLimit;
  text.threads = threads;
  text.costModel = costModel;
  llvm::Expected<ParsedOptions> parsed = parseOptions(text);
  if (!parsed)
    return parsed.takeError();
  planOptions = std::move(parsed->options);
  budgetText = parsed->budget;
  model = std::move(parsed->model);
  return llvm::Error::success();
}

FailureOr<core::Plan> Plan::makePlan(const GraphView &view) {
  planOptions.limits.stop = &planningControl().stop;
  planOptions.limits.progress = planningControl().progress;
  llvm::Expected<core::Plan> plan = core::planStep(view.graph, planOptions);
  if (!plan)
    return emitError(view.function->getLoc(), llvm::toString(plan.takeError()));
  if (!plan->note.empty() && !plan->steps.empty())
    emitRemark(view.function->getLoc(), plan->note);
  return std::move(*plan);
}

FailureOr<core::Plan> Plan::readPlan(const GraphView &view) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(planFile);
  if (!file)
    return emitError(view.function->getLoc(), "cannot read the plan '")
           << std::string(planFile) << "': " << file.getError().message();
  std::vector<std::string> warnings;
  llvm::Expected<core::Plan> plan =
      core::parsePlan(view.graph, (*file)->getBuffer(), &warnings);
  if (!plan)
    return emitError(view.function->getLoc(), "plan '")
           << std::string(planFile)
           << "': " << llvm::toString(plan.takeError());
  std::string hash = core::hashGraph(view.graph);
  if (!plan->graphHash.empty() && plan->graphHash != hash)
    return emitError(view.function->getLoc(), "plan '")
           << std::string(planFile) << "' was made for a graph with hash "
           << plan->graphHash << ", but this function's graph has hash " << hash
           << "; emit the graph again with the same options and plan it";
  for (const std::string &warning : warnings)
    view.function->emitWarning("plan '")
        << std::string(planFile) << "': " << warning;
  // A budget on the command line is what the plan must keep; without one, the
  // plan's own.
  if (planOptions.budgetBytes)
    plan->budgetBytes = planOptions.budgetBytes;
  return std::move(*plan);
}

LogicalResult Plan::writePlanFile(const GraphView &view,
                                  const core::Plan &plan) {
  llvm::Error error = core::writeFile(emitPlan, [&](llvm::raw_ostream &os) {
    core::writePlan(view.graph, plan, os);
  });
  if (error)
    return emitError(view.function->getLoc(), "the plan: ")
           << llvm::toString(std::move(error));
  return success();
}

/// What the plan says of itself, for reports: the plan file has the same facts.
static DictionaryAttr describePlan(MLIRContext *context, const core::Plan &plan,
                                   const core::ScheduleMetrics &unplanned) {
  Builder builder(context);
  NamedAttrList facts;
  facts.set("status", builder.getStringAttr(core::statusName(plan.status)));
  facts.set("solver", builder.getStringAttr(plan.solver));
  facts.set("unplanned_peak_bytes",
            builder.getI64IntegerAttr(unplanned.peakBytes));
  facts.set("unplanned_cost", builder.getF64FloatAttr(unplanned.cost));
  if (plan.bound) {
    facts.set("bound", builder.getF64FloatAttr(*plan.bound));
    facts.set("bound_space", builder.getStringAttr(plan.boundSpace));
    facts.set("proof", builder.getStringAttr(plan.proof));
  }
  return facts.getDictionary(context);
}

LogicalResult Plan::plan(func::FuncOp function) {
  applyCostModel(model, function);
  FailureOr<GraphView> view = extractGraph(function);
  if (failed(view))
    return failure();
  core::GraphIndex index(view->graph);
  core::ScheduleMetrics unplanned = measureUnplanned(index);
  planOptions.budgetBytes = budgetBytes(budgetText, unplanned.peakBytes);
  FailureOr<core::Plan> plan =
      planFile.empty() ? makePlan(*view) : readPlan(*view);
  if (failed(plan) ||
      (!emitPlan.empty() && failed(writePlanFile(*view, *plan))))
    return failure();
  if (plan->status == core::SolveStatus::Infeasible ||
      plan->status == core::SolveStatus::NoPlan) {
    emitNoPlan(*view, *plan);
    return failure();
  }
  DictionaryAttr facts = describePlan(function.getContext(), *plan, unplanned);
  if (failed(applyAndVerify(*view, std::move(*plan))))
    return failure();
  function->setAttr("memplan.plan", facts);
  return success();
}

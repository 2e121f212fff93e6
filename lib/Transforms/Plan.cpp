//===- Plan.cpp - Planning a whole step -----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseParts.h"
#include "CostModel.h"
#include "EncodeCopies.h"
#include "Planning.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BatchPlan.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Transforms/Passes.h"
#include "memplan/Transforms/PlanTexts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_PLANPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct Plan : mlir::memplan::impl::PlanPassBase<Plan> {
  Plan() { texts.declareIn<Option<std::string>>(*this); }
  /// Threads run copies, which are not initialized again.
  Plan(const Plan &other)
      : PlanPassBase(other), watchers(other.watchers), listener(other.listener),
        setScratch(other.setScratch), planOptions(other.planOptions),
        model(other.model) {
    texts.declareIn<Option<std::string>>(*this);
  }
  explicit Plan(PlanPassOptions options) : PlanPassBase(std::move(options)) {
    texts.declareIn<Option<std::string>>(*this);
  }
  Plan(const PlanTexts &options, StringRef emitPlanFile) : Plan() {
    texts.set(options);
    emitPlan = emitPlanFile.str();
  }
  Plan(const core::PlanOptions &options, StringRef emitPlanFile,
       PlanListener listener, ScratchSetter setScratch)
      : Plan() {
    this->listener = std::move(listener);
    this->setScratch = std::move(setScratch);
    texts.set(options);
    watchers.stop = options.limits.stop;
    watchers.progress = options.limits.progress;
    emitPlan = emitPlanFile.str();
  }

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
  FailureOr<Planned> choosePlan(GraphView view);
  LogicalResult planSplit(func::FuncOp function, Planned &best);
  FailureOr<Planned> makeBestPlan(GraphView view);
  FailureOr<Planned> makePlanWithCodec(const GraphView &view);
  FailureOr<GraphView> extractWithParts(func::FuncOp function,
                                        SmallVector<Operation *> &marked);
  FailureOr<core::Plan> readPlan(GraphView &view);
  FailureOr<Planned> readPlanOf(GraphView view);
  LogicalResult writePlanFile(const GraphView &view, const core::Plan &plan);

  PlanTexts texts;
  /// What stops the solvers and what hears of them, which no text can say.
  core::SolveLimits watchers;
  PlanListener listener;
  ScratchSetter setScratch; ///< none: fused operations stay
  core::PlanOptions planOptions;
  core::CostModel model;
};

} // namespace

std::unique_ptr<Pass>
mlir::memplan::createPlanPass(const core::PlanOptions &options,
                              StringRef emitPlan, PlanListener listener,
                              ScratchSetter setScratch) {
  return std::make_unique<Plan>(options, emitPlan, std::move(listener),
                                std::move(setScratch));
}

std::unique_ptr<Pass> mlir::memplan::createPlanPass(const PlanTexts &options,
                                                    StringRef emitPlan) {
  return std::make_unique<Plan>(options, emitPlan);
}

llvm::Error Plan::readOptions() {
  llvm::Expected<core::PlanOptions> options = texts.parse();
  if (!options)
    return options.takeError();
  llvm::Expected<core::CostModel> costs =
      core::CostModel::parse(options->costModel);
  if (!costs)
    return costs.takeError();
  if (options->arena == "none" && emitPlan.empty())
    return llvm::createStringError(
        "arena: 'none' plans live bytes, and the planned form needs offsets");
  planOptions = std::move(*options);
  planOptions.limits.stop = watchers.stop;
  planOptions.limits.progress = watchers.progress;
  model = std::move(*costs);
  return llvm::Error::success();
}

/// The graph in which the inputs of concats are parts of them, where that pays;
/// `marked` gets the concats. None: the graph is as it was.
FailureOr<GraphView> Plan::extractWithParts(func::FuncOp function,
                                            SmallVector<Operation *> &marked) {
  FailureOr<SmallVector<Operation *>> chosen =
      chooseParts(function, planOptions.parts != "dense");
  if (failed(chosen))
    return failure();
  marked = std::move(*chosen);
  FailureOr<GraphView> view = extractGraph(function);
  if (succeeded(view))
    core::applyCopyOptions(planOptions, view->graph);
  return view;
}

/// What a part is in a whole is made once, so that a tight budget may do better
/// without parts.
FailureOr<Planned> Plan::makeBestPlan(GraphView view) {
  const bool isFree =
      planOptions.parts == "auto" || planOptions.parts == "dense";
  SmallVector<Operation *> marked;
  SmallVector<GraphView, 2> forms;
  if (planOptions.parts == "on" || (isFree && emitPlan.empty())) {
    FailureOr<GraphView> withParts = extractWithParts(view.function, marked);
    if (failed(withParts))
      return failure();
    if (!marked.empty())
      forms.push_back(std::move(*withParts));
  }
  const Location place = view.function->getLoc();
  if (marked.empty() || isFree)
    forms.push_back(std::move(view));
  SmallVector<const core::Graph *, 2> graphs;
  for (const GraphView &form : forms)
    graphs.push_back(&form.graph);
  llvm::Expected<core::ChosenPlan> best = core::planBestOf(graphs, planOptions);
  if (!best)
    return emitError(place, llvm::toString(best.takeError()));
  if (best->form > 0)
    for (Operation *op : marked)
      op->removeAttr(names::parts);
  return Planned{std::move(forms[best->form]), std::move(best->plan)};
}

FailureOr<Planned> Plan::makePlanWithCodec(const GraphView &view) {
  EncodedPlanning planning;
  planning.options = planOptions;
  planning.choose = [&](const core::Graph &graph,
                        core::PlanOptions options) -> FailureOr<core::Plan> {
    options.streams = 1;
    llvm::Expected<core::Plan> plan = core::planStep(graph, options);
    if (!plan)
      return emitError(view.function->getLoc(),
                       llvm::toString(plan.takeError()));
    return std::move(*plan);
  };
  planning.make = [&](const core::PlanOptions &options) -> FailureOr<Planned> {
    applyCostModel(model, view.function);
    FailureOr<GraphView> encoded = extractGraph(view.function);
    if (failed(encoded))
      return failure();
    core::applyCopyOptions(options, encoded->graph);
    const std::string asked = std::exchange(planOptions.tflms, options.tflms);
    llvm::scope_exit restore([&] { planOptions.tflms = asked; });
    return makeBestPlan(std::move(*encoded));
  };
  return planEncoded(view, planning);
}

/// Turns a plan for a range of batches into that of the function's batch, and
/// the view into what that plan is of.
static LogicalResult takeBatch(GraphView &view, core::Plan &plan) {
  func::FuncOp function = view.function;
  std::optional<int64_t> batch = batchOf(function);
  if (!batch)
    return emitError(function.getLoc(), "the plan is for batches from ")
           << plan.batches->least() << " to " << plan.batches->most()
           << ", but no argument is marked `memplan.batch`";
  // A slice along another dimension is dense where the batch is 1.
  llvm::DenseSet<int64_t> copied;
  for (size_t i = 0; i < view.graph.tensors.size(); ++i)
    if (*batch == 1 && view.graph.tensors[i].viewOf &&
        plan.batches->bytesPerSample[i] > 0)
      copied.insert(int64_t(i));
  if (!copied.empty()) {
    FailureOr<GraphView> other = extractGraphWithCopies(function, copied);
    if (failed(other))
      return failure();
    other->graph.bandwidth = view.graph.bandwidth;
    other->graph.hostBudgetBytes = view.graph.hostBudgetBytes;
    view = std::move(*other);
  }
  core::GraphIndex index(view.graph);
  llvm::Expected<core::Plan> at = core::planAtBatch(index, plan, *batch);
  if (!at)
    return emitError(function.getLoc()) << llvm::toString(at.takeError());
  plan = std::move(*at);
  return success();
}

FailureOr<core::Plan> Plan::readPlan(GraphView &view) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(planOptions.planFile);
  if (!file)
    return emitError(view.function->getLoc(), "cannot read the plan '")
           << planOptions.planFile << "': " << file.getError().message();
  std::vector<std::string> warnings;
  std::string planned;
  llvm::Expected<core::Plan> plan =
      core::parsePlan(view.graph, (*file)->getBuffer(), &warnings, &planned);
  if (!plan)
    return emitError(view.function->getLoc(), "plan '")
           << planOptions.planFile << "': " << llvm::toString(plan.takeError());
  if (plan->batches) {
    if (failed(takeBatch(view, *plan)))
      return failure();
  } else if (!core::isOfGraph(*plan, view.graph))
    return emitError(view.function->getLoc(), "plan '")
           << planOptions.planFile << "' was made for a graph with hash "
           << plan->graphHash << ", but this function's graph has hash "
           << core::hashGraphFor(view.graph, *plan)
           << "; emit the graph again with the same options (a plan that "
              "copies: also --bandwidth and --host-budget) and plan it";
  if (auto device = view.function->getAttrOfType<StringAttr>(kDeviceAttrName);
      device && !planned.empty() && planned != device.getValue())
    view.function->emitWarning("plan '")
        << planOptions.planFile << "' is for " << planned
        << ", and the step is compiled for " << device.getValue()
        << ": its scratch and costs are those of the other";
  for (const std::string &warning : warnings)
    view.function->emitWarning("plan '")
        << planOptions.planFile << "': " << warning;
  // A budget on the command line is what the plan must keep; without one, the
  // plan's own.
  if (planOptions.budgetBytes)
    plan->budgetBytes = planOptions.budgetBytes;
  return std::move(*plan);
}

/// A plan file is of the graph as it stands or, where it says so, with parts.
FailureOr<Planned> Plan::readPlanOf(GraphView view) {
  SmallVector<Operation *> marked;
  if (planOptions.parts == "on") {
    FailureOr<GraphView> withParts = extractWithParts(view.function, marked);
    if (failed(withParts))
      return failure();
    view = std::move(*withParts);
  }
  FailureOr<core::Plan> plan = readPlan(view);
  if (failed(plan))
    return failure();
  return Planned{std::move(view), std::move(*plan)};
}

LogicalResult Plan::writePlanFile(const GraphView &view,
                                  const core::Plan &plan) {
  llvm::Error error = core::writeFile(emitPlan, [&](llvm::raw_ostream &os) {
    auto device = view.function->getAttrOfType<StringAttr>(kDeviceAttrName);
    core::writePlan(view.graph, plan, os, device ? device.getValue() : "");
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
  for (const core::PlanArena &arena : plan.arenas)
    if (arena.space == "device" && arena.liveBytes)
      facts.set("live_bytes", builder.getI64IntegerAttr(*arena.liveBytes));
  if (plan.bound) {
    facts.set("bound", builder.getF64FloatAttr(*plan.bound));
    facts.set("bound_space", builder.getStringAttr(plan.boundSpace));
    facts.set("proof", builder.getStringAttr(plan.proof));
  }
  if (plan.timeBound) {
    facts.set("time_bound", builder.getF64FloatAttr(*plan.timeBound));
    facts.set("time_bound_space", builder.getStringAttr(plan.timeBoundSpace));
  }
  return facts.getDictionary(context);
}

FailureOr<Planned> Plan::choosePlan(GraphView view) {
  if (!planOptions.planFile.empty())
    return readPlanOf(std::move(view));
  return encodesCopies(planOptions) ? makePlanWithCodec(view)
                                    : makeBestPlan(std::move(view));
}

/// Takes apart, in a copy of the function, what is fused and runs more than
/// once, or all that is fused where the plan has no steps. Null: there is none.
static OwningOpRef<func::FuncOp> splitRecomputed(const Planned &planned) {
  const bool isMade = core::hasSteps(planned.plan.status);
  std::vector<int> runs(planned.view.nodes.size(), isMade ? 0 : 2);
  for (const core::PlanAction &action : planned.plan.steps)
    if (isMade && action.action == core::ActionKind::Compute)
      ++runs[action.node.index];
  IRMapping copies;
  OwningOpRef<func::FuncOp> copy =
      cast<func::FuncOp>(planned.view.function->clone(copies));
  for (Operation &op : copy->front())
    op.removeAttr(names::parts); // chosen for the other plan
  bool any = false;
  for (auto [op, count] : llvm::zip_equal(planned.view.nodes, runs))
    if (count > 1 && isFused(op)) {
      splitFused(copies.lookup(op));
      any = true;
    }
  return any ? std::move(copy) : nullptr;
}

/// Whether a plan takes less time than another, or is there at all.
static bool isBetter(const core::Plan &plan, const core::Plan &other) {
  if (!core::hasSteps(plan.status))
    return false;
  return !core::hasSteps(other.status) ||
         plan.time.value_or(plan.cost) < other.time.value_or(other.cost);
}

/// Turns `best`, and the function with it, into the plan of the step without
/// fused operations that `best` recomputes, where that is better.
LogicalResult Plan::planSplit(func::FuncOp function, Planned &best) {
  OwningOpRef<func::FuncOp> split = splitRecomputed(best);
  if (!split)
    return success();
  if (failed(setScratch(*split)))
    return failure();
  applyCostModel(model, *split);
  FailureOr<GraphView> view = extractGraph(*split);
  if (failed(view))
    return failure();
  core::applyCopyOptions(planOptions, view->graph);
  FailureOr<Planned> again = choosePlan(std::move(*view));
  if (failed(again))
    return failure();
  if (!isBetter(again->plan, best.plan))
    return success();
  function.getBody().takeBody(split->getBody());
  best = std::move(*again);
  best.view.function = function;
  return success();
}

LogicalResult Plan::plan(func::FuncOp function) {
  applyCostModel(model, function);
  FailureOr<GraphView> view = extractGraph(function);
  if (failed(view) || failed(checkHasPlannedForm(*view)))
    return failure();
  core::applyCopyOptions(planOptions, view->graph);
  core::GraphIndex index(view->graph);
  core::ScheduleMetrics unplanned = core::measureUnplanned(index);
  core::resolveBudget(index, planOptions);
  // A share is of the step as it stands, for plans with parts too.
  const auto share = std::exchange(planOptions.budgetShare, std::nullopt);
  llvm::scope_exit restore([&] { planOptions.budgetShare = share; });
  FailureOr<Planned> planned = choosePlan(std::move(*view));
  if (failed(planned))
    return failure();
  if (setScratch && planOptions.planFile.empty() &&
      !encodesCopies(planOptions) && failed(planSplit(function, *planned)))
    return failure();
  if (listener)
    listener(planned->view.function, planned->view.graph, planned->plan);
  core::Plan &plan = planned->plan;
  if (!emitPlan.empty() && failed(writePlanFile(planned->view, plan)))
    return failure();
  if (plan.status == core::SolveStatus::Infeasible ||
      plan.status == core::SolveStatus::NoPlan) {
    emitNoPlan(planned->view, plan);
    return failure();
  }
  if (!plan.note.empty())
    emitRemark(function->getLoc(), plan.note);
  DictionaryAttr facts = describePlan(function.getContext(), plan, unplanned);
  // A plan made here has been verified with its order.
  core::FirstRuns firstRuns = planOptions.planFile.empty()
                                  ? core::FirstRuns::AnyOrder
                                  : core::firstRunsAskedFor(planOptions);
  if (failed(applyAndVerify(planned->view, std::move(plan), firstRuns)))
    return failure();
  function->setAttr("memplan.plan", facts);
  return success();
}

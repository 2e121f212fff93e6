//===- Remat.cpp - Recomputing values within a budget ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Planning.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_REMATPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

/// Reorders and copies operations so that they run as scheduled. A read finds
/// the latest run of its producer.
static LogicalResult applySchedule(const GraphView &view,
                                   const core::Schedule &schedule) {
  func::FuncOp function = view.function;
  Operation *terminator = function.front().getTerminator();
  for (core::NodeId id : schedule.runs)
    if (!isa<PlannableOpInterface>(view.nodes[id.index]) &&
        llvm::count(schedule.runs, id) > 1)
      return view.nodes[id.index]->emitError(
          "cannot be run again: it does not implement the planning interface");

  OpBuilder builder(terminator);
  std::vector<Value> latest(view.values);
  std::vector<int64_t> runsOfNode(view.graph.nodes.size(), 0);
  std::vector<Operation *> made;
  for (core::NodeId id : schedule.runs) {
    Operation *first = view.nodes[id.index];
    int64_t run = runsOfNode[id.index]++;
    SmallVector<Value> operands;
    for (Value operand : first->getOperands()) {
      auto tensor = view.tensorOf.find(operand);
      // Constants and shapes stay what they are.
      operands.push_back(tensor == view.tensorOf.end()
                             ? operand
                             : latest[tensor->second.index]);
    }
    // Always a copy: the first runs are still what `view` maps operands from.
    Operation *op;
    if (auto plannable = dyn_cast<PlannableOpInterface>(first)) {
      op = plannable.createRecomputation(builder, operands, run);
    } else {
      op = builder.clone(*first);
      op->setOperands(operands);
    }
    for (StringRef stale : {names::inPlace, names::storages, names::offsets,
                            names::scratch, kStreamAttrName})
      op->removeAttr(stale);
    op->setAttr(kNodeAttrName,
                builder.getI64IntegerAttr(view.graph[id].externalId));
    for (auto [mine, theirs] : llvm::zip(op->getResults(), first->getResults()))
      latest[view.tensorOf.lookup(theirs).index] = mine;
    made.push_back(op);
  }
  for (OpOperand &operand : terminator->getOpOperands())
    operand.set(latest[view.tensorOf.lookup(operand.get()).index]);
  // What stands before the first new operation is the old body.
  SmallVector<Operation *> old;
  for (Operation &op : function.front()) {
    if (&op == (made.empty() ? terminator : made.front()))
      break;
    old.push_back(&op);
  }
  for (Operation *op : llvm::reverse(old))
    if (op->use_empty())
      op->erase();
  return success();
}

namespace {

struct Remat : mlir::memplan::impl::RematPassBase<Remat> {
  using RematPassBase::RematPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    const std::pair<const char *, std::string> texts[] = {
        {"remat", solver},
        {"budget", budget},
        {"effort", std::to_string(effort)}};
    for (const auto &[name, text] : texts)
      if (llvm::Error error = core::setOption(options, name, text))
        return emitOptionError(context, getArgument(), std::move(error));
    return success();
  }

  void runOnOperation() override {
    if (!getOperation().isExternal() && failed(rematerialize(getOperation())))
      signalPassFailure();
  }

  LogicalResult rematerialize(func::FuncOp function) {
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return failure();
    core::GraphIndex index(view->graph);
    core::RematProblem problem;
    problem.index = &index;
    problem.inPlace = inPlace;
    core::resolveBudget(index, options);
    problem.budgetBytes = options.budgetBytes;
    llvm::Expected<core::RematPlan> plan = core::solve(
        problem, core::solverNamed(core::rematSolvers(), options.remat),
        options.limits);
    if (!plan)
      return emitError(function.getLoc(), llvm::toString(plan.takeError()));
    if (plan->schedule.runs.empty() && !view->graph.nodes.empty()) {
      core::Plan none;
      none.status = plan->report.status;
      none.solver = plan->report.solver;
      none.boundSpace = plan->report.boundSpace;
      none.budgetBytes = problem.budgetBytes;
      none.boundBytes = plan->boundBytes;
      none.minimumBudgetBytes = plan->minimumBudgetBytes;
      none.note = plan->report.note;
      emitNoPlan(*view, none);
      return failure();
    }
    return applySchedule(*view, plan->schedule);
  }

  core::PlanOptions options;
};

} // namespace

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
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Plan/Witnesses.h"

using namespace mlir;
using namespace mlir::memplan;

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

static void noteWitnesses(const GraphView &view, const core::Plan &plan,
                          InFlightDiagnostic &diag) {
  core::Witnesses witnesses(view.graph, plan);
  for (core::TensorId tensor : witnesses.largest)
    diag.attachNote(view.location(tensor))
        << "live beside it: " << core::describe(view.graph, tensor) << ", "
        << inBytes(view.graph[tensor].bytes);
  if (witnesses.others > 0)
    diag.attachNote(view.function->getLoc())
        << "live beside it: " << witnesses.others << " smaller ones, together "
        << inBytes(witnesses.otherBytes);
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
  diag << (proved ? "; it is proved " +
                        core::describeStatus(core::statusName(plan.status),
                                             plan.boundSpace)
                  : "; this is not proved, the solver '" + plan.solver +
                        "' found none");
  if (plan.boundBytes)
    diag << (proved ? ", every such plan" : ", every plan")
         << " needs at least " << inBytes(*plan.boundBytes);
  noteWitnesses(view, plan, diag);
  int64_t bytes = view.graph.persistentBytes();
  for (const core::Tensor &tensor : view.graph.tensors)
    if (tensor.donated && !tensor.viewOf) // Goes after its last user.
      bytes -= tensor.bytes;
  if (bytes != 0)
    diag.attachNote(function.getLoc()) << "always there: " << inBytes(bytes)
                                       << " of parameters, states and inputs";
  if (plan.minimumBudgetBytes)
    diag.attachNote(function.getLoc())
        << "a budget of " << inBytes(*plan.minimumBudgetBytes)
        << " works; it is known to work, not known to be the least";
  if (!plan.note.empty())
    diag.attachNote(function.getLoc()) << plan.note;
}

/// Bytes of the caller that the plan counts as freed while their copy is on the
/// host, although the device has them all the time.
static int64_t bytesThatStay(const core::Graph &graph, const core::Plan &plan) {
  llvm::DenseSet<int32_t> counted;
  int64_t bytes = 0;
  for (const core::PlanAction &action : plan.steps) {
    if (action.action != core::ActionKind::Evict)
      continue;
    core::TensorId tensor = action.tensors.front();
    const bool isCallers = graph[tensor].kind == core::TensorKind::Parameter ||
                           graph[tensor].kind == core::TensorKind::State ||
                           graph[tensor].kind == core::TensorKind::Input;
    const bool isOwned = llvm::any_of(plan.arenas, [&](const auto &arena) {
      return llvm::is_contained(arena.owns, tensor);
    });
    if (isCallers && !isOwned && counted.insert(tensor.index).second)
      bytes += graph[tensor].bytes;
  }
  return bytes;
}

LogicalResult mlir::memplan::applyAndVerify(const GraphView &view,
                                            core::Plan plan,
                                            core::FirstRuns firstRuns) {
  func::FuncOp function = view.function;
  core::GraphIndex index(view.graph);
  if (llvm::Error error =
          core::verifyPlan(index, plan, plan.budgetBytes, firstRuns))
    return emitError(function.getLoc(), "plan is invalid: ")
           << llvm::toString(std::move(error));
  ValueHashes expected = hashValues(view);
  if (failed(applyPlan(view, plan)))
    return failure();
  // Trust nothing: what the plan promised must hold of the IR just written.
  // Nothing says there when bytes are given back, so that it may take less.
  FailureOr<PlannedFacts> facts = executePlanned(function, &expected);
  if (failed(facts))
    return failure();
  if (facts->peakBytes > plan.peakBytes + bytesThatStay(view.graph, plan))
    return emitError(function.getLoc(), "plan promises a peak of ")
           << plan.peakBytes << " bytes, but its runs take "
           << facts->peakBytes;
  function->setAttr(
      names::peakBytes,
      Builder(function.getContext()).getI64IntegerAttr(facts->peakBytes));
  return verifyPlanned(function, &expected);
}

//===- EncodeCopies.cpp - Codecs around copies to the host ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EncodeCopies.h"
#include "EncodedValues.h"
#include "memplan/Dialect/Memplan/IR/Markers.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Planner/Swap/TflmsParameters.h"

using namespace mlir;
using namespace mlir::memplan;

bool mlir::memplan::encodesCopies(const core::PlanOptions &options) {
  if (options.swap != "tflms")
    return false;
  llvm::Expected<core::TflmsParameters> parameters =
      core::TflmsParameters::parse(options.tflms);
  if (!parameters) {
    llvm::consumeError(parameters.takeError()); // Planning reports it.
    return false;
  }
  return parameters->codec != "none";
}

static core::PlanOptions withoutCodec(core::PlanOptions options) {
  options.tflms += ",codec=none";
  return options;
}

/// A graph whose host has room and speed for twice the bytes, as if copies had
/// half of them.
static core::Graph withHalfCopies(core::Graph graph) {
  if (graph.hostBudgetBytes)
    *graph.hostBudgetBytes *= 2;
  if (graph.bandwidth)
    for (std::optional<double> *rate :
         {&graph.bandwidth->hostToDevice, &graph.bandwidth->deviceToHost})
      if (*rate)
        **rate *= 2;
  return graph;
}

/// Recomputations are clones that nothing ties to what is put between them.
static LogicalResult checkCanEncode(func::FuncOp function) {
  for (Operation &op : function.front()) {
    if (isa<EncodeBF16Op>(op))
      return op.emitError("is in the program already, and codec=bf16 puts "
                          "such operations in; plan with codec=none, or the "
                          "program without them");
    if (op.hasAttr(kNodeAttrName))
      return op.emitError("has a `")
             << kNodeAttrName
             << "`, and codec=bf16 puts operations between those that are "
                "numbered; encode and recompute in one pass, memplan-plan";
  }
  return success();
}

/// Plans what is encoded, and once more without what then stays on the device.
static FailureOr<Planned> planAround(EncodedValues &values,
                                     const EncodedPlanning &planning) {
  FailureOr<Planned> made = planning.make(planning.options);
  if (failed(made) || made->plan.steps.empty() ||
      !values.undoWhatStays(made->view, made->plan))
    return made;
  return planning.make(values.empty() ? withoutCodec(planning.options)
                                      : planning.options);
}

FailureOr<Planned> mlir::memplan::planEncoded(const GraphView &view,
                                              const EncodedPlanning &planning) {
  func::FuncOp function = view.function;
  if (failed(checkCanEncode(function)))
    return failure();
  const int64_t always = view.graph.persistentBytes();
  const core::Graph graph = withHalfCopies(view.graph);
  // What is encoded takes bytes beside what it stands for, so that it may take
  // more copies than the plan without a codec has.
  for (int64_t percent : {100, 95, 90, 80, 65, 50}) {
    core::PlanOptions plain = withoutCodec(planning.options);
    if (plain.budgetBytes && *plain.budgetBytes > always)
      *plain.budgetBytes =
          always + (*plain.budgetBytes - always) / 100 * percent;
    FailureOr<core::Plan> chosen = planning.choose(graph, plain);
    if (failed(chosen))
      return failure();
    if (chosen->steps.empty())
      break;
    EncodedValues values(view, *chosen);
    if (values.empty())
      return planning.make(withoutCodec(planning.options));
    FailureOr<Planned> made = planAround(values, planning);
    if (succeeded(made) && !made->plan.steps.empty())
      return made;
    values.undo();
    if (failed(made))
      return failure();
    if (!plain.budgetBytes)
      break;
  }
  return emitError(function.getLoc(), "no plan of @")
         << function.getName()
         << " with copies encoded as bf16 was found; try codec=none or a "
            "larger budget";
}

//===- Liveness.cpp - Saying what is live at every operation --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_LIVENESSPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

using LiveBytes = std::vector<std::pair<Operation *, int64_t>>;

struct Liveness : mlir::memplan::impl::LivenessPassBase<Liveness> {
  using LivenessPassBase::LivenessPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (output == "remarks" || output == "peak" || output == "attributes")
      return success();
    return emitError(UnknownLoc::get(context))
           << getArgument() << ": output '" << std::string(output)
           << "' is none of 'remarks', 'peak', 'attributes'";
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<LiveBytes> bytes = measure(function);
    if (failed(bytes))
      return signalPassFailure();
    auto peak = llvm::max_element(*bytes, llvm::less_second());
    if (peak == bytes->end())
      return;
    Builder builder(&getContext());
    if (output == "attributes") {
      for (auto [op, live] : *bytes) {
        op->setAttr("memplan.live_bytes", builder.getI64IntegerAttr(live));
        op->removeAttr("memplan.peak");
      }
      peak->first->setAttr("memplan.peak", builder.getUnitAttr());
      function->setAttr("memplan.live_peak_bytes",
                        builder.getI64IntegerAttr(peak->second));
      return;
    }
    if (output == "remarks")
      for (auto [op, live] : *bytes)
        emitRemark(op->getLoc())
            << live << " bytes live" << (op == peak->first ? ", the peak" : "");
    InFlightDiagnostic diag = emitRemark(function.getLoc(), "peak of ");
    diag << peak->second << " bytes (" << core::describeByteSize(peak->second)
         << ") at '" << peak->first->getName() << "'";
    diag.attachNote(peak->first->getLoc()) << "the peak is here";
  }

  static FailureOr<LiveBytes> measure(func::FuncOp function) {
    if (function->hasAttr(names::planned)) {
      FailureOr<PlannedFacts> facts = verifyPlanned(function);
      if (failed(facts))
        return failure();
      return std::move(facts->bytesAt);
    }
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return failure();
    FailureOr<core::InPlaceChoice> inPlace = readInPlace(*view);
    if (failed(inPlace))
      return failure();
    core::GraphIndex index(view->graph);
    if (llvm::Error error = core::verifySchedule(index, view->schedule))
      return emitError(function.getLoc(), "order of operations is invalid: ")
             << llvm::toString(std::move(error));
    core::InPlaceProblem problem{&index, &view->schedule};
    if (llvm::Error error = problem.verify(*inPlace))
      return emitError(function.getLoc(), "`")
             << names::inPlace
             << "` is wrong: " << llvm::toString(std::move(error));
    core::ScheduleMetrics metrics =
        core::measureSchedule(index, view->schedule, *inPlace);
    LiveBytes bytes;
    for (auto [op, live] : llvm::zip(view->runs, metrics.bytesAtRun))
      bytes.emplace_back(op, live);
    return bytes;
  }
};

} // namespace

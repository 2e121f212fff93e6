//===- Summary.cpp - What a planned module says of itself -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Support/ByteSize.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Format.h"

using namespace mlir;
namespace names = mlir::memplan::names;

/// Bytes that an attribute promises; 0 where there is none.
static int64_t bytesOf(func::FuncOp function, StringRef name) {
  auto attribute = function->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

static int64_t callerBytes(func::FuncOp function) {
  int64_t bytes = bytesOf(function, names::fixedBytes);
  for (Type type : llvm::drop_begin(function.getArgumentTypes()))
    bytes += mlir::memplan::byteSizeOf(type);
  return bytes;
}

static void printSummary(func::FuncOp function, double seconds,
                         raw_ostream &os) {
  auto facts = function->getAttrOfType<DictionaryAttr>("memplan.plan");
  if (!facts)
    return;
  auto number = [&](StringRef name) {
    return facts.getAs<FloatAttr>(name)
               ? facts.getAs<FloatAttr>(name).getValueAsDouble()
               : 0;
  };
  auto text = [&](StringRef name) {
    return facts.getAs<StringAttr>(name)
               ? facts.getAs<StringAttr>(name).getValue()
               : StringRef();
  };
  int64_t before = facts.getAs<IntegerAttr>("unplanned_peak_bytes").getInt();
  int64_t arena = bytesOf(function, names::arenaBytes),
          device = arena + callerBytes(function);
  double cost = function->getAttrOfType<FloatAttr>(names::planCost)
                    .getValueAsDouble(),
         unplanned = number("unplanned_cost");
  os << "memplan-opt: @" << function.getName() << ": peak "
     << ::memplan::describeByteSize(before) << " -> "
     << ::memplan::describeByteSize(bytesOf(function, names::peakBytes))
     << ", device " << device << " bytes (arena " << arena << ")";
  if (int64_t budget = bytesOf(function, names::budget))
    os << " of budget " << budget;
  else
    os << ", no budget";
  os << ", overhead "
     << llvm::format("%.2f", unplanned > 0 ? 100 * (cost / unplanned - 1) : 0.0)
     << " %, " << text("status") << " by " << text("solver");
  if (facts.get("bound")) {
    double gap = cost > 0 ? 100 * (cost - number("bound")) / cost : 0;
    os << ", gap " << llvm::format("%.2f", gap) << " % (" << text("bound_space")
       << ", " << text("proof") << ")";
  } else {
    os << ", no bound";
  }
  os << ", " << llvm::format("%.2f", seconds) << " s\n";
}

namespace {

struct SummaryPass : PassWrapper<SummaryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SummaryPass)
  SummaryPass(raw_ostream &os, std::chrono::steady_clock::time_point begin)
      : os(os), begin(begin) {}

  StringRef getArgument() const override { return "memplan-opt-summary"; }
  void runOnOperation() override {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    getOperation().walk([&](func::FuncOp function) {
      printSummary(function, passed.count(), os);
    });
    markAllAnalysesPreserved();
  }

  raw_ostream &os;
  std::chrono::steady_clock::time_point begin;
};

struct SingleFunctionPass
    : PassWrapper<SingleFunctionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SingleFunctionPass)

  StringRef getArgument() const override {
    return "memplan-opt-single-function";
  }
  void runOnOperation() override {
    SmallVector<func::FuncOp> bodies;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        bodies.push_back(function);
    if (bodies.size() == 1)
      return markAllAnalysesPreserved();
    InFlightDiagnostic diag = getOperation().emitError(
        "graph and plan files hold one function, but the module has ");
    diag << bodies.size();
    for (func::FuncOp function : bodies)
      diag.attachNote(function.getLoc()) << "@" << function.getName();
    signalPassFailure();
  }
};

} // namespace

namespace memplan {

std::unique_ptr<Pass>
createSummaryPass(raw_ostream &os,
                  std::chrono::steady_clock::time_point begin) {
  return std::make_unique<SummaryPass>(os, begin);
}

std::unique_ptr<Pass> createSingleFunctionPass() {
  return std::make_unique<SingleFunctionPass>();
}

} // namespace memplan

//===- Plugin.cpp - A dialect and a pass that memplan-opt loads -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect `plug` has operations that memplan plans by external models:
// plug.twice, which may run in place, plug.step, which updates its first
// operand and needs scratch, and plug.draw, of whose effects nobody knows. The
// pass rewrites plug.twice to arith. Nothing is linked: symbols come from the
// program that loads it.
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace plug {

class TwiceOp : public Op<TwiceOp, OpTrait::OneOperand, OpTrait::OneResult,
                          OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                          OpTrait::SameOperandsAndResultType,
                          MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "plug.twice"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
};

class StepOp
    : public Op<StepOp, OpTrait::NOperands<2>::Impl, OpTrait::OneResult,
                OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                OpTrait::SameOperandsAndResultType,
                MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "plug.step"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
};

class DrawOp : public Op<DrawOp, OpTrait::OneOperand, OpTrait::OneResult,
                         OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                         OpTrait::SameOperandsAndResultType> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "plug.draw"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

struct StepModel
    : mlir::memplan::PlannableOpInterface::ExternalModel<StepModel, StepOp> {
  std::optional<unsigned> getWrittenOperand(Operation *, unsigned) const {
    return 0;
  }
  int64_t getWorkspaceBytes(Operation *) const { return 640; }
};

struct DrawModel
    : mlir::memplan::PlannableOpInterface::ExternalModel<DrawModel, DrawOp> {};

struct TwiceModel
    : mlir::memplan::PlannableOpInterface::ExternalModel<TwiceModel, TwiceOp> {
  SmallVector<unsigned> getInPlaceOperands(Operation *, unsigned) const {
    return {0};
  }
};

class PlugDialect : public Dialect {
public:
  explicit PlugDialect(MLIRContext *context)
      : Dialect("plug", context, TypeID::get<PlugDialect>()) {
    addOperations<DrawOp, StepOp, TwiceOp>();
    DrawOp::attachInterface<DrawModel>(*context);
    StepOp::attachInterface<StepModel>(*context);
    TwiceOp::attachInterface<TwiceModel>(*context);
  }
  static StringRef getDialectNamespace() { return "plug"; }
};

struct TwiceToAdd : OpRewritePattern<TwiceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TwiceOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op->getOperand(0);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, x, x);
    return success();
  }
};

struct LowerTwice : PassWrapper<LowerTwice, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTwice)
  StringRef getArgument() const override { return "plug-lower-twice"; }
  StringRef getDescription() const override { return "plug.twice to arith"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<TwiceToAdd>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace plug

MLIR_DECLARE_EXPLICIT_TYPE_ID(plug::PlugDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(plug::PlugDialect)

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "plug", "1", [](DialectRegistry *registry) {
            registry->insert<plug::PlugDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "plug", "1",
          [] { PassRegistration<plug::LowerTwice>(); }};
}

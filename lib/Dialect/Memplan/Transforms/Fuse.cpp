//===- Fuse.cpp - Products and convolutions with what follows -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusing takes a pass over a result away, and splitting brings it back. Both
// are done before planning: a plan has the bytes of what it runs.
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_FUSEPASS
#define GEN_PASS_DEF_SPLITPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

static constexpr llvm::StringLiteral withTanh = "tanh";

/// `made` with the pass and the precision of the product that it multiplies as.
template <typename Made, typename Product>
static Made like(Made made, Product product) {
  made.setTf32(product.getTf32());
  setPassOf(made, product);
  return made;
}

/// Whether all rows of the left side meet one matrix.
static bool isOneProduct(MatmulOp product) {
  return ops::shapeOf(product.getRhs()).size() == 2 &&
         (!product.getTransposeLhs() ||
          ops::shapeOf(product.getLhs()).size() == 2);
}

//===----------------------------------------------------------------------===//
// Fusing
//===----------------------------------------------------------------------===//

static bool fuseGelu(GeluOp gelu) {
  auto product = gelu.getInput().getDefiningOp<MatmulOp>();
  if (!product || !product.getBias() || !isOneProduct(product) ||
      gelu.getApproximate() != withTanh)
    return false;
  OpBuilder builder(product);
  auto fused = like(MatmulGeluOp::create(
                        builder, product.getLoc(), product.getLhs(),
                        product.getRhs(), product.getBias(),
                        product.getTransposeLhs(), product.getTransposeRhs()),
                    product);
  gelu.getResult(0).replaceAllUsesWith(fused.getOutputAt(1));
  gelu.erase();
  product.getResult(0).replaceAllUsesWith(fused.getOutputAt(0));
  product.erase();
  return true;
}

/// The sum over all dimensions but the last, of `value` or a view of it with
/// one row for each of them; null where there is none.
static ReduceSumOp columnSumOf(Value value) {
  const int64_t rank = int64_t(ops::shapeOf(value).size());
  for (Operation *user : value.getUsers()) {
    if (auto sum = dyn_cast<ReduceSumOp>(user))
      if (!sum.getKeepdims() &&
          llvm::equal(sum.getDims(), llvm::seq<int64_t>(0, rank - 1)))
        return sum;
    auto view = dyn_cast<ReshapeOp>(user);
    if (!view || ops::shapeOf(view.getResult(0)).size() != 2 || rank <= 2 ||
        ops::shapeOf(view.getResult(0)).back() != ops::shapeOf(value).back())
      continue;
    if (ReduceSumOp sum = columnSumOf(view.getResult(0)))
      return sum;
  }
  return nullptr;
}

static bool fuseGeluGrad(GeluGradOp gelu) {
  auto product = gelu.getOutputGrad().getDefiningOp<MatmulOp>();
  ReduceSumOp sum = columnSumOf(gelu.getResult(0));
  if (!product || product.getBias() || !isOneProduct(product) || !sum ||
      !product->hasOneUse() || gelu.getApproximate() != withTanh)
    return false;
  // An update may overwrite an operand of the product behind it.
  Operation *before = gelu.getInput().getDefiningOp();
  if (before && !before->isBeforeInBlock(product))
    return false;
  OpBuilder builder(product);
  auto fused = like(MatmulGeluGradOp::create(
                        builder, gelu.getLoc(), product.getLhs(),
                        product.getRhs(), gelu.getInput(),
                        product.getTransposeLhs(), product.getTransposeRhs()),
                    product);
  sum.getResult(0).replaceAllUsesWith(fused.getOutputAt(1));
  sum.erase();
  gelu.getResult(0).replaceAllUsesWith(fused.getOutputAt(0));
  gelu.erase();
  product.erase();
  return true;
}

/// Whether all operands of `op` are there before `place`.
static bool canMoveTo(Operation *op, Operation *place) {
  return llvm::all_of(op->getOperands(), [&](Value value) {
    Operation *made = value.getDefiningOp();
    return !made || made->isBeforeInBlock(place);
  });
}

/// The sum of the rows of `grad`, or of what it is a view of.
static ReduceSumOp rowSumOf(Value grad) {
  ReduceSumOp sum = columnSumOf(grad);
  if (auto view = grad.getDefiningOp<ReshapeOp>(); view && !sum)
    if (Value whole = view.getOperand(0);
        ops::shapeOf(whole).size() > 2 &&
        ops::shapeOf(whole).back() == ops::shapeOf(grad).back())
      sum = columnSumOf(whole);
  return sum;
}

/// The gradient of a layer's output is the left side where weights are
/// [out,in], and the right side where they are [in,out].
static bool fuseBiasGrad(MatmulOp product) {
  if (product.getBias() || !product.getTransposeLhs() || !isOneProduct(product))
    return false;
  ReduceSumOp sum = rowSumOf(product.getLhs());
  const bool ofRhs = !sum && !product.getTransposeRhs();
  if (ofRhs)
    sum = rowSumOf(product.getRhs());
  if (!sum)
    return false;
  Operation *place = product;
  if (sum->isBeforeInBlock(product)) {
    if (!canMoveTo(product, sum))
      return false;
    place = sum;
  }
  OpBuilder builder(place);
  auto fused =
      like(MatmulBiasGradOp::create(builder, product.getLoc(), product.getLhs(),
                                    product.getRhs(), product.getTransposeLhs(),
                                    product.getTransposeRhs(), ofRhs),
           product);
  sum.getResult(0).replaceAllUsesWith(fused.getOutputAt(1));
  sum.erase();
  product.getResult(0).replaceAllUsesWith(fused.getOutputAt(0));
  product.erase();
  return true;
}

static bool fuseRelu(ReluOp relu) {
  auto convolution = relu.getInput().getDefiningOp<Conv2DOp>();
  if (!convolution || !convolution.getBias() || convolution.getRelu() ||
      !convolution->hasOneUse())
    return false;
  convolution.setRelu(true);
  relu.getResult(0).replaceAllUsesWith(convolution.getResult(0));
  relu.erase();
  return true;
}

/// A gradient of a bias goes with that of the GELU behind it, if there is one.
template <typename Op>
static int64_t fuseAll(func::FuncOp function, bool (*fuse)(Op op)) {
  int64_t fused = 0;
  for (Op op : llvm::to_vector(function.front().getOps<Op>()))
    fused += fuse(op);
  return fused;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

static void splitGelu(MatmulGeluOp fused) {
  OpBuilder builder(fused);
  auto product =
      like(MatmulOp::create(builder, fused.getLoc(), fused.getLhs(),
                            fused.getRhs(), fused.getBias(),
                            fused.getTransposeLhs(), fused.getTransposeRhs()),
           fused);
  auto gelu =
      GeluOp::create(builder, fused.getLoc(), product.getResult(0), withTanh);
  setPassOf(gelu, fused);
  fused->replaceAllUsesWith(
      ValueRange{product.getResult(0), gelu.getResult(0)});
  fused.erase();
}

static ReduceSumOp sumRows(OpBuilder &builder, Operation *fused, Value value,
                           ArrayRef<int64_t> dims) {
  auto sum = ReduceSumOp::create(builder, fused->getLoc(), value, dims,
                                 /*keepdims=*/false);
  setPassOf(sum, fused);
  return sum;
}

static void splitGeluGrad(MatmulGeluGradOp fused) {
  OpBuilder builder(fused);
  auto product = like(
      MatmulOp::create(builder, fused.getLoc(), fused.getLhs(), fused.getRhs(),
                       /*bias=*/Value(), fused.getTransposeLhs(),
                       fused.getTransposeRhs()),
      fused);
  auto gelu =
      GeluGradOp::create(builder, fused.getLoc(), fused.getPreactivation(),
                         product.getResult(0), withTanh);
  setPassOf(gelu, fused);
  const auto rank = int64_t(ops::shapeOf(gelu.getResult(0)).size());
  auto sum = sumRows(builder, fused, gelu.getResult(0),
                     llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)));
  fused->replaceAllUsesWith(ValueRange{gelu.getResult(0), sum.getResult(0)});
  fused.erase();
}

static void splitBiasGrad(MatmulBiasGradOp fused) {
  OpBuilder builder(fused);
  auto product = like(
      MatmulOp::create(builder, fused.getLoc(), fused.getLhs(), fused.getRhs(),
                       /*bias=*/Value(), fused.getTransposeLhs(),
                       fused.getTransposeRhs()),
      fused);
  const bool ofRhs = fused.getSumRhs();
  const bool isFirst =
      ofRhs ? !fused.getTransposeRhs() : fused.getTransposeLhs();
  auto sum = sumRows(builder, fused, ofRhs ? fused.getRhs() : fused.getLhs(),
                     {isFirst ? 0 : 1});
  fused->replaceAllUsesWith(ValueRange{product.getResult(0), sum.getResult(0)});
  fused.erase();
}

static void splitRelu(Conv2DOp fused) {
  fused.setRelu(false);
  // Those of the convolution with its ReLU.
  fused.setWorkspaceBytes(0);
  const StringRef ofBoth[] = {kVariantAttrName,
                              MemplanDialect::VariantsAttrHelper::getNameStr(),
                              MemplanDialect::CostAttrHelper::getNameStr()};
  for (StringRef name : ofBoth)
    fused->removeAttr(name);
  OpBuilder builder(fused->getContext());
  builder.setInsertionPointAfter(fused);
  auto relu = ReluOp::create(builder, fused.getLoc(), fused.getResult(0));
  setPassOf(relu, fused);
  fused.getResult(0).replaceAllUsesExcept(relu.getResult(0), relu);
}

bool mlir::memplan::isFused(Operation *op) {
  auto convolution = dyn_cast<Conv2DOp>(op);
  return isa<MatmulGeluOp, MatmulGeluGradOp, MatmulBiasGradOp>(op) ||
         (convolution && convolution.getRelu());
}

void mlir::memplan::splitFused(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([](MatmulGeluOp fused) { splitGelu(fused); })
      .Case([](MatmulGeluGradOp fused) { splitGeluGrad(fused); })
      .Case([](MatmulBiasGradOp fused) { splitBiasGrad(fused); })
      .Case([](Conv2DOp fused) { splitRelu(fused); });
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

/// Whether a pass has something to do with a function.
static bool takes(func::FuncOp function) {
  return !function.isExternal() && function.getBody().hasOneBlock() &&
         !function->hasAttr("memplan.planned");
}

namespace {
struct FusePass : mlir::memplan::impl::FusePassBase<FusePass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!takes(function))
      return;
    fused += fuseAll(function, fuseGelu) + fuseAll(function, fuseGeluGrad) +
             fuseAll(function, fuseBiasGrad) + fuseAll(function, fuseRelu);
  }
};

struct SplitPass : mlir::memplan::impl::SplitPassBase<SplitPass> {
  void runOnOperation() override {
    if (!takes(getOperation()))
      return;
    for (Operation &op : llvm::make_early_inc_range(getOperation().front()))
      if (isFused(&op))
        splitFused(&op);
  }
};
} // namespace

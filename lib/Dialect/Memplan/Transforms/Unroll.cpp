//===- Unroll.cpp - Loops of known trip count as straight lines -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over layers or time is planned as what it does: every iteration is
// its own operations, whose values live and die by themselves. Outer loops
// come first, so that the bounds of inner ones are constants by then. What is
// computed of the induction variable is folded on the way.
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_UNROLLPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

/// More operations than that are no step that anyone plans.
static constexpr int64_t mostOperations = 1'000'000;

namespace {
class Unroller {
public:
  explicit Unroller(func::FuncOp function) : function(function) {}

  LogicalResult run();

private:
  struct Bounds {
    int64_t first, step, count;
  };
  FailureOr<Bounds> boundsOf(scf::ForOp loop);
  LogicalResult unroll(scf::ForOp loop);
  /// A copy of `op` with operands as `mapping` has them, or what it folds to.
  void copy(OpBuilder &builder, Operation &op, IRMapping &mapping);

  func::FuncOp function;
  int64_t made = 0;
};
} // namespace

FailureOr<Unroller::Bounds> Unroller::boundsOf(scf::ForOp loop) {
  int64_t numbers[3];
  const std::pair<StringRef, Value> bounds[] = {
      {"lower bound", loop.getLowerBound()},
      {"upper bound", loop.getUpperBound()},
      {"step", loop.getStep()}};
  for (auto [i, bound] : llvm::enumerate(bounds)) {
    APInt constant;
    if (!matchPattern(bound.second, m_ConstantInt(&constant)) ||
        constant.getSignificantBits() > 62) {
      InFlightDiagnostic diag =
          loop.emitOpError("has no known trip count: its ")
          << bound.first
          << " is no constant; a loop is planned as the "
             "operations of all its iterations, so make "
             "it one";
      if (!isa<BlockArgument>(bound.second))
        diag.attachNote(bound.second.getLoc()) << "it is computed here";
      return diag;
    }
    numbers[i] = constant.getSExtValue();
  }
  const auto [first, last, step] = numbers;
  if (step <= 0)
    return loop.emitOpError("has a step of ")
           << step << ", but must have one of at least 1";
  return Bounds{first, step,
                last > first ? (last - first - 1) / step + 1 : int64_t(0)};
}

/// A slice whose offsets became constants, as operations of this dialect, or
/// null: dimension after dimension, then without those that are left out.
static Value sliceOf(OpBuilder &builder, tensor::ExtractSliceOp op,
                     Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  if (!op.getType().hasStaticShape() || !type.hasStaticShape() ||
      !llvm::all_of(op.getStaticStrides(), [](int64_t s) { return s == 1; }))
    return nullptr;
  Value value = source;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    std::optional<int64_t> start = getConstantIntValue(offset);
    const int64_t size = op.getStaticSizes()[dim];
    if (!start || *start < 0 || ShapedType::isDynamic(size) ||
        *start + size > type.getDimSize(dim))
      return nullptr;
    if (size != type.getDimSize(dim))
      value = SliceOp::create(builder, op.getLoc(), value,
                              static_cast<int64_t>(dim), *start, size)
                  .getResult(0);
  }
  if (op.getType() != value.getType())
    value =
        ReshapeOp::create(builder, op.getLoc(), value, op.getType().getShape())
            .getResult(0);
  return value;
}

void Unroller::copy(OpBuilder &builder, Operation &op, IRMapping &mapping) {
  ++made;
  Operation *clone = builder.clone(op, mapping);
  SmallVector<Value> folded;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(clone)) {
    builder.setInsertionPoint(clone);
    if (Value value = sliceOf(builder, slice, slice.getSource()))
      folded.push_back(value);
    builder.setInsertionPointAfter(clone);
  } else if (clone->getNumRegions() == 0 &&
             failed(builder.tryFold(clone, folded))) {
    folded.clear();
  }
  if (folded.empty())
    return;
  for (auto [result, value] : llvm::zip_equal(op.getResults(), folded))
    mapping.map(result, value);
  clone->erase();
}

LogicalResult Unroller::unroll(scf::ForOp loop) {
  FailureOr<Bounds> bounds = boundsOf(loop);
  if (failed(bounds))
    return failure();
  Block &body = *loop.getBody();
  const auto each = static_cast<int64_t>(body.getOperations().size());
  if (bounds->count > (mostOperations - made) / each)
    return loop.emitOpError("has ")
           << bounds->count << " iterations of " << each
           << " operations; with what is unrolled already that is more than "
           << mostOperations << ", which is the most that is planned";
  OpBuilder builder(loop);
  SmallVector<Value> carried(loop.getInitArgs());
  for (int64_t i = 0; i < bounds->count; ++i) {
    IRMapping mapping;
    Value index = arith::ConstantOp::create(
        builder, loop.getLoc(),
        builder.getIntegerAttr(loop.getInductionVar().getType(),
                               bounds->first + i * bounds->step));
    mapping.map(loop.getInductionVar(), index);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : body.without_terminator())
      copy(builder, op, mapping);
    carried.clear();
    for (Value value : body.getTerminator()->getOperands())
      carried.push_back(mapping.lookupOrDefault(value));
    if (index.use_empty())
      index.getDefiningOp()->erase();
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return success();
}

LogicalResult Unroller::run() {
  while (true) {
    scf::ForOp next;
    function.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      next = loop;
      return WalkResult::interrupt();
    });
    if (!next)
      return success();
    if (failed(unroll(next)))
      return failure();
  }
}

namespace {
struct UnrollPass : mlir::memplan::impl::UnrollPassBase<UnrollPass> {
  using UnrollPassBase::UnrollPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    if (failed(Unroller(function).run()))
      signalPassFailure();
  }
};
} // namespace

//===- ChannelsLast.cpp - Images as [N,H,W,C] -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk in program order. Convolutions always change; what follows an image
// that has changed changes too, where it can.
//
//===----------------------------------------------------------------------===//

#include "InferAgain.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

static constexpr int64_t toLast[] = {0, 2, 3, 1}, toFirst[] = {0, 3, 1, 2};

/// Where a dimension of [N,C,H,W], counted from the end if negative, is in
/// [N,H,W,C].
static int64_t movedDim(int64_t dim) {
  return toFirst[dim < 0 ? dim + 4 : dim];
}

static bool isImage(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 4;
}

namespace {
class LayoutChanger {
public:
  explicit LayoutChanger(func::FuncOp function) : function(function) {}

  LogicalResult run();

  int64_t convolutions = 0, changed = 0, copies = 0;

private:
  LogicalResult visit(Operation &op);
  LogicalResult changeAll(Operation *op);
  LogicalResult changeNorm(Operation *op);
  bool changeAttributes(Operation *op);
  /// Whether `op` reads an image that there is with channels last.
  bool follows(Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](Value value) {
      return isLast.contains(value) || lastOf.contains(value);
    });
  }
  /// `value` with channels last, or first, by one operation for all users.
  Value last(Value value, Operation *user);
  Value first(Value value, Operation *user);
  Value permuted(Value value, ArrayRef<int64_t> perm, Operation *user);
  Value reshaped(Value value, ArrayRef<int64_t> shape, Operation *user);
  /// An operation for `user`, in its pass.
  template <typename Made> Value added(Made made, Operation *user) {
    setPassOf(made, user);
    return made->getResult(0);
  }

  func::FuncOp function;
  DenseSet<Value> isLast; ///< results of operations that have changed
  DenseMap<Value, Value> lastOf, firstOf;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values in both layouts
//===----------------------------------------------------------------------===//

Value LayoutChanger::reshaped(Value value, ArrayRef<int64_t> shape,
                              Operation *user) {
  OpBuilder builder(user);
  return added(ReshapeOp::create(builder, user->getLoc(), value, shape), user);
}

Value LayoutChanger::permuted(Value value, ArrayRef<int64_t> perm,
                              Operation *user) {
  ArrayRef<int64_t> shape = ops::shapeOf(value);
  SmallVector<int64_t> sizes, order, moved = {-1};
  for (int64_t dim : perm) {
    sizes.push_back(shape[dim]);
    if (shape[dim] != 1)
      order.push_back(dim);
  }
  // Dimensions of 1 are nowhere in memory.
  if (llvm::is_sorted(order)) {
    llvm::append_range(moved, ArrayRef(sizes).drop_front());
    return reshaped(value, moved, user);
  }
  ++copies;
  OpBuilder builder(user);
  return added(TransposeOp::create(builder, user->getLoc(), value, perm), user);
}

Value LayoutChanger::last(Value value, Operation *user) {
  if (!isImage(value) || isLast.contains(value))
    return value;
  Value &known = lastOf[value];
  if (!known)
    known = permuted(value, toLast, user);
  return known;
}

Value LayoutChanger::first(Value value, Operation *user) {
  if (!isLast.contains(value))
    return value;
  Value &known = firstOf[value];
  if (!known)
    known = permuted(value, toFirst, user);
  return known;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Functions of elements at one place, whatever the place is.
static bool isElementwise(Operation *op) {
  return isa<ReluOp, ReluGradOp, ClampOp, ClampGradOp, SigmoidOp, SigmoidGradOp,
             TanhOp, TanhGradOp, GeluOp, GeluGradOp, SiluOp, SiluGradOp, AddOp,
             SubOp, MulOp, DivOp, AccumulateOp, CastOp, ScaleOp, MapOp>(op);
}

/// An operand that is broadcast means the same in both layouts if it has all
/// dimensions, or none.
static bool hasImagesOrScalars(Operation *op) {
  return llvm::all_of(op->getOperands(), [](Value value) {
    return isImage(value) || ops::shapeOf(value).empty();
  });
}

/// The dimensions of a reduction in [N,H,W,C]; nothing where those that are
/// left would come in another order.
static std::optional<SmallVector<int64_t>> movedDims(ArrayRef<int64_t> dims,
                                                     bool keepdims) {
  auto isLeft = [&](int64_t dim) { return !llvm::is_contained(dims, dim); };
  if (!keepdims && isLeft(1) && (isLeft(2) || isLeft(3)))
    return std::nullopt;
  SmallVector<int64_t> moved = llvm::map_to_vector(dims, movedDim);
  llvm::sort(moved);
  return moved;
}

template <typename Reduction> static bool moveReduction(Reduction op) {
  auto moved = movedDims(op.getDims(), op.getKeepdims());
  if (moved)
    op.setDims(*moved);
  return moved.has_value();
}

/// False where it is set already.
template <typename Op> static bool setChannelsLast(Op op) {
  if (op.getChannelsLast())
    return false;
  op.setChannelsLast(true);
  return true;
}

/// Dimension attributes of an operation that is not a convolution; false where
/// it has to stay as it is.
bool LayoutChanger::changeAttributes(Operation *op) {
  if (!hasImagesOrScalars(op))
    return false;
  return TypeSwitch<Operation *, bool>(op)
      .Case<MaxPool2DOp, MaxPool2DGradOp, AvgPool2DOp, AvgPool2DGradOp,
            AdaptiveAvgPool2DOp, AdaptiveAvgPool2DGradOp>(
          [](auto pool) { return setChannelsLast(pool); })
      .Case<ConcatOp, SliceOp, SliceGradOp, SplitOp>([](auto part) {
        part.setDim(movedDim(part.getDim()));
        return true;
      })
      .Case<ReduceSumOp, ReduceMeanOp>(
          [](auto reduction) { return moveReduction(reduction); })
      .Case([](MapOp map) {
        ArrayRef<int64_t> shape = map.getShape();
        if (!shape.empty() && shape.size() != 4)
          return false;
        SmallVector<int64_t> moved;
        for (int64_t dim : ArrayRef(toLast).take_front(shape.size()))
          moved.push_back(shape[dim]);
        map.setShape(moved);
        return true;
      })
      .Default([](Operation *op) { return isElementwise(op); });
}

LogicalResult LayoutChanger::changeAll(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(last(operand.get(), op));
  if (failed(inferAgain(op)))
    return failure();
  for (Value result : op->getResults())
    if (isImage(result))
      isLast.insert(result);
  ++changed;
  return success();
}

/// All places of all images are one dimension to a norm.
LogicalResult LayoutChanger::changeNorm(Operation *op) {
  ArrayRef<int64_t> shape;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isImage(operand.get()))
      continue;
    Value image = last(operand.get(), op);
    shape = ops::shapeOf(image);
    operand.set(reshaped(image, {-1, shape[3]}, op));
  }
  if (failed(inferAgain(op)))
    return failure();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value rows = op->getResult(0);
  Value image = added(
      ReshapeOp::create(builder, op->getLoc(), rows,
                        ArrayRef<int64_t>{-1, shape[1], shape[2], shape[3]}),
      op);
  rows.replaceAllUsesExcept(image, image.getDefiningOp());
  isLast.insert(image);
  ++changed;
  return success();
}

LogicalResult LayoutChanger::visit(Operation &op) {
  // Whether a convolution changes; nothing where it is none.
  const auto changes =
      TypeSwitch<Operation *, std::optional<bool>>(&op)
          .Case<Conv2DOp, Conv2DInputGradOp, Conv2DFilterGradOp,
                ConvTranspose2DOp>(
              [](auto convolution) { return setChannelsLast(convolution); })
          .Default(std::nullopt);
  if (changes) {
    ++convolutions;
    if (*changes)
      return changeAll(&op);
  } else if (isa<BatchNormOp, BatchNormGradOp>(op)) {
    if (follows(&op))
      return changeNorm(&op);
  } else if (isa<MemplanDialect>(op.getDialect()) && follows(&op) &&
             changeAttributes(&op)) {
    return changeAll(&op);
  }
  // Regions read values from around them too.
  op.walk([&](Operation *reader) {
    for (OpOperand &operand : reader->getOpOperands())
      operand.set(first(operand.get(), &op));
  });
  return success();
}

LogicalResult LayoutChanger::run() {
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (failed(visit(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ChannelsLastPass
    : mlir::memplan::impl::ChannelsLastPassBase<ChannelsLastPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    if (!function.getBody().hasOneBlock()) {
      function.emitError() << getArgument()
                           << ": the function has several blocks; layouts "
                              "follow values in program order";
      return signalPassFailure();
    }
    LayoutChanger changer(function);
    if (failed(changer.run()))
      return signalPassFailure();
    if (changer.convolutions == 0)
      function.emitWarning() << getArgument()
                             << ": there is no convolution, so all values keep "
                                "their layout";
    changed += changer.changed;
    copies += changer.copies;
  }
};
} // namespace

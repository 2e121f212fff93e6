//===- SetBatch.cpp - Infer a training step anew for another batch --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SETBATCHPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {
/// Where the batch lies in the one dimension of a value that changes. Index i
/// of it is (outer index * batch + image) * inner + inner index.
struct BatchPlace {
  int64_t outer = 1, inner = 1;
  bool operator==(const BatchPlace &) const = default;
};

/// Sets types and remembers what they were.
class TypeChanges {
public:
  void set(Value value, Type type) {
    if (type == value.getType())
      return;
    before.insert({value, value.getType()});
    value.setType(type);
  }
  Type typeBefore(Value value) const {
    auto it = before.find(value);
    return it == before.end() ? value.getType() : it->second;
  }
  bool changed(Value value) const { return before.contains(value); }
  /// True where dimension `dim` of `value` has another size than before.
  bool changed(Value value, int64_t dim) const {
    return ops::shapeOf(value)[dim] !=
           cast<ShapedType>(typeBefore(value)).getShape()[dim];
  }
  /// The dimensions that have another size than before.
  SmallVector<int64_t> changedDims(Value value) const {
    SmallVector<int64_t> dims;
    for (int64_t dim = 0, rank = ops::shapeOf(value).size(); dim < rank; ++dim)
      if (changed(value, dim))
        dims.push_back(dim);
    return dims;
  }
  /// Not known where two batches meet in one dimension, as in a concatenation.
  std::optional<BatchPlace> place(Value value) const {
    auto it = places.find(value);
    return it == places.end() ? std::nullopt : std::optional(it->second);
  }
  void setPlace(Value value, BatchPlace place) { places[value] = place; }
  void undo() {
    for (auto [value, type] : before)
      value.setType(type);
    before.clear();
  }

private:
  llvm::MapVector<Value, Type> before;
  llvm::DenseMap<Value, BatchPlace> places;
};
} // namespace

//===----------------------------------------------------------------------===//
// Attributes that hold the batch size
//===----------------------------------------------------------------------===//

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result = ops::multiplyBytes(result, size);
  return result;
}

/// The batch must be part of the dimension that is -1. In row-major order that
/// is so where what lies before and behind that dimension divides what lies
/// before and behind the batch.
static LogicalResult checkReshape(ReshapeOp op, TypeChanges &changes) {
  ArrayRef<int64_t> input = ops::shapeOf(op.getInput());
  SmallVector<int64_t> dims = changes.changedDims(op.getInput());
  if (dims.size() != 1)
    return op.emitOpError("cannot follow a new batch size: dimensions ")
           << ops::listText(dims) << " of its input all change";
  const int64_t *open = llvm::find(op.getShape(), -1);
  if (open == op.getShape().end())
    return op.emitOpError("cannot follow a new batch size: 'shape' is ")
           << ops::listText(op.getShape()) << ", but dimension " << dims[0]
           << " of its input changes and no dimension is -1";
  size_t index = open - op.getShape().begin();
  // Where the place is not known, the whole dimension must stay together.
  std::optional<BatchPlace> place = changes.place(op.getInput());
  BatchPlace batch = place.value_or(BatchPlace());
  int64_t before =
      ops::multiplyBytes(product(input.take_front(dims[0])), batch.outer);
  int64_t behind =
      ops::multiplyBytes(product(input.drop_front(dims[0] + 1)), batch.inner);
  int64_t newBefore = product(op.getShape().take_front(index));
  int64_t newBehind = product(op.getShape().drop_front(index + 1));
  if (before % newBefore != 0 || behind % newBehind != 0)
    return op.emitOpError("cannot follow a new batch size: the -1 in 'shape' ")
           << ops::listText(op.getShape())
           << " does not stand for the batch in "
           << "dimension " << dims[0] << " of its input";
  if (place)
    changes.setPlace(op->getResult(0),
                     {before / newBefore, behind / newBehind});
  return success();
}

/// All operations but a reshape keep the order within a dimension, so that a
/// result has its batch where the operands of that size have it.
static void inheritPlaces(Operation *op, TypeChanges &changes) {
  auto sizes = [&](Value value, int64_t dim) {
    ArrayRef<int64_t> old =
        cast<ShapedType>(changes.typeBefore(value)).getShape();
    return std::pair(old[dim], ops::shapeOf(value)[dim]);
  };
  for (Value result : op->getResults()) {
    SmallVector<int64_t> dims = changes.changedDims(result);
    if (dims.size() != 1 || isa<ReshapeOp>(op))
      continue;
    SmallVector<std::optional<BatchPlace>> places;
    for (Value operand : op->getOperands())
      for (int64_t dim : changes.changedDims(operand))
        if (sizes(operand, dim) == sizes(result, dims[0]))
          places.push_back(changes.place(operand));
    if (!places.empty() && places[0] && llvm::all_equal(places))
      changes.setPlace(result, *places[0]);
  }
}

/// A slice of the batch has a constant size.
static LogicalResult checkSlice(Operation *op, Value input, int64_t dim,
                                const TypeChanges &changes) {
  if (!changes.changed(input, dim))
    return success();
  return op->emitOpError("cannot follow a new batch size: it takes a constant "
                         "part of dimension ")
         << dim << ", which changes";
}

/// The gradient of a reduction holds the sizes of the dimensions that it
/// restores.
static LogicalResult checkReduction(Operation *op, Value input,
                                    ArrayRef<int64_t> dims, bool hasBackward,
                                    const TypeChanges &changes) {
  if (!hasBackward || op->hasAttr(kBackwardAttrName))
    return success();
  for (int64_t dim : dims)
    if (changes.changed(input, dim))
      return op->emitOpError(
                 "cannot follow a new batch size: it reduces dimension ")
             << dim
             << ", which changes, and its gradient holds the old size; set the "
                "batch before memplan-autodiff";
  return success();
}

static LogicalResult checkAttributes(Operation *op, bool hasBackward,
                                     TypeChanges &changes) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReshapeOp reshape) { return checkReshape(reshape, changes); })
      .Case([&](SliceOp slice) {
        return checkSlice(slice, slice.getInput(), slice.getDim(), changes);
      })
      .Case([&](SliceGradOp slice) {
        return checkSlice(slice, slice.getOutputGrad(), slice.getDim(),
                          changes);
      })
      .Case<ReduceSumOp, ReduceMeanOp>([&](auto reduce) {
        return checkReduction(reduce, reduce.getInput(), reduce.getDims(),
                              hasBackward, changes);
      })
      .Default([](Operation *) { return success(); });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Sets the marked arguments. They must agree on the batch size that they had.
static LogicalResult setArguments(func::FuncOp function, int64_t batch,
                                  TypeChanges &changes) {
  std::optional<std::pair<unsigned, int64_t>> first;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    Attribute mark = function.getArgAttr(index, kBatchAttrName);
    if (!mark)
      continue;
    auto dim = dyn_cast<IntegerAttr>(mark);
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!dim || !type || !type.hasStaticShape() ||
        !dim.getValue().isSignedIntN(32) || dim.getInt() < 0 ||
        dim.getInt() >= type.getRank())
      return function.emitOpError("argument #")
             << index << " is " << argument.getType()
             << ", which has no static dimension 'memplan.batch' = " << mark;
    SmallVector<int64_t> shape(type.getShape());
    int64_t old = std::exchange(shape[dim.getInt()], batch);
    if (first && first->second != old)
      return function.emitOpError("argument #")
             << index << " has batch " << old << ", but argument #"
             << first->first << " has batch " << first->second;
    first = {index, old};
    changes.set(argument, RankedTensorType::get(shape, type.getElementType(),
                                                type.getEncoding()));
    changes.setPlace(argument, BatchPlace());
  }
  return success();
}

/// Infers the results of `op` anew.
static LogicalResult inferAgain(Operation *op, int64_t batch,
                                TypeChanges &changes) {
  auto infer = dyn_cast<InferTypeOpInterface>(op);
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (!infer || !plannable || plannable.isMemrefForm() ||
      !isa<MemplanDialect>(op->getDialect()))
    return op->emitOpError("cannot be inferred for another batch size, but one "
                           "of its operands has to change");
  SmallVector<Type> types;
  std::string reason;
  {
    ScopedDiagnosticHandler capture(
        op->getContext(), [&](Diagnostic &diag) { reason = diag.str(); });
    if (failed(infer.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      types.clear();
  }
  if (types.size() != op->getNumResults())
    return op->emitOpError("cannot have batch ") << batch << ": " << reason;
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    changes.set(result, type);
  inheritPlaces(op, changes);
  return success();
}

/// The new version of an argument must fit where the argument lies.
static LogicalResult checkUpdates(func::FuncOp function,
                                  Operation *terminator) {
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    auto updates =
        function.getResultAttrOfType<IntegerAttr>(index, "memplan.updates");
    if (!updates || updates.getInt() < 0 ||
        updates.getInt() >= int64_t(function.getNumArguments()))
      continue;
    BlockArgument argument = function.getArgument(updates.getInt());
    if (value.getType() != argument.getType())
      return function.emitOpError("result #")
             << index << " becomes " << value.getType() << ", but argument #"
             << updates.getInt() << ", whose new version it is, stays "
             << argument.getType();
  }
  return success();
}

static LogicalResult inferFunction(func::FuncOp function, int64_t batch,
                                   TypeChanges &changes) {
  if (failed(setArguments(function, batch, changes)))
    return failure();
  Block &body = function.front();
  bool hasBackward = llvm::any_of(
      body, [](Operation &op) { return op.hasAttr(kBackwardAttrName); });
  for (Operation &op : body.without_terminator()) {
    bool reads = llvm::any_of(op.getOperands(), [&](Value operand) {
      return changes.changed(operand);
    });
    // What a region reads from around it is not among the operands.
    if (op.getNumRegions() != 0)
      return op.emitOpError(
          "has regions, which cannot be inferred for another batch size");
    if (reads && (failed(checkAttributes(&op, hasBackward, changes)) ||
                  failed(inferAgain(&op, batch, changes))))
      return failure();
  }
  return checkUpdates(function, body.getTerminator());
}

LogicalResult memplan::setBatch(func::FuncOp function, int64_t batch) {
  auto isMarked = [&](BlockArgument argument) {
    return function.getArgAttr(argument.getArgNumber(), kBatchAttrName) !=
           nullptr;
  };
  if (function.isDeclaration() ||
      llvm::none_of(function.getArguments(), isMarked))
    return success();
  if (function->hasAttr("memplan.planned"))
    return function.emitOpError("is planned, and a plan holds for one batch "
                                "size only; set the batch before planning");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has ")
           << function.getBody().getBlocks().size()
           << " blocks, but must have one to be inferred anew";
  TypeChanges changes;
  if (failed(inferFunction(function, batch, changes))) {
    changes.undo();
    return failure();
  }
  Operation *terminator = function.front().getTerminator();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             TypeRange(function.getArguments()),
                                             terminator->getOperandTypes()));
  return success();
}

std::optional<int64_t> memplan::batchOf(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto mark = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                       kBatchAttrName);
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (mark && type && type.hasRank() && mark.getInt() >= 0 &&
        mark.getInt() < type.getRank())
      return type.getDimSize(unsigned(mark.getInt()));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SetBatch : public memplan::impl::SetBatchPassBase<SetBatch> {
  using SetBatchPassBase::SetBatchPassBase;

  /// `memplan-set-batch=32` is short for `memplan-set-batch=batch=32`.
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    bool isNumber = !options.empty() && llvm::all_of(options, llvm::isDigit);
    return SetBatchPassBase::initializeOptions(
        isNumber ? ("batch=" + options).str() : options.str(), errorHandler);
  }

  LogicalResult initialize(MLIRContext *context) override {
    // Shapes multiply sizes of this order, so a typing error should not come
    // out as an overflow.
    constexpr int64_t largest = int64_t(1) << 30;
    int64_t size = batch;
    if (size >= 1 && size <= largest)
      return success();
    return emitError(UnknownLoc::get(context))
           << "memplan-set-batch: batch is " << size << ", but must be in [1, "
           << largest << "]";
  }

  void runOnOperation() override {
    if (failed(setBatch(getOperation(), batch)))
      signalPassFailure();
  }
};
} // namespace

//===- Autodiff.cpp - Explicit backward and update ops --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse-mode differentiation of a straight-line function. The forward ops are
// walked backwards once; each op whose result has a gradient asks its
// GradientOpInterface for the gradients of its operands. What an op's gradient
// reads (its output, its input, a saved statistic) is decided there, so that
// only the values that a gradient really needs stay alive. A value with several
// uses sums its gradients as they come, two at a time, so that at most two of
// them are alive (the aggregation node that MXNet inserts in backward only).
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

#include "Optimizer.h"

#include <utility>

namespace mlir::memplan {
#define GEN_PASS_DEF_AUTODIFFPASS
#include "memplan/Dialect/Memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// Marks what is inserted through it as part of the backward pass.
struct BackwardMarker : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    op->setAttr(kBackwardAttrName, UnitAttr::get(op->getContext()));
  }
};

/// The state of one function's differentiation.
class Differentiator {
public:
  Differentiator(func::FuncOp function, const UpdateOptions &options,
                 bool returnGradients)
      : function(function),
        terminator(cast<func::ReturnOp>(function.front().getTerminator())),
        builder(terminator), updates(function, options),
        returnGradients(returnGradients) {
    builder.setListener(&marker);
  }

  LogicalResult run(unsigned lossIndex);

private:
  /// Values that depend on a parameter and on which the loss depends.
  void findActiveValues(Value loss);
  bool isActive(Value value) const { return active.contains(value); }
  /// 1, or the scale of the loss where updates take it out again.
  FailureOr<Value> createLossGradient(Value loss);
  LogicalResult differentiate(Operation *op);
  /// Lets the reshape that undoes `op` follow the batch size as `op` does.
  void openBatchDim(ReshapeOp op, Value gradient);
  void addGradient(Value value, Value gradient);
  /// Emits the updates of the parameters whose first user is `op`: its
  /// users in the backward pass all stand before this point, so the old value
  /// is no longer needed.
  LogicalResult finishParameters(Operation *op);
  LogicalResult finishParameter(BlockArgument parameter);

  func::FuncOp function;
  func::ReturnOp terminator;
  BackwardMarker marker;
  OpBuilder builder;
  OptimizerUpdates updates;
  bool returnGradients;
  llvm::DenseSet<Value> active;
  DenseMap<Value, int64_t> batchDims;
  DenseMap<Value, Value> gradients;
  /// Parameters by their first user in program order.
  DenseMap<Operation *, SmallVector<BlockArgument>> firstReads;
};

} // namespace

/// The dimension of each value that grows with the batch. It is found by
/// inferring a copy of the function for another batch size; where that is
/// impossible, no dimension does.
static DenseMap<Value, int64_t> findBatchDims(func::FuncOp function) {
  DenseMap<Value, int64_t> dims;
  const std::optional<int64_t> batch = batchOf(function);
  if (!batch)
    return dims;
  IRMapping mapping;
  OwningOpRef<func::FuncOp> larger = function.clone(mapping);
  {
    ScopedDiagnosticHandler quiet(function.getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(setBatch(*larger, *batch + 1)))
      return dims;
  }
  function.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      Value other = mapping.lookupOrNull(operand);
      if (!type || !other)
        continue;
      ArrayRef<int64_t> shape = cast<ShapedType>(other.getType()).getShape();
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (shape[dim] != type.getDimSize(dim))
          dims[operand] = dim;
    }
  });
  return dims;
}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

static bool isParameter(func::FuncOp function, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isFloatTensor(value))
    return false;
  auto kind = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    kKindAttrName);
  return kind && kind.getValue() == "parameter";
}

void Differentiator::findActiveValues(Value loss) {
  llvm::DenseSet<Value> varied;
  for (BlockArgument argument : function.getArguments())
    if (isParameter(function, argument))
      varied.insert(argument);
  for (Operation &op : function.front().without_terminator()) {
    bool reads = llvm::any_of(op.getOperands(), [&](Value operand) {
      return varied.contains(operand);
    });
    for (Value result : op.getResults())
      if (reads && isFloatTensor(result))
        varied.insert(result);
  }
  SmallVector<Value> worklist{loss};
  llvm::DenseSet<Value> useful;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!useful.insert(value).second)
      continue;
    if (varied.contains(value))
      active.insert(value);
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(worklist, op->getOperands());
  }
}

void Differentiator::addGradient(Value value, Value gradient) {
  auto [entry, inserted] = gradients.try_emplace(value, gradient);
  if (!inserted)
    entry->second = AccumulateOp::create(builder, gradient.getLoc(),
                                         entry->second, gradient)
                        .getResult(0);
}

LogicalResult Differentiator::differentiate(Operation *op) {
  SmallVector<Value> outputGradients;
  for (Value result : op->getResults())
    outputGradients.push_back(gradients.lookup(result));
  if (llvm::none_of(outputGradients,
                    [](Value gradient) { return bool(gradient); }))
    return success();

  SmallVector<bool> wanted;
  for (Value operand : op->getOperands())
    wanted.push_back(isActive(operand));
  if (llvm::none_of(wanted, [](bool operandWanted) { return operandWanted; }))
    return success();

  auto differentiable = dyn_cast<GradientOpInterface>(op);
  if (!differentiable)
    return op->emitOpError() << "has no gradient, but the loss depends on a "
                                "parameter through it; implement "
                                "GradientOpInterface for it or keep it off the "
                                "path from parameters to the loss";
  SmallVector<Value> inputGradients(op->getNumOperands());
  if (failed(differentiable.buildGradients(builder, outputGradients, wanted,
                                           inputGradients)))
    return failure();
  for (auto [operand, gradient, isWanted] :
       llvm::zip_equal(op->getOperands(), inputGradients, wanted)) {
    if (!isWanted || !gradient)
      continue;
    if (gradient.getType() != operand.getType())
      return op->emitOpError()
             << "built a gradient of type " << gradient.getType()
             << " for an operand of type " << operand.getType();
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      openBatchDim(reshape, gradient);
    addGradient(operand, gradient);
  }
  // The gradients of the results have no further user.
  for (Value result : op->getResults())
    gradients.erase(result);
  return success();
}

void Differentiator::openBatchDim(ReshapeOp op, Value gradient) {
  auto undo = gradient.getDefiningOp<ReshapeOp>();
  auto dim = batchDims.find(op.getInput());
  if (!undo || dim == batchDims.end())
    return;
  SmallVector<int64_t> shape(undo.getShape());
  shape[dim->second] = -1;
  undo.setShape(shape);
}

LogicalResult Differentiator::finishParameter(BlockArgument parameter) {
  auto entry = gradients.find(parameter);
  if (entry == gradients.end())
    return success();
  Value gradient = entry->second;
  gradients.erase(entry);
  if (returnGradients) {
    updates.returnGradient(builder, parameter, gradient);
    return success();
  }
  return updates.add(builder, parameter, gradient);
}

LogicalResult Differentiator::finishParameters(Operation *op) {
  auto entry = firstReads.find(op);
  if (entry == firstReads.end())
    return success();
  for (BlockArgument parameter : entry->second)
    if (failed(finishParameter(parameter)))
      return failure();
  return success();
}

FailureOr<Value> Differentiator::createLossGradient(Value loss) {
  if (!returnGradients)
    return updates.createLossGradient(builder, loss);
  auto type = cast<RankedTensorType>(loss.getType());
  auto one = DenseElementsAttr::get(
      type, builder.getFloatAttr(type.getElementType(), 1.0));
  return ConstantOp::create(builder, loss.getLoc(), one).getResult(0);
}

LogicalResult Differentiator::run(unsigned lossIndex) {
  Value loss = terminator.getOperand(lossIndex);
  auto lossType = dyn_cast<RankedTensorType>(loss.getType());
  if (!lossType || lossType.getRank() != 0 ||
      !isa<FloatType>(lossType.getElementType()))
    return function.emitError()
           << "result " << lossIndex
           << " is marked as the loss, so it must be a scalar float "
           << "tensor; its type is " << loss.getType();
  findActiveValues(loss);
  batchDims = findBatchDims(function);
  if (!isActive(loss))
    return function.emitError()
           << "the loss does not depend on any argument with " << kKindAttrName
           << " = \"parameter\", so there is nothing to differentiate";

  SmallVector<Operation *> forward;
  for (Operation &op : function.front().without_terminator()) {
    forward.push_back(&op);
    llvm::SmallSetVector<Value, 4> seen;
    for (Value operand : op.getOperands())
      if (isParameter(function, operand) && isActive(operand) &&
          seen.insert(operand) &&
          *llvm::min_element(operand.getUsers(),
                             [](Operation *a, Operation *b) {
                               return a->isBeforeInBlock(b);
                             }) == &op)
        firstReads[&op].push_back(cast<BlockArgument>(operand));
  }

  FailureOr<Value> lossGradient = createLossGradient(loss);
  if (failed(lossGradient))
    return failure();
  gradients[loss] = *lossGradient;
  // A loss that is itself a parameter would have been rejected above as it
  // needs a defining op to be active.
  for (Operation *op : llvm::reverse(forward))
    if (failed(differentiate(op)) || failed(finishParameters(op)))
      return failure();
  return updates.finish(builder, terminator);
}

static UpdatePlacement placementOf(StringRef updates) {
  return updates == "end" ? UpdatePlacement::End : UpdatePlacement::Eager;
}

/// The operation after which `gradient` is made and `parameter` is no longer
/// read, neither itself nor through a view.
static Operation *lastUse(BlockArgument parameter, Value gradient,
                          func::ReturnOp terminator) {
  Operation *last = gradient.getDefiningOp();
  SmallVector<Value> views{parameter};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (user == terminator)
        continue;
      if (!last || last->isBeforeInBlock(user))
        last = user;
      if (auto op = dyn_cast<PlannableOpInterface>(user))
        for (unsigned i = 0, e = op.getNumOutputs(); i < e; ++i)
          if (op.getViewSource(i))
            views.push_back(op.getOutputAt(i));
    }
  return last;
}

/// Puts updates in the place of results of kind "gradient", which a function
/// that brings its own backward pass has, one for each parameter that it names
/// by `{parameter}.grad`.
static LogicalResult useReturnedGradients(func::FuncOp function,
                                          const UpdateOptions &options,
                                          bool returnGradients) {
  auto terminator = cast<func::ReturnOp>(function.front().getTerminator());
  llvm::StringMap<BlockArgument> parameters;
  for (BlockArgument argument : function.getArguments())
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), kNameAttrName);
        name && isParameter(function, argument))
      parameters[name.getValue()] = argument;
  struct Returned {
    BlockArgument parameter;
    Value gradient;
    Operation *last;
  };
  SmallVector<Returned> gradients;
  llvm::BitVector taken(function.getNumResults());
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    auto kind = function.getResultAttrOfType<StringAttr>(i, kKindAttrName);
    if (!kind || kind.getValue() != "gradient")
      continue;
    auto name = function.getResultAttrOfType<StringAttr>(i, kNameAttrName);
    StringRef parameter = name ? name.getValue() : StringRef();
    parameter.consume_back(".grad");
    auto found = parameters.find(parameter);
    Value gradient = terminator.getOperand(i);
    if (found == parameters.end())
      return function.emitError()
             << "result " << i << " is marked as a gradient and named '"
             << parameter << ".grad', but there is no parameter '" << parameter
             << "'";
    if (gradient.getType() != found->second.getType())
      return function.emitError()
             << "result " << i << " is the gradient of '" << parameter
             << "' and has type " << gradient.getType() << ", not "
             << found->second.getType();
    Operation *last = lastUse(found->second, gradient, terminator);
    if (!last)
      return function.emitError() << "the gradient of '" << parameter
                                  << "' is no result of an operation";
    gradients.push_back({found->second, gradient, last});
    taken.set(i);
  }
  if (gradients.empty())
    return success();
  terminator->eraseOperands(taken);
  if (failed(function.eraseResults(taken)))
    return failure();
  // What the updates share is made with the first of them.
  llvm::sort(gradients, [](const Returned &a, const Returned &b) {
    if (a.last != b.last)
      return a.last->isBeforeInBlock(b.last);
    return a.parameter.getArgNumber() < b.parameter.getArgNumber();
  });
  BackwardMarker marker;
  OpBuilder builder(terminator);
  builder.setListener(&marker);
  OptimizerUpdates updates(function, options);
  if (!returnGradients && failed(updates.findLossScale()))
    return failure();
  Operation *last = nullptr;
  for (const Returned &returned : gradients) {
    // Of one op, updates keep their order: the first makes what they share.
    if (std::exchange(last, returned.last) != returned.last)
      builder.setInsertionPointAfter(returned.last);
    if (returnGradients)
      updates.returnGradient(builder, returned.parameter, returned.gradient);
    else if (failed(
                 updates.add(builder, returned.parameter, returned.gradient)))
      return failure();
  }
  builder.setInsertionPoint(terminator);
  return updates.finish(builder, terminator);
}

namespace {
struct AutodiffPass : mlir::memplan::impl::AutodiffPassBase<AutodiffPass> {
  using AutodiffPassBase::AutodiffPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (updates != "eager" && updates != "end")
      return emitError(UnknownLoc::get(context))
             << "memplan-autodiff: unknown value '" << updates
             << "' of option 'updates'; valid are eager, end";
    if (ranks < 1)
      return emitError(UnknownLoc::get(context))
             << "memplan-autodiff: option 'ranks' is " << int64_t(ranks)
             << ", but must be at least 1";
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // A planned function is run as it is, whatever it is marked with.
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    std::optional<unsigned> loss;
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
      auto kind = function.getResultAttrOfType<StringAttr>(i, kKindAttrName);
      if (!kind || kind.getValue() != "loss")
        continue;
      if (loss) {
        function.emitError()
            << "has two results marked as the loss, " << *loss << " and " << i;
        return signalPassFailure();
      }
      loss = i;
    }
    if (!loss)
      return;
    if (!function.getBody().hasOneBlock()) {
      function.emitError() << "cannot differentiate control flow: the function "
                              "has several blocks";
      return signalPassFailure();
    }
    const UpdateOptions options{placementOf(updates), lossScale, ranks};
    if (failed(useReturnedGradients(function, options, gradients)))
      return signalPassFailure();
    // Already differentiated: a second run changes nothing.
    for (Operation &op : function.front())
      if (op.hasAttr(kBackwardAttrName))
        return;
    if (failed(Differentiator(function, options, gradients).run(*loss)))
      signalPassFailure();
  }
};
} // namespace

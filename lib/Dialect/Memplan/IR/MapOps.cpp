//===- MapOps.cpp - Expressions of elements -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapExpression.h"

#include "Gradients.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::memplan;

/// What a kernel has room for.
static constexpr unsigned mostInputs = 16, mostSteps = 96;

static Type elementType(MLIRContext *context, StringRef name) {
  if (FloatType type = ops::realTypeOf(context, name))
    return type;
  return IntegerType::get(context, name == "i64" ? 64 : 8);
}

/// Grows `shape` to what it and `other` are broadcast to.
static LogicalResult growShape(const ShapeErrors &errors,
                               SmallVectorImpl<int64_t> &shape, Type type) {
  ArrayRef<int64_t> other = cast<ShapedType>(type).getShape();
  while (shape.size() < other.size())
    shape.insert(shape.begin(), 1);
  size_t shift = shape.size() - other.size();
  for (auto [dim, size] : llvm::enumerate(other)) {
    int64_t &here = shape[shift + dim];
    if (here != size && here != 1 && size != 1)
      return errors.error("cannot broadcast ", type, ": dimension ",
                          shift + dim, " of the result would be both ", here,
                          " and ", size);
    here = std::max(here, size);
  }
  return success();
}

LogicalResult MapOp::inferOutputs(const ShapeErrors &errors, Adaptor adaptor,
                                  SmallVectorImpl<RankedTensorType> &outputs) {
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty() || inputs.size() > mostInputs)
    return errors.error("has ", inputs.size(), " inputs, but must have 1 to ",
                        mostInputs);
  SmallVector<int64_t> shape(adaptor.getShape());
  if (llvm::any_of(shape, [](int64_t size) { return size < 1; }))
    return errors.error("attribute 'shape' is ", ops::listText(shape),
                        ", but its sizes must be at least 1");
  for (Value input : inputs) {
    Type element = ops::tensorOf(input).getElementType();
    if (!ops::isRealType(element) && !element.isInteger(64) &&
        !element.isInteger(8))
      return errors.error(
          "an input is ", input.getType(),
          ", but its elements must be f32, bf16, f16, i64 or i8");
    if (failed(growShape(errors, shape, input.getType())))
      return failure();
  }
  if (!adaptor.getShape().empty() && ArrayRef(shape) != adaptor.getShape())
    return errors.error(
        "attribute 'shape' is ", ops::listText(adaptor.getShape()),
        ", but the inputs are broadcast to ", ops::listText(shape));
  std::string reason;
  FailureOr<MapExpression> expression =
      MapExpression::parse(adaptor.getExpression(), inputs.size(), reason);
  if (failed(expression))
    return errors.error("attribute 'expression': ", reason);
  if (expression->steps.size() > mostSteps)
    return errors.error("attribute 'expression' has ", expression->steps.size(),
                        " steps, but may have ", mostSteps);
  outputs.push_back(RankedTensorType::get(
      shape, elementType(inputs[0].getContext(), adaptor.getElement())));
  return success();
}

int64_t ops::mapFlops(Operation *op) {
  auto map = cast<MapOp>(op);
  std::string reason;
  FailureOr<MapExpression> expression =
      MapExpression::parse(map.getExpression(), map.getNumInputs(), reason);
  return ops::outputElements(
      op, succeeded(expression) ? expression->steps.size() : 0);
}

SmallVector<unsigned> ops::inputsOfSameType(Operation *op, unsigned output) {
  auto plannable = cast<PlannableOpInterface>(op);
  Type type = ops::tensorOf(plannable.getOutputAt(output));
  SmallVector<unsigned> inputs;
  for (unsigned i = 0; i < plannable.getNumInputs(); ++i)
    if (ops::tensorOf(op->getOperand(i)) == type)
      inputs.push_back(i);
  return inputs;
}

/// The operation that computes `expression` of `inputs`, of which it takes
/// those that are used, with elements of type `element`.
static Value buildMap(OpBuilder &builder, Location loc,
                      MapExpression expression, ArrayRef<Value> inputs,
                      StringRef element) {
  SmallVector<Value> used;
  SmallVector<int> place(inputs.size(), -1);
  auto take = [&](MapValue &value) {
    if (value.kind != MapValue::Input)
      return;
    int &index = place[value.index];
    if (index < 0) {
      index = used.size();
      used.push_back(inputs[value.index]);
    }
    value.index = index;
  };
  for (MapStep &step : expression.steps)
    llvm::for_each(step.operands, take);
  take(expression.result);
  return MapOp::create(builder, loc, used, expression.text(), element,
                       ArrayRef<int64_t>())
      .getResult(0);
}

LogicalResult MapOp::buildGradients(OpBuilder &builder, ValueRange outputGrads,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &inputGrads) {
  std::string reason;
  unsigned count = getNumInputs();
  FailureOr<MapExpression> expression =
      MapExpression::parse(getExpression(), count, reason);
  if (failed(expression))
    return emitOpError("attribute 'expression': ") << reason;
  SmallVector<Value> inputs(getInputs());
  inputs.push_back(outputGrads[0]);
  for (unsigned i = 0; i < count; ++i) {
    if (!wanted[i])
      continue;
    std::optional<MapExpression> byInput = derivative(*expression, i, count);
    if (!byInput)
      continue;
    if (byInput->steps.size() > mostSteps)
      return emitOpError("has a gradient of ")
             << byInput->steps.size() << " steps, but there may be "
             << mostSteps << "; compute it by two operations";
    const StringRef element = ops::realNameOf(getInputs()[i]);
    bool isPassed = byInput->result == MapValue{MapValue::Input, count} &&
                    ops::realNameOf(outputGrads[0]) == element;
    Value gradient =
        isPassed ? outputGrads[0]
                 : buildMap(builder, getLoc(), *byInput, inputs, element);
    inputGrads[i] =
        ops::reduceTo(builder, getLoc(), gradient, getInputs()[i].getType());
  }
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/MapOps.cpp.inc"

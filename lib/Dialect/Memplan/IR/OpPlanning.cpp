//===- OpPlanning.cpp - In place, writes, views and effects ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

#include "memplan/Dialect/Memplan/IR/MemplanInterfaces.cpp.inc"

SmallVector<unsigned> ops::inPlaceOperands(Operation *op,
                                           ArrayRef<OutputInput> pairs,
                                           unsigned output) {
  SmallVector<unsigned> operands;
  auto plannable = cast<PlannableOpInterface>(op);
  RankedTensorType outputType = tensorOf(plannable.getOutputAt(output));
  ValueRange inputs = op->getOperands().take_front(plannable.getNumInputs());
  for (OutputInput pair : pairs) {
    if (pair.output != output || pair.input >= inputs.size() ||
        tensorOf(inputs[pair.input]) != outputType)
      continue;
    // A kernel may read a second operand after it has written the first.
    if (llvm::count(inputs, inputs[pair.input]) == 1)
      operands.push_back(pair.input);
  }
  return operands;
}

SmallVector<unsigned> ops::opaqueInPlaceOperands(Operation *op,
                                                 unsigned output) {
  SmallVector<OutputInput> pairs;
  ArrayRef<int64_t> flat = cast<OpaqueOp>(op).getInPlace();
  for (size_t i = 0; i + 1 < flat.size(); i += 2)
    pairs.push_back(
        {static_cast<unsigned>(flat[i]), static_cast<unsigned>(flat[i + 1])});
  return inPlaceOperands(op, pairs, output);
}

std::optional<unsigned> ops::writtenOperand(const OpInfo &info,
                                            unsigned output) {
  for (OutputInput pair : info.writes)
    if (pair.output == output)
      return pair.input;
  return std::nullopt;
}

/// Bytes from the start of `value` to index `start` of dimension `dim`, if
/// everything from there on is consecutive.
static std::optional<ViewSource> viewFrom(Value value, int64_t dim,
                                          int64_t start) {
  ArrayRef<int64_t> shape = ops::shapeOf(value);
  if (llvm::any_of(shape.take_front(dim),
                   [](int64_t size) { return size != 1; }))
    return std::nullopt;
  int64_t stride = ops::byteSize(value.getType()) / shape[dim];
  return ViewSource{0, start * stride};
}

std::optional<ViewSource> ops::splitViewSource(Operation *op, unsigned output) {
  auto split = cast<SplitOp>(op);
  int64_t start = 0;
  for (int64_t size : split.getSizes().take_front(output))
    start += size;
  return viewFrom(split.getInput(), split.getDim(), start);
}

std::optional<ViewSource> ops::sliceViewSource(Operation *op, int64_t dim,
                                               int64_t start) {
  return viewFrom(op->getOperand(0), dim, start);
}

std::optional<PiecePlace> ops::concatPiecePlace(Operation *op, unsigned input) {
  auto concat = cast<ConcatOp>(op);
  auto dim = static_cast<int64_t>(concat.getDim());
  ArrayRef<int64_t> shape = shapeOf(concat.getOutputAt(0));
  PiecePlace place;
  for (int64_t size : shape.take_front(dim))
    place.rows *= size;
  const int64_t row = byteSize(concat.getOutputAt(0).getType()) / place.rows;
  const int64_t unit = row / shape[dim];
  ValueRange inputs = op->getOperands().take_front(concat.getNumInputs());
  for (Value before : inputs.take_front(input))
    place.byteOffset += shapeOf(before)[dim] * unit;
  place.rowBytes = shapeOf(inputs[input])[dim] * unit;
  place.stride = place.rows == 1 ? 0 : row;
  return place;
}

void ops::addEffects(
    Operation *op, bool unknown,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto plannable = cast<PlannableOpInterface>(op);
  auto *resource = SideEffects::DefaultResource::get();
  if (unknown) {
    effects.emplace_back(MemoryEffects::Read::get(), resource);
    effects.emplace_back(MemoryEffects::Write::get(), resource);
  }
  if (!plannable.isMemrefForm())
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isInput = operand.getOperandNumber() < plannable.getNumInputs();
    bool isOut =
        !isInput && operand.getOperandNumber() <
                        plannable.getNumInputs() + plannable.getNumOutputs();
    if (!isOut)
      effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
    if (!isInput)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, resource);
  }
}

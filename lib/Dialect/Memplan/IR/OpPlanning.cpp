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

std::optional<unsigned> ops::opaqueWrittenOperand(Operation *op,
                                                  unsigned output) {
  ArrayRef<int64_t> flat = cast<OpaqueOp>(op).getWrites();
  for (size_t i = 0; i + 1 < flat.size(); i += 2)
    if (flat[i] == output)
      return static_cast<unsigned>(flat[i + 1]);
  return std::nullopt;
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

/// Indices [start, start + size) of dimension `dim` of `whole`.
static PiecePlace placeAlong(Value whole, int64_t dim, int64_t start,
                             int64_t size) {
  ArrayRef<int64_t> shape = ops::shapeOf(whole);
  PiecePlace place;
  for (int64_t outer : shape.take_front(dim))
    place.rows *= outer;
  place.stride = ops::byteSize(whole.getType()) / place.rows;
  const int64_t unit = place.stride / shape[dim];
  place.byteOffset = start * unit;
  place.rowBytes = size * unit;
  return place.normalized();
}

std::optional<PiecePlace> ops::concatPiecePlace(Operation *op, unsigned input) {
  auto concat = cast<ConcatOp>(op);
  auto dim = static_cast<int64_t>(concat.getDim());
  ValueRange inputs = op->getOperands().take_front(concat.getNumInputs());
  int64_t start = 0;
  for (Value before : inputs.take_front(input))
    start += shapeOf(before)[dim];
  return placeAlong(concat.getOutputAt(0), dim, start,
                    shapeOf(inputs[input])[dim]);
}

std::optional<PiecePlace> ops::splitPlace(Operation *op, unsigned output) {
  auto split = cast<SplitOp>(op);
  int64_t start = 0;
  for (int64_t size : split.getSizes().take_front(output))
    start += size;
  return placeAlong(split.getInput(), split.getDim(), start,
                    split.getSizes()[output]);
}

std::optional<PiecePlace> ops::slicePlace(Operation *op, int64_t dim,
                                          int64_t start, int64_t size) {
  return placeAlong(op->getOperand(0), dim, start, size);
}

unsigned ops::rankOf(Operation *op, unsigned index) {
  auto plannable = cast<PlannableOpInterface>(op);
  const unsigned inputs = plannable.getNumInputs();
  Value value = index < inputs ? op->getOperand(index)
                               : plannable.getOutputAt(index - inputs);
  return cast<ShapedType>(value.getType()).getRank();
}

unsigned ops::elementwiseRowDims(Operation *op) {
  auto plannable = cast<PlannableOpInterface>(op);
  ArrayRef<int64_t> shape = shapeOf(plannable.getOutputAt(0));
  for (Value input : op->getOperands().take_front(plannable.getNumInputs()))
    if (shapeOf(input) != shape)
      return 0;
  return shape.size();
}

unsigned ops::reducedRowDims(Value input, ArrayRef<int64_t> dims) {
  const auto rank = int64_t(shapeOf(input).size());
  int64_t first = rank;
  while (first > 0 && llvm::is_contained(dims, first - 1) ==
                          llvm::is_contained(dims, rank - 1))
    --first;
  return first;
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

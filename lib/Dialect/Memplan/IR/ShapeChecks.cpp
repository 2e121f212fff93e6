//===- ShapeChecks.cpp - Pieces of shape functions ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memplan;

RankedTensorType ops::tensorOf(Value value) {
  auto shaped = cast<ShapedType>(value.getType());
  return RankedTensorType::get(shaped.getShape(), shaped.getElementType());
}

ArrayRef<int64_t> ops::shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

std::string ops::listText(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(values, stream);
  stream << ']';
  return text;
}

LogicalResult ops::checkSameType(const ShapeErrors &errors, StringRef name,
                                 Value value, StringRef otherName,
                                 Value other) {
  if (tensorOf(value) == tensorOf(other))
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must agree with '", otherName, "', which is ",
                      other.getType());
}

LogicalResult ops::inferSameType(const ShapeErrors &errors, const OpInfo &info,
                                 ValueRange operands,
                                 SmallVectorImpl<RankedTensorType> &outputs) {
  for (size_t i = 1; i < info.inputs.size(); ++i)
    if (failed(checkSameType(errors, info.inputs[i], operands[i],
                             info.inputs[0], operands[0])))
      return failure();
  outputs.push_back(tensorOf(operands[0]));
  return success();
}

LogicalResult ops::checkAxis(const ShapeErrors &errors, int64_t axis,
                             StringRef name, Value value) {
  int64_t rank = shapeOf(value).size();
  if (axis >= -rank && axis < rank)
    return success();
  return errors.error("attribute '", name, "' is ", axis, ", but must be in [",
                      -rank, ", ", rank, ") for ", value.getType());
}

LogicalResult ops::checkRank(const ShapeErrors &errors, Value value,
                             StringRef name, int64_t rank) {
  if (int64_t(shapeOf(value).size()) >= rank)
    return success();
  return errors.error("input '", name, "' is ", value.getType(),
                      ", but must have at least ", rank, " dimensions");
}

LogicalResult ops::checkTf32(const ShapeErrors &errors, bool tf32,
                             Value value) {
  if (!tf32 || tensorOf(value).getElementType().isF32())
    return success();
  return errors.error("attribute 'tf32' is for elements of f32, but those of ",
                      tensorOf(value).getElementType(),
                      " are multiplied as they are");
}

LogicalResult ops::checkRanks(const ShapeErrors &errors, int64_t ranks) {
  // As many as a program table can ask of a run.
  constexpr int64_t most = 4096;
  if (ranks >= 1 && ranks <= most)
    return success();
  return errors.error("attribute 'ranks' is ", ranks,
                      ", but must be from 1 to ", most);
}

LogicalResult ops::checkRange(const ShapeErrors &errors, double min,
                              double max) {
  if (min < max)
    return success();
  return errors.error("attribute 'min' is ", min,
                      ", but must be less than 'max', which is ", max);
}

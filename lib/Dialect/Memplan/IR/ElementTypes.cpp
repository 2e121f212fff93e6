//===- ElementTypes.cpp - f32, bf16 and f16 beside each other -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

bool ops::isRealType(Type elementType) {
  return elementType.isF32() || elementType.isBF16() || elementType.isF16();
}

FloatType ops::realTypeOf(MLIRContext *context, StringRef name) {
  if (name == "f32")
    return Float32Type::get(context);
  if (name == "bf16")
    return BFloat16Type::get(context);
  if (name == "f16")
    return Float16Type::get(context);
  return nullptr;
}

StringRef ops::realNameOf(Value value) {
  Type type = tensorOf(value).getElementType();
  return type.isBF16() ? "bf16" : type.isF16() ? "f16" : "f32";
}

RankedTensorType ops::statisticsOf(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float32Type::get(value.getContext()));
}

namespace {
/// An input that says what a letter stands for.
struct Known {
  unsigned index = 0;
  Type type;
};
} // namespace

static StringRef nameOf(const OpInfo &info, unsigned index) {
  return info.inputs[std::min<size_t>(index, info.inputs.size() - 1)];
}

/// `input` has the element type of `known`, and becomes it if there is none.
static LogicalResult agree(Operation *op, const OpInfo &info, unsigned index,
                           Value input, Known &known) {
  Type type = ops::tensorOf(input).getElementType();
  if (!known.type)
    known = {index, type};
  if (type == known.type)
    return success();
  return op->emitOpError() << "input '" << nameOf(info, index) << "' is "
                           << input.getType() << ", but '"
                           << nameOf(info, known.index) << "' has elements of "
                           << known.type
                           << ": cast one of them by memplan.cast";
}

LogicalResult ops::verifyElementTypes(Operation *op, const OpInfo &info,
                                      ValueRange inputs) {
  Known value, parameter;
  const StringRef letters = info.elementTypes;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    Type type = tensorOf(input).getElementType();
    if (!isRealType(type))
      continue;
    const char letter = letters[std::min(index, letters.size() - 1)];
    if (letter == 'T' && failed(agree(op, info, index, input, value)))
      return failure();
    if (letter == 'P' && type.isF32() && !parameter.type)
      parameter = {unsigned(index), type};
    if (letter == 'P' && failed(agree(op, info, index, input,
                                      parameter.type ? parameter : value)))
      return failure();
    if (letter == 'P' && !parameter.type)
      parameter = {unsigned(index), type};
    if (letter == 'f' && !type.isF32())
      return op->emitOpError() << "input '" << nameOf(info, index) << "' is "
                               << input.getType() << ", but statistics are f32";
  }
  return success();
}

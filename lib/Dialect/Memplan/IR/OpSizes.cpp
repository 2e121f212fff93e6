//===- OpSizes.cpp - Types, bytes and operations of one run ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::memplan;

bool ops::isOnHost(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && isa_and_nonnull<HostAttr>(memref.getMemorySpace()) &&
         isDense(MemRefType::Builder(memref).setMemorySpace(Attribute()),
                 hasByteSize);
}

bool ops::isOnDevice(Type type) {
  return isa<MemRefType>(type) && isDense(type, hasByteSize);
}

bool ops::isInRows(Type type, function_ref<bool(Type)> element) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() || !element(shaped.getElementType()))
    return false;
  int64_t bytes = (shaped.getElementTypeBitWidth() + 7) / 8;
  for (int64_t size : shaped.getShape())
    if (size < 1 || llvm::MulOverflow(bytes, size, bytes))
      return false;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  auto memref = dyn_cast<MemRefType>(type);
  return memref && !isa_and_nonnull<HostAttr>(memref.getMemorySpace()) &&
         rowsOf(memref).has_value();
}

bool ops::isDense(Type type, function_ref<bool(Type)> element) {
  if (!isInRows(type, element))
    return false;
  auto memref = dyn_cast<MemRefType>(type);
  // Views of a caller's memref may start at an offset.
  return !memref || rowsOf(memref)->isDense();
}

bool ops::hasByteSize(Type elementType) {
  return elementType.isIntOrFloat() &&
         elementType.getIntOrFloatBitWidth() % 8 == 0;
}

int64_t ops::addBytes(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                      : sum;
}

int64_t ops::multiplyBytes(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max()
                                          : product;
}

int64_t ops::byteSize(Type type) {
  auto shaped = cast<ShapedType>(type);
  return multiplyBytes(shaped.getNumElements(),
                       (shaped.getElementTypeBitWidth() + 7) / 8);
}

int64_t ops::elements(Value value, int64_t factor) {
  return multiplyBytes(cast<ShapedType>(value.getType()).getNumElements(),
                       factor);
}

int64_t ops::outputElements(Operation *op, int64_t factor) {
  return elements(cast<PlannableOpInterface>(op).getOutputAt(0), factor);
}

int64_t ops::inputElements(Operation *op, int64_t factor) {
  unsigned inputs = cast<PlannableOpInterface>(op).getNumInputs();
  int64_t count = 0;
  for (Value input : op->getOperands().take_front(inputs))
    count = addBytes(count, elements(input, factor));
  return count;
}

int64_t ops::operandBytes(Operation *op) {
  auto plannable = cast<PlannableOpInterface>(op);
  int64_t bytes = 0;
  for (Value input : op->getOperands().take_front(plannable.getNumInputs()))
    bytes = addBytes(bytes, byteSize(input.getType()));
  for (unsigned i = 0; i < plannable.getNumOutputs(); ++i)
    bytes = addBytes(bytes, byteSize(plannable.getOutputAt(i).getType()));
  return bytes;
}

int64_t ops::viewBytesMoved(Operation *op) {
  auto plannable = cast<PlannableOpInterface>(op);
  int64_t bytes = 0;
  for (unsigned i = 0; i < plannable.getNumOutputs(); ++i)
    if (!plannable.getViewSource(i))
      bytes = addBytes(
          bytes,
          multiplyBytes(byteSize(plannable.getOutputAt(i).getType()), 2));
  return bytes;
}

int64_t ops::convFlops(Value filter, Value image, bool channelsLast) {
  ArrayRef<int64_t> shape = shapeOf(image);
  ArrayRef<int64_t> size = shape.slice(channelsLast ? 1 : 2, 2);
  int64_t positions = multiplyBytes(multiplyBytes(shape[0], size[0]), size[1]);
  return multiplyBytes(elements(filter, 2), positions);
}

int64_t ops::productFlops(Value output, Value lhs, bool transposeLhs) {
  ArrayRef<int64_t> shape = shapeOf(lhs);
  int64_t depth = transposeLhs ? shape[shape.size() - 2] : shape.back();
  return multiplyBytes(elements(output, 2), depth);
}

int64_t ops::windowFlops(ArrayRef<int64_t> kernel, Value output) {
  return elements(output, multiplyBytes(kernel[0], kernel[1]));
}

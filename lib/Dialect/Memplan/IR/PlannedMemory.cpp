//===- PlannedMemory.cpp - Byte ranges of a planned function --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/PlannedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::memplan;

int64_t mlir::memplan::elementBytes(Type elementType) {
  return llvm::PowerOf2Ceil(
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8));
}

int64_t mlir::memplan::byteSizeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !isa<RankedTensorType, MemRefType>(type) ||
      !shaped.hasStaticShape() || !shaped.getElementType().isIntOrFloat())
    return -1;
  int64_t bytes = elementBytes(shaped.getElementType());
  for (int64_t size : shaped.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return -1;
  return bytes;
}

Diagnostic &mlir::memplan::operator<<(Diagnostic &diag,
                                      const ByteRange &range) {
  return diag << "bytes [" << range.begin << ", " << range.end
              << ") of argument " << range.argument;
}

/// The byte at which a memref of static layout starts in its allocation, and
/// true if its elements are dense.
static std::optional<int64_t> denseStart(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return std::nullopt;
  int64_t expected = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (type.getDimSize(dim) != 1 && strides[dim] != expected)
      return std::nullopt;
    expected *= type.getDimSize(dim);
  }
  return offset * elementBytes(type.getElementType());
}

/// Casts whose result starts where its layout says, counted from the
/// allocation as the layout of the source is.
static bool isCast(Operation *op) {
  return isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::ReinterpretCastOp>(op);
}

bool mlir::memplan::isAddressArithmetic(Operation *op) {
  return isa<arith::ConstantOp, memref::ViewOp>(op) || isCast(op);
}

FailureOr<ByteRange> AddressMap::resolve(Value value, Operation *user) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  int64_t bytes = byteSizeOf(value.getType());
  if (bytes < 0 || !isa<MemRefType>(value.getType()))
    return user->emitError("operand of type ")
           << value.getType() << " is not a memref of static shape";
  FailureOr<ByteRange> range;
  if (auto argument = dyn_cast<BlockArgument>(value))
    range = ByteRange{argument.getArgNumber(), 0, bytes};
  else
    range = resolveDefinition(value.getDefiningOp(), user);
  if (succeeded(range))
    known[value] = *range;
  return range;
}

FailureOr<ByteRange> AddressMap::resolveDefinition(Operation *op,
                                                   Operation *user) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  int64_t bytes = byteSizeOf(type);
  FailureOr<ByteRange> source = failure();
  int64_t shift = 0;
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    IntegerAttr constant;
    if (!matchPattern(view.getByteShift(), m_Constant(&constant)))
      return op->emitError(
          "has a byte shift that is not constant (planned_c1)");
    source = resolve(view.getSource(), user);
    shift = constant.getInt();
  } else if (isCast(op)) {
    source = resolve(op->getOperand(0), user);
    std::optional<int64_t> start = denseStart(type);
    auto sourceType = cast<MemRefType>(op->getOperand(0).getType());
    std::optional<int64_t> sourceStart = denseStart(sourceType);
    if (!start || !sourceStart)
      return op->emitError("is not dense with a constant offset (planned_c1)");
    // The layout's offset counts from the allocation, as the source's does.
    shift = *start - *sourceStart;
  } else {
    return user->emitError("uses memory made by '")
           << op->getName()
           << "'; planned memory is a memref.view of the arena or a cast of an "
              "argument";
  }
  if (failed(source))
    return failure();
  ByteRange range{source->argument, source->begin + shift,
                  source->begin + shift + bytes};
  if (range.begin < source->begin || range.end > source->end) {
    InFlightDiagnostic diag = op->emitError("lies outside its source: ");
    diag << "bytes [" << range.begin << ", " << range.end << ") of ["
         << source->begin << ", " << source->end << ") (planned_c2)";
    return diag;
  }
  return range;
}

void SymbolicBytes::append(SymbolicValue value, int64_t bytes) {
  if (!list.empty()) {
    Piece &last = list.back();
    if (last.value.root == value.root &&
        last.value.offset + last.bytes == value.offset) {
      last.bytes += bytes;
      return;
    }
  }
  list.push_back({value, bytes});
}

void SymbolicBytes::append(const SymbolicBytes &other) {
  for (const Piece &piece : other.list)
    append(piece.value, piece.bytes);
}

SymbolicBytes SymbolicBytes::slice(int64_t offset, int64_t bytes) const {
  SymbolicBytes result;
  for (const Piece &piece : list) {
    const int64_t begin = std::clamp<int64_t>(offset, 0, piece.bytes),
                  end = std::clamp<int64_t>(offset + bytes, 0, piece.bytes);
    if (begin < end)
      result.append({piece.value.root, piece.value.offset + begin},
                    end - begin);
    offset -= piece.bytes;
  }
  return result;
}

void SymbolicMemory::clobber(const ByteRange &range) {
  if (range.bytes() == 0)
    return;
  auto at = current.lower_bound({range.argument, range.begin});
  // The range before may reach into this one.
  if (at != current.begin() &&
      values[std::prev(at)->second].range.overlaps(range))
    --at;
  while (at != current.end() && values[at->second].range.overlaps(range))
    at = current.erase(at);
}

size_t SymbolicMemory::write(const ByteRange &range, SymbolicValue value,
                             int64_t position, bool inPlace) {
  auto old = current.find({range.argument, range.begin});
  if (inPlace && old != current.end() && values[old->second].range == range)
    values[old->second].takenOver = true;
  clobber(range);
  current[{range.argument, range.begin}] = values.size();
  values.push_back({range, value.root, position, position, inPlace,
                    /*takenOver=*/false, value.offset});
  return values.size() - 1;
}

std::optional<SymbolicBytes> SymbolicMemory::read(const ByteRange &range,
                                                  int64_t position) {
  SymbolicBytes found;
  int64_t begin = range.begin;
  do {
    auto at = current.upper_bound({range.argument, begin});
    if (at == current.begin())
      return std::nullopt;
    StoredValue &value = values[std::prev(at)->second];
    // An empty range may stand at the end of a value.
    bool reaches =
        range.bytes() == 0 ? value.range.end >= begin : value.range.end > begin;
    if (value.range.argument != range.argument || !reaches)
      return std::nullopt;
    const int64_t end = std::min(value.range.end, range.end);
    found.append({value.root, value.offset + begin - value.range.begin},
                 end - begin);
    begin = end;
  } while (begin < range.end);
  for (begin = range.begin; begin < range.end;) {
    StoredValue &value =
        values[std::prev(current.upper_bound({range.argument, begin}))->second];
    value.last = std::max(value.last, position);
    begin = value.range.end;
  }
  return found;
}

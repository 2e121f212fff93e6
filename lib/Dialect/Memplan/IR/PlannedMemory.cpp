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
  diag << "bytes [" << range.begin << ", " << range.end << ")";
  if (!range.isDense())
    diag << " in " << range.rows << " rows of " << range.place().rowBytes
         << " bytes";
  return diag << " of argument " << range.argument;
}

std::optional<MemrefRows> mlir::memplan::rowsOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.getElementType().isIntOrFloat() || !type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  const int64_t unit = elementBytes(type.getElementType());
  MemrefRows rows;
  rows.hasKnownStart = !ShapedType::isDynamic(offset);
  rows.place.byteOffset = rows.hasKnownStart ? offset * unit : 0;
  int64_t dim = type.getRank() - 1, length = 1;
  for (; dim >= 0; --dim) {
    if (type.getDimSize(dim) != 1 && strides[dim] != length)
      break;
    length *= type.getDimSize(dim);
  }
  rows.place.rowBytes = length * unit;
  if (dim < 0)
    return rows;
  rows.outerDims = dim + 1;
  if (ShapedType::isDynamic(strides[dim]) || strides[dim] < length)
    return std::nullopt;
  int64_t next = strides[dim], span = 0;
  rows.place.stride = next * unit;
  for (; dim >= 0; --dim) {
    const int64_t size = type.getDimSize(dim);
    if ((size != 1 && strides[dim] != next) ||
        llvm::MulOverflow(next, size, next))
      return std::nullopt;
    rows.place.rows *= size;
  }
  // The end can be counted.
  if (llvm::MulOverflow(next, unit, span) ||
      llvm::AddOverflow(span, rows.place.byteOffset, span))
    return std::nullopt;
  return rows;
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
  PiecePlace place{0, bytes, 1, 0};
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    IntegerAttr constant;
    if (!matchPattern(view.getByteShift(), m_Constant(&constant)))
      return op->emitError(
          "has a byte shift that is not constant (planned_c1)");
    source = resolve(view.getSource(), user);
    shift = constant.getInt();
  } else if (isCast(op)) {
    source = resolve(op->getOperand(0), user);
    std::optional<MemrefRows> rows = rowsOf(type);
    std::optional<MemrefRows> sourceRows =
        rowsOf(cast<MemRefType>(op->getOperand(0).getType()));
    if (!rows || !sourceRows || !rows->hasKnownStart ||
        !sourceRows->hasKnownStart)
      return op->emitError("is not in rows of equal length and distance with a "
                           "constant offset (planned_c1)");
    if (rows->place.rows > mostRows)
      return op->emitError("has ")
             << rows->place.rows
             << " rows with gaps between them; there may be " << mostRows
             << " (planned_c1)";
    // The layout's offset counts from the allocation, as the source's does.
    shift = rows->place.byteOffset - sourceRows->place.byteOffset;
    place = rows->place;
  } else {
    return user->emitError("uses memory made by '")
           << op->getName()
           << "'; planned memory is a memref.view of the arena or a cast of an "
              "argument";
  }
  if (failed(source))
    return failure();
  place.byteOffset = source->begin + shift;
  ByteRange range = ByteRange::at(source->argument, place);
  if (!source->contains(range)) {
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

SymbolicBytes SymbolicBytes::at(const PiecePlace &place) const {
  SymbolicBytes result;
  for (int64_t number = 0; number < place.rows; ++number)
    result.append(slice(place.row(number).byteOffset, place.rowBytes));
  return result;
}

SymbolicMemory::Runs::iterator SymbolicMemory::find(unsigned argument,
                                                    int64_t byte) {
  auto next = current.upper_bound({argument, byte});
  if (next == current.begin())
    return current.end();
  auto run = std::prev(next);
  return run->first.first == argument && byte < run->second.end ? run
                                                                : current.end();
}

void SymbolicMemory::clobber(const ByteRange &range) {
  for (int64_t number = 0; number < range.rows && range.bytes() > 0; ++number) {
    const ByteRange row = range.row(number);
    auto run = find(row.argument, row.begin);
    if (run == current.end())
      run = current.lower_bound({row.argument, row.begin});
    while (run != current.end() && run->first.first == row.argument &&
           run->first.second < row.end)
      run = current.erase(run);
  }
}

size_t SymbolicMemory::write(const ByteRange &range, SymbolicValue value,
                             int64_t position, bool inPlace) {
  auto old = current.find({range.argument, range.begin});
  if (inPlace && old != current.end() &&
      values[old->second.value].range == range)
    values[old->second.value].takenOver = true;
  clobber(range);
  const int64_t rowBytes = range.place().rowBytes;
  for (int64_t number = 0; number < range.rows; ++number) {
    const ByteRange row = range.row(number);
    current[{row.argument, row.begin}] = {row.end, values.size(),
                                          number * rowBytes};
  }
  values.push_back({range, value.root, position, position, inPlace,
                    /*takenOver=*/false, value.offset});
  return values.size() - 1;
}

bool SymbolicMemory::readRow(const ByteRange &row, int64_t position,
                             Found &found) {
  int64_t begin = row.begin;
  do {
    auto run = find(row.argument, begin);
    // An empty range may stand at the end of a value.
    if (run == current.end() && row.bytes() == 0)
      if (auto next = current.upper_bound({row.argument, begin});
          next != current.begin() &&
          std::prev(next)->first.first == row.argument &&
          std::prev(next)->second.end == begin)
        run = std::prev(next);
    if (run == current.end())
      return false;
    const auto &[end, number, offset] = run->second;
    StoredValue &value = values[number];
    const int64_t stop = std::min(end, row.end);
    const bool isFirst = found.bytes.pieces().empty();
    found.bytes.append(
        {value.root, value.offset + offset + begin - run->first.second},
        stop - begin);
    found.value =
        isFirst || found.value == number ? std::optional(number) : std::nullopt;
    value.last = std::max(value.last, position);
    begin = stop;
  } while (begin < row.end);
  return true;
}

std::optional<SymbolicMemory::Found>
SymbolicMemory::read(const ByteRange &range, int64_t position) {
  Found found;
  for (int64_t number = 0; number < range.rows; ++number)
    if (!readRow(range.row(number), position, found))
      return std::nullopt;
  return found;
}

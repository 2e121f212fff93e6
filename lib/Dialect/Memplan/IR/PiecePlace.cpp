//===- PiecePlace.cpp - Rows of bytes inside a larger value ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/PiecePlace.h"

using namespace mlir::memplan;

PiecePlace PiecePlace::normalized() const {
  if (rows == 1 || stride == rowBytes)
    return {byteOffset, rowBytes * rows, 1, 0};
  return *this;
}

std::optional<PiecePlace> PiecePlace::inside(const PiecePlace &outer) const {
  PiecePlace place = normalized();
  if (outer.isDense() || bytes() == 0) {
    place.byteOffset += outer.byteOffset;
    return place;
  }
  // The rows of the outer one that it touches, and where in the first.
  const int64_t first = place.byteOffset / outer.rowBytes,
                column = place.byteOffset % outer.rowBytes;
  place.byteOffset = outer.byteOffset + first * outer.stride + column;
  if (column + place.rowBytes > outer.rowBytes) {
    // Several whole rows in a row.
    if (place.rows != 1 || column != 0 || place.rowBytes % outer.rowBytes != 0)
      return std::nullopt;
    place.rows = place.rowBytes / outer.rowBytes;
    place.rowBytes = outer.rowBytes;
    place.stride = outer.stride;
    return place.normalized();
  }
  if (place.stride % outer.rowBytes != 0)
    return std::nullopt;
  place.stride = place.stride / outer.rowBytes * outer.stride;
  return place.normalized();
}

bool PiecePlace::overlaps(const PiecePlace &other) const {
  if (byteOffset >= other.end() || other.byteOffset >= end())
    return false;
  for (int64_t i = 0, j = 0; i < rows && j < other.rows;) {
    const PiecePlace a = row(i), b = other.row(j);
    if (a.byteOffset < b.end() && b.byteOffset < a.end())
      return true;
    ++(a.byteOffset < b.byteOffset ? i : j);
  }
  return false;
}

bool PiecePlace::contains(const PiecePlace &other) const {
  for (int64_t j = 0; j < other.rows; ++j) {
    const PiecePlace part = other.row(j);
    const int64_t distance = part.byteOffset - byteOffset,
                  number = isDense() ? 0 : distance / stride;
    if (distance < 0 || number >= rows || part.end() > row(number).end())
      return false;
  }
  return true;
}

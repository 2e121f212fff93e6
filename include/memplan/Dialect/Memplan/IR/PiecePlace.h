//===- PiecePlace.h - Rows of bytes inside a larger value -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_PIECEPLACE_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_PIECEPLACE_H

#include <cstdint>
#include <optional>

namespace mlir::memplan {

/// Where the bytes of a piece lie in a larger value: `rows` runs of `rowBytes`,
/// each `stride` bytes after the one before. A piece along channels has a row
/// for each sample.
struct PiecePlace {
  int64_t byteOffset = 0;
  int64_t rowBytes = 0;
  int64_t rows = 1;
  int64_t stride = 0; ///< 0 where there is one row.

  bool isDense() const { return rows == 1; }
  int64_t bytes() const { return rows * rowBytes; }
  /// One past the last byte.
  int64_t end() const { return byteOffset + (rows - 1) * stride + rowBytes; }
  /// Row `number` alone.
  PiecePlace row(int64_t number) const {
    return {byteOffset + number * stride, rowBytes, 1, 0};
  }

  /// The same bytes, with one row where they are consecutive.
  PiecePlace normalized() const;
  /// This place, which counts in the bytes of a value, where the value itself
  /// lies at `outer`. None where that takes more than rows of one distance.
  std::optional<PiecePlace> inside(const PiecePlace &outer) const;
  bool overlaps(const PiecePlace &other) const;
  /// True if each row of `other` lies in a row of this one.
  bool contains(const PiecePlace &other) const;

  friend bool operator==(const PiecePlace &, const PiecePlace &) = default;
};

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_PIECEPLACE_H

//===- Parts.h - Pieces that are written where they end up ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_PARTS_H
#define MEMPLAN_BRIDGE_PARTS_H

#include "memplan/Dialect/Memplan/IR/PiecePlace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::memplan {

/// Storage that holds the output of a concat whose inputs are written there. It
/// also holds that of every other concat whose pieces lie in it in a row.
struct Whole {
  Value value; ///< The output that is as large.
  int64_t bytes = 0;
};

/// A value that lies inside a whole.
struct PlacedPart {
  unsigned whole = 0;
  PiecePlace place;
  bool written = false; ///< By the operation that makes it; false: the output
                        ///< of a concat.
};

/// Where the concats that are marked `memplan.parts`, and their inputs, lie,
/// and which slices are read where they are.
struct PartLayout {
  SmallVector<Whole> wholes;
  llvm::DenseMap<Value, PlacedPart> places;
  llvm::DenseSet<Value> slices; ///< Results of marked splits and slices.
};

/// Rows that a part may have: what each holds is followed one by one.
inline constexpr int64_t mostPartRows = 256;

/// True for an operation that may be marked. Each of its inputs ends up
/// unchanged in rows of its only output, or each of its outputs is rows of its
/// input.
bool mayHaveParts(Operation *op);

/// Elements from one index of each dimension to the next of a value that lies
/// at `place`, whose rows its first dimensions count.
SmallVector<int64_t> stridesAt(const PiecePlace &place, ShapedType type);

/// Lays out the marked concats of a function in tensor form, and then the
/// marked splits and slices. The last concat comes first, so that one that goes
/// on where an earlier one ended holds that one too. Fails with a diagnostic at
/// a concat
/// - that may not be marked;
/// - with an input that is an argument, a result, a view, a new version of an
///   argument, or made by an operation with unknown effects;
/// - whose inputs do not lie in a row, or would lie over each other, or lie in
///   another row already;
/// - that shares bytes with another one without lying inside it, or is first
///   read after it;
/// - with an input that would not start at a multiple of 64 bytes. Where parts
///   have several rows, also with one that has a producer or a user without
///   such rows (`getStridedDims()`).
FailureOr<PartLayout> layOutParts(func::FuncOp function);

/// Marks every concat that can be laid out beside those after it, and every
/// split and slice whose users take it where it is. Gives those that it marked:
/// by whole, and each split or slice alone. Parts have one row where `rows` is
/// false. Fails where one that was marked before cannot.
FailureOr<SmallVector<SmallVector<Operation *>>>
markAllParts(func::FuncOp function, bool rows);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_PARTS_H

//===- Parts.h - Pieces that are written where they end up ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_PARTS_H
#define MEMPLAN_BRIDGE_PARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::memplan {

/// Storage that holds the output of a concat whose inputs are written there,
/// and of every other concat that it has the pieces of in a row.
struct Whole {
  Value value; ///< The output that is as large.
  int64_t bytes = 0;
};

/// A value that lies inside a whole.
struct PlacedPart {
  unsigned whole = 0;
  int64_t offset = 0;
  bool written = false; ///< By the operation that makes it; false: the output
                        ///< of a concat.
};

/// Where the concats that are marked `memplan.parts`, and their inputs, lie.
struct PartLayout {
  SmallVector<Whole> wholes;
  llvm::DenseMap<Value, PlacedPart> places;
};

/// True for an operation that may be marked: each of its inputs ends up
/// unchanged and consecutive in its only output.
bool mayHaveParts(Operation *op);

/// Lays out the marked concats of a function in tensor form, the last first, so
/// that one that goes on where an earlier one ended holds that one too. Fails
/// with a diagnostic at a concat
/// - that may not be marked;
/// - with an input that is an argument, a result, a view, a new version of an
///   argument, or made by an operation whose effects are not known;
/// - whose inputs do not lie in a row, or would lie over each other, or lie in
///   another row already;
/// - that shares bytes with another one without lying inside it, or is first
///   read after it;
/// - with an input that would not start at a multiple of 64 bytes.
FailureOr<PartLayout> layOutParts(func::FuncOp function);

/// Marks every concat that can be laid out beside those after it, and gives
/// those that it marked by whole. Fails where one that was marked before
/// cannot.
FailureOr<SmallVector<SmallVector<Operation *>>>
markAllParts(func::FuncOp function);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_PARTS_H

//===- PartRows.cpp - Which values may lie in rows ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartRows.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::memplan;

SmallVector<PiecePlace> mlir::memplan::placesOf(Operation *op) {
  SmallVector<PiecePlace> places;
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (!plannable || plannable.isMemrefForm() || plannable.getNumInputs() < 1)
    return places;
  auto collect = [&](unsigned count, auto placeOf) {
    places.clear();
    for (unsigned i = 0; i < count; ++i) {
      std::optional<PiecePlace> place = placeOf(i);
      if (!place || place->rows > mostPartRows)
        return false;
      places.push_back(*place);
    }
    return true;
  };
  if (op->getNumResults() == 1 &&
      collect(plannable.getNumInputs(),
              [&](unsigned i) { return plannable.getPiecePlace(i); }))
    return places;
  if (collect(op->getNumResults(),
              [&](unsigned i) { return plannable.getSlicePlace(i); }))
    return places;
  return {};
}

bool mlir::memplan::isConcat(Operation *op) {
  return op->getNumResults() == 1 &&
         cast<PlannableOpInterface>(op).getPiecePlace(0);
}

bool mlir::memplan::mayHaveParts(Operation *op) {
  return !placesOf(op).empty();
}

SmallVector<int64_t> mlir::memplan::stridesAt(const PiecePlace &place,
                                              ShapedType type) {
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  int64_t next = place.stride / elementBytes(type.getElementType());
  const int64_t rowElements = type.getNumElements() / place.rows;
  for (int64_t dim = type.getRank() - 1; !place.isDense() && dim >= 0; --dim)
    if (strides[dim] >= rowElements) {
      strides[dim] = next;
      next *= type.getDimSize(dim);
    }
  return strides;
}

/// How many of the first dimensions of a value count its rows.
static std::optional<unsigned> outerDims(Value value, int64_t rows) {
  int64_t count = 1;
  unsigned dims = 0;
  for (int64_t size : cast<ShapedType>(value.getType()).getShape()) {
    if (count == rows)
      break;
    count *= size;
    ++dims;
  }
  return count == rows ? std::optional(dims) : std::nullopt;
}

std::string mlir::memplan::checkRows(Value value, int64_t rows) {
  if (rows == 1)
    return "";
  std::optional<unsigned> dims = outerDims(value, rows);
  if (!dims)
    return "has rows that are no dimensions";
  auto refuse = [](Operation *op, StringRef what) {
    return (what + " '" + op->getName().getStringRef() +
            "', which takes no rows with gaps between them")
        .str();
  };
  Operation *producer = value.getDefiningOp();
  if (auto plannable = dyn_cast<PlannableOpInterface>(producer);
      !plannable ||
      plannable.getStridedDims(plannable.getNumInputs() +
                               cast<OpResult>(value).getResultNumber()) < *dims)
    return refuse(producer, "is made by");
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    auto plannable = dyn_cast<PlannableOpInterface>(user);
    bool takes =
        plannable && plannable.getStridedDims(use.getOperandNumber()) >= *dims;
    for (unsigned i = 0, n = user->getNumResults(); takes && i < n; ++i)
      takes = !plannable.getViewSource(i);
    if (!takes)
      return refuse(user, "is read by");
  }
  return "";
}

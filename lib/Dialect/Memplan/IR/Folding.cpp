//===- Folding.cpp - When a fold is allowed -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folding.h"

using namespace mlir;
using namespace mlir::memplan;

bool memplan::mayFold(Operation *op) {
  auto plannable = dyn_cast_or_null<PlannableOpInterface>(op);
  return plannable && !plannable.isMemrefForm() && plannable.getRunIndex() == 0;
}

bool memplan::isSplat(Value value, float element) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !mayFold(constant))
    return false;
  auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  return elements && elements.isSplat() &&
         elements.getSplatValue<APFloat>().bitwiseIsEqual(APFloat(element));
}

//===- OpaqueOps.cpp - What memplan does not know -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"

using namespace mlir;
using namespace mlir::memplan;

LogicalResult
OpaqueOp::inferOutputTypes(const ShapeErrors &errors, Operation *op,
                           SmallVectorImpl<RankedTensorType> &outputs) {
  // The types of an opaque operation are what it says.
  auto opaque = cast<OpaqueOp>(op);
  for (unsigned i = 0; i < opaque.getNumOutputs(); ++i) {
    Type type = opaque.getOutputAt(i).getType();
    if (!ops::isDense(type, ops::hasByteSize))
      return errors.error(
          "output #", i, " is ", type,
          ", but must be a statically shaped dense tensor or memref");
    outputs.push_back(ops::tensorOf(opaque.getOutputAt(i)));
  }
  return success();
}

LogicalResult OpaqueOp::verify() {
  if (getKernel().empty())
    return emitOpError("attribute 'kernel' is empty, but must name a kernel");
  if (getFlopCount() < 0)
    return emitOpError("attribute 'flop_count' is ")
           << getFlopCount() << ", but must be at least 0";
  if (std::optional<double> cost = getCost();
      cost && !(*cost >= 0 && *cost < 1e18))
    return emitOpError("attribute 'cost' is ")
           << *cost << " microseconds, but must be at least 0 and finite";
  ArrayRef<int64_t> pairs = getInPlace();
  if (pairs.size() % 2 != 0)
    return emitOpError("attribute 'in_place' has ")
           << pairs.size() << " elements, but must list pairs (output, input)";
  for (size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] < 0 || pairs[i] >= int64_t(getNumOutputs()) ||
        pairs[i + 1] < 0 || pairs[i + 1] >= int64_t(getNumInputs()))
      return emitOpError("attribute 'in_place' pairs output ")
             << pairs[i] << " with input " << pairs[i + 1] << ", but there are "
             << getNumOutputs() << " outputs and " << getNumInputs()
             << " inputs";
    if (ops::tensorOf(getOutputAt(pairs[i])) !=
        ops::tensorOf(getOperand(pairs[i + 1])))
      return emitOpError("attribute 'in_place' pairs output ")
             << pairs[i] << ", which is " << getOutputAt(pairs[i]).getType()
             << ", with input " << pairs[i + 1] << ", which is "
             << getOperand(pairs[i + 1]).getType();
  }
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/OpaqueOps.cpp.inc"

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

/// `flat` lists pairs of an output and an input of one type.
static LogicalResult verifyPairs(OpaqueOp op, StringRef name,
                                 ArrayRef<int64_t> flat) {
  if (flat.size() % 2 != 0)
    return op.emitOpError("attribute '")
           << name << "' has " << flat.size()
           << " elements, but must list pairs (output, input)";
  for (size_t i = 0; i < flat.size(); i += 2) {
    if (flat[i] < 0 || flat[i] >= int64_t(op.getNumOutputs()) ||
        flat[i + 1] < 0 || flat[i + 1] >= int64_t(op.getNumInputs()))
      return op.emitOpError("attribute '")
             << name << "' pairs output " << flat[i] << " with input "
             << flat[i + 1] << ", but there are " << op.getNumOutputs()
             << " outputs and " << op.getNumInputs() << " inputs";
    if (ops::tensorOf(op.getOutputAt(flat[i])) !=
        ops::tensorOf(op.getOperand(flat[i + 1])))
      return op.emitOpError("attribute '")
             << name << "' pairs output " << flat[i] << ", which is "
             << op.getOutputAt(flat[i]).getType() << ", with input "
             << flat[i + 1] << ", which is "
             << op.getOperand(flat[i + 1]).getType();
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
  if (failed(verifyPairs(*this, "in_place", getInPlace())) ||
      failed(verifyPairs(*this, "writes", getWrites())))
    return failure();
  ArrayRef<int64_t> writes = getWrites();
  for (size_t i = 0; i < writes.size(); i += 2) {
    if (isMemrefForm() && getOutputAt(writes[i]) != getOperand(writes[i + 1]))
      return emitOpError("output ")
             << writes[i] << " must be written to input " << writes[i + 1]
             << ", whose new version it is";
    for (size_t k = i + 2; k < writes.size(); k += 2)
      if (writes[i] == writes[k] || writes[i + 1] == writes[k + 1])
        return emitOpError("attribute 'writes' names output ")
               << writes[k] << " or input " << writes[k + 1] << " twice";
  }
  return success();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/OpaqueOps.cpp.inc"

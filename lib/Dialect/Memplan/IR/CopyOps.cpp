//===- CopyOps.cpp - Copies to the host, streams, events ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace mlir::memplan;

/// Programs number their streams with 32 bits.
static LogicalResult verifyStream(Operation *op, int64_t stream) {
  if (stream >= 0 && stream <= std::numeric_limits<int32_t>::max())
    return success();
  return op->emitOpError("attribute 'stream' is ")
         << stream << ", but must be from 0 to 2147483647";
}

static LogicalResult verifyCopy(Operation *op, Value source, Value destination,
                                int64_t stream) {
  auto from = cast<MemRefType>(source.getType()),
       to = cast<MemRefType>(destination.getType());
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return op->emitOpError("copies ")
           << from << " to " << to
           << ", but both must have one shape and one element type";
  return verifyStream(op, stream);
}

LogicalResult EvictOp::verify() {
  return verifyCopy(*this, getSource(), getDestination(), getStream());
}

LogicalResult FetchOp::verify() {
  return verifyCopy(*this, getSource(), getDestination(), getStream());
}

LogicalResult RecordOp::verify() { return verifyStream(*this, getStream()); }

LogicalResult WaitOp::verify() { return verifyStream(*this, getStream()); }

#define GET_ATTRDEF_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "memplan/Dialect/Memplan/IR/MemplanTypes.cpp.inc"

void MemplanDialect::registerAttributesAndTypes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "memplan/Dialect/Memplan/IR/MemplanAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "memplan/Dialect/Memplan/IR/MemplanTypes.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "memplan/Dialect/Memplan/IR/CopyOps.cpp.inc"

//===- TensorLinks.cpp - Tensors in a planned function --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorLinks.h"
#include "ForeignValues.h"
#include "ValueHash.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::memplan;

FailureOr<bool> TensorLinks::visit(Operation *op) {
  if (isNoRun(op))
    return true;
  if (auto take = dyn_cast<bufferization::ToTensorOp>(op)) {
    takenAt[take.getResult()] = moment;
    return true;
  }
  if (auto buffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    Operation *constant = buffer.getTensor().getDefiningOp();
    const int64_t bytes = byteSizeOf(buffer.getType());
    if (!constant || !isResidentConstant(constant) || !buffer.getReadOnly() ||
        bytes < 0)
      return op->emitError("must show a constant of static shape, read-only "
                           "(planned_c1)");
    const ByteRange range{next++, 0, bytes};
    addresses.set(buffer.getResult(), range);
    memory.write(range, {hashConstant(constant), 0}, -1, /*inPlace=*/false);
    return true;
  }
  if (isa<bufferization::MaterializeInDestinationOp>(op)) {
    if (!stores.erase(op))
      return op->emitError("stores a tensor that the operation before it did "
                           "not make (planned_c1)");
    return true;
  }
  return false;
}

FailureOr<Value> TensorLinks::sourceOf(Value tensor, Operation *user) const {
  Operation *producer = tensor.getDefiningOp();
  if (producer && isNoRun(producer))
    return Value();
  auto take = tensor.getDefiningOp<bufferization::ToTensorOp>();
  if (!take)
    return user->emitError("reads a tensor of type ")
           << tensor.getType()
           << " that is neither taken from planned memory nor a constant "
              "(planned_c1)";
  if (takenAt.lookup(tensor) != moment)
    return user->emitError("reads a tensor that was taken from memory "
                           "before another operation ran (planned_c3)");
  return Value(take.getBuffer());
}

FailureOr<SmallVector<Value>> TensorLinks::destinationsOf(Operation *op) {
  SmallVector<Value> destinations(op->getNumResults());
  for (Operation *after = op->getNextNode(); after;
       after = after->getNextNode()) {
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(after);
    if (!store || store.getSource().getDefiningOp() != op)
      break;
    unsigned number = cast<OpResult>(store.getSource()).getResultNumber();
    if (!store.getRestrict() || !store.getWritable() || destinations[number] ||
        !isa<MemRefType>(store.getDest().getType()))
      return store->emitError("must be the only store of its tensor, into a "
                              "memref, `restrict` and `writable` (planned_c1)");
    destinations[number] = store.getDest();
    stores.insert(store);
  }
  for (OpResult result : op->getResults())
    if (!destinations[result.getResultNumber()] || !result.hasOneUse())
      return op->emitError("result ")
             << result.getResultNumber()
             << " must be stored in planned memory right after the operation, "
                "and read from there (planned_c1)";
  return destinations;
}

//===- VerifyCopies.cpp - Values that go to the host and come back --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedVerifier.h"
#include "ValueHash.h"

using namespace mlir;
using namespace mlir::memplan;

/// What a copy takes is part of the plan; without bandwidth it takes no time.
static double copyMicros(Operation *op) {
  auto cost = op->getAttrOfType<FloatAttr>(names::cost);
  return cost ? cost.getValueAsDouble() : 0;
}

/// The bytes have their names at the destination too.
LogicalResult PlannedVerifier::copyWhole(Operation *op, const ByteRange &from,
                                         const ByteRange &to,
                                         const SymbolicBytes &value) {
  const int64_t position = facts.bytesAt.size();
  if (failed(noteRead(op, "the copy", from)) ||
      failed(noteWrite(op, "the copy", to)))
    return failure();
  writeBytes(to, value, position);
  if (value.pieces().size() > 1)
    joined.emplace_back(to, value);
  events[op->getResult(0)] = order.endOf(current);
  facts.bytesAt.emplace_back(op, 0);
  workspaceAt.push_back(0);
  return success();
}

/// planned_c11, and planned_c3 for what is copied.
LogicalResult PlannedVerifier::evict(EvictOp op) {
  FailureOr<ByteRange> from = addresses.resolve(op.getSource(), op),
                       to = addresses.resolve(op.getDestination(), op);
  if (failed(from) || failed(to))
    return failure();
  std::optional<SymbolicBytes> value = readWhole(*from, facts.bytesAt.size());
  if (!value)
    return op->emitError("copies ")
           << *from
           << " to the host, which hold no whole value at this point "
              "(planned_c3)";
  if (!isHost(*to) || to->begin % hostAlignment != 0)
    return op->emitError("copies to ")
           << *to
           << "; a copy to the host goes to its arena, from a multiple "
              "of the alignment "
           << hostAlignment << " on (planned_c11)";
  current = order.copy(QueueOrder::ToHost, op.getStream(), copyMicros(op), op);
  leaving[op.getEvent()] = *from;
  return copyWhole(op, *from, *to, *value);
}

/// What lies in no arena keeps its bytes, so that only the value that they
/// still hold may come back.
LogicalResult PlannedVerifier::checkComesBack(FetchOp op, const ByteRange &to,
                                              const SymbolicBytes &value) {
  std::optional<SymbolicBytes> held = readWhole(to, facts.bytesAt.size());
  if (held && *held == value)
    return success();
  return op->emitError("copies to ")
         << to
         << ", which belong to the caller and hold another value "
            "(planned_c11)";
}

LogicalResult PlannedVerifier::fetch(FetchOp op) {
  FailureOr<ByteRange> from = addresses.resolve(op.getSource(), op),
                       to = addresses.resolve(op.getDestination(), op);
  if (failed(from) || failed(to))
    return failure();
  std::optional<SymbolicBytes> value = readWhole(*from, facts.bytesAt.size());
  if (!value || !isHost(*from))
    return op->emitError("copies ")
           << *from
           << " from the host, which hold no whole value at this "
              "point (planned_c3)";
  if (isArena(*to) && to->begin % alignment != 0)
    return op->emitError("copies to ")
           << *to << ", which do not start at a multiple of the alignment "
           << alignment << " (planned_c11)";
  if (!isArena(*to) && failed(checkComesBack(op, *to, *value)))
    return failure();
  current =
      order.copy(QueueOrder::ToDevice, op.getStream(), copyMicros(op), op);
  return copyWhole(op, *from, *to, *value);
}

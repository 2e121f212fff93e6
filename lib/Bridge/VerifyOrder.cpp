//===- VerifyOrder.cpp - Who touches bytes after whom ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedVerifier.h"

using namespace mlir;
using namespace mlir::memplan;

/// Gives the operation to its stream.
void PlannedVerifier::begin(Operation *op, double micros) {
  auto stream = op->getAttrOfType<IntegerAttr>(kStreamAttrName);
  current = order.run(stream ? stream.getInt() : 0, micros, op);
}

InFlightDiagnostic PlannedVerifier::reportRace(Operation *op, const Twine &what,
                                               const ByteRange &range,
                                               const QueueMark &other) {
  InFlightDiagnostic diag =
      op->emitError(what) << " " << range << ", which '" << other.op->getName()
                          << "' may still use: nothing waits for it "
                             "(planned_c10)";
  diag.attachNote(other.op->getLoc()) << "it is here";
  return diag;
}

LogicalResult PlannedVerifier::noteRead(Operation *op, const Twine &what,
                                        const ByteRange &range) {
  if (!isConcurrent)
    return success();
  if (auto race = users.read(range, current, order.endOf(current)))
    return reportRace(op, what + " reads", range, *race);
  return success();
}

LogicalResult PlannedVerifier::noteWrite(Operation *op, const Twine &what,
                                         const ByteRange &range) {
  if (!isConcurrent)
    return success();
  if (auto race = users.write(range, current, order.endOf(current)))
    return reportRace(op, what + " overwrites", range, *race);
  return success();
}

LogicalResult PlannedVerifier::wait(WaitOp op) {
  auto event = events.find(op.getEvent());
  if (event == events.end())
    return op->emitError("waits for an event that neither a copy nor "
                         "`memplan.record` gives (planned_c1)");
  order.wait(op.getStream(), event->second);
  // Until the first wait the bytes that are copied out stay.
  if (auto gone = leaving.find(op.getEvent()); gone != leaving.end()) {
    (void)memory.read(gone->second, int64_t(facts.bytesAt.size()) - 1);
    leaving.erase(gone);
  }
  return success();
}

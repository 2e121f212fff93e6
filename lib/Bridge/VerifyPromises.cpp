//===- VerifyPromises.cpp - What a planned function says of itself --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignValues.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Dialect/Memplan/IR/Constants.h"
#include <cmath>

using namespace mlir;
using namespace mlir::memplan;

/// planned_c8.
static LogicalResult checkPromises(func::FuncOp function,
                                   const PlannedFacts &facts) {
  auto promisedBytes = [&](StringRef name) {
    return function->getAttrOfType<IntegerAttr>(name);
  };
  for (auto [name, found] :
       {std::pair(StringRef(names::arenaBytes), facts.arenaBytes),
        std::pair(StringRef(names::peakBytes), facts.peakBytes)}) {
    IntegerAttr promise = promisedBytes(name);
    if (!promise || promise.getInt() != found) {
      InFlightDiagnostic diag = emitError(function.getLoc(), "`")
                                << name << "` ";
      if (promise)
        diag << "promises " << promise.getInt()
             << " bytes, but the function takes " << found << " (planned_c8)";
      else
        diag << "is missing; the function takes " << found
             << " bytes (planned_c8)";
      return diag;
    }
  }
  auto cost = function->getAttrOfType<FloatAttr>(names::planCost);
  // The sums may be taken in another order.
  if (!cost || std::abs(cost.getValueAsDouble() - facts.costMicros) >
                   1e-9 * std::max(1.0, facts.costMicros))
    return emitError(function.getLoc(), "`")
           << names::planCost << "` does not promise the "
           << std::to_string(facts.costMicros)
           << " microseconds that the function takes (planned_c8)";
  // Without copies and with one stream the time is the cost.
  auto time = function->getAttrOfType<FloatAttr>(names::planTime);
  if (const double promised = (time ? time : cost).getValueAsDouble();
      std::abs(promised - facts.timeMicros) >
      1e-9 * std::max(1.0, facts.timeMicros))
    return emitError(function.getLoc(), "`")
           << names::planTime << "` does not promise the "
           << std::to_string(facts.timeMicros)
           << " microseconds after which all queues are done (planned_c8)";
  if (IntegerAttr budget = promisedBytes(names::budget);
      budget && facts.residentBytes + facts.arenaBytes > budget.getInt())
    return emitError(function.getLoc(), "needs ")
           << facts.residentBytes << " bytes beside an arena of "
           << facts.arenaBytes << ", above its budget of " << budget.getInt()
           << " (planned_c8)";
  return success();
}

unsigned mlir::memplan::numArenas(func::FuncOp planned) {
  unsigned number = 0;
  while (number < planned.getNumArguments() &&
         planned.getArgAttr(number, kArenaAttrName))
    ++number;
  return number;
}

int64_t mlir::memplan::residentBytes(func::FuncOp planned) {
  int64_t bytes = 0;
  if (auto fixed = planned->getAttrOfType<IntegerAttr>(names::fixedBytes))
    bytes = fixed.getInt();
  for (unsigned i = numArenas(planned), n = planned.getNumArguments(); i < n;
       ++i)
    if (!planned.getArgAttr(i, kArenaOffsetAttrName) &&
        !planned.getArgAttr(i, kHostOffsetAttrName))
      bytes = ops::addBytes(bytes, byteSizeOf(planned.getArgumentTypes()[i]));
  ConstantBlob constants;
  for (Operation &op : planned.front()) {
    constants.add(&op);
    if (isResidentConstant(&op))
      bytes = ops::addBytes(bytes, byteSizeOf(op.getResult(0).getType()));
  }
  return ops::addBytes(bytes, constants.bytes());
}

FailureOr<PlannedFacts>
mlir::memplan::verifyPlanned(func::FuncOp function,
                             const ValueHashes *expected) {
  FailureOr<PlannedFacts> facts = executePlanned(function, expected);
  if (failed(facts) || failed(checkPromises(function, *facts)))
    return failure();
  return facts;
}

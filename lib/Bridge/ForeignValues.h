//===- ForeignValues.h - Values that no run makes ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_FOREIGNVALUES_H
#define MEMPLAN_LIB_BRIDGE_FOREIGNVALUES_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan {

/// A constant of another dialect that is no tensor, such as a number to fill
/// with. It takes no bytes and stands wherever it is used.
bool isFreeConstant(Operation *op);

/// A constant tensor of another dialect. It is on the device for as long as
/// the program is, like a parameter.
bool isResidentConstant(Operation *op);

/// An operation whose output holds nothing: a shape to write to.
bool isShapeOnly(Operation *op);

/// True for any of the three: planning does not run it.
bool isNoRun(Operation *op);

/// The operands whose contents a run reads; all of an operation that does not
/// say.
SmallVector<unsigned> operandsRead(Operation *op);

/// Values from outside that the regions of an operation use.
SmallVector<Value> capturedValues(Operation *op);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_FOREIGNVALUES_H

//===- ValueHash.h - Names for what operations compute ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is named by a hash of the operation's name, its attributes and the
// names of what it reads. Equal names, equal bytes: every operation is a
// function of its operands (dropout takes its seed as one). The hash is the
// same in both forms of an operation and on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_VALUEHASH_H
#define MEMPLAN_LIB_BRIDGE_VALUEHASH_H

#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"

namespace mlir::memplan {

/// Name of the first version of an argument.
uint64_t hashArgument(unsigned number, Type type);

/// Name of bytes: that of the one value that they are, or of the values in a
/// row.
SymbolicValue nameOf(const SymbolicBytes &bytes);

/// What a concat makes of what its inputs hold: their pieces one after another.
/// No value for any other operation, and where the pieces are not consecutive.
std::optional<SymbolicBytes> joinPieces(PlannableOpInterface op,
                                        ArrayRef<SymbolicBytes> inputs);
/// What output `output` of a split or slice holds. None for all other
/// operations, and for more than `mostPartRows` rows.
std::optional<SymbolicBytes> sliceInput(PlannableOpInterface op,
                                        unsigned output,
                                        ArrayRef<SymbolicBytes> inputs);

/// Name of a constant of another dialect, and whether two values are the same
/// one.
uint64_t hashConstant(Operation *op);
bool isSameConstant(Value a, Value b);

/// Name of what the regions of an operation compute; 0 where there are none.
uint64_t hashRegions(Operation *op);

/// Name of output 0 of an operation of either form; `inputs` are what it reads,
/// as operandsRead() lists it.
uint64_t hashOperation(Operation *op, ArrayRef<SymbolicValue> inputs);

/// Name of another output.
uint64_t hashOutput(uint64_t operation, unsigned output);

/// The operation has effects on more than its operands; the order of such
/// operations is part of what a function computes.
bool hasOtherEffects(Operation *op);

/// Name of the effects so far and then of `operation`; 0 names no effects.
uint64_t hashEffects(uint64_t before, uint64_t operation);

/// Name of a whole value seen as `type`; what `memplan.value_hash` holds.
int64_t hashBoundary(SymbolicValue value, Type type);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_VALUEHASH_H

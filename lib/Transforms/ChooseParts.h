//===- ChooseParts.h - Which concats are put together in place --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_CHOOSEPARTS_H
#define MEMPLAN_LIB_TRANSFORMS_CHOOSEPARTS_H

#include "memplan/Bridge/Parts.h"

namespace mlir::memplan {

/// Marks the concats of a function in tensor form whose inputs had better be
/// written in place: those of every whole without which the step, in the order
/// of the program and with outputs over dead inputs, would not take fewer
/// bytes at its peak, and the splits and slices whose outputs had better be
/// read in place. Parts have one row where `rows` is false. Returns the
/// operations that it marked.
FailureOr<SmallVector<Operation *>> chooseParts(func::FuncOp function,
                                                bool rows);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_CHOOSEPARTS_H

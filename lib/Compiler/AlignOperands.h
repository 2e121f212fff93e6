//===- AlignOperands.h - Copies of views that lie badly ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_COMPILER_ALIGNOPERANDS_H
#define MEMPLAN_LIB_COMPILER_ALIGNOPERANDS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Runtime/Execute/Device.h"

namespace mlir::memplan {

/// Gives an operation in tensor form a copy of each input that is a view and
/// begins where its kernel on `device` cannot read. `launch` describes it.
LogicalResult alignOperands(PlannableOpInterface op,
                            const ::memplan::runtime::Instruction &launch,
                            const ::memplan::runtime::Device &device);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_COMPILER_ALIGNOPERANDS_H

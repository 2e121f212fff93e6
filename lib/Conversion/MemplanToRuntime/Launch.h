//===- Launch.h - What a kernel sees of an operation ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_LAUNCH_H
#define MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_LAUNCH_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Runtime/Program/Program.h"

namespace mlir::memplan {

/// Element type and shape of a tensor or memref, in no place yet; nothing for
/// an element type without kernels.
std::optional<::memplan::runtime::Operand> describeOperand(Type type);

/// Kernel, attributes and run of the launch, without operands. What is wrong
/// goes to `reason`.
FailureOr<::memplan::runtime::Instruction>
describeKernel(PlannableOpInterface op, std::string &reason);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_CONVERSION_MEMPLANTORUNTIME_LAUNCH_H

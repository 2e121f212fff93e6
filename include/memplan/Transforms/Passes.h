//===- Passes.h - Thin passes around the planners ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_H
#define MEMPLAN_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::arith {
class ArithDialect;
} // namespace mlir::arith
namespace mlir::memref {
class MemRefDialect;
} // namespace mlir::memref

namespace mlir::memplan {
class MemplanDialect;

#define GEN_PASS_DECL
#include "memplan/Transforms/Passes.h.inc"

/// What `memplan-plan` would say against its options before it looks at any IR.
llvm::Error checkPlanOptions(const PlanPassOptions &options);

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H

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
#include <functional>

namespace mlir::arith {
class ArithDialect;
} // namespace mlir::arith
namespace mlir::memref {
class MemRefDialect;
} // namespace mlir::memref

namespace memplan {
struct Graph;
struct Plan;
struct PlanOptions;
} // namespace memplan

namespace mlir::memplan {
class MemplanDialect;
class PlanTexts;

#define GEN_PASS_DECL
#include "memplan/Transforms/Passes.h.inc"

/// Hears of each plan before it is applied, also of one without steps. The
/// function is the one that the plan is of, with what a codec put into it.
using PlanListener = std::function<void(func::FuncOp, const ::memplan::Graph &,
                                        const ::memplan::Plan &)>;

/// Sets the scratch of operations that have none. Reports its own errors.
using ScratchSetter = std::function<LogicalResult(func::FuncOp)>;

/// `memplan-plan` with these options; the plan is written to the file
/// `emitPlan`, if that is not empty. Functions may be planned on several
/// threads, each of which then looks at limits.stop and calls limits.progress
/// and `listener`.
///
/// With `setScratch`, fused operations that the plan runs more than once are
/// taken apart, or all where there is no plan. The step is planned again within
/// the same budget, and the faster plan is kept. With a codec or a plan from a
/// file it is planned once.
std::unique_ptr<Pass> createPlanPass(const ::memplan::PlanOptions &options,
                                     StringRef emitPlan = "",
                                     PlanListener listener = nullptr,
                                     ScratchSetter setScratch = nullptr);
/// The same with options as they were written.
std::unique_ptr<Pass> createPlanPass(const PlanTexts &options,
                                     StringRef emitPlan);

#define GEN_PASS_REGISTRATION
#include "memplan/Transforms/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_TRANSFORMS_PASSES_H

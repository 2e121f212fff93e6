//===- Pipelines.h - Passes in the order in which they make a plan --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PIPELINES_PIPELINES_H
#define MEMPLAN_PIPELINES_PIPELINES_H

#include "memplan/Transforms/PlanTexts.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::memplan {

/// Options of `memplan-plan-pipeline`: those of `memplan-plan`.
struct PlanPipelineOptions : PassPipelineOptions<PlanPipelineOptions> {
  PlanPipelineOptions() { texts.declareIn<Option<std::string>>(*this); }

  PlanTexts texts;
  Option<std::string> emitPlan{
      *this, "emit-plan",
      llvm::cl::desc("Write the plan to this file; - is stdout"),
      llvm::cl::init("")};
};

/// Inlines calls, differentiates functions that have a loss and no backward
/// pass, and drops what results do not need: the form that planning sees.
void buildPreparePipeline(OpPassManager &pm);

/// The same in mixed precision, with a scaled loss or one by chunks, for
/// several ranks and in another layout, before any other preparation.
/// `options.precision`, `options.lossScale`, `options.lossChunks`,
/// `options.ranks`, `options.layout` and the backend say which.
void buildPreparePipeline(OpPassManager &pm,
                          const ::memplan::PlanOptions &options);

/// Prepares, plans every function into one arena, and checks the result.
void buildPlanPipeline(OpPassManager &pm, const ::memplan::PlanOptions &options,
                       const std::string &emitPlan = "");

/// Prepares, and writes the graph of the function as JSON to `output`.
void buildGraphPipeline(OpPassManager &pm, const std::string &costModel,
                        bool parts, const std::string &output);

/// `memplan-prepare-pipeline`, `memplan-plan-pipeline`.
void registerPipelines();

} // namespace mlir::memplan

#endif // MEMPLAN_PIPELINES_PIPELINES_H

//===- Pipelines.h - Passes in the order in which they make a plan --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PIPELINES_PIPELINES_H
#define MEMPLAN_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::memplan {

/// Options of buildPlanPipeline(); they mean what those of `memplan-plan` mean.
struct PlanPipelineOptions : PassPipelineOptions<PlanPipelineOptions> {
  Option<std::string> remat{*this, "remat",
                            llvm::cl::desc("Name from the remat solver table"),
                            llvm::cl::init("checkpoint-all")};
  Option<std::string> order{
      *this, "order", llvm::cl::desc("Order of first evaluations: source"),
      llvm::cl::init("source")};
  Option<std::string> sharing{
      *this, "sharing", llvm::cl::desc("Name from the sharing solver table"),
      llvm::cl::init("none")};
  Option<std::string> arena{*this, "arena",
                            llvm::cl::desc("Name from the arena solver table"),
                            llvm::cl::init("auto")};
  Option<bool> inPlace{
      *this, "in-place",
      llvm::cl::desc("Let outputs overwrite inputs that nobody reads any more"),
      llvm::cl::init(true)};
  Option<std::string> budget{
      *this, "budget", llvm::cl::desc("Largest device memory; empty: no limit"),
      llvm::cl::init("")};
  Option<int64_t> effort{
      *this, "effort",
      llvm::cl::desc(
          "Work limit, a deterministic count; 0: the solver's default"),
      llvm::cl::init(0)};
  Option<double> timeLimit{
      *this, "time-limit",
      llvm::cl::desc(
          "Seconds after which solvers return what they have; 0: none"),
      llvm::cl::init(0)};
  Option<int> threads{*this, "threads", llvm::cl::desc("Threads of a solver"),
                      llvm::cl::init(1)};
  Option<std::string> costModel{
      *this, "cost-model", llvm::cl::desc("roofline, flops or profile:FILE"),
      llvm::cl::init("")};
  Option<std::string> planFile{
      *this, "plan",
      llvm::cl::desc("Apply the plan of this file instead of making one"),
      llvm::cl::init("")};
  Option<std::string> emitPlan{
      *this, "emit-plan",
      llvm::cl::desc("Write the plan to this file; - is stdout"),
      llvm::cl::init("")};
};

/// Inlines calls, differentiates functions that have a loss and no backward
/// pass, and drops what results do not need: the form that planning sees.
void buildPreparePipeline(OpPassManager &pm);

/// Prepares, plans every function into one arena, and checks the result.
void buildPlanPipeline(OpPassManager &pm, const PlanPipelineOptions &options);

/// Prepares, and writes the graph of the function as JSON to `output`.
void buildGraphPipeline(OpPassManager &pm, const std::string &costModel,
                        const std::string &output);

/// `memplan-prepare-pipeline`, `memplan-plan-pipeline`.
void registerPipelines();

} // namespace mlir::memplan

#endif // MEMPLAN_PIPELINES_PIPELINES_H

//===- Pipelines.cpp - Passes in the order in which they make a plan ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memplan;

/// Calls and loops become what they do.
static void buildInlining(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addNestedPass<func::FuncOp>(createUnrollPass());
}

static void buildPreparation(OpPassManager &pm, double lossScale,
                             int64_t ranks) {
  buildInlining(pm);
  AutodiffPassOptions autodiff;
  autodiff.lossScale = lossScale;
  autodiff.ranks = ranks;
  pm.addNestedPass<func::FuncOp>(createAutodiffPass(autodiff));
  // As the inliner has done with the forward pass: what is written after this
  // and read again is the same program, node for node, so that a plan or a
  // trace of it holds for the graph of either.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

void mlir::memplan::buildPreparePipeline(
    OpPassManager &pm, const ::memplan::PlanOptions &options) {
  if (options.precision != "f32") {
    buildInlining(pm);
    AutocastPassOptions autocast;
    autocast.dtype = options.precision;
    autocast.device = options.backend == "cuda" ? "cuda" : "cpu";
    pm.addNestedPass<func::FuncOp>(createAutocastPass(autocast));
  }
  buildPreparation(pm, options.lossScale, options.ranks);
  if (options.lossChunks > 1) {
    pm.addNestedPass<func::FuncOp>(createChunkLossPass({options.lossChunks}));
    pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  }
  if (options.layout == "channels-last") {
    pm.addNestedPass<func::FuncOp>(createChannelsLastPass());
    pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  }
  if (options.fuse)
    pm.addNestedPass<func::FuncOp>(createFusePass());
}

void mlir::memplan::buildPreparePipeline(OpPassManager &pm) {
  buildPreparation(pm, /*lossScale=*/0, /*ranks=*/1);
}

void mlir::memplan::buildPlanPipeline(OpPassManager &pm,
                                      const ::memplan::PlanOptions &options,
                                      const std::string &emitPlan) {
  buildPreparePipeline(pm);
  pm.addNestedPass<func::FuncOp>(createPlanPass(options, emitPlan));
}

void mlir::memplan::buildGraphPipeline(OpPassManager &pm,
                                       const std::string &costModel, bool parts,
                                       const std::string &output) {
  buildPreparePipeline(pm);
  EmitGraphPassOptions emit;
  emit.costModel = costModel;
  emit.parts = parts;
  emit.output = output;
  pm.addNestedPass<func::FuncOp>(createEmitGraphPass(emit));
}

void mlir::memplan::registerPipelines() {
  PassPipelineRegistration<>(
      "memplan-prepare-pipeline",
      "Bring a program into the form that planning sees",
      [](OpPassManager &pm) { buildPreparePipeline(pm); });
  PassPipelineRegistration<PlanPipelineOptions>(
      "memplan-plan-pipeline", "Prepare a program and plan it into one arena",
      [](OpPassManager &pm, const PlanPipelineOptions &options) {
        buildPreparePipeline(pm);
        pm.addNestedPass<func::FuncOp>(
            createPlanPass(options.texts, options.emitPlan));
      });
}

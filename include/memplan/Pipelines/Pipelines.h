//===- Pipelines.h - Passes in the order in which they make a plan -*- C++
//-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PIPELINES_PIPELINES_H
#define MEMPLAN_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::memplan {

/// Inlines calls, differentiates functions that have a loss and no backward
/// pass, and drops what results do not need: the form that planning sees.
void buildPreparePipeline(OpPassManager &pm);

/// Prepares, and writes the graph of the function as JSON to `output`.
void buildGraphPipeline(OpPassManager &pm, const std::string &costModel,
                        const std::string &output);

/// `memplan-prepare-pipeline`, `memplan-plan-pipeline`.
void registerPipelines();

} // namespace mlir::memplan

#endif // MEMPLAN_PIPELINES_PIPELINES_H

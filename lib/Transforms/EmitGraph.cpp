//===- EmitGraph.cpp - Writing the graph of a function --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseParts.h"
#include "CostModel.h"
#include "Planning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Support/OutputFile.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_EMITGRAPHPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct EmitGraph : mlir::memplan::impl::EmitGraphPassBase<EmitGraph> {
  using EmitGraphPassBase::EmitGraphPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<core::CostModel> parsed = core::CostModel::parse(costModel);
    if (!parsed)
      return emitOptionError(context, getArgument(), parsed.takeError());
    model = std::move(*parsed);
    if (llvm::Error error = core::checkWritable(output))
      return emitOptionError(context, getArgument(), std::move(error));
    return success();
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    applyCostModel(model, getOperation());
    if (parts && failed(chooseParts(getOperation(), /*rows=*/true)))
      return signalPassFailure();
    FailureOr<GraphView> view = extractGraph(getOperation());
    if (failed(view))
      return signalPassFailure();
    if (llvm::Error error = core::writeFile(output, [&](llvm::raw_ostream &os) {
          core::writeGraph(view->graph, os);
        })) {
      emitError(getOperation().getLoc(), "the graph: ")
          << llvm::toString(std::move(error));
      return signalPassFailure();
    }
  }

  core::CostModel model;
};

} // namespace

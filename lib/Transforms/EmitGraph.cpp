//===- EmitGraph.cpp - Writing the graph of a function --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostModel.h"
#include "Planning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

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
    return success();
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    applyCostModel(model, getOperation());
    FailureOr<GraphView> view = extractGraph(getOperation());
    if (failed(view))
      return signalPassFailure();
    std::string reason;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(output, &reason);
    if (!file) {
      emitError(getOperation().getLoc(), "cannot write the graph: ") << reason;
      return signalPassFailure();
    }
    core::writeGraph(view->graph, file->os());
    file->keep();
  }

  core::CostModel model;
};

} // namespace

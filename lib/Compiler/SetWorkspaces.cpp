//===- SetWorkspaces.cpp - Scratch memory that a backend wants ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Compiler/Passes.h"
#include "memplan/Compiler/Workspaces.h"
#include "memplan/Conversion/MemplanToRuntime.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SETWORKSPACESPASS
#include "memplan/Compiler/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

LogicalResult mlir::memplan::setWorkspaces(func::FuncOp function,
                                           const rt::Device &device) {
  Builder builder(function.getContext());
  for (Operation &op : function.front()) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm() ||
        plannable.getWorkspaceBytes() != 0 ||
        !isa<MemplanDialect>(op.getDialect()))
      continue;
    FailureOr<rt::Instruction> launch = describeLaunch(plannable);
    if (failed(launch))
      return failure();
    rt::Result<int64_t> bytes = rt::queryWorkspaceBytes(device, *launch);
    if (!bytes)
      return op.emitOpError()
             << "cannot run on this backend: " << bytes.error().message;
    if (*bytes > 0)
      op.setAttr("workspace_bytes", builder.getI64IntegerAttr(*bytes));
  }
  return success();
}

namespace {

struct SetWorkspaces
    : mlir::memplan::impl::SetWorkspacesPassBase<SetWorkspaces> {
  using SetWorkspacesPassBase::SetWorkspacesPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr("memplan.planned") ||
        backend == "none")
      return;
    // Opened for each function, for a device serves one thread at a time.
    rt::Result<rt::Device> device =
        rt::Device::open(std::string(backend), deviceNumber, threads);
    if (!device) {
      function.emitError() << getArgument() << ": " << device.error().message;
      return signalPassFailure();
    }
    if (failed(setWorkspaces(function, *device)))
      signalPassFailure();
  }
};

} // namespace

//===- SetWorkspaces.cpp - Scratch memory that a backend wants ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AlignOperands.h"

#include "memplan/Bridge/GraphView.h"
#include "memplan/Bridge/Parts.h"
#include "memplan/Compiler/Passes.h"
#include "memplan/Compiler/Workspaces.h"
#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"
#include "memplan/Profile/DeviceSpec.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SETWORKSPACESPASS
#include "memplan/Compiler/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;
namespace rt = ::memplan::runtime;

/// Every part that a plan may make, so that no mark is left.
static FailureOr<PartLayout> possibleParts(func::FuncOp function) {
  FailureOr<SmallVector<SmallVector<Operation *>>> marked =
      markAllParts(function, /*rows=*/true);
  if (failed(marked))
    return failure();
  FailureOr<PartLayout> layout = layOutParts(function);
  for (ArrayRef<Operation *> ops : *marked)
    for (Operation *op : ops)
      op->removeAttr(names::parts);
  return layout;
}

static std::optional<PiecePlace> placeOf(Value value,
                                         const PartLayout &layout) {
  if (auto found = layout.places.find(value); found != layout.places.end())
    return found->second.place;
  if (!layout.slices.contains(value))
    return std::nullopt;
  auto result = cast<OpResult>(value);
  return cast<PlannableOpInterface>(result.getOwner())
      .getSlicePlace(result.getResultNumber());
}

/// The launch with the strides of parts. False if it has none.
static bool addStrides(PlannableOpInterface op, const PartLayout &layout,
                       rt::Instruction &launch) {
  bool any = false;
  auto add = [&](Value value, rt::Operand &operand) {
    std::optional<PiecePlace> place = placeOf(value, layout);
    if (!place || place->isDense())
      return;
    SmallVector<int64_t> strides =
        stridesAt(*place, cast<ShapedType>(value.getType()));
    operand.strides.assign(strides.begin(), strides.end());
    any = true;
  };
  for (unsigned i = 0, n = op.getNumInputs(); i < n; ++i)
    add(op->getOperand(i), launch.inputs[i]);
  for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
    add(op.getOutputAt(i), launch.outputs[i]);
  return any;
}

/// The implementations of an operation as planners see them: the first is its
/// own, the others cost its roofline times what the device guesses.
static void writeVariants(PlannableOpInterface op,
                          ArrayRef<rt::WorkspaceVariant> variants) {
  Builder builder(op->getContext());
  if (variants.front().name.empty())
    return;
  op->setAttr(kVariantAttrName, builder.getStringAttr(variants.front().name));
  const double micros =
      ::memplan::referenceDevice().micros(op.getFlops(), op.getBytesMoved());
  SmallVector<Attribute> others;
  for (const rt::WorkspaceVariant &variant : variants.drop_front())
    others.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "cost", builder.getF64FloatAttr(micros * variant.slowdown)),
         builder.getNamedAttr("name", builder.getStringAttr(variant.name)),
         builder.getNamedAttr(
             "workspace_bytes",
             builder.getI64IntegerAttr(variant.workspaceBytes))}));
  if (!others.empty())
    op->setAttr(names::variants, builder.getArrayAttr(others));
}

LogicalResult mlir::memplan::setWorkspaces(func::FuncOp function,
                                           const rt::Device &device,
                                           bool rows) {
  Builder builder(function.getContext());
  PartLayout layout;
  if (rows && device.backend().takes_strides) {
    FailureOr<PartLayout> possible = possibleParts(function);
    if (failed(possible))
      return failure();
    layout = std::move(*possible);
  }
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    if (!plannable || plannable.isMemrefForm() ||
        plannable.getWorkspaceBytes() != 0 ||
        !isa<MemplanDialect>(op.getDialect()))
      continue;
    FailureOr<rt::Instruction> launch = describeLaunch(plannable);
    if (failed(launch))
      return failure();
    rt::Result<std::vector<rt::WorkspaceVariant>> variants =
        rt::queryWorkspaceVariants(device, *launch);
    if (!variants)
      return op.emitOpError()
             << "cannot run on this backend: " << variants.error().message;
    int64_t most = variants->front().workspaceBytes;
    // A split that is read in place is no launch.
    if (addStrides(plannable, layout, *launch))
      if (rt::Result<int64_t> bytes = rt::queryWorkspaceBytes(device, *launch);
          bytes)
        most = std::max(most, *bytes);
    writeVariants(plannable, *variants);
    launch->variant = variants->front().name;
    if (failed(alignOperands(plannable, *launch, device)))
      return failure();
    if (most > 0)
      op.setAttr("workspace_bytes", builder.getI64IntegerAttr(most));
  }
  return success();
}

LogicalResult
mlir::memplan::setWorkspaces(func::FuncOp function,
                             const SetWorkspacesPassOptions &options) {
  if (options.backend == "none")
    return success();
  rt::Result<rt::Device> device =
      rt::Device::open(options.backend, options.deviceNumber, options.threads);
  if (!device)
    return function.emitError()
           << "memplan-set-workspaces: " << device.error().message;
  return setWorkspaces(function, *device, options.rows);
}

namespace {

struct SetWorkspaces
    : mlir::memplan::impl::SetWorkspacesPassBase<SetWorkspaces> {
  using SetWorkspacesPassBase::SetWorkspacesPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    // A device for each function, for one serves one thread at a time.
    if (failed(setWorkspaces(function, {std::string(backend), int(deviceNumber),
                                        int(threads), bool(rows)})))
      signalPassFailure();
  }
};

} // namespace

//===- ApplyRuns.cpp - The runs of a plan as operations -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "memplan/Dialect/Memplan/IR/VariantName.h"

using namespace mlir;
using namespace mlir::memplan;

/// True for a run that only says where bytes lie: what reads them computes
/// that. A concat of several parts stays: it says that they are one value now.
bool PlanApplier::isAddress(const core::PlanAction &step) const {
  Operation *op = view.nodes[step.node.index];
  auto isView = [&](Value result) {
    const core::Tensor &tensor = view.graph[view.tensorOf.lookup(result)];
    return tensor.viewOf && !(tensor.partOf && tensor.partOf->written);
  };
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResults(), isView))
    return false;
  return !op->hasAttr(names::parts) || op->getNumOperands() == 1 ||
         !step.discard.empty();
}

/// What the planned form says of parts.
void PlanApplier::markParts(Operation *planned, Operation *op,
                            const core::Node &node) {
  if (planned->removeDiscardableAttr(names::parts))
    planned->setDiscardableAttr(names::cost,
                                builder.getF64FloatAttr(node.cost));
  SmallVector<int64_t> offsets;
  for (Value result : op->getResults()) {
    const core::Tensor &tensor = view.graph[view.tensorOf.lookup(result)];
    offsets.push_back(
        tensor.partOf && tensor.partOf->written ? tensor.partOf->offset : 0);
  }
  if (llvm::any_of(offsets, [](int64_t offset) { return offset != 0; }))
    planned->setDiscardableAttr(names::partOffset,
                                builder.getDenseI64ArrayAttr(offsets));
}

/// Memrefs for what is read, and copies of constants and shapes.
SmallVector<Value> PlanApplier::operandsOf(PlannableOpInterface op) {
  SmallVector<unsigned> read = readOperands(op);
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Operation *producer = operand.getDefiningOp();
    const bool isTensor = view.tensorOf.contains(operand);
    if (producer && (isFreeConstant(producer) ||
                     (isShapeOnly(producer) && !op.hasMemrefForm())))
      operands.push_back(copies->copyOf(operand));
    else if (isTensor && producer && isResidentConstant(producer) &&
             !op.hasMemrefForm())
      operands.push_back(copies->copyOf(operand));
    else if (isTensor && llvm::is_contained(read, unsigned(number)))
      operands.push_back(
          memrefAt(placeOf(operand), operand.getType(), op->getLoc()));
    else
      operands.push_back(Value()); // A destination that is only overwritten.
  }
  return operands;
}

/// The run in the form that the operation has.
Operation *PlanApplier::create(PlannableOpInterface op,
                               ArrayRef<Value> operands, ArrayRef<Value> outs,
                               Value workspace, const core::PlanAction &step) {
  const int64_t run = runsOfNode[step.node.index]++;
  Operation *made = nullptr;
  if (!op.hasMemrefForm()) {
    SmallVector<Value> all(operands);
    for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
      if (auto start = op.getDestinationOperand(i); start && !all[*start])
        all[*start] = outs[i];
    made = createOnTensors(builder, op, all, outs, run);
  } else {
    // In memref form an output starts from what its destination holds.
    for (unsigned i = 0, n = op.getNumOutputs(); i < n; ++i)
      if (auto start = op.getDestinationOperand(i);
          start && op.isDestinationRead(i) && operands[*start] != outs[i])
        setStream(memref::CopyOp::create(builder, op.getLoc(), operands[*start],
                                         outs[i]),
                  step);
    made = op.createMemrefForm(builder, operands.take_front(op.getNumInputs()),
                               outs, workspace, run);
  }
  copies->replaceCaptures(made);
  return made;
}

/// Tells a host that keeps tensors where each result lies.
void PlanApplier::markPlaces(Operation *planned, ArrayRef<Place> outputs) {
  SmallVector<int64_t> storages, offsets;
  for (const Place &place : outputs) {
    storages.push_back(place.storage);
    offsets.push_back(place.argument == 0 ? place.offset : -1);
  }
  planned->setDiscardableAttr(names::storages,
                              builder.getDenseI64ArrayAttr(storages));
  planned->setDiscardableAttr(names::offsets,
                              builder.getDenseI64ArrayAttr(offsets));
}

/// The name of a variant in the list of an operation; null if it has none.
static StringAttr variantName(Operation *op, int32_t variant) {
  auto list = op->getAttrOfType<ArrayAttr>(names::variants);
  return cast<DictionaryAttr>(list[variant - 1]).getAs<StringAttr>("name");
}

/// What the planned form says of a run beside its operands.
void PlanApplier::mark(Operation *planned, const core::PlanAction &step,
                       int32_t position, ArrayRef<Place> outputs) {
  Operation *op = view.nodes[step.node.index];
  const core::Node &node = view.graph[step.node];
  const core::NodeVariant variant = node.variant(step.variant);
  for (StringRef decided : {names::inPlace, names::storages, names::offsets,
                            names::scratch, names::variants, kStreamAttrName})
    planned->removeDiscardableAttr(decided);
  if (!isa<MemplanDialect>(op->getDialect())) {
    if (variant.workspaceBytes != 0)
      planned->setDiscardableAttr(
          names::scratch,
          builder.getI64IntegerAttr(*placed(core::PlacementKind::Workspace,
                                            step.node.index, position)));
    if (!cast<PlannableOpInterface>(op).hasMemrefForm())
      markPlaces(planned, outputs);
  }
  markParts(planned, op, node);
  if (step.variant != 0 && isa<MemplanDialect>(op->getDialect())) {
    // Without a name the kernel picks its algorithm by the workspace.
    planned->setAttr("workspace_bytes",
                     builder.getI64IntegerAttr(variant.workspaceBytes));
    planned->setDiscardableAttr(names::cost,
                                builder.getF64FloatAttr(variant.cost));
    planned->removeDiscardableAttr(kVariantAttrName);
    if (StringAttr name = variantName(op, step.variant))
      planned->setDiscardableAttr(kVariantAttrName, name);
  }
  planned->setDiscardableAttr(kNodeAttrName,
                              builder.getI64IntegerAttr(node.externalId));
}

LogicalResult PlanApplier::compute(const core::PlanAction &step,
                                   int32_t position) {
  Operation *op = view.nodes[step.node.index];
  auto plannable = cast<PlannableOpInterface>(op);
  SmallVector<Value> operands = operandsOf(plannable);
  SmallVector<Place> outputs;
  if (failed(placeWholes(step, position)) ||
      failed(placeOutputs(step, position, outputs)))
    return failure();
  if (isAddress(step)) {
    ++runsOfNode[step.node.index];
    record(step, op->getLoc());
    return success();
  }

  SmallVector<Value> outs;
  for (auto [place, result] : llvm::zip(outputs, op->getResults()))
    outs.push_back(memrefAt(place, result.getType(), op->getLoc()));
  FailureOr<Value> workspace = placeWorkspace(step, position);
  if (failed(workspace))
    return failure();
  Operation *planned = create(plannable, operands, outs, *workspace, step);
  mark(planned, step, position, outputs);
  setStream(planned, step);
  record(step, op->getLoc());
  return success();
}

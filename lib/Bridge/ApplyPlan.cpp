//===- ApplyPlan.cpp - Writing a plan into the IR -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "Refusals.h"

using namespace mlir;
using namespace mlir::memplan;

LogicalResult mlir::memplan::checkHasPlannedForm(const GraphView &view) {
  for (Operation *op : view.nodes)
    if (!isa<PlannableOpInterface>(op))
      return refuseUnknown(op, "a plan cannot be applied to it");
  return success();
}

LogicalResult PlanApplier::checkIsExpressible() {
  for (const core::PlanArena &candidate : plan.arenas)
    if (candidate.space == "device" && !arena)
      arena = &candidate;
    else if (candidate.space == "host" && !host)
      host = &candidate;
    else
      return emitError(function.getLoc(), "plan has an arena in space '")
             << candidate.space
             << "'; the planned form holds one on the device and one on the "
                "host";
  if (!arena)
    return emitError(
        function.getLoc(),
        "plan has no arena; plan it with an arena solver before applying it");
  for (core::TensorId tensor : arena->owns)
    if (failed(checkOwned(tensor)))
      return failure();
  if (failed(checkHasHostArena()))
    return failure();
  return checkHasPlannedForm(view);
}

LogicalResult PlanApplier::checkHasHostArena() {
  for (auto [position, action] : llvm::enumerate(plan.steps))
    if (!host && (action.action == core::ActionKind::Evict ||
                  action.action == core::ActionKind::Fetch))
      return emitError(function.getLoc(),
                       "plan copies tensors to or from the host at step ")
             << position << ", but has no arena in space 'host'";
  for (core::TensorId tensor :
       host ? host->owns : std::vector<core::TensorId>())
    if (!isa<BlockArgument>(view.values[tensor.index]))
      return emitError(function.getLoc(), "plan has ")
             << core::describe(view.graph, tensor)
             << " on the host when the step begins, but no caller gives it";
  return success();
}

/// The caller gets nothing back from the arena, so that only what it gave away
/// can lie there.
LogicalResult PlanApplier::checkOwned(core::TensorId tensor) {
  auto argument = dyn_cast<BlockArgument>(view.values[tensor.index]);
  if (argument &&
      function.getArgAttr(argument.getArgNumber(), kDonatedAttrName) &&
      view.graph[tensor].donated)
    return success();
  return emitError(function.getLoc(), "plan puts ")
         << core::describe(view.graph, tensor)
         << " into the arena, but it belongs to the caller; only inputs that "
            "are donated and not updated can lie there";
}

void PlanApplier::indexPlacements() {
  for (unsigned argument = 0; argument < numArenas(); ++argument)
    for (const core::Placement &p : (argument ? host : arena)->placements)
      placements[{argument, int32_t(p.kind),
                  p.kind == core::PlacementKind::Workspace ? p.node.index
                                                           : p.tensor.index,
                  p.stepBegin}] = p.offset;
}

MemRefType PlanApplier::arenaType(const core::PlanArena &arena,
                                  unsigned argument) {
  Type byte = IntegerType::get(function.getContext(), 8);
  return memrefTypeOf(RankedTensorType::get({arena.bytes}, byte), argument);
}

DictionaryAttr PlanApplier::arenaAttributes(const core::PlanArena &arena) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(kAlignmentAttrName,
                            builder.getI64IntegerAttr(arena.alignment)),
       builder.getNamedAttr(kArenaAttrName, builder.getUnitAttr())});
}

/// The new entry block, beside the old one until all operations stand in it.
void PlanApplier::makeBody() {
  body = new Block;
  body->addArgument(arenaType(*arena, 0), function.getLoc());
  if (host)
    body->addArgument(arenaType(*host, 1), function.getLoc());
  for (BlockArgument argument : function.getArguments()) {
    const unsigned number = argument.getArgNumber() + numArenas();
    body->addArgument(memrefTypeOf(argument.getType(), number),
                      argument.getLoc());
    core::TensorId tensor = view.tensorOf.lookup(argument);
    places[tensor] = {number, 0};
    if (llvm::is_contained(arena->owns, tensor))
      places[tensor] = {
          0, placed(core::PlacementKind::Tensor, tensor.index, 0).value_or(0)};
    if (std::optional<int64_t> offset = hostHome(tensor))
      hostPlaces[tensor] = {1, *offset};
  }
  copies.emplace(body);
  for (auto [number, value] : llvm::enumerate(view.values)) {
    Operation *producer = value.getDefiningOp();
    if (!producer || !isResidentConstant(producer))
      continue;
    Place &place = places[core::TensorId(int32_t(number))];
    place.argument = body->getNumArguments() + constantTensors.size();
    constantTensors.push_back(value);
  }
  builder.setInsertionPointToEnd(body);
  runsOfNode.assign(view.graph.nodes.size(), 0);
}

/// Where a tensor lies on the host between steps, if it does.
std::optional<int64_t> PlanApplier::hostHome(core::TensorId tensor) const {
  if (!host || !llvm::is_contained(host->owns, tensor))
    return std::nullopt;
  return placed(core::PlacementKind::Tensor, tensor.index, 0, 1).value_or(0);
}

/// Attributes that the argument has in the planned form.
DictionaryAttr PlanApplier::attributesOf(BlockArgument argument) {
  NamedAttrList attributes(function.getArgAttrDict(argument.getArgNumber()));
  attributes.erase(kArenaOffsetAttrName);
  attributes.erase(kHostOffsetAttrName);
  core::TensorId tensor = view.tensorOf.lookup(argument);
  if (llvm::is_contained(arena->owns, tensor))
    attributes.set(
        kArenaOffsetAttrName,
        builder.getI64IntegerAttr(
            placed(core::PlacementKind::Tensor, tensor.index, 0).value_or(0)));
  if (std::optional<int64_t> offset = hostHome(tensor))
    attributes.set(kHostOffsetAttrName, builder.getI64IntegerAttr(*offset));
  return attributes.getDictionary(function.getContext());
}

/// Ends the new body; results that update an argument are no results there.
void PlanApplier::returnResults(SmallVectorImpl<Type> &types,
                                SmallVectorImpl<DictionaryAttr> &attributes) {
  SmallVector<Value> results;
  for (OpOperand &operand : function.front().getTerminator()->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (function.getResultAttr(number, kUpdatesAttrName))
      continue;
    results.push_back(memrefAt(placeOf(operand.get()), operand.get().getType(),
                               operand.get().getLoc()));
    types.push_back(results.back().getType());
    attributes.push_back(function.getResultAttrDict(number)
                             ? function.getResultAttrDict(number)
                             : builder.getDictionaryAttr({}));
  }
  func::ReturnOp::create(builder, function.front().getTerminator()->getLoc(),
                         results);
}

/// The new body takes the place of the old one.
void PlanApplier::swapBodies() {
  Region &region = function.getBody();
  region.push_back(body);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(region.front()))) {
    op.dropAllUses();
    op.erase();
  }
  region.front().erase();
}

/// What verifyPlanned() holds the planned function to.
void PlanApplier::promise(const ValueHashes &hashes) {
  function->setAttr(names::planned, builder.getUnitAttr());
  function->setAttr(names::arenaBytes, builder.getI64IntegerAttr(arena->bytes));
  function->setAttr(names::peakBytes,
                    builder.getI64IntegerAttr(plan.peakBytes));
  function->setAttr(names::planCost, builder.getF64FloatAttr(plan.cost));
  // On one queue the time is the cost.
  const bool isSerial = llvm::all_of(plan.steps, [](const auto &action) {
    return action.action == core::ActionKind::Free ||
           (action.action == core::ActionKind::Compute && action.stream == 0);
  });
  if (plan.time && !isSerial)
    function->setAttr(names::planTime, builder.getF64FloatAttr(*plan.time));
  if (plan.budgetBytes)
    function->setAttr(names::budget,
                      builder.getI64IntegerAttr(*plan.budgetBytes));
  function->setAttr(names::valueHash,
                    builder.getDenseI64ArrayAttr(hashes.boundary));
}

/// Swaps the bodies and rewrites the signature.
void PlanApplier::finish() {
  MLIRContext *context = function.getContext();
  ValueHashes hashes = hashValues(view);
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs, argumentAttrs;
  returnResults(resultTypes, resultAttrs);
  argumentAttrs.push_back(arenaAttributes(*arena));
  if (host)
    argumentAttrs.push_back(arenaAttributes(*host));
  for (BlockArgument argument : function.getArguments())
    argumentAttrs.push_back(attributesOf(argument));

  swapBodies();
  function.setFunctionType(
      FunctionType::get(context, body->getArgumentTypes(), resultTypes));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  promise(hashes);
}

LogicalResult PlanApplier::apply(const core::PlanAction &action,
                                 int32_t position) {
  switch (action.action) {
  case core::ActionKind::Compute:
    return compute(action, position);
  case core::ActionKind::Evict:
  case core::ActionKind::Fetch:
    return copy(action, position);
  case core::ActionKind::Wait:
    wait(action);
    return success();
  case core::ActionKind::DropHost:
    hostPlaces.erase(action.tensors.front());
    return success();
  case core::ActionKind::Free: // Nothing says when bytes are given back.
    return success();
  }
  llvm_unreachable("unknown action");
}

LogicalResult PlanApplier::run() {
  if (failed(checkIsExpressible()))
    return failure();
  indexPlacements();
  makeBody();
  for (auto [position, action] : llvm::enumerate(plan.steps))
    if (failed(apply(action, position))) {
      delete body;
      return failure();
    }
  finish();
  return success();
}

LogicalResult mlir::memplan::applyPlan(const GraphView &view,
                                       const core::Plan &plan) {
  return PlanApplier(view, plan).run();
}

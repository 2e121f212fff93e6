//===- ApplyPlan.cpp - Writing a plan into the IR -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/ApplyPlan.h"
#include "ForeignForms.h"
#include "ForeignValues.h"
#include "Refusals.h"
#include "memplan/Bridge/Parts.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// Where a tensor lies at one moment of the plan: `offset` bytes into an
/// argument of the planned function (0: the arena), in rows if it is a part.
struct Place {
  unsigned argument = 0;
  int64_t offset = 0;
  int64_t rows = 1;
  int64_t stride = 0;
  int64_t storage = -1; ///< Number of the bytes that it takes of the arena.

  friend bool operator<(const Place &a, const Place &b) {
    return std::tie(a.argument, a.offset, a.rows, a.stride) <
           std::tie(b.argument, b.offset, b.rows, b.stride);
  }
};

class Applier {
public:
  Applier(const GraphView &view, const core::Plan &plan)
      : view(view), plan(plan), function(view.function),
        builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkIsExpressible();
  LogicalResult checkOwned(core::TensorId tensor);
  void indexPlacements();
  void makeBody();
  LogicalResult compute(const core::PlanAction &step, int32_t position);
  LogicalResult placeOutputs(const core::PlanAction &step, int32_t position,
                             SmallVectorImpl<Place> &outputs);
  SmallVector<Value> operandsOf(PlannableOpInterface op);
  Operation *create(PlannableOpInterface op, ArrayRef<Value> operands,
                    ArrayRef<Value> outs, Value workspace, int64_t run);
  void markPlaces(Operation *planned, ArrayRef<Place> outputs);
  LogicalResult placeWholes(const core::PlanAction &step, int32_t position);
  bool isAddress(const core::PlanAction &step) const;
  void markParts(Operation *planned, Operation *op, const core::Node &node);
  DictionaryAttr attributesOf(BlockArgument argument);
  void finish();

  Value memrefAt(Place place, Type tensorType, Location loc);
  Value viewArena(Place place, MemRefType type, Location loc);
  Value constantIndex(int64_t value);
  std::optional<int64_t> placed(core::PlacementKind kind, int32_t id,
                                int32_t step) const {
    auto found = placements.find({int32_t(kind), id, step});
    return found == placements.end() ? std::nullopt
                                     : std::optional<int64_t>(found->second);
  }
  /// Bytes of `core` tensors; update results are their argument.
  Place placeOf(Value value) const {
    return places.at(view.tensorOf.lookup(value));
  }

  const GraphView &view;
  const core::Plan &plan;
  func::FuncOp function;
  OpBuilder builder;
  const core::PlanArena *arena = nullptr;
  Block *body = nullptr;
  std::optional<NoRunCopies> copies;
  /// Constant tensors; their places follow those of the arguments.
  SmallVector<Value> constantTensors;
  int64_t storages = 0; ///< So far.
  Operation *lastConstant = nullptr;
  std::map<std::tuple<int32_t, int32_t, int32_t>, int64_t>
      placements; ///< (kind, id, step) -> offset
  std::map<core::TensorId, Place> places;
  std::map<int64_t, Value> constants;
  std::map<Place, SmallVector<Value>> memrefs; ///< One for each type.
  std::vector<int64_t> runsOfNode;
};

} // namespace

static MemRefType memrefTypeOf(Type tensorType) {
  auto shaped = cast<ShapedType>(tensorType);
  return MemRefType::get(shaped.getShape(), shaped.getElementType());
}

LogicalResult mlir::memplan::checkHasPlannedForm(const GraphView &view) {
  for (Operation *op : view.nodes)
    if (!isa<PlannableOpInterface>(op))
      return refuseUnknown(op, "a plan cannot be applied to it");
  return success();
}

static SmallVector<int64_t> stridesAt(const Place &place, MemRefType type) {
  return stridesAt(PiecePlace{0, 0, place.rows, place.stride}, type);
}

LogicalResult Applier::checkIsExpressible() {
  for (const core::PlanArena &candidate : plan.arenas)
    if (candidate.space == "device" && !arena)
      arena = &candidate;
    else
      return emitError(function.getLoc(), "plan has an arena in space '")
             << candidate.space << "'; the planned form holds one device arena";
  if (!arena)
    return emitError(
        function.getLoc(),
        "plan has no arena; plan it with an arena solver before applying it");
  for (core::TensorId tensor : arena->owns)
    if (failed(checkOwned(tensor)))
      return failure();
  for (auto [position, step] : llvm::enumerate(plan.steps)) {
    if (step.action == core::ActionKind::Free)
      continue;
    if (step.action != core::ActionKind::Compute)
      return emitError(function.getLoc(),
                       "plan copies tensors to or from the host at step ")
             << position << ", which the planned form cannot say";
    if (step.stream != 0)
      return view.nodes[step.node.index]->emitError("plan runs it on stream ")
             << step.stream << ", but the planned form has one stream";
  }
  return checkHasPlannedForm(view);
}

/// The caller gets nothing back from the arena, so that only what it gave away
/// can lie there.
LogicalResult Applier::checkOwned(core::TensorId tensor) {
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

void Applier::indexPlacements() {
  for (const core::Placement &p : arena->placements)
    placements[{int32_t(p.kind),
                p.kind == core::PlacementKind::Workspace ? p.node.index
                                                         : p.tensor.index,
                p.stepBegin}] = p.offset;
}

/// The new entry block, beside the old one until all operations stand in it.
void Applier::makeBody() {
  body = new Block;
  MLIRContext *context = function.getContext();
  auto bytes = MemRefType::get({arena->bytes}, IntegerType::get(context, 8));
  body->addArgument(bytes, function.getLoc());
  for (BlockArgument argument : function.getArguments()) {
    body->addArgument(memrefTypeOf(argument.getType()), argument.getLoc());
    core::TensorId tensor = view.tensorOf.lookup(argument);
    places[tensor] = {argument.getArgNumber() + 1, 0};
    if (llvm::is_contained(arena->owns, tensor))
      places[tensor] = {
          0, placed(core::PlacementKind::Tensor, tensor.index, 0).value_or(0)};
  }
  copies.emplace(body);
  for (auto [number, value] : llvm::enumerate(view.values)) {
    Operation *maker = value.getDefiningOp();
    if (!maker || !isResidentConstant(maker))
      continue;
    Place &place = places[core::TensorId(int32_t(number))];
    place.argument = body->getNumArguments() + constantTensors.size();
    constantTensors.push_back(value);
  }
  builder.setInsertionPointToEnd(body);
  runsOfNode.assign(view.graph.nodes.size(), 0);
}

/// One constant for each offset, all at the top: the body then reads as views
/// and operations.
Value Applier::constantIndex(int64_t value) {
  auto [entry, isNew] = constants.try_emplace(value);
  if (isNew) {
    OpBuilder::InsertionGuard guard(builder);
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(body);
    auto constant =
        arith::ConstantIndexOp::create(builder, function.getLoc(), value);
    lastConstant = constant;
    entry->second = constant;
  }
  return entry->second;
}

Value Applier::viewArena(Place place, MemRefType type, Location loc) {
  Value arena = body->getArgument(0), offset = constantIndex(place.offset);
  if (place.rows == 1)
    return memref::ViewOp::create(builder, loc, type, arena, offset,
                                  ValueRange());
  SmallVector<int64_t> strides = stridesAt(place, type);
  const int64_t row = type.getNumElements() / place.rows,
                span = (place.rows - 1) * place.stride /
                           elementBytes(type.getElementType()) +
                       row;
  Value bytes = memref::ViewOp::create(
      builder, loc, MemRefType::get({span}, type.getElementType()), arena,
      offset, ValueRange());
  return memref::ReinterpretCastOp::create(
      builder, loc,
      MemRefType::get(type.getShape(), type.getElementType(),
                      StridedLayoutAttr::get(type.getContext(), 0, strides)),
      bytes, /*offset=*/0, type.getShape(), strides);
}

/// A memref of that type at that place. An address is the same at any time, so
/// that live ranges share it.
Value Applier::memrefAt(Place place, Type tensorType, Location loc) {
  MemRefType type = memrefTypeOf(tensorType);
  SmallVector<Value> &made = memrefs[place];
  auto sameShape = [&](Value value) {
    auto other = cast<MemRefType>(value.getType());
    return other.getShape() == type.getShape() &&
           other.getElementType() == type.getElementType();
  };
  if (auto found = llvm::find_if(made, sameShape); found != made.end())
    return *found;
  const unsigned arguments = body->getNumArguments();
  Value source =
      place.argument < arguments
          ? Value(body->getArgument(place.argument))
          : copies->bufferOf(constantTensors[place.argument - arguments]);
  if (place.argument == 0) {
    source = viewArena(place, type, loc);
  } else if (place.offset != 0 || place.rows > 1 || !sameShape(source)) {
    SmallVector<int64_t> strides = stridesAt(place, type);
    int64_t offset = place.offset / elementBytes(type.getElementType());
    MemRefType cast = type;
    if (offset != 0 || place.rows > 1)
      cast = MemRefType::get(
          type.getShape(), type.getElementType(),
          StridedLayoutAttr::get(type.getContext(), offset, strides));
    source = memref::ReinterpretCastOp::create(
        builder, loc, cast, source, offset, type.getShape(), strides);
  }
  made.push_back(source);
  return source;
}

/// Decides where each output of a run lies: over an input, inside its view
/// source, in its argument, or at its placement.
LogicalResult Applier::placeOutputs(const core::PlanAction &step,
                                    int32_t position,
                                    SmallVectorImpl<Place> &outputs) {
  Operation *op = view.nodes[step.node.index];
  for (OpResult result : op->getResults()) {
    core::TensorId tensor = view.tensorOf.lookup(result);
    bool discarded = llvm::is_contained(step.discard, tensor);
    auto pair = llvm::find_if(step.inPlace, [&](const core::InPlacePair &p) {
      return p.output == tensor;
    });
    Place place;
    if (std::optional<core::TensorId> source = view.graph[tensor].viewOf) {
      place = places.at(*source);
      place.offset += view.viewOffsets[tensor.index];
      if (const auto &part = view.graph[tensor].partOf) {
        place.rows = part->rows;
        place.stride = part->stride;
      }
    } else if (view.values[tensor.index] != result &&
               isa<BlockArgument>(view.values[tensor.index])) {
      place = places.at(tensor);
    } else if (pair != step.inPlace.end()) {
      place = places.at(pair->input);
    } else {
      auto kind = discarded ? core::PlacementKind::Discard
                            : core::PlacementKind::Tensor;
      std::optional<int64_t> offset = placed(kind, tensor.index, position);
      if (!offset && view.graph[tensor].bytes != 0)
        return op->emitError("plan gives result ")
               << result.getResultNumber() << " no bytes of the arena at step "
               << position;
      place.offset = offset.value_or(0);
      place.storage = storages++;
    }
    outputs.push_back(place);
    if (!discarded)
      places[tensor] = place;
  }
  return success();
}

/// The storage of a whole is no result: its first part brings it along.
LogicalResult Applier::placeWholes(const core::PlanAction &step,
                                   int32_t position) {
  for (core::TensorId tensor : view.graph[step.node].outputs) {
    if (view.tensorOf.lookup(view.values[tensor.index]) == tensor)
      continue;
    std::optional<int64_t> offset =
        placed(core::PlacementKind::Tensor, tensor.index, position);
    if (!offset)
      return view.nodes[step.node.index]->emitError(
                 "plan gives the whole that it writes a part of no bytes of "
                 "the arena at step ")
             << position;
    places[tensor] = {0, *offset};
  }
  return success();
}

/// True for a run that only says where bytes lie: whoever reads them computes
/// that. A concat of several parts stays: it says that they are one value now.
bool Applier::isAddress(const core::PlanAction &step) const {
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
void Applier::markParts(Operation *planned, Operation *op,
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
SmallVector<Value> Applier::operandsOf(PlannableOpInterface op) {
  SmallVector<unsigned> read = readOperands(op);
  SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Operation *maker = operand.getDefiningOp();
    const bool isTensor = view.tensorOf.contains(operand);
    if (maker &&
        (isFreeConstant(maker) || (isShapeOnly(maker) && !op.hasMemrefForm())))
      operands.push_back(copies->copyOf(operand));
    else if (isTensor && maker && isResidentConstant(maker) &&
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
Operation *Applier::create(PlannableOpInterface op, ArrayRef<Value> operands,
                           ArrayRef<Value> outs, Value workspace, int64_t run) {
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
        memref::CopyOp::create(builder, op.getLoc(), operands[*start], outs[i]);
    made = op.createMemrefForm(builder, operands.take_front(op.getNumInputs()),
                               outs, workspace, run);
  }
  copies->replaceCaptures(made);
  return made;
}

/// Tells a host that keeps tensors where each result lies.
void Applier::markPlaces(Operation *planned, ArrayRef<Place> outputs) {
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

LogicalResult Applier::compute(const core::PlanAction &step, int32_t position) {
  Operation *op = view.nodes[step.node.index];
  const core::Node &node = view.graph[step.node];
  const core::NodeVariant variant = node.variant(step.variant);
  auto plannable = cast<PlannableOpInterface>(op);
  SmallVector<Value> operands = operandsOf(plannable);
  SmallVector<Place> outputs;
  if (failed(placeWholes(step, position)) ||
      failed(placeOutputs(step, position, outputs)))
    return failure();
  int64_t run = runsOfNode[step.node.index]++;
  if (isAddress(step))
    return success();

  SmallVector<Value> outs;
  for (auto [place, result] : llvm::zip(outputs, op->getResults()))
    outs.push_back(memrefAt(place, result.getType(), op->getLoc()));
  Value workspace;
  if (variant.workspaceBytes != 0) {
    std::optional<int64_t> offset =
        placed(core::PlacementKind::Workspace, step.node.index, position);
    if (!offset)
      return op->emitError(
                 "plan gives the workspace no bytes of the arena at step ")
             << position;
    workspace = memrefAt(
        {0, *offset},
        RankedTensorType::get({variant.workspaceBytes}, builder.getI8Type()),
        op->getLoc());
  }
  Operation *planned = create(plannable, operands, outs, workspace, run);
  for (StringRef decided : {names::inPlace, names::storages, names::offsets,
                            names::scratch, names::variants})
    planned->removeDiscardableAttr(decided);
  if (!isa<MemplanDialect>(op->getDialect())) {
    if (workspace)
      planned->setDiscardableAttr(
          names::scratch,
          builder.getI64IntegerAttr(*placed(core::PlacementKind::Workspace,
                                            step.node.index, position)));
    if (!plannable.hasMemrefForm())
      markPlaces(planned, outputs);
  }
  markParts(planned, op, node);
  if (step.variant != 0 && isa<MemplanDialect>(op->getDialect())) {
    // The kernel picks its algorithm by the workspace that it gets.
    planned->setAttr("workspace_bytes",
                     builder.getI64IntegerAttr(variant.workspaceBytes));
    planned->setDiscardableAttr(names::cost,
                                builder.getF64FloatAttr(variant.cost));
  }
  planned->setDiscardableAttr(kNodeAttrName,
                              builder.getI64IntegerAttr(node.externalId));
  return success();
}

/// Those that the argument has in the planned form.
DictionaryAttr Applier::attributesOf(BlockArgument argument) {
  NamedAttrList attributes(function.getArgAttrDict(argument.getArgNumber()));
  attributes.erase(kArenaOffsetAttrName);
  core::TensorId tensor = view.tensorOf.lookup(argument);
  if (llvm::is_contained(arena->owns, tensor))
    attributes.set(
        kArenaOffsetAttrName,
        builder.getI64IntegerAttr(
            placed(core::PlacementKind::Tensor, tensor.index, 0).value_or(0)));
  return attributes.getDictionary(function.getContext());
}

/// Swaps the bodies and rewrites the signature.
void Applier::finish() {
  MLIRContext *context = function.getContext();
  ValueHashes hashes = hashValues(view);
  SmallVector<Value> results;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs, argumentAttrs;
  for (OpOperand &operand : function.front().getTerminator()->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (function.getResultAttr(number, kUpdatesAttrName))
      continue;
    results.push_back(memrefAt(placeOf(operand.get()), operand.get().getType(),
                               operand.get().getLoc()));
    resultTypes.push_back(results.back().getType());
    resultAttrs.push_back(function.getResultAttrDict(number)
                              ? function.getResultAttrDict(number)
                              : builder.getDictionaryAttr({}));
  }
  func::ReturnOp::create(builder, function.front().getTerminator()->getLoc(),
                         results);

  argumentAttrs.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(kAlignmentAttrName,
                            builder.getI64IntegerAttr(arena->alignment)),
       builder.getNamedAttr(kArenaAttrName, builder.getUnitAttr())}));
  for (BlockArgument argument : function.getArguments())
    argumentAttrs.push_back(attributesOf(argument));

  Region &region = function.getBody();
  region.push_back(body);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(region.front()))) {
    op.dropAllUses();
    op.erase();
  }
  region.front().erase();
  function.setFunctionType(
      FunctionType::get(context, body->getArgumentTypes(), resultTypes));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);

  function->setAttr(names::planned, builder.getUnitAttr());
  function->setAttr(names::arenaBytes, builder.getI64IntegerAttr(arena->bytes));
  function->setAttr(names::peakBytes,
                    builder.getI64IntegerAttr(plan.peakBytes));
  function->setAttr(names::planCost, builder.getF64FloatAttr(plan.cost));
  if (plan.budgetBytes)
    function->setAttr(names::budget,
                      builder.getI64IntegerAttr(*plan.budgetBytes));
  function->setAttr(names::valueHash,
                    builder.getDenseI64ArrayAttr(hashes.boundary));
}

LogicalResult Applier::run() {
  if (failed(checkIsExpressible()))
    return failure();
  indexPlacements();
  makeBody();
  for (auto [position, step] : llvm::enumerate(plan.steps))
    if (step.action == core::ActionKind::Compute &&
        failed(compute(step, position))) {
      delete body;
      return failure();
    }
  finish();
  return success();
}

LogicalResult mlir::memplan::applyPlan(const GraphView &view,
                                       const core::Plan &plan) {
  return Applier(view, plan).run();
}

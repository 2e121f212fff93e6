//===- ApplyPlaces.cpp - Where the tensors of a plan lie ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "memplan/Bridge/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::memplan;

MemRefType PlanApplier::memrefTypeOf(Type tensorType, unsigned argument) const {
  auto shaped = cast<ShapedType>(tensorType);
  Attribute space;
  if (host && argument == 1)
    space = HostAttr::get(tensorType.getContext());
  return MemRefType::get(shaped.getShape(), shaped.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

static SmallVector<int64_t> stridesOf(const Place &place, MemRefType type) {
  return stridesAt(PiecePlace{0, 0, place.rows, place.stride}, type);
}

/// One constant for each offset, all at the top: the body then reads as views
/// and operations.
Value PlanApplier::constantIndex(int64_t value) {
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

Value PlanApplier::viewArena(Place place, MemRefType type, Location loc) {
  Value arena = body->getArgument(place.argument),
        offset = constantIndex(place.offset);
  if (place.rows == 1)
    return memref::ViewOp::create(builder, loc, type, arena, offset,
                                  ValueRange());
  SmallVector<int64_t> strides = stridesOf(place, type);
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
Value PlanApplier::memrefAt(Place place, Type tensorType, Location loc) {
  MemRefType type = memrefTypeOf(tensorType, place.argument);
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
  if (place.argument < numArenas()) {
    source = viewArena(place, type, loc);
  } else if (place.offset != 0 || place.rows > 1 || !sameShape(source)) {
    SmallVector<int64_t> strides = stridesOf(place, type);
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
LogicalResult PlanApplier::placeOutputs(const core::PlanAction &step,
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
LogicalResult PlanApplier::placeWholes(const core::PlanAction &step,
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

/// The memref of a run's workspace; null where it takes none.
FailureOr<Value> PlanApplier::placeWorkspace(const core::PlanAction &step,
                                             int32_t position) {
  Operation *op = view.nodes[step.node.index];
  const core::NodeVariant variant = view.graph[step.node].variant(step.variant);
  if (variant.workspaceBytes == 0)
    return Value();
  std::optional<int64_t> offset =
      placed(core::PlacementKind::Workspace, step.node.index, position);
  if (!offset)
    return op->emitError(
               "plan gives the workspace no bytes of the arena at step ")
           << position;
  return memrefAt(
      {0, *offset},
      RankedTensorType::get({variant.workspaceBytes}, builder.getI8Type()),
      op->getLoc());
}

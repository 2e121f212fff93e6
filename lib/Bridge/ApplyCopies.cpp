//===- ApplyCopies.cpp - Copies, streams and events of a plan -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "memplan/Graph/CopyTime.h"

using namespace mlir;
using namespace mlir::memplan;

/// What no operation makes as a whole is copied as bytes.
Type PlanApplier::copiedType(core::TensorId tensor) const {
  Value value = view.values[tensor.index];
  if (view.tensorOf.lookup(value) == tensor)
    return value.getType();
  return RankedTensorType::get({view.graph[tensor].bytes},
                               IntegerType::get(value.getContext(), 8));
}

/// As the plan counts them; none where no bandwidth is known.
std::optional<double>
PlanApplier::copyMicros(const core::PlanAction &action) const {
  if (!view.graph.bandwidth)
    return std::nullopt;
  return core::copyTime(*view.graph.bandwidth,
                        action.action == core::ActionKind::Evict
                            ? core::CopyDirection::DeviceToHost
                            : core::CopyDirection::HostToDevice,
                        view.graph[action.tensors.front()].bytes);
}

IntegerAttr PlanApplier::streamAttr(const core::PlanAction &action) {
  return builder.getI64IntegerAttr(action.stream);
}

void PlanApplier::setStream(Operation *planned,
                            const core::PlanAction &action) {
  if (action.stream != 0)
    planned->setDiscardableAttr(kStreamAttrName, streamAttr(action));
}

/// What the run signals at its end is what its stream has been given so far.
void PlanApplier::record(const core::PlanAction &action, Location loc) {
  if (action.event)
    events[*action.event] = RecordOp::create(
        builder, loc, EventType::get(builder.getContext()), streamAttr(action));
}

LogicalResult PlanApplier::copy(const core::PlanAction &action,
                                int32_t position) {
  const core::TensorId tensor = action.tensors.front();
  const bool isEvict = action.action == core::ActionKind::Evict;
  Location loc = view.location(tensor);
  auto place = [&](std::map<core::TensorId, Place> &map, unsigned argument) {
    std::optional<int64_t> offset =
        placed(core::PlacementKind::Tensor, tensor.index, position, argument);
    if (offset || view.graph[tensor].bytes == 0)
      map[tensor] = {argument, offset.value_or(0)};
    return map.contains(tensor);
  };
  // A stay on the host goes on where the tensor is evicted again, and what the
  // arena does not own comes back to its own place.
  if (!place(isEvict ? hostPlaces : places, isEvict ? 1 : 0))
    return emitError(loc, "plan gives the copy of ")
           << core::describe(view.graph, tensor) << " no bytes of the "
           << (isEvict ? "host" : "device") << " arena at step " << position;
  Type type = copiedType(tensor), event = EventType::get(builder.getContext());
  Value device = memrefAt(places.at(tensor), type, loc),
        other = memrefAt(hostPlaces.at(tensor), type, loc);
  Operation *copy = isEvict ? EvictOp::create(builder, loc, event, device,
                                              other, streamAttr(action))
                                  .getOperation()
                            : FetchOp::create(builder, loc, event, other,
                                              device, streamAttr(action));
  if (std::optional<double> micros = copyMicros(action))
    copy->setDiscardableAttr(names::cost, builder.getF64FloatAttr(*micros));
  events[*action.event] = copy->getResult(0);
  return success();
}

void PlanApplier::wait(const core::PlanAction &action) {
  Value event = events.at(*action.event);
  WaitOp::create(builder, event.getLoc(), event, streamAttr(action));
}

//===- PlanApplier.h - The steps of applying a plan -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_PLANAPPLIER_H
#define MEMPLAN_LIB_BRIDGE_PLANAPPLIER_H

#include "ForeignForms.h"
#include "ForeignValues.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>

namespace mlir::memplan {

/// Where a tensor lies at one moment of the plan: `offset` bytes into an
/// argument of the planned function, the first of which are the arenas, in rows
/// if it is a part.
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

/// Builds the planned form beside the tensor form, action by action of the
/// plan, and puts it in its place at the end.
class PlanApplier {
public:
  PlanApplier(const GraphView &view, const core::Plan &plan)
      : view(view), plan(plan), function(view.function),
        builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkIsExpressible();
  LogicalResult checkOwned(core::TensorId tensor);
  LogicalResult checkHasHostArena();
  void indexPlacements();
  void makeBody();
  LogicalResult compute(const core::PlanAction &step, int32_t position);
  LogicalResult placeOutputs(const core::PlanAction &step, int32_t position,
                             SmallVectorImpl<Place> &outputs);
  SmallVector<Value> operandsOf(PlannableOpInterface op);
  Operation *create(PlannableOpInterface op, ArrayRef<Value> operands,
                    ArrayRef<Value> outs, Value workspace,
                    const core::PlanAction &step);
  void markPlaces(Operation *planned, ArrayRef<Place> outputs);
  FailureOr<Value> placeWorkspace(const core::PlanAction &step,
                                  int32_t position);
  void mark(Operation *planned, const core::PlanAction &step, int32_t position,
            ArrayRef<Place> outputs);
  LogicalResult placeWholes(const core::PlanAction &step, int32_t position);
  bool isAddress(const core::PlanAction &step) const;
  void markParts(Operation *planned, Operation *op, const core::Node &node);
  std::optional<int64_t> hostHome(core::TensorId tensor) const;
  DictionaryAttr attributesOf(BlockArgument argument);
  LogicalResult copy(const core::PlanAction &action, int32_t position);
  void wait(const core::PlanAction &action);
  void record(const core::PlanAction &action, Location loc);
  Type copiedType(core::TensorId tensor) const;
  std::optional<double> copyMicros(const core::PlanAction &action) const;
  IntegerAttr streamAttr(const core::PlanAction &action);
  void setStream(Operation *planned, const core::PlanAction &action);
  LogicalResult apply(const core::PlanAction &action, int32_t position);
  void returnResults(SmallVectorImpl<Type> &types,
                     SmallVectorImpl<DictionaryAttr> &attributes);
  void swapBodies();
  void promise(const ValueHashes &hashes);
  void finish();

  Value memrefAt(Place place, Type tensorType, Location loc);
  Value viewArena(Place place, MemRefType type, Location loc);
  Value constantIndex(int64_t value);
  MemRefType memrefTypeOf(Type tensorType, unsigned argument) const;
  MemRefType arenaType(const core::PlanArena &arena, unsigned argument);
  DictionaryAttr arenaAttributes(const core::PlanArena &arena);
  unsigned numArenas() const { return host ? 2 : 1; }
  /// `argument`: which arena.
  std::optional<int64_t> placed(core::PlacementKind kind, int32_t id,
                                int32_t step, unsigned argument = 0) const {
    auto found = placements.find({argument, int32_t(kind), id, step});
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
  const core::PlanArena *host = nullptr; ///< Null where nothing is copied.
  Block *body = nullptr;
  std::optional<NoRunCopies> copies;
  /// Constant tensors; their places follow those of the arguments.
  SmallVector<Value> constantTensors;
  int64_t storages = 0; ///< So far.
  Operation *lastConstant = nullptr;
  std::map<std::tuple<unsigned, int32_t, int32_t, int32_t>, int64_t>
      placements; ///< (arena, kind, id, step) -> offset
  std::map<core::TensorId, Place> places;
  std::map<core::TensorId, Place> hostPlaces; ///< Places of live copies.
  std::map<int64_t, Value> events;            ///< By number in the plan.
  std::map<int64_t, Value> constants;
  std::map<Place, SmallVector<Value>> memrefs; ///< One for each type.
  std::vector<int64_t> runsOfNode;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_PLANAPPLIER_H

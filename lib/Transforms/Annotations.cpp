//===- Annotations.cpp - Decisions of single-problem passes on operations -===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::memplan;

void mlir::memplan::annotateNodes(const GraphView &view) {
  Builder builder(view.function->getContext());
  for (auto [op, id] : llvm::zip(view.runs, view.schedule.runs))
    op->setAttr(kNodeAttrName,
                builder.getI64IntegerAttr(view.graph[id].externalId));
}

/// Number of the result that holds the tensor; -1 if none does.
static int64_t resultNumber(const GraphView &view, Operation *op,
                            core::TensorId tensor) {
  for (OpResult result : op->getResults())
    if (view.tensorOf.lookup(result) == tensor)
      return result.getResultNumber();
  return -1;
}

void mlir::memplan::annotateInPlace(const GraphView &view,
                                    const core::InPlaceChoice &choice) {
  Builder builder(view.function->getContext());
  for (auto [op, pairs] : llvm::zip(view.runs, choice)) {
    op->removeAttr(names::inPlace);
    SmallVector<Attribute> list;
    for (const core::InPlacePair &pair : pairs)
      for (OpOperand &operand : op->getOpOperands())
        if (view.tensorOf.lookup(operand.get()) == pair.input) {
          list.push_back(
              builder.getI64ArrayAttr({resultNumber(view, op, pair.output),
                                       int64_t(operand.getOperandNumber())}));
          break;
        }
    if (!list.empty())
      op->setAttr(names::inPlace, builder.getArrayAttr(list));
  }
}

FailureOr<core::InPlaceChoice>
mlir::memplan::readInPlace(const GraphView &view) {
  core::InPlaceChoice choice(view.runs.size());
  for (auto [op, pairs] : llvm::zip(view.runs, choice)) {
    auto list = op->getAttrOfType<ArrayAttr>(names::inPlace);
    if (!list)
      continue;
    for (Attribute element : list) {
      auto pair = dyn_cast<ArrayAttr>(element);
      std::array<int64_t, 2> numbers{-1, -1};
      for (size_t i = 0; pair && pair.size() == 2 && i < 2; ++i)
        if (auto number = dyn_cast<IntegerAttr>(pair[i]))
          numbers[i] = number.getInt();
      if (numbers[0] < 0 || numbers[0] >= op->getNumResults() ||
          numbers[1] < 0 || numbers[1] >= op->getNumOperands())
        return op->emitError("`")
               << names::inPlace
               << "` must list pairs of a result and an operand, not "
               << element;
      pairs.push_back({view.tensorOf.lookup(op->getResult(numbers[0])),
                       view.tensorOf.lookup(op->getOperand(numbers[1]))});
    }
  }
  return choice;
}

void mlir::memplan::annotateStorages(const GraphView &view,
                                     const core::StorageMap &map) {
  Builder builder(view.function->getContext());
  std::vector<SmallVector<int64_t>> storages;
  for (Operation *op : view.runs)
    storages.emplace_back(op->getNumResults(), -1);
  for (auto [liveRange, storage] : llvm::zip(map.liveRanges, map.storageOf)) {
    if (!storage.isValid()) // The caller's.
      continue;
    int64_t number =
        resultNumber(view, view.runs[liveRange.begin], liveRange.tensor);
    if (number >= 0)
      storages[liveRange.begin][number] = storage.index;
  }
  for (auto [op, numbers] : llvm::zip(view.runs, storages)) {
    op->removeAttr(names::storages);
    if (llvm::any_of(numbers, [](int64_t number) { return number >= 0; }))
      op->setAttr(names::storages, builder.getDenseI64ArrayAttr(numbers));
  }
}

FailureOr<std::optional<core::StorageMap>>
mlir::memplan::readStorages(const GraphView &view,
                            const core::GraphIndex &index,
                            const core::InPlaceChoice &inPlace) {
  if (llvm::none_of(view.runs,
                    [](Operation *op) { return op->hasAttr(names::storages); }))
    return std::optional<core::StorageMap>();
  core::StorageMap map;
  map.liveRanges = core::computeLiveRanges(index, view.schedule, inPlace);
  for (const core::LiveRange &liveRange : map.liveRanges) {
    if (core::isCallersStorage(index, liveRange)) {
      map.storageOf.emplace_back();
      continue;
    }
    Operation *op = view.runs[liveRange.begin];
    auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(names::storages);
    int64_t result = resultNumber(view, op, liveRange.tensor);
    int64_t storage =
        numbers && numbers.size() == op->getNumResults() && result >= 0
            ? numbers[result]
            : -1;
    if (storage < 0 || storage >= int64_t(map.liveRanges.size()))
      return op->emitError("result ")
             << result << " needs a storage number in `" << names::storages
             << "`, below " << map.liveRanges.size();
    map.storageOf.emplace_back(int32_t(storage));
    if (size_t(storage) >= map.storageBytes.size())
      map.storageBytes.resize(storage + 1, 0);
    map.storageBytes[storage] =
        std::max(map.storageBytes[storage], liveRange.bytes);
  }
  for (int64_t bytes : map.storageBytes)
    map.totalBytes += bytes;
  core::SharingProblem problem;
  problem.index = &index;
  problem.schedule = &view.schedule;
  problem.inPlace = &inPlace;
  if (llvm::Error error = problem.verify(map))
    return emitError(view.function->getLoc(), "`")
           << names::storages
           << "` is wrong: " << llvm::toString(std::move(error));
  return std::optional<core::StorageMap>(std::move(map));
}

/// Position of each step's run among the computes; -1 for other steps.
static std::vector<int32_t>
runOfStep(const std::vector<core::PlanAction> &steps) {
  std::vector<int32_t> runs;
  int32_t next = 0;
  for (const core::PlanAction &step : steps)
    runs.push_back(step.action == core::ActionKind::Compute ? next++ : -1);
  return runs;
}

void mlir::memplan::annotateStreams(
    const GraphView &view, const std::vector<core::PlanAction> &actions) {
  Builder builder(view.function->getContext());
  for (auto [action, run] : llvm::zip(actions, runOfStep(actions))) {
    if (run < 0)
      continue;
    view.runs[run]->removeAttr(kStreamAttrName);
    if (action.stream != 0)
      view.runs[run]->setAttr(kStreamAttrName,
                              builder.getI64IntegerAttr(action.stream));
  }
}

bool mlir::memplan::isOnStreams(const GraphView &view) {
  return llvm::any_of(view.runs, [](Operation *op) {
    auto stream = op->getAttrOfType<IntegerAttr>(kStreamAttrName);
    return stream && stream.getInt() != 0;
  });
}

void mlir::memplan::readStreams(const GraphView &view,
                                std::vector<core::PlanAction> &actions) {
  for (auto [action, run] : llvm::zip(actions, runOfStep(actions)))
    if (run >= 0)
      if (auto stream =
              view.runs[run]->getAttrOfType<IntegerAttr>(kStreamAttrName))
        action.stream = int32_t(stream.getInt());
}

/// Number of the donated argument that the placement is of.
static std::optional<unsigned> argumentOf(const GraphView &view,
                                          const core::Placement &placement) {
  if (placement.kind != core::PlacementKind::Tensor)
    return std::nullopt;
  if (auto argument =
          dyn_cast<BlockArgument>(view.values[placement.tensor.index]))
    return argument.getArgNumber();
  return std::nullopt;
}

void mlir::memplan::annotateOffsets(const GraphView &view,
                                    const std::vector<core::PlanAction> &steps,
                                    const core::PlanArena &arena) {
  Builder builder(view.function->getContext());
  std::vector<int32_t> runs = runOfStep(steps);
  std::vector<SmallVector<int64_t>> offsets;
  for (Operation *op : view.runs) {
    offsets.emplace_back(op->getNumResults(), -1);
    op->removeAttr(names::offsets);
    op->removeAttr(names::scratch);
  }
  func::FuncOp function = view.function;
  for (unsigned i = 0, n = function.getNumArguments(); i < n; ++i)
    function.removeArgAttr(i, kArenaOffsetAttrName);
  for (const core::Placement &placement : arena.placements) {
    if (std::optional<unsigned> argument = argumentOf(view, placement)) {
      function.setArgAttr(*argument, kArenaOffsetAttrName,
                          builder.getI64IntegerAttr(placement.offset));
      continue;
    }
    int32_t run = runs[placement.stepBegin];
    if (placement.kind == core::PlacementKind::Workspace)
      view.runs[run]->setAttr(names::scratch,
                              builder.getI64IntegerAttr(placement.offset));
    else
      offsets[run][resultNumber(view, view.runs[run], placement.tensor)] =
          placement.offset;
  }
  for (auto [op, numbers] : llvm::zip(view.runs, offsets))
    if (llvm::any_of(numbers, [](int64_t number) { return number >= 0; }))
      op->setAttr(names::offsets, builder.getDenseI64ArrayAttr(numbers));
}

LogicalResult
mlir::memplan::readOffsets(const GraphView &view,
                           const std::vector<core::PlanAction> &steps,
                           std::vector<core::Placement> &placements) {
  func::FuncOp function = view.function;
  std::vector<int32_t> runs = runOfStep(steps);
  for (core::Placement &placement : placements) {
    if (std::optional<unsigned> argument = argumentOf(view, placement)) {
      auto offset = function.getArgAttrOfType<IntegerAttr>(
          *argument, kArenaOffsetAttrName);
      if (!offset)
        return emitError(view.function->getLoc(), "argument ")
               << *argument << " is donated and needs `" << kArenaOffsetAttrName
               << "`; run memplan-assign-offsets";
      placement.offset = offset.getInt();
      continue;
    }
    Operation *op = view.runs[runs[placement.stepBegin]];
    if (placement.kind == core::PlacementKind::Workspace) {
      auto offset = op->getAttrOfType<IntegerAttr>(names::scratch);
      if (!offset)
        return op->emitError("needs `")
               << names::scratch
               << "` for its workspace; run memplan-assign-offsets";
      placement.offset = offset.getInt();
      continue;
    }
    auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(names::offsets);
    int64_t result = resultNumber(view, op, placement.tensor);
    if (!numbers || numbers.size() != op->getNumResults() ||
        numbers[result] < 0)
      return op->emitError("result ")
             << result << " needs an offset in `" << names::offsets
             << "`; run memplan-assign-offsets";
    placement.offset = numbers[result];
  }
  return success();
}

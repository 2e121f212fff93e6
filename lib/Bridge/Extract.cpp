//===- Extract.cpp - From a function to a graph ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extractor.h"
#include "ForeignValues.h"
#include "Refusals.h"
#include "ScopePaths.h"
#include "ValueHash.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Profile/DeviceSpec.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::memplan;

double mlir::memplan::costMicros(Operation *op) {
  if (auto cost = op->getAttrOfType<FloatAttr>(names::cost))
    return cost.getValueAsDouble();
  if (auto declared = dyn_cast_or_null<FloatAttr>(
          op->getInherentAttr("cost").value_or(Attribute())))
    return declared.getValueAsDouble();
  if (auto plannable = dyn_cast<PlannableOpInterface>(op))
    return core::referenceDevice().micros(plannable.getFlops(),
                                          plannable.getBytesMoved());
  // Nothing says what it costs: it moves what it touches.
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    bytes += byteSizeOf(type);
  for (Type type : op->getResultTypes())
    bytes += byteSizeOf(type);
  return core::referenceDevice().micros(0, bytes);
}

int64_t GraphView::offsetInBase(core::TensorId tensor) const {
  int64_t offset = 0;
  for (std::optional<core::TensorId> at = tensor; at; at = graph[*at].viewOf)
    offset += viewOffsets[at->index];
  return offset;
}

core::TensorId Extractor::addTensor(Value value, core::TensorKind kind) {
  core::TensorId id(view.graph.tensors.size());
  core::Tensor tensor;
  tensor.externalId = id.index;
  tensor.bytes = byteSizeOf(value.getType());
  tensor.kind = kind;
  view.graph.tensors.push_back(std::move(tensor));
  view.values.push_back(value);
  view.viewOffsets.push_back(0);
  view.tensorOf[value] = id;
  return id;
}

LogicalResult Extractor::addArguments() {
  view.graph.name = function.getName().str();
  if (auto fixed = function->getAttrOfType<IntegerAttr>(names::fixedBytes))
    view.graph.fixedBytes = fixed.getInt();
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto kindAttr =
        function.getArgAttrOfType<StringAttr>(number, kKindAttrName);
    std::optional<core::TensorKind> kind = core::TensorKind::Input;
    if (kindAttr)
      kind = llvm::StringSwitch<std::optional<core::TensorKind>>(
                 kindAttr.getValue())
                 .Case("parameter", core::TensorKind::Parameter)
                 .Case("state", core::TensorKind::State)
                 .Case("input", core::TensorKind::Input)
                 .Default(std::nullopt);
    if (!kind)
      return emitError(function.getLoc(), "argument ")
             << number << " has `" << kKindAttrName << "` = " << kindAttr
             << "; it must be \"parameter\", \"state\" or \"input\"";
    if (failed(checkType(function, argument, "argument " + Twine(number))))
      return failure();
    core::TensorId id = addTensor(argument, *kind);
    if (auto name =
            function.getArgAttrOfType<StringAttr>(number, kNameAttrName))
      view.graph.tensors[id.index].name = name.str();
    view.graph.tensors[id.index].donated =
        *kind == core::TensorKind::Input &&
        function.getArgAttr(number, kDonatedAttrName);
    lastVersion[id] = argument;
  }
  return success();
}

/// Keeps what the results or effects depend on, and gives each operation its
/// node.
LogicalResult Extractor::collectRuns() {
  llvm::DenseSet<Operation *> needed;
  Block &body = function.front();
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    bool used = !isMemoryEffectFree(&op) ||
                llvm::any_of(op.getUsers(), [&](Operation *user) {
                  return user == body.getTerminator() || needed.contains(user);
                });
    if (used)
      needed.insert(&op);
  }
  bool numbered = llvm::any_of(
      needed, [](Operation *op) { return op->hasAttr(kNodeAttrName); });
  for (Operation &op : body.without_terminator()) {
    if (!needed.contains(&op) || isFreeConstant(&op) || isShapeOnly(&op))
      continue;
    if (isResidentConstant(&op)) {
      if (failed(checkType(function, op.getResult(0), "a constant")))
        return failure();
      addTensor(op.getResult(0), core::TensorKind::Parameter);
      continue;
    }
    if (failed(checkOperation(function, &op)))
      return failure();
    int64_t number = live.size();
    if (numbered) {
      auto attr = op.getAttrOfType<IntegerAttr>(kNodeAttrName);
      if (!attr || attr.getInt() < 0)
        return op.emitError("needs a non-negative integer `")
               << kNodeAttrName
               << "`, because other operations of the function have one";
      number = attr.getInt();
    }
    live.emplace_back(number, &op);
  }
  return success();
}

LogicalResult Extractor::addNodes() {
  // The graph keeps source order whatever the order of the runs; the first run
  // of a node stands for it.
  SmallVector<std::pair<int64_t, size_t>> sorted;
  for (auto [position, run] : llvm::enumerate(live))
    sorted.emplace_back(run.first, position);
  llvm::sort(sorted);
  llvm::DenseMap<int64_t, core::NodeId> nodeOf;
  for (auto [number, position] : sorted) {
    Operation *op = live[position].second;
    auto [entry, isNew] =
        nodeOf.try_emplace(number, core::NodeId(view.graph.nodes.size()));
    if (!isNew) {
      if (failed(addRecomputation(op, entry->second)))
        return failure();
      continue;
    }
    if (failed(addNode(op)))
      return failure();
    view.graph.nodes.back().externalId = number;
  }
  for (auto [number, op] : live) {
    view.schedule.runs.push_back(nodeOf[number]);
    view.runs.push_back(op);
  }
  return success();
}

LogicalResult Extractor::addNode(Operation *op) {
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  core::NodeId id(view.graph.nodes.size());
  core::Node &node = view.graph.nodes.emplace_back();
  view.nodes.push_back(op);
  constants.add(op);
  node.name =
      (plannable ? plannable.getKernelName() : op->getName().getStringRef())
          .str();
  node.backward = op->hasAttr(kBackwardAttrName);
  node.locations = scopePaths(op->getLoc());
  for (unsigned number : operandsRead(op)) {
    Value operand = op->getOperand(number);
    auto found = view.tensorOf.find(operand);
    if (isFreeConstant(operand.getDefiningOp()))
      continue;
    if (found == view.tensorOf.end())
      return op->emitError("reads a value whose `")
             << kNodeAttrName
             << "` comes after its own; nodes must be numbered in an order "
                "that can run";
    if (!llvm::is_contained(node.inputs, found->second))
      node.inputs.push_back(found->second);
  }
  if (plannable) {
    node.flops = plannable.getFlops();
    node.bytesMoved = plannable.getBytesMoved();
    node.workspaceBytes = plannable.getWorkspaceBytes();
    node.recompute = plannable.isRecomputable();
  } else {
    // Nothing says what it allows.
    node.opaque = true;
  }
  node.collective = plannable && plannable.isCollective();
  node.opaque |= !node.collective && !isMemoryEffectFree(op);
  node.recompute &= !node.opaque && !node.collective;
  addVariants(op, node);
  if (failed(addOutputs(op, id)))
    return failure();
  core::Node &made = view.graph.nodes.back();
  bool onlyViews =
      !made.outputs.empty() && made.writes.empty() &&
      llvm::all_of(made.outputs, [&](core::TensorId t) {
        const core::Tensor &output = view.graph[t];
        return output.viewOf && !(output.partOf && output.partOf->written);
      });
  made.cost = onlyViews ? 0 : costMicros(op);
  countCopies(op, made);
  addInPlace(op, id);
  return success();
}

/// Slices that are copied here and could be views are read and written, as in
/// the planned form.
void Extractor::countCopies(Operation *op, core::Node &node) const {
  int64_t bytes = 0;
  for (core::TensorId output : node.outputs)
    if (copiedSlices.contains(output.index) && !view.graph[output].viewOf)
      bytes += 2 * view.graph[output].bytes;
  if (bytes == 0)
    return;
  node.bytesMoved += bytes;
  if (!op->hasAttr(names::cost))
    node.cost = core::referenceDevice().micros(node.flops, node.bytesMoved);
}

/// The dialect has verified what the list holds.
void Extractor::addVariants(Operation *op, core::Node &node) {
  auto list = op->getAttrOfType<ArrayAttr>(names::variants);
  if (!list)
    return;
  for (auto variant : list.getAsRange<DictionaryAttr>()) {
    core::NodeVariant &added = node.variants.emplace_back();
    added.cost = variant.getAs<FloatAttr>("cost").getValueAsDouble();
    added.workspaceBytes =
        variant.getAs<IntegerAttr>("workspace_bytes").getInt();
  }
}

LogicalResult Extractor::addOutputs(Operation *op, core::NodeId id) {
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  for (OpResult result : op->getResults()) {
    unsigned number = result.getResultNumber();
    if (plannable)
      if (std::optional<unsigned> operand =
              plannable.getWrittenOperand(number)) {
        if (failed(addWrite(op, id, number, *operand)))
          return failure();
        continue;
      }
    bool backward = view.graph[id].backward;
    core::TensorId tensor =
        addTensor(result, backward ? core::TensorKind::Gradient
                                   : core::TensorKind::Activation);
    if (plannable)
      if (std::optional<ViewSource> source = plannable.getViewSource(number);
          source && !(copiedSlices.contains(tensor.index) &&
                      plannable.getSlicePlace(number))) {
        core::Tensor &made = view.graph.tensors[tensor.index];
        made.viewOf = view.tensorOf[op->getOperand(source->operand)];
        made.bytes = 0;
        view.viewOffsets[tensor.index] = source->byteOffset;
      }
    if (layout.slices.contains(result))
      addSlice(tensor, view.tensorOf[op->getOperand(0)],
               *plannable.getSlicePlace(number));
    if (auto part = layout.places.find(result); part != layout.places.end())
      addPart(id, tensor, part->second);
    view.graph.nodes[id.index].outputs.push_back(tensor);
  }
  return success();
}

/// An update: its result is the next version of an argument and no tensor of
/// its own.
LogicalResult Extractor::addWrite(Operation *op, core::NodeId id,
                                  unsigned output, unsigned operand) {
  core::TensorId tensor = view.tensorOf[op->getOperand(operand)];
  auto argument = dyn_cast<BlockArgument>(view.values[tensor.index]);
  if (!argument) {
    InFlightDiagnostic diag = op->emitError("overwrites operand ")
                              << operand
                              << ", which is not an argument of the function";
    diag.attachNote(view.location(tensor))
        << "it is made here; only arguments can be updated";
    return diag;
  }
  const core::Tensor &written = view.graph[tensor];
  if (written.kind == core::TensorKind::Input && !written.donated)
    return op->emitError("overwrites argument ")
           << argument.getArgNumber()
           << ", an input that is not donated; mark it `" << kDonatedAttrName
           << "` or as \"parameter\" or \"state\"";
  if (llvm::is_contained(view.graph[id].writes, tensor))
    return op->emitError("overwrites argument ")
           << argument.getArgNumber() << " twice";
  view.tensorOf[op->getResult(output)] = tensor;
  view.graph.nodes[id.index].writes.push_back(tensor);
  return success();
}

/// Keeps the pairs that can be legal in some schedule, so that the graph says
/// no more than planners may use.
void Extractor::addInPlace(Operation *op, core::NodeId id) {
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (!plannable)
    return;
  core::Node &node = view.graph.nodes[id.index];
  for (OpResult result : op->getResults()) {
    core::TensorId output = view.tensorOf[result];
    if (view.graph[output].viewOf || !llvm::is_contained(node.outputs, output))
      continue;
    SmallVector<unsigned> allowed =
        plannable.getInPlaceOperands(result.getResultNumber());
    // What the output starts from would be lost over any other operand.
    if (std::optional<unsigned> start =
            plannable.getDestinationOperand(result.getResultNumber());
        start && plannable.isDestinationRead(result.getResultNumber()))
      allowed = {*start};
    for (unsigned operand : allowed) {
      auto found = view.tensorOf.find(op->getOperand(operand));
      if (found == view.tensorOf.end())
        continue;
      core::TensorId input = found->second, base = baseOf(input);
      const core::Tensor &storage = view.graph[base];
      bool whole =
          view.offsetInBase(input) == 0 &&
          byteSizeOf(op->getOperand(operand).getType()) == storage.bytes &&
          storage.bytes == view.graph[output].bytes;
      bool mine = !core::isCallerOwned(storage.kind) || storage.donated;
      // Another operand in the same storage would be overwritten while it is
      // read, unless it may be overwritten too.
      bool alone = llvm::all_of(operandsRead(op), [&](unsigned other) {
        auto tensor = view.tensorOf.find(op->getOperand(other));
        return tensor == view.tensorOf.end() ||
               baseOf(tensor->second) != base ||
               llvm::is_contained(allowed, other);
      });
      core::InPlacePair pair{output, input};
      if (whole && mine && alone && !llvm::is_contained(node.inPlace, pair))
        node.inPlace.push_back(pair);
    }
  }
}

/// A later run computes what the first run computed, from the same tensors.
LogicalResult Extractor::addRecomputation(Operation *op, core::NodeId id) {
  Operation *first = view.nodes[id.index];
  auto refuse = [&](const Twine &why) {
    InFlightDiagnostic diag = op->emitError("is a run of node ")
                              << view.graph[id].externalId << " but " << why;
    diag.attachNote(first->getLoc()) << "its first run is here";
    return diag;
  };
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  if (!plannable || view.graph[id].runsOnce())
    return refuse("the node must run once");
  if (op->getName() != first->getName() ||
      op->getResultTypes() != first->getResultTypes() ||
      op->getNumOperands() != first->getNumOperands() ||
      computedAttributes(op) != computedAttributes(first) ||
      hashRegions(op) != hashRegions(first))
    return refuse("differs from it in name, attributes or types");
  if (plannable.getRunIndex() ==
      cast<PlannableOpInterface>(first).getRunIndex())
    return refuse("has the same `run`");
  for (auto [mine, theirs] :
       llvm::zip(op->getOperands(), first->getOperands())) {
    auto found = view.tensorOf.find(mine), wanted = view.tensorOf.find(theirs);
    bool same = found != view.tensorOf.end() && wanted != view.tensorOf.end()
                    ? found->second == wanted->second
                    : isSameConstant(mine, theirs);
    if (!same)
      return refuse("reads other values");
  }
  for (auto [mine, theirs] : llvm::zip(op->getResults(), first->getResults()))
    view.tensorOf[mine] = view.tensorOf[theirs];
  return success();
}

FailureOr<GraphView> Extractor::run() {
  if (failed(checkIsPlannable(function)))
    return failure();
  FailureOr<PartLayout> parts = layOutParts(function);
  if (failed(parts))
    return failure();
  layout = std::move(*parts);
  wholes.resize(layout.wholes.size());
  if (failed(addArguments()) || failed(collectRuns()) || failed(addNodes()) ||
      failed(checkVersions()) || failed(addResults()))
    return failure();
  view.graph.fixedBytes =
      ops::addBytes(view.graph.fixedBytes, constants.bytes());
  if (llvm::Error error = view.graph.check())
    return emitError(function.getLoc(), "cannot be seen as a graph: ")
           << llvm::toString(std::move(error));
  return std::move(view);
}

FailureOr<GraphView> mlir::memplan::extractGraph(func::FuncOp function) {
  return Extractor(function).run();
}

FailureOr<GraphView> mlir::memplan::extractGraphWithCopies(
    func::FuncOp function, const llvm::DenseSet<int64_t> &copiedSlices) {
  return Extractor(function, copiedSlices).run();
}

std::vector<std::string> mlir::memplan::sourcesOf(func::FuncOp function,
                                                  const core::Graph &graph) {
  FailureOr<GraphView> view = extractGraph(function);
  if (failed(view) || view->nodes.size() != graph.nodes.size())
    return {};
  std::vector<std::string> sources;
  for (Operation *op : view->nodes) {
    auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
    sources.push_back(
        place ? (place.getFilename().getValue() + ":" + Twine(place.getLine()))
                    .str()
              : std::string());
  }
  return sources;
}

//===- EncodedValues.cpp - Values that a program encodes ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EncodedValues.h"
#include "memplan/Dialect/Memplan/IR/Markers.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Graph/Graph.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {
/// Users of a tensor after each of its fetches, by the first run of each.
using Fetched = SmallVector<SmallVector<core::NodeId>>;

/// Puts a codec around one value.
class Encoder {
public:
  Encoder(const GraphView &view, const core::GraphIndex &index,
          core::TensorId tensor)
      : view(view), index(index), tensor(tensor),
        builder(view.function->getContext()) {}

  EncodedValue encode(const Fetched &fetched);

private:
  void decode(ArrayRef<core::NodeId> users);
  /// What the users have in place of the value, or of a view of it.
  Value decoded(Value value);
  void insert(Operation *op, ValueRange standsFor) {
    result.clones.emplace_back(op, llvm::to_vector(standsFor));
    if (isBackward)
      op->setAttr(kBackwardAttrName, builder.getUnitAttr());
  }
  bool isOfTensor(Value value) const {
    auto found = view.tensorOf.find(value);
    return found != view.tensorOf.end() && index.base(found->second) == tensor;
  }

  const GraphView &view;
  const core::GraphIndex &index;
  core::TensorId tensor;
  OpBuilder builder;
  EncodedValue result;
  llvm::DenseMap<Value, Value> clones; ///< Clones for the fetch at hand.
  bool isBackward =
      false; ///< Whether the users of what it brings are in the backward pass.
};
} // namespace

Value Encoder::decoded(Value value) {
  if (Value known = clones.lookup(value))
    return known;
  Operation *producer = value.getDefiningOp();
  if (value == view.values[tensor.index]) {
    Operation *decoder =
        DecodeBF16Op::create(builder, builder.getInsertionPoint()->getLoc(),
                             result.encoder->getResult(0));
    insert(decoder, value);
    return clones[value] = decoder->getResult(0);
  }
  // A view of it.
  IRMapping mapping;
  for (Value operand : producer->getOperands())
    if (isOfTensor(operand))
      mapping.map(operand, decoded(operand));
  Operation *clone = builder.clone(*producer, mapping);
  insert(clone, producer->getResults());
  for (auto [old, made] :
       llvm::zip_equal(producer->getResults(), clone->getResults()))
    clones[old] = made;
  return clones[value];
}

void Encoder::decode(ArrayRef<core::NodeId> users) {
  clones.clear();
  Operation *first = nullptr;
  SmallVector<OpOperand *> operands;
  for (core::NodeId user : users) {
    Operation *op = view.nodes[user.index];
    // A view is made where it is read.
    if (llvm::all_of(view.graph[user].outputs,
                     [&](core::TensorId output) {
                       return index.base(output) == tensor;
                     }) &&
        !view.graph[user].outputs.empty())
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (isOfTensor(operand.get()))
        operands.push_back(&operand);
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  if (operands.empty())
    return;
  builder.setInsertionPoint(first);
  isBackward = first->hasAttr(kBackwardAttrName);
  for (OpOperand *operand : operands)
    operand->set(decoded(operand->get()));
}

EncodedValue Encoder::encode(const Fetched &fetched) {
  Value value = view.values[tensor.index];
  Operation *producer = value.getDefiningOp();
  builder.setInsertionPointAfter(producer);
  result.encoder = EncodeBF16Op::create(builder, producer->getLoc(), value);
  if (producer->hasAttr(kBackwardAttrName))
    result.encoder->setAttr(kBackwardAttrName, builder.getUnitAttr());
  for (ArrayRef<core::NodeId> users : fetched)
    decode(users);
  return std::move(result);
}

/// Operands of kernels have so many dimensions; encoding adds one.
static bool isEncodable(const GraphView &view, core::TensorId tensor) {
  constexpr int64_t mostDimensions = 8;
  auto type = dyn_cast<RankedTensorType>(view.values[tensor.index].getType());
  return type && view.values[tensor.index].getDefiningOp() &&
         type.getElementType().isF32() && type.getRank() < mostDimensions;
}

static llvm::MapVector<core::TensorId, Fetched>
findFetched(const GraphView &view, const core::GraphIndex &index,
            const core::Plan &plan) {
  llvm::MapVector<core::TensorId, Fetched> fetched;
  std::vector<bool> hasRun(view.graph.nodes.size());
  for (const core::PlanAction &action : plan.steps) {
    if (action.action == core::ActionKind::Fetch &&
        isEncodable(view, action.tensors.front()))
      fetched[action.tensors.front()].emplace_back();
    if (action.action != core::ActionKind::Compute || hasRun[action.node.index])
      continue;
    hasRun[action.node.index] = true;
    for (core::TensorId base : index.usedBases(action.node))
      if (auto found = fetched.find(base); found != fetched.end())
        found->second.back().push_back(action.node);
  }
  return fetched;
}

EncodedValues::EncodedValues(const GraphView &view, const core::Plan &plan) {
  core::GraphIndex index(view.graph);
  for (const auto &[tensor, fetched] : findFetched(view, index, plan)) {
    values.push_back(Encoder(view, index, tensor).encode(fetched));
    if (values.back().clones.empty()) {
      values.back().undo();
      values.pop_back();
    }
  }
}

void EncodedValue::undo() {
  for (auto [clone, standsFor] : llvm::reverse(clones)) {
    clone->replaceAllUsesWith(standsFor);
    clone->erase();
  }
  encoder->erase();
}

void EncodedValues::undo() {
  for (EncodedValue &value : values)
    value.undo();
  values.clear();
}

bool EncodedValues::undoWhatStays(const GraphView &view,
                                  const core::Plan &plan) {
  llvm::DenseSet<Value> evicted;
  for (const core::PlanAction &action : plan.steps)
    if (action.action == core::ActionKind::Evict)
      evicted.insert(view.values[action.tensors.front().index]);
  const size_t before = values.size();
  llvm::erase_if(values, [&](EncodedValue &value) {
    if (evicted.contains(value.encoder->getResult(0)))
      return false;
    value.undo();
    return true;
  });
  return values.size() != before;
}

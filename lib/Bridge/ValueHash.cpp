//===- ValueHash.cpp - Names for what operations compute ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueHash.h"
#include "ForeignValues.h"
#include "Refusals.h"
#include "memplan/Bridge/Parts.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// Text whose hash is the name. Fields are separated, so that no two lists of
/// fields make one text.
class NameText {
public:
  NameText() : os(text) {}
  NameText &add(uint64_t number) {
    os << number << '\0';
    return *this;
  }
  NameText &add(StringRef field) {
    os << field << '\0';
    return *this;
  }
  /// Shape and element type: a tensor and the memref that holds it give the
  /// same text.
  NameText &addShape(Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      for (int64_t size : shaped.getShape())
        os << size << 'x';
      type = shaped.getElementType();
    }
    os << type << '\0';
    return *this;
  }
  NameText &add(Attribute attribute) {
    // The bytes of a large constant say as much as its text, and come at once.
    if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
      addShape(dense.getType());
      os << (dense.isSplat() ? "splat" : "dense")
         << StringRef(dense.getRawData().data(), dense.getRawData().size())
         << '\0';
    } else {
      os << attribute << '\0';
    }
    return *this;
  }
  uint64_t hash() const { return llvm::xxh3_64bits(StringRef(text)); }

private:
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

uint64_t mlir::memplan::hashArgument(unsigned number, Type type) {
  return NameText().add("argument").add(number).addShape(type).hash();
}

SymbolicValue mlir::memplan::nameOf(const SymbolicBytes &bytes) {
  if (bytes.pieces().size() == 1)
    return bytes.pieces().front().value;
  NameText text;
  text.add("pieces");
  for (const SymbolicBytes::Piece &piece : bytes.pieces())
    text.add(piece.value.root)
        .add(uint64_t(piece.value.offset))
        .add(uint64_t(piece.bytes));
  return {text.hash(), 0};
}

std::optional<SymbolicBytes>
mlir::memplan::joinPieces(PlannableOpInterface op,
                          ArrayRef<SymbolicBytes> inputs) {
  SmallVector<PiecePlace> places;
  for (unsigned i = 0, n = inputs.size(); i < n; ++i) {
    std::optional<PiecePlace> place = op.getPiecePlace(i);
    if (!place || place->rows > mostPartRows)
      return std::nullopt;
    places.push_back(*place);
  }
  if (places.empty())
    return std::nullopt;
  // All inputs have as many rows, and their first rows come first.
  SymbolicBytes joined;
  for (int64_t row = 0; row < places.front().rows; ++row)
    for (auto [place, input] : llvm::zip(places, inputs))
      joined.append(input.slice(row * place.rowBytes, place.rowBytes));
  return joined;
}

std::optional<SymbolicBytes>
mlir::memplan::sliceInput(PlannableOpInterface op, unsigned output,
                          ArrayRef<SymbolicBytes> inputs) {
  std::optional<PiecePlace> place = op.getSlicePlace(output);
  if (!place || place->rows > mostPartRows)
    return std::nullopt;
  return inputs.front().at(*place);
}

uint64_t mlir::memplan::hashConstant(Operation *op) {
  return hashOperation(op, {});
}

bool mlir::memplan::isSameConstant(Value a, Value b) {
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first || !second || !isNoRun(first) || !isNoRun(second))
    return a == b;
  return first->getName() == second->getName() &&
         computedAttributes(first) == computedAttributes(second) &&
         a.getType() == b.getType();
}

/// Values are numbered in the order in which they are made, constants from
/// outside by what they are.
uint64_t mlir::memplan::hashRegions(Operation *op) {
  if (op->getNumRegions() == 0)
    return 0;
  NameText text;
  llvm::DenseMap<Value, uint64_t> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    text.addShape(value.getType());
  };
  for (Value value : capturedValues(op)) {
    Operation *producer = value.getDefiningOp();
    text.add(producer ? hashConstant(producer) : 0);
    define(value);
  }
  for (Region &region : op->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Block *block) {
      text.add("block");
      for (BlockArgument argument : block->getArguments())
        define(argument);
      for (Operation &inner : *block) {
        text.add(inner.getName().getStringRef());
        text.add(Attribute(inner.getAttrDictionary()));
        for (Value operand : inner.getOperands())
          text.add(numbers.lookup(operand));
        for (Value result : inner.getResults())
          define(result);
      }
    });
  return text.hash();
}

uint64_t mlir::memplan::hashOperation(Operation *op,
                                      ArrayRef<SymbolicValue> inputs) {
  NameText text;
  text.add(op->getName().getStringRef());
  for (NamedAttribute attribute : computedAttributes(op))
    text.add(attribute.getName().getValue()).add(attribute.getValue());
  for (auto [value, operand] : llvm::zip_equal(inputs, operandsRead(op)))
    text.add(value.root)
        .add(uint64_t(value.offset))
        .addShape(op->getOperand(operand).getType());
  if (uint64_t regions = hashRegions(op))
    text.add("regions").add(regions);
  text.add("to");
  if (auto plannable = dyn_cast<PlannableOpInterface>(op))
    for (unsigned i = 0, n = plannable.getNumOutputs(); i < n; ++i)
      text.addShape(plannable.getOutputAt(i).getType());
  else
    for (Type type : op->getResultTypes())
      text.addShape(type);
  return text.hash();
}

uint64_t mlir::memplan::hashOutput(uint64_t operation, unsigned output) {
  return output == 0 ? operation : NameText().add(operation).add(output).hash();
}

bool mlir::memplan::hasOtherEffects(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return !isMemoryEffectFree(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [](const MemoryEffects::EffectInstance &one) {
    return !one.getValue();
  });
}

uint64_t mlir::memplan::hashEffects(uint64_t before, uint64_t operation) {
  return NameText().add("effects").add(before).add(operation).hash();
}

int64_t mlir::memplan::hashBoundary(SymbolicValue value, Type type) {
  return static_cast<int64_t>(NameText()
                                  .add(value.root)
                                  .add(uint64_t(value.offset))
                                  .addShape(type)
                                  .hash());
}

namespace {
/// Names what the values of a function in tensor form hold, run by run.
class ValueNamer {
public:
  explicit ValueNamer(const GraphView &view) : view(view) {}
  ValueHashes run();

private:
  void addRun(Operation *op, const core::Node &node);
  const SymbolicBytes &valueOf(Value value);
  SymbolicBytes output(OpResult result, uint64_t name,
                       ArrayRef<SymbolicBytes> inputs);
  void addBoundary(Value value) {
    hashes.boundary.push_back(
        hashBoundary(nameOf(valueOf(value)), value.getType()));
  }

  const GraphView &view;
  ValueHashes hashes;
  llvm::DenseMap<Value, SymbolicBytes> symbolic;
  SmallVector<Value> lastVersion; ///< By argument.
  uint64_t effects = 0;
};
} // namespace

/// What a constant holds is named where it is first read.
const SymbolicBytes &ValueNamer::valueOf(Value value) {
  SymbolicBytes &bytes = symbolic[value];
  Operation *producer = value.getDefiningOp();
  if (bytes.pieces().empty() && producer && isNoRun(producer))
    bytes = SymbolicBytes({hashConstant(producer), 0},
                          std::max<int64_t>(byteSizeOf(value.getType()), 0));
  return bytes;
}

SymbolicBytes ValueNamer::output(OpResult result, uint64_t name,
                                 ArrayRef<SymbolicBytes> inputs) {
  unsigned number = result.getResultNumber();
  const int64_t bytes = byteSizeOf(result.getType());
  if (auto plannable = dyn_cast<PlannableOpInterface>(result.getOwner())) {
    if (std::optional<ViewSource> source = plannable.getViewSource(number))
      return inputs[source->operand].slice(source->byteOffset, bytes);
    for (std::optional<SymbolicBytes> moved :
         {joinPieces(plannable, inputs), sliceInput(plannable, number, inputs)})
      if (moved)
        return std::move(*moved);
  }
  return SymbolicBytes({hashOutput(name, number), 0}, bytes);
}

void ValueNamer::addRun(Operation *op, const core::Node &node) {
  SmallVector<SymbolicBytes> inputs;
  SmallVector<SymbolicValue> names;
  for (unsigned number : operandsRead(op)) {
    inputs.push_back(valueOf(op->getOperand(number)));
    names.push_back(nameOf(inputs.back()));
  }
  uint64_t name = hashOperation(op, names);
  if (hasOtherEffects(op))
    effects = hashEffects(effects, name);
  hashes.nodes.try_emplace(node.externalId, name);
  auto plannable = dyn_cast<PlannableOpInterface>(op);
  for (OpResult result : op->getResults()) {
    symbolic[result] = output(result, name, inputs);
    if (plannable && plannable.getWrittenOperand(result.getResultNumber()))
      lastVersion[view.tensorOf.lookup(result).index] = result;
  }
}

ValueHashes ValueNamer::run() {
  func::FuncOp function = view.function;
  for (BlockArgument argument : function.getArguments()) {
    symbolic[argument] = SymbolicBytes(
        {hashArgument(argument.getArgNumber(), argument.getType()), 0},
        byteSizeOf(argument.getType()));
    lastVersion.push_back(argument);
  }
  for (auto [position, op] : llvm::enumerate(view.runs))
    addRun(op, view.graph[view.schedule.runs[position]]);
  for (Value version : lastVersion)
    addBoundary(version);
  for (OpOperand &operand : function.front().getTerminator()->getOpOperands())
    if (!function.getResultAttr(operand.getOperandNumber(), kUpdatesAttrName))
      addBoundary(operand.get());
  if (effects != 0)
    hashes.boundary.push_back(static_cast<int64_t>(effects));
  return std::move(hashes);
}

ValueHashes mlir::memplan::hashValues(const GraphView &view) {
  return ValueNamer(view).run();
}

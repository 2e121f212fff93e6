//===- ValueHash.cpp - Names for what operations compute ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueHash.h"
#include "Refusals.h"
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

uint64_t mlir::memplan::hashOperation(Operation *op,
                                      ArrayRef<SymbolicValue> inputs) {
  NameText text;
  text.add(op->getName().getStringRef());
  for (NamedAttribute attribute : computedAttributes(op))
    text.add(attribute.getName().getValue()).add(attribute.getValue());
  for (auto [value, operand] : llvm::zip(inputs, op->getOperands()))
    text.add(value.root)
        .add(uint64_t(value.offset))
        .addShape(operand.getType());
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

ValueHashes mlir::memplan::hashValues(const GraphView &view) {
  ValueHashes hashes;
  llvm::DenseMap<Value, SymbolicValue> symbolic;
  func::FuncOp function = view.function;
  SmallVector<Value> lastVersion;
  uint64_t effects = 0;
  for (BlockArgument argument : function.getArguments()) {
    symbolic[argument] = {
        hashArgument(argument.getArgNumber(), argument.getType()), 0};
    lastVersion.push_back(argument);
  }
  for (auto [position, op] : llvm::enumerate(view.runs)) {
    SmallVector<SymbolicValue> inputs;
    for (Value operand : op->getOperands())
      inputs.push_back(symbolic[operand]);
    uint64_t name = hashOperation(op, inputs);
    if (hasOtherEffects(op))
      effects = hashEffects(effects, name);
    const core::Node &node = view.graph[view.schedule.runs[position]];
    hashes.nodes.try_emplace(node.externalId, name);
    auto plannable = dyn_cast<PlannableOpInterface>(op);
    for (OpResult result : op->getResults()) {
      unsigned number = result.getResultNumber();
      symbolic[result] = {hashOutput(name, number), 0};
      if (!plannable)
        continue;
      if (std::optional<ViewSource> source = plannable.getViewSource(number)) {
        SymbolicValue of = symbolic[op->getOperand(source->operand)];
        symbolic[result] = {of.root, of.offset + source->byteOffset};
      }
      if (plannable.getWrittenOperand(number))
        lastVersion[view.tensorOf.lookup(result).index] = result;
    }
  }
  for (Value version : lastVersion)
    hashes.boundary.push_back(
        hashBoundary(symbolic[version], version.getType()));
  for (OpOperand &operand : function.front().getTerminator()->getOpOperands())
    if (!function.getResultAttr(operand.getOperandNumber(), kUpdatesAttrName))
      hashes.boundary.push_back(
          hashBoundary(symbolic[operand.get()], operand.get().getType()));
  if (effects != 0)
    hashes.boundary.push_back(static_cast<int64_t>(effects));
  return hashes;
}

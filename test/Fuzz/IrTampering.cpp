//===- IrTampering.cpp - Programs that somebody else has changed ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IrTampering.h"
#include "llvm/ADT/StringSwitch.h"

using namespace memplan::fuzz;
using namespace mlir;

void IrTampering::changeOnce() {
  Operation *op = anyOperation();
  if (!op)
    return;
  switch (tampering.below(8)) {
  case 0:
  case 1:
    return changeOperand(op);
  case 2:
    return duplicate(op);
  case 3:
    return erase(op);
  case 4:
    return move(op);
  case 5:
    return markBoundary();
  case 6:
    return changeOperand(function.front().getTerminator());
  default:
    return markOperation(op);
  }
}

Operation *IrTampering::anyOperation() {
  SmallVector<Operation *> all;
  for (Operation &op : function.front().without_terminator())
    all.push_back(&op);
  return all.empty() ? nullptr : all[tampering.below(all.size())];
}

Value IrTampering::anyValue(Type type, Operation *before) {
  SmallVector<Value> all;
  for (BlockArgument argument : function.getArguments())
    if (argument.getType() == type)
      all.push_back(argument);
  for (Operation &op : function.front()) {
    if (&op == before)
      break;
    for (Value result : op.getResults())
      if (result.getType() == type)
        all.push_back(result);
  }
  return all.empty() ? Value() : all[tampering.below(all.size())];
}

void IrTampering::changeOperand(Operation *op) {
  if (op->getNumOperands() == 0)
    return;
  OpOperand &operand = op->getOpOperand(tampering.below(op->getNumOperands()));
  if (Value other = anyValue(operand.get().getType(), op))
    operand.set(other);
}

/// Some later readers read the copy.
void IrTampering::duplicate(Operation *op) {
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  for (auto [mine, theirs] : llvm::zip(copy->getResults(), op->getResults()))
    theirs.replaceUsesWithIf(mine, [&](OpOperand &use) {
      return use.getOwner() != copy && tampering.below(2) != 0;
    });
}

void IrTampering::erase(Operation *op) {
  for (Value result : op->getResults()) {
    Value other = anyValue(result.getType(), op);
    if (!other && !result.use_empty())
      return;
    if (other)
      result.replaceAllUsesWith(other);
  }
  op->erase();
}

void IrTampering::move(Operation *op) {
  // Mostly by one place, which often changes nothing but the order.
  Operation *before = tampering.below(3) ? op->getPrevNode() : anyOperation();
  if (before && before != op)
    op->moveBefore(before);
}

Attribute IrTampering::anyAttribute(StringRef marker) {
  static const int64_t numbers[] = {0, 1, 2, 3, 7, 64, 256, -1, 1 << 20};
  const int64_t number = numbers[tampering.below(std::size(numbers))];
  static const char *const kinds[] = {"parameter", "state", "input", "loss"};
  const Attribute all[] = {
      builder.getI64IntegerAttr(number),
      builder.getUnitAttr(),
      builder.getF64FloatAttr(double(number)),
      builder.getDenseI64ArrayAttr({number}),
      builder.getStringAttr(kinds[tampering.below(std::size(kinds))]),
      builder.getArrayAttr({builder.getI64ArrayAttr({0, number})})};
  if (tampering.below(8) == 0)
    return all[tampering.below(std::size(all))];
  return all[llvm::StringSwitch<int>(marker)
                 .Cases(
                     {"memplan.backward", "memplan.parts", "memplan.donated"},
                     1)
                 .Case("memplan.cost", 2)
                 .Cases({"memplan.offset", "memplan.storage"}, 3)
                 .Cases({"memplan.kind", "memplan.name"}, 4)
                 .Case("memplan.in_place", 5)
                 .Default(0)];
}

void IrTampering::markOperation(Operation *op) {
  static const char *const names[] = {"memplan.node",     "memplan.cost",
                                      "memplan.backward", "memplan.run",
                                      "memplan.in_place", "memplan.parts",
                                      "memplan.offset",   "memplan.storage"};
  StringRef name = names[tampering.below(std::size(names))];
  if (tampering.below(3) == 0)
    op->removeDiscardableAttr(name);
  else
    op->setDiscardableAttr(name, anyAttribute(name));
}

void IrTampering::markBoundary() {
  static const char *const names[] = {"memplan.kind", "memplan.donated",
                                      "memplan.name", "memplan.batch",
                                      "memplan.high"};
  if (tampering.below(3) == 0 && function.getNumResults() != 0) {
    const unsigned result = tampering.below(function.getNumResults());
    function.setResultAttr(result, "memplan.updates",
                           anyAttribute("memplan.updates"));
  } else if (function.getNumArguments() != 0) {
    const unsigned argument = tampering.below(function.getNumArguments());
    StringRef name = names[tampering.below(std::size(names))];
    if (tampering.below(3) == 0)
      function.removeArgAttr(argument, name);
    else
      function.setArgAttr(argument, name, anyAttribute(name));
  }
}

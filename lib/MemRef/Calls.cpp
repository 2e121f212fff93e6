//===- Calls.cpp - Buffers across calls of one module ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memplan;

Calls::Calls(Operation *root) : root(root) {
  SmallVector<FunctionOpInterface> functions;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    functions.push_back(function);
    function->walk([&](CallOpInterface call) {
      callsIn[function].push_back(call);
      if (FunctionOpInterface callee = calleeOf(call))
        callsOf[callee].push_back(call);
    });
  });
  for (FunctionOpInterface function : functions)
    visit(function);
}

FunctionOpInterface Calls::calleeOf(CallOpInterface call) {
  // A pass on one function must not look at others.
  if (isa<FunctionOpInterface>(root))
    return nullptr;
  auto callee = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  return callee && root->isAncestor(callee) ? callee : nullptr;
}

void Calls::visit(FunctionOpInterface function) {
  // An own stack: chains of calls may be long.
  SmallVector<std::pair<FunctionOpInterface, size_t>> stack;
  auto enter = [&](FunctionOpInterface next) {
    if (next && !next.isExternal() && visited.insert(next).second)
      stack.emplace_back(next, 0);
  };
  enter(function);
  while (!stack.empty()) {
    auto &[at, place] = stack.back();
    ArrayRef<CallOpInterface> calls = callsIn[at];
    if (place < calls.size()) {
      enter(calleeOf(calls[place++]));
      continue;
    }
    order.push_back(at);
    stack.pop_back();
  }
}

bool Calls::isSafe(OpOperand &use) {
  auto call = dyn_cast<CallOpInterface>(use.getOwner());
  if (!call || !llvm::all_of(call->getResultTypes(), [](Type type) {
        return !isa<BaseMemRefType>(type);
      }))
    return false;
  auto facts = safe.find(calleeOf(call));
  if (facts == safe.end())
    return false;
  OperandRange operands = call.getArgOperands();
  unsigned place = use.getOperandNumber() - operands.getBeginOperandIndex();
  return place < facts->second.size() && facts->second.test(place);
}

void Calls::note(FunctionOpInterface function) {
  if (!callsOf.contains(function))
    return; // It will not be asked for.
  LivenessAnalysis liveness(function,
                            [&](OpOperand &use) { return isSafe(use); });
  llvm::BitVector &facts = safe[function];
  facts.resize(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (const LiveBuffer *buffer = liveness.bufferAt(argument))
      facts[argument.getArgNumber()] =
          !buffer->capture && buffer->frees.empty();
}

bool Calls::reaches(FunctionOpInterface from, FunctionOpInterface to) {
  SmallVector<FunctionOpInterface> next = {from};
  llvm::DenseSet<Operation *> seen;
  while (!next.empty()) {
    FunctionOpInterface at = next.pop_back_val();
    for (CallOpInterface call : callsIn[at])
      if (FunctionOpInterface callee = calleeOf(call)) {
        if (callee == to)
          return true;
        if (seen.insert(callee).second)
          next.push_back(callee);
      }
  }
  return false;
}

bool Calls::canTakeArguments(FunctionOpInterface function) {
  if (!isa<func::FuncOp>(function) || isa<FunctionOpInterface>(root) ||
      reaches(function, function))
    return false;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function.getOperation(), root);
  size_t count = 0;
  if (!uses)
    return false;
  for (const SymbolTable::SymbolUse &use : *uses) {
    if (!isa<func::CallOp>(use.getUser()))
      return false;
    ++count;
  }
  return count == callsOf[function].size();
}

void Calls::passArenas(FunctionOpInterface function,
                       ArrayRef<MemRefArena> arenas) {
  for (CallOpInterface call : callsOf[function]) {
    OpBuilder builder(call);
    SmallVector<Value> operands;
    for (const MemRefArena &arena : arenas)
      operands.push_back(memref::AllocOp::create(
          builder, call->getLoc(), arena.type(builder.getContext()),
          ValueRange(), builder.getI64IntegerAttr(arena.alignmentBytes)));
    builder.setInsertionPointAfter(call);
    for (Value operand : operands)
      memref::DeallocOp::create(builder, call->getLoc(), operand);
    call->insertOperands(0, operands);
  }
}

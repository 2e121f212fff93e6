//===- OneFunction.cpp - One function of several --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning flags are about a step. Where a module holds others beside it, they
// are taken out before the pipeline runs and put back behind it.
//
//===----------------------------------------------------------------------===//

#include "OneFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {
/// The function and all that it calls, also by way of others.
llvm::SetVector<Operation *> reachableFrom(func::FuncOp function) {
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(reached[i]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *used =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          reached.insert(used);
  return reached;
}

struct TakeOthersPass : PassWrapper<TakeOthersPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeOthersPass)
  TakeOthersPass(std::string name,
                 std::shared_ptr<::memplan::OtherFunctions> others)
      : name(std::move(name)), others(std::move(others)) {}

  StringRef getArgument() const override { return "memplan-opt-take-others"; }
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal()) {
      getOperation().emitError("has no function '")
          << name << "' with a body, as --function asks for";
      return signalPassFailure();
    }
    llvm::SetVector<Operation *> kept = reachableFrom(function);
    for (auto other :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!kept.contains(other)) {
        other->remove();
        others->functions.emplace_back(other);
      }
  }

  std::string name;
  std::shared_ptr<::memplan::OtherFunctions> others;
};

struct PutOthersBackPass
    : PassWrapper<PutOthersBackPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PutOthersBackPass)
  explicit PutOthersBackPass(std::shared_ptr<::memplan::OtherFunctions> others)
      : others(std::move(others)) {}

  StringRef getArgument() const override {
    return "memplan-opt-put-others-back";
  }
  void runOnOperation() override {
    for (OwningOpRef<func::FuncOp> &function : others->functions)
      getOperation().push_back(function.release());
    others->functions.clear();
  }

  std::shared_ptr<::memplan::OtherFunctions> others;
};
} // namespace

std::unique_ptr<Pass>
memplan::createTakeOthersPass(const std::string &name,
                              std::shared_ptr<OtherFunctions> others) {
  return std::make_unique<TakeOthersPass>(name, std::move(others));
}

std::unique_ptr<Pass>
memplan::createPutOthersBackPass(std::shared_ptr<OtherFunctions> others) {
  return std::make_unique<PutOthersBackPass>(std::move(others));
}

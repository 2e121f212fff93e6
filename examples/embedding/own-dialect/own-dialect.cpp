//===- own-dialect.cpp - memplan for a dialect of one's own ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <memplan/InitAll.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

// The dialect, which is as it was before memplan came.
#include "Toy-dialect-decls.inc"
#define GET_OP_CLASSES
#include "Toy-op-decls.inc"

void toy::ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Toy-op-defs.inc"
      >();
}

void toy::OuterOp::getEffects(
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  if (getNumResults() != 0)
    return; // On tensors.
  for (mlir::OpOperand &operand : getOperation()->getOpOperands())
    if (operand.getOperandNumber() < 2)
      effects.emplace_back(mlir::MemoryEffects::Read::get(), &operand);
    else
      effects.emplace_back(mlir::MemoryEffects::Write::get(), &operand);
}

#include "Toy-dialect-defs.inc"
#define GET_OP_CLASSES
#include "Toy-op-defs.inc"

// What memplan has to know. Each model says only what its operation allows
// beyond the defaults of the interface.
template <typename Model, typename OpT>
using Plannable =
    mlir::memplan::PlannableOpInterface::ExternalModel<Model, OpT>;

template <typename OpT> struct Elementwise : Plannable<Elementwise<OpT>, OpT> {
  llvm::SmallVector<unsigned> getInPlaceOperands(mlir::Operation *,
                                                 unsigned) const {
    return llvm::to_vector(llvm::seq(
        OpT::template hasTrait<mlir::OpTrait::OneOperand>() ? 1u : 2u));
  }
};

struct RowSums : Plannable<RowSums, toy::RowSumsOp> {};

struct Outer : Plannable<Outer, toy::OuterOp> {
  bool hasMemrefForm(mlir::Operation *) const { return true; }
  bool isDestinationRead(mlir::Operation *, unsigned) const { return false; }
};

static void attachModels(mlir::MLIRContext *context, toy::ToyDialect *) {
  toy::SoftSignOp::attachInterface<Elementwise<toy::SoftSignOp>>(*context);
  toy::TimesOp::attachInterface<Elementwise<toy::TimesOp>>(*context);
  toy::RowSumsOp::attachInterface<RowSums>(*context);
  toy::OuterOp::attachInterface<Outer>(*context);
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<toy::ToyDialect>();
  registry.addExtension(attachModels);
  mlir::memplan::registerAll(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "own-dialect: toy, planned by memplan\n", registry));
}

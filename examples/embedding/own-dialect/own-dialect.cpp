//===- own-dialect.cpp - memplan for a dialect of one's own ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toy.h"
#include <memplan/InitAll.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

using namespace mlir;

// What memplan has to know of an operation of another dialect. Each model says
// only what the operation allows beyond the defaults of the interface.
template <typename Model, typename OpT>
using Plannable =
    mlir::memplan::PlannableOpInterface::ExternalModel<Model, OpT>;

/// May go over any of its operands: it reads an element before it writes it.
template <typename OpT> struct Elementwise : Plannable<Elementwise<OpT>, OpT> {
  SmallVector<unsigned> getInPlaceOperands(Operation *op, unsigned) const {
    return to_vector(llvm::seq(op->getNumOperands()));
  }
};

/// All defaults: it stays on tensors, with nothing in place.
struct RowSums : Plannable<RowSums, toy::RowSumsOp> {};

/// Planned, it is on memrefs; what its destination holds does not matter.
struct Outer : Plannable<Outer, toy::OuterOp> {
  bool hasMemrefForm(Operation *) const { return true; }
  bool isDestinationRead(Operation *, unsigned) const { return false; }
};

static void attachModels(MLIRContext *context, toy::ToyDialect *) {
  toy::SoftSignOp::attachInterface<Elementwise<toy::SoftSignOp>>(*context);
  toy::TimesOp::attachInterface<Elementwise<toy::TimesOp>>(*context);
  toy::RowSumsOp::attachInterface<RowSums>(*context);
  toy::OuterOp::attachInterface<Outer>(*context);
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<toy::ToyDialect>();
  registry.addExtension(attachModels);
  mlir::memplan::registerAll(registry);
  return asMainReturnCode(MlirOptMain(
      argc, argv, "own-dialect: toy, planned by memplan\n", registry));
}

//===- Toy.cpp - A dialect that knows nothing of memplan ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toy.h"

#include "Toy-dialect-defs.inc"
#define GET_OP_CLASSES
#include "Toy-op-defs.inc"

void toy::ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Toy-op-defs.inc"
      >();
}

/// On tensors it has none.
void toy::OuterOp::getEffects(
    llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  if (getNumResults() != 0)
    return;
  effects.emplace_back(mlir::MemoryEffects::Read::get(), &getLhsMutable());
  effects.emplace_back(mlir::MemoryEffects::Read::get(), &getRhsMutable());
  effects.emplace_back(mlir::MemoryEffects::Write::get(), &getInitMutable());
}

//===- Passes.h - Passes that ask a backend ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_PASSES_H
#define MEMPLAN_COMPILER_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::memplan {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "memplan/Compiler/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_COMPILER_PASSES_H

//===- Passes.h - From planned IR to other dialects -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CONVERSION_PASSES_H
#define MEMPLAN_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::LLVM {
class LLVMDialect;
} // namespace mlir::LLVM

namespace mlir::memplan {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "memplan/Conversion/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_CONVERSION_PASSES_H

//===- Passes.h - Planning of buffers in any dialect ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_MEMREF_PASSES_H
#define MEMPLAN_MEMREF_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::arith {
class ArithDialect;
} // namespace mlir::arith
namespace mlir::memref {
class MemRefDialect;
} // namespace mlir::memref

namespace mlir::memplan {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "memplan/MemRef/Passes.h.inc"

} // namespace mlir::memplan

#endif // MEMPLAN_MEMREF_PASSES_H

//===- InitAll.h - Everything memplan registers -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INITALL_H
#define MEMPLAN_INITALL_H

#include "memplan/Conversion/Passes.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::memplan {

/// The dialects of training steps before and after planning and lowering, and
/// those whose operations planning refuses by name.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, memref::MemRefDialect,
                  MemplanDialect, scf::SCFDialect, tensor::TensorDialect>();
}

/// What dialects learn from other libraries.
inline void registerAllExtensions(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
}

/// memplan's passes and MLIR's own general ones (canonicalize, cse, inline,
/// ...). Those of Compiler/Passes.h ask backends, which not everyone links, and
/// register by registerMemplanCompilerPasses().
inline void registerAllPasses() {
  registerTransformsPasses();
  registerMemplanTransformsPasses();
  registerMemplanPasses();
  registerMemplanConversionPasses();
  registerPipelines();
}

/// All three, for a host's driver.
inline void registerAll(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
}

} // namespace mlir::memplan

#endif // MEMPLAN_INITALL_H

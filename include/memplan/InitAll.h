//===- InitAll.h - Everything memplan registers -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INITALL_H
#define MEMPLAN_INITALL_H

#include "memplan/Bridge/Models/Models.h"
#include "memplan/Conversion/Passes.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "memplan/MemRef/Passes.h"
#include "memplan/Pipelines/Pipelines.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::memplan {

/// The dialects of training steps before and after planning and lowering, and
/// those of MLIR that come with models. Those whose operations planning refuses
/// by name, and those of programs on memrefs, are among them.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, MemplanDialect,
                  complex::ComplexDialect, vector::VectorDialect,
                  scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
}

/// What dialects learn from other libraries.
inline void registerAllExtensions(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
  // So that what arith.select gives is known to be one of its operands.
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  memref::registerBufferViewFlowOpInterfaceExternalModels(registry);
  registerAllModels(registry);
}

/// memplan's passes and MLIR's own general ones (canonicalize, cse, inline,
/// ...). Those of Compiler/Passes.h ask backends, which not everyone links, and
/// register by registerMemplanCompilerPasses().
inline void registerAllPasses() {
  registerTransformsPasses();
  registerMemplanTransformsPasses();
  registerMemplanPasses();
  registerMemplanMemRefPasses();
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

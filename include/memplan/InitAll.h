//===- InitAll.h - Everything memplan registers -----------------*- C++ -*-===//
//
// Tools, the C API and tests register by these three functions only.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INITALL_H
#define MEMPLAN_INITALL_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Dialect/Memplan/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::memplan {

/// The dialects of training steps before and after planning.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect, memref::MemRefDialect,
                  MemplanDialect>();
}

/// What dialects learn from other libraries.
inline void registerAllExtensions(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
}

/// memplan's passes and MLIR's own general ones (canonicalize, cse, inline,
/// ...).
inline void registerAllPasses() {
  registerTransformsPasses();
  registerMemplanTransformsPasses();
}

} // namespace mlir::memplan

#endif // MEMPLAN_INITALL_H

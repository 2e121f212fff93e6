//===- SourcePositions.h - Where named operations stand ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_SOURCEPOSITIONS_H
#define MEMPLAN_COMPILER_SOURCEPOSITIONS_H

#include "mlir/Pass/Pass.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace memplan {

/// Gives operations that are only named, as `loc("conv1")` does, the position
/// where they stand in `source`, so that diagnostics point there. Does nothing
/// where `module` is not what `source` says.
void addSourcePositions(mlir::ModuleOp module, llvm::MemoryBufferRef source);

/// The same as a pass, for tools that leave parsing to MLIR. `source` must live
/// as long as the pass.
std::unique_ptr<mlir::Pass>
createSourcePositionsPass(llvm::MemoryBufferRef source);

} // namespace memplan

#endif // MEMPLAN_COMPILER_SOURCEPOSITIONS_H

//===- Arenas.h - Buffers as views of arenas --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_MEMREF_ARENAS_H
#define MEMPLAN_LIB_MEMREF_ARENAS_H

#include "Candidates.h"
#include "memplan/Planner/Arena/ArenaProblem.h"

namespace mlir::memplan {
namespace core = ::memplan;

/// The arena of one memory space of one function.
struct MemRefArena {
  Attribute space; ///< Null: the default.
  int64_t bytes = 0;
  int64_t alignmentBytes = 1;
  bool onStack = false;     ///< All that it holds was memref.alloca.
  std::vector<size_t> held; ///< Places in Candidates::planned.
  Value value;              ///< Once it is in the IR.

  MemRefType type(MLIRContext *context) const;
  std::string spaceName() const; ///< Empty: the default.
};

/// Sorts by memory space, in the order of their names, the default first.
std::vector<MemRefArena> groupBySpace(const Candidates &candidates);

/// The buffers of all arenas, in the order of `candidates.planned`.
core::ArenaProblem makeProblem(const Candidates &candidates);

/// Where the arena comes from.
enum class ArenaSource {
  Allocated, ///< At the start of the function, freed where it returns.
  Argument,  ///< New leading arguments of the function.
};

/// Puts the arenas into the function, replaces allocations by views at
/// `offsets`, and erases what frees them. Callers are left as they are.
void writeArenas(FunctionOpInterface function, const Candidates &candidates,
                 ArrayRef<int64_t> offsets, ArenaSource source,
                 std::vector<MemRefArena> &arenas);

/// Reads the views of the arenas back from the IR and checks that those live
/// at once share no bytes; knows nothing of what made them.
llvm::Error checkArenas(FunctionOpInterface function,
                        ArrayRef<MemRefArena> arenas,
                        LivenessAnalysis::SafeOperand isSafeForCall);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_MEMREF_ARENAS_H

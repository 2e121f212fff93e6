//===- Candidates.h - Which allocations an arena can hold -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_MEMREF_CANDIDATES_H
#define MEMPLAN_LIB_MEMREF_CANDIDATES_H

#include "memplan/MemRef/LivenessAnalysis.h"
#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace mlir::memplan {

struct CandidateRules {
  int64_t minBytes = 1;
  int64_t alignmentBytes = 1; ///< Alignment of every buffer, beside its own.
  bool withAllocas = true;
  /// Live from the allocation to the last deallocation, as they stand, rather
  /// than from access to access.
  bool byAllocation = false;
};

/// An allocation that moves into the arena of its memory space.
struct Candidate {
  Operation *alloc; ///< memref.alloc or memref.alloca.
  MemRefType type;
  PointRange live;
  int64_t bytes;
  int64_t alignmentBytes;
};

/// One that stays.
struct KeptAllocation {
  Operation *alloc;
  std::string reason;
  Operation *because; ///< Or null.
};

struct Candidates {
  std::vector<Candidate> planned;
  std::vector<KeptAllocation> kept;
  /// Deallocations that free what is planned and nothing else.
  SmallVector<Operation *> frees;
};

/// Sorts the allocations of a function, in the order of the text. One is
/// planned where all of this holds:
/// - the bytes of its type are known, and memref.view can give that type
/// - nothing keeps its bytes beyond its function, and no loop carries them
/// - it stands in no region that may run several times at once
/// - whatever frees it frees nothing but what is planned
Candidates chooseAllocations(FunctionOpInterface function,
                             const LivenessAnalysis &liveness,
                             const CandidateRules &rules);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_MEMREF_CANDIDATES_H

//===- VerifyPlanned.h - Trusts no plan -------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_VERIFYPLANNED_H
#define MEMPLAN_BRIDGE_VERIFYPLANNED_H

#include "memplan/Bridge/GraphView.h"

namespace mlir::memplan {

/// What a function in tensor form computes, as numbers that depend on nothing
/// but the computation.
struct ValueHashes {
  /// One for the last version of each argument, then one for each result that
  /// updates no argument. The last one stands for the operations with effects,
  /// in their order, if there are any. What `memplan.value_hash` holds.
  std::vector<int64_t> boundary;
  /// The first output of each node, by the node's external id.
  llvm::DenseMap<int64_t, uint64_t> nodes;
};
ValueHashes hashValues(const GraphView &view);

/// Number of the first arguments of a planned function that are arenas. One is
/// on the device, and one on the host where tensors are copied there.
unsigned numArenas(func::FuncOp planned);

/// Bytes that the device holds beside the arena of a function in the planned
/// form. They are `memplan.fixed_bytes`, the caller's tensors that do not lie
/// in the arena, and the constants.
int64_t residentBytes(func::FuncOp planned);

/// What was found in a function in the planned form.
struct PlannedFacts {
  int64_t peakBytes = 0; ///< Resident bytes + live ranges + workspace, at the
                         ///< worst operation.
  int64_t arenaBytes = 0;
  int64_t hostBytes = 0;     ///< Bytes of the host arena.
  int64_t residentBytes = 0; ///< As residentBytes() counts them.
  /// Bytes of donated inputs that lie in the arena when the step begins.
  int64_t donatedBytes = 0;
  double costMicros = 0; ///< Cost of all runs.
  double timeMicros = 0; ///< When the last stream or copy engine is done.
  Operation *peakOp = nullptr;
  std::vector<std::pair<Operation *, int64_t>>
      bytesAt; ///< Live bytes at each compute operation.
};

/// Executes a function in the planned form symbolically, byte range by byte
/// range, and measures it:
/// - planned_c1: only address arithmetic on constants, constants, operations in
///   memref form or between links to tensors, and copies to destinations. One
///   arena, and one on the host. Copies, streams and events
/// - planned_c2: every operand lies inside its argument or the arena. What is
///   written starts aligned, a part at a multiple of 64 bytes in a whole that
///   does. The arena's alignment is one that kernels take
/// - planned_c3: every read finds one whole value, or one value after another
///   as a concat joins them, written before and not overwritten since
/// - planned_c4: outputs overlap inputs only where the operation allows it, and
///   then exactly, or where the input is a piece in its place. Outputs and
///   workspace overlap nothing else
/// - planned_c5: arguments are written only by updates of them, or where they
///   are donated
/// - planned_c6: all runs of a node compute the same value (and the expected
///   one, if `expected` is given)
/// - planned_c7: results and last versions of arguments are the values of the
///   unplanned function. The operations with effects are those of it, in its
///   order
/// - planned_c8: arena bytes, peak, cost and time are what the attributes
///   promise, and within the budget
/// - planned_c9: an argument with `memplan.arena_offset` is donated and lies
///   aligned inside the arena, apart from others. It is read there alone. One
///   with `memplan.host_offset` lies likewise in the host arena, in its last
///   version at the end too
/// - planned_c10: a read of bytes happens after what wrote them, and what
///   writes them after all who touched them before, by streams, engines and
///   events
/// - planned_c11: the host arena is the second argument. Copies alone touch it.
///   They move whole values to aligned bytes of it and back to the arena, or to
///   the argument that still holds them
///
/// Shares no code with planners or with applyPlan. Failures are diagnostics at
/// the operation.
FailureOr<PlannedFacts> verifyPlanned(func::FuncOp function,
                                      const ValueHashes *expected = nullptr);

/// The same without planned_c8: what the function takes, whatever it promises.
FailureOr<PlannedFacts> executePlanned(func::FuncOp function,
                                       const ValueHashes *expected = nullptr);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_VERIFYPLANNED_H

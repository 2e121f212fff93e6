//===- LivenessAnalysis.h - When buffers are live ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_MEMREF_LIVENESSANALYSIS_H
#define MEMPLAN_MEMREF_LIVENESSANALYSIS_H

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>
#include <vector>

namespace mlir::memplan {

/// Program points [begin, end).
struct PointRange {
  int64_t begin = 0;
  int64_t end = 0;

  bool isEmpty() const { return begin >= end; }
  bool contains(int64_t point) const { return begin <= point && point < end; }
  bool meets(PointRange other) const {
    return begin < other.end && other.begin < end;
  }
  /// The smallest range that holds both.
  void include(PointRange other);
};

/// What an operation does with the bytes of a buffer that it is given.
enum class BufferUse {
  Access,  ///< Reads or writes them while it runs, and no longer.
  Forward, ///< Hands them on as another value, and touches none.
  Shape,   ///< Looks at the type only.
  Free,    ///< `memref.dealloc`.
  Capture, ///< May keep them, or nothing is known.
};

/// Bytes with one origin, and all values through which they may be reached.
struct LiveBuffer {
  Value origin; ///< What an allocation, another op or the caller made.
  SmallVector<Value> aliases; ///< The origin first.
  /// From the first access to the last; of a tensor, from where it is made to
  /// its last user. To the end of the root where `capture` is set. One point
  /// where nothing accesses it.
  PointRange live;
  std::optional<int64_t> bytes; ///< Empty where the type does not say it.
  /// The first operation that may keep the bytes beyond its own run.
  Operation *capture = nullptr;
  /// A loop around the origin that hands the bytes on to its next iteration or
  /// out of itself. So the bytes of two iterations may be live at once.
  Operation *carriedBy = nullptr;
  /// An operation around the origin whose region may run several times at once,
  /// or of which nothing is known.
  Operation *concurrentIn = nullptr;
  SmallVector<Operation *> frees; ///< Operations that may free it.

  bool isCallers() const; ///< An argument of the function, or a global.
};

/// When the memrefs and tensors of an operation's regions are live.
///
/// Operations are numbered in the order of the text. One with structured
/// control flow has a point where it begins and one where it ends, and those of
/// its regions lie between. A range is right for every path through the
/// program:
/// - what a loop accesses and does not make is live for the whole loop. What it
///   makes itself is live within one iteration, unless the loop carries it
/// - results of scf.if, arith.select, loop-carried values and views are aliases
///   of everything that may stand behind them (BufferViewFlowAnalysis)
/// - in a region whose blocks branch back, what leaves its block is live
///   throughout
///
/// Queried by getAnalysis<LivenessAnalysis>() on any operation with regions. It
/// reads nothing outside the root, so function passes may run at once.
class LivenessAnalysis {
public:
  /// Whether a call may be given the operand without its being kept or freed.
  using SafeOperand = llvm::function_ref<bool(OpOperand &)>;

  explicit LivenessAnalysis(Operation *root);
  /// With knowledge of functions that are called; without, they keep all.
  LivenessAnalysis(Operation *root, SafeOperand isSafeForCall);

  /// In the order of their origins; arguments of the root first.
  ArrayRef<LiveBuffer> buffers() const { return found; }
  /// Buffers whose bytes `value` may be: several behind a select.
  SmallVector<const LiveBuffer *> buffersOf(Value value) const;
  /// The one that `origin` makes, or null.
  const LiveBuffer *bufferAt(Value origin) const;
  /// Live range of whatever `value` may be; empty for one that is neither
  /// memref nor tensor.
  PointRange liveRange(Value value) const;
  /// When the bytes behind `value` are accessed through it and its own aliases,
  /// as if it were an origin.
  PointRange rangeThrough(Value value, SafeOperand isSafeForCall) const;
  bool isLiveAt(Value value, Operation *op) const;

  int64_t pointCount() const { return int64_t(starts.size()); }
  /// The operation that begins or ends at a point.
  Operation *opAt(int64_t point) const { return starts[size_t(point)]; }
  /// Points of an operation with what is inside; of one in a region that is no
  /// control flow, those of the operation around it.
  PointRange pointsOf(Operation *op) const;
  /// The points of `op` as they count for bytes made at `origin`: of the whole
  /// loop where one lies between.
  PointRange pointsFor(Value origin, Operation *op) const;

  /// At each point, the known bytes of what is live and not the caller's.
  std::vector<int64_t> liveBytes() const;

private:
  void number(Operation *op);
  void collect(Operation *root);
  void measure(LiveBuffer &buffer, SafeOperand isSafeForCall) const;
  Operation *regionOfUnknown(Operation *op) const;
  void lookAtAlias(LiveBuffer &buffer, Value alias) const;

  Operation *root;
  BufferViewFlowAnalysis flow;
  std::vector<Operation *> starts;
  llvm::DenseMap<Operation *, PointRange> points;
  std::vector<LiveBuffer> found;
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> byAlias;
};

/// What the owner of `use` does with it. `isSafeForCall` as above.
BufferUse classifyUse(OpOperand &use,
                      LivenessAnalysis::SafeOperand isSafeForCall);

/// Whether the regions of `op` run where it stands and one at a time: control
/// flow that can be followed.
bool isControlFlow(Operation *op);
/// Whether a region of `op` may run again after itself.
bool isLoop(Operation *op);

/// Bytes of a dense memref or tensor as its lowering lays it out, if the type
/// says it and they fit in 62 bits.
std::optional<int64_t> denseBytes(Operation *near, Type type);

} // namespace mlir::memplan

#endif // MEMPLAN_MEMREF_LIVENESSANALYSIS_H

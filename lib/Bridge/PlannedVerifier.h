//===- PlannedVerifier.h - The steps of planned verification ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_PLANNEDVERIFIER_H
#define MEMPLAN_LIB_BRIDGE_PLANNEDVERIFIER_H

#include "QueueOrder.h"
#include "TensorLinks.h"
#include "memplan/Bridge/VerifyPlanned.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::memplan {

/// What one operand holds when it is read.
struct ReadOperand {
  unsigned number = 0;
  std::optional<ByteRange> range; ///< None for a constant on tensors.
  SymbolicBytes value;
};

/// Executes a planned function symbolically, operation by operation, and holds
/// it against all constraints but planned_c8.
class PlannedVerifier {
public:
  PlannedVerifier(func::FuncOp function, const ValueHashes *expected)
      : function(function), expected(expected),
        links(function.getNumArguments(), addresses, memory) {}

  FailureOr<PlannedFacts> run();

private:
  LogicalResult readSignature();
  FailureOr<int64_t> readAlignment(unsigned argument);
  LogicalResult readArena(BlockArgument argument);
  LogicalResult readArgument(BlockArgument argument);
  FailureOr<ByteRange> homeOf(BlockArgument argument);
  FailureOr<ByteRange> homeIn(unsigned arena, BlockArgument argument,
                              int64_t offset);
  LogicalResult visit(Operation *op);
  // Queues, in VerifyOrder.cpp and VerifyCopies.cpp:
  void begin(Operation *op, double micros);
  LogicalResult noteRead(Operation *op, const Twine &what,
                         const ByteRange &range);
  LogicalResult noteWrite(Operation *op, const Twine &what,
                          const ByteRange &range);
  InFlightDiagnostic reportRace(Operation *op, const Twine &what,
                                const ByteRange &range, const QueueMark &other);
  LogicalResult evict(EvictOp op);
  LogicalResult fetch(FetchOp op);
  LogicalResult checkComesBack(FetchOp op, const ByteRange &to,
                               const SymbolicBytes &value);
  LogicalResult copyWhole(Operation *op, const ByteRange &from,
                          const ByteRange &to, const SymbolicBytes &value);
  LogicalResult wait(WaitOp op);
  LogicalResult execute(PlannableOpInterface op);
  LogicalResult copy(memref::CopyOp op);
  FailureOr<ReadOperand> readOperand(PlannableOpInterface op, unsigned number);
  FailureOr<SmallVector<ByteRange>> outputsOf(PlannableOpInterface op);
  FailureOr<std::optional<ByteRange>> workspaceOf(PlannableOpInterface op);
  LogicalResult checkMarkedPlaces(Operation *op, ArrayRef<ByteRange> outputs);
  LogicalResult checkAliasing(PlannableOpInterface op,
                              ArrayRef<ReadOperand> inputs,
                              ArrayRef<ByteRange> outputs,
                              const std::optional<ByteRange> &workspace);
  std::optional<SymbolicBytes> readWhole(const ByteRange &range,
                                         int64_t position);
  void writeBytes(const ByteRange &range, const SymbolicBytes &bytes,
                  int64_t position);
  LogicalResult movePieces(PlannableOpInterface op,
                           ArrayRef<ReadOperand> inputs,
                           const ByteRange &output, int64_t position);
  LogicalResult checkPlace(PlannableOpInterface op, unsigned output,
                           const ByteRange &range);
  LogicalResult checkAligned(PlannableOpInterface op, unsigned output,
                             const ByteRange &range);
  LogicalResult checkValue(Operation *op, uint64_t root);
  LogicalResult checkBoundary(func::ReturnOp terminator);
  LogicalResult checkArguments(ArrayRef<int64_t> promised);
  LogicalResult checkHash(Operation *at, const Twine &what, Value value,
                          int64_t promised, size_t index);
  static std::optional<ByteRange>
  pieceRange(PlannableOpInterface op, unsigned index, const ByteRange &output);
  LogicalResult writeOutputs(PlannableOpInterface op, uint64_t root,
                             ArrayRef<ReadOperand> inputs,
                             ArrayRef<ByteRange> outputs);
  void measure();

  /// What vector loads and matrix libraries ask for.
  static constexpr int64_t leastAlignment = 64;

  bool isArena(const ByteRange &range) const { return range.argument == 0; }
  bool isHost(const ByteRange &range) const {
    return arenas == 2 && range.argument == 1;
  }
  bool isDonated(unsigned argument) {
    return bool(function.getArgAttr(argument, kDonatedAttrName));
  }

  func::FuncOp function;
  const ValueHashes *expected;
  AddressMap addresses;
  SymbolicMemory memory;
  TensorLinks links;
  /// What concats have joined, and where.
  SmallVector<std::pair<ByteRange, SymbolicBytes>> joined;
  PlannedFacts facts;
  unsigned arenas = 1; ///< How many arguments are arenas, the first ones.
  int64_t alignment = 1, hostAlignment = 1;
  bool isConcurrent = false; ///< There are copies or several streams.
  QueueOrder order;
  ByteUsers users;
  QueueMark current; ///< The operation that is being executed.
  llvm::DenseMap<Value, ByteRange> onHost; ///< Arguments that live there
                                           ///< between steps.
  llvm::DenseMap<Value, QueueMoment> events;
  llvm::DenseMap<Value, ByteRange> leaving; ///< By event, bytes that are still
                                            ///< copied to the host.
  uint64_t effects = 0; ///< Effects of the operations so far.
  SmallVector<int64_t>
      workspaceAt; ///< Arena bytes of the workspace of each compute operation.
  llvm::DenseMap<int64_t, std::pair<uint64_t, Operation *>>
      valueOfNode; ///< By `memplan.node`.
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_PLANNEDVERIFIER_H

//===- PlannedMemory.h - Byte ranges of a planned function ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

//===----------------------------------------------------------------------===//
//
// The one memory model of the planned form: where memref values lie, and which
// values lie where while a function runs. The verifier, the liveness pass and
// the lowering to programs read it, so that they cannot disagree about an
// address.
//
//===----------------------------------------------------------------------===//

namespace mlir::memplan {

/// Bytes that one element takes in memory: a power of two.
int64_t elementBytes(Type elementType);

/// Bytes of a ranked tensor or memref of static shape; -1 for any other type.
int64_t byteSizeOf(Type type);

/// Bytes [begin, end) of a function argument; the arena is one of them.
struct ByteRange {
  unsigned argument = 0;
  int64_t begin = 0;
  int64_t end = 0;

  int64_t bytes() const { return end - begin; }
  bool overlaps(const ByteRange &other) const {
    return argument == other.argument && begin < other.end && other.begin < end;
  }
  friend bool operator==(const ByteRange &a, const ByteRange &b) {
    return a.argument == b.argument && a.begin == b.begin && a.end == b.end;
  }
};
Diagnostic &operator<<(Diagnostic &diag, const ByteRange &range);

/// Operations of other dialects that the planned form consists of: constants,
/// and views and casts that move no byte.
bool isAddressArithmetic(Operation *op);

/// Where memref values lie. Only address arithmetic with constants is
/// understood.
class AddressMap {
public:
  /// Bytes of `value`, or a diagnostic at `user` that says why they are
  /// unknown.
  FailureOr<ByteRange> resolve(Value value, Operation *user);
  /// Says where a value lies that is no address arithmetic.
  void set(Value value, const ByteRange &range) { known[value] = range; }

private:
  FailureOr<ByteRange> resolveDefinition(Operation *op, Operation *user);
  llvm::DenseMap<Value, ByteRange> known;
};

/// The bytes from `offset` on of the value named `root`, whose own bytes an
/// argument or an operation made. Views differ from their source in `offset`
/// alone.
struct SymbolicValue {
  uint64_t root = 0;
  int64_t offset = 0;
};

/// Bytes that hold one value after another, each as long as it goes on: what a
/// concat makes has one entry for each piece.
class SymbolicBytes {
public:
  struct Piece {
    SymbolicValue value;
    int64_t bytes = 0;
  };

  SymbolicBytes() = default;
  SymbolicBytes(SymbolicValue value, int64_t bytes) { append(value, bytes); }
  /// Goes on with bytes [value.offset, value.offset + bytes) of a value.
  void append(SymbolicValue value, int64_t bytes);
  void append(const SymbolicBytes &other);
  /// Bytes [offset, offset + bytes) of these.
  SymbolicBytes slice(int64_t offset, int64_t bytes) const;
  llvm::ArrayRef<Piece> pieces() const { return list; }
  friend bool operator==(const SymbolicBytes &a, const SymbolicBytes &b) {
    return llvm::equal(a.list, b.list, [](const Piece &x, const Piece &y) {
      return x.value.root == y.value.root && x.value.offset == y.value.offset &&
             x.bytes == y.bytes;
    });
  }

private:
  llvm::SmallVector<Piece, 1> list;
};

/// One value in memory, from the operation that wrote it to the last that read
/// it. Positions count compute operations.
struct StoredValue {
  ByteRange range;
  uint64_t root = 0;
  int64_t begin = 0; ///< -1: there before the step.
  int64_t last = 0;
  bool inPlace = false;   ///< Took its bytes over from a value that `begin`
                          ///< read.
  bool takenOver = false; ///< A later value took over exactly its bytes.
  int64_t offset = 0;     ///< Byte of the value named `root` at `range.begin`.
};

/// The values that the bytes of all arguments hold while the function runs.
class SymbolicMemory {
public:
  /// Forgets what overlaps the range, and remembers the new value. Returns its
  /// number.
  size_t write(const ByteRange &range, SymbolicValue value, int64_t position,
               bool inPlace);
  /// Forgets what overlaps the range.
  void clobber(const ByteRange &range);
  /// The values that hold all of the range, if some do; they live at least
  /// until `position`.
  std::optional<SymbolicBytes> read(const ByteRange &range, int64_t position);

  const std::vector<StoredValue> &history() const { return values; }

private:
  std::vector<StoredValue> values;
  std::map<std::pair<unsigned, int64_t>, size_t>
      current; ///< (argument, begin) -> number; disjoint ranges
};

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H

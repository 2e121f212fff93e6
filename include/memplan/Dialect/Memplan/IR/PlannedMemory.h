//===- PlannedMemory.h - Byte ranges of a planned function ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H

#include "memplan/Dialect/Memplan/IR/PiecePlace.h"
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

/// How the elements of a memref lie in its allocation.
struct MemrefRows {
  PiecePlace place; ///< `byteOffset` is 0 where it is not known.
  bool hasKnownStart = true;
  unsigned outerDims = 0; ///< Dimensions that count the rows; 0 for one row.

  bool isDense() const { return place.isDense(); }
};
/// More rows with gaps between them are no part of the planned form: what each
/// holds is followed one by one.
inline constexpr int64_t mostRows = 65536;
/// None for a memref whose elements are not in rows of equal length and
/// distance, in row-major order.
std::optional<MemrefRows> rowsOf(MemRefType type);

/// Bytes of a function argument, the arena being one of them: all of
/// [begin, end), or rows in there.
struct ByteRange {
  unsigned argument = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t rows = 1;
  int64_t stride = 0; ///< From row to row; 0 where there is one.

  static ByteRange at(unsigned argument, const PiecePlace &place) {
    return {argument, place.byteOffset, place.end(), place.rows, place.stride};
  }
  bool isDense() const { return rows == 1; }
  int64_t bytes() const { return place().bytes(); }
  PiecePlace place() const {
    return {begin, end - begin - (rows - 1) * stride, rows, stride};
  }
  ByteRange row(int64_t number) const {
    return at(argument, place().row(number));
  }
  bool overlaps(const ByteRange &other) const {
    return argument == other.argument && place().overlaps(other.place());
  }
  bool contains(const ByteRange &other) const {
    return argument == other.argument && place().contains(other.place());
  }
  friend bool operator==(const ByteRange &, const ByteRange &) = default;
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
  /// The bytes at a place that counts in these.
  SymbolicBytes at(const PiecePlace &place) const;
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
  /// What bytes hold. `value` is its number where a single value does.
  struct Found {
    SymbolicBytes bytes;
    std::optional<size_t> value;
  };

  /// Forgets what lies in the range, and remembers the new value. Returns its
  /// number.
  size_t write(const ByteRange &range, SymbolicValue value, int64_t position,
               bool inPlace);
  /// Forgets what lies in the range.
  void clobber(const ByteRange &range);
  /// The values that hold all of the range, if some do; they live at least
  /// until `position`.
  std::optional<Found> read(const ByteRange &range, int64_t position);

  const std::vector<StoredValue> &history() const { return values; }

private:
  /// Consecutive bytes of one value.
  struct Run {
    int64_t end = 0;
    size_t value = 0;
    int64_t offset = 0; ///< In the stored value, of the first byte.
  };

  using Runs = std::map<std::pair<unsigned, int64_t>, Run>;
  /// The run that holds the byte, or end.
  Runs::iterator find(unsigned argument, int64_t byte);
  bool readRow(const ByteRange &row, int64_t position, Found &found);

  std::vector<StoredValue> values;
  Runs current; ///< By (argument, begin); disjoint.
};

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_PLANNEDMEMORY_H

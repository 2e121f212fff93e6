//===- Constants.h - Where constant tensors lie on the device ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_CONSTANTS_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_CONSTANTS_H

#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include <deque>

namespace mlir::memplan {

/// The constant tensors of one function as they lie on the device for as long
/// as its program is loaded. Equal ones occur once. One whose elements
/// are all equal takes no bytes: its kernel writes the value. Extraction and
/// verification count these bytes, and the lowering makes them, by this one
/// class.
class ConstantBlob {
public:
  /// Adds the elements of a constant unless equal ones occur. Returns their
  /// first byte, or nothing for a constant that takes none and for any other
  /// operation.
  std::optional<int64_t> add(Operation *op);

  /// Every constant starts aligned for any element type and vector load.
  static constexpr int64_t alignment = 64;
  int64_t bytes() const { return end; }
  /// First byte and elements of each constant, ascending.
  ArrayRef<std::pair<int64_t, ArrayRef<char>>> parts() const { return list; }

private:
  int64_t end = 0;
  llvm::DenseMap<StringRef, int64_t> offsetOf; ///< By elements.
  std::deque<std::string> expanded; ///< Elements that the IR holds once.
  SmallVector<std::pair<int64_t, ArrayRef<char>>> list;
};

/// The element that fills the constant, as an attribute of its element type.
/// Null where elements differ, and for a NaN, whose bits would not survive the
/// way through a number.
TypedAttr fillValue(ConstantOp op);

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_CONSTANTS_H

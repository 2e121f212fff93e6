//===- EncodedValues.h - Values that a program encodes ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_ENCODEDVALUES_H
#define MEMPLAN_LIB_TRANSFORMS_ENCODEDVALUES_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Plan/Plan.h"

namespace mlir::memplan {

/// A value with what it is encoded and decoded by.
struct EncodedValue {
  Operation *encoder = nullptr;
  /// Decoders and views of what they give, each with what it stands
  /// for.
  SmallVector<std::pair<Operation *, SmallVector<Value, 1>>> clones;

  /// Lets all users read the value itself again.
  void undo();
};

/// What a program has been told to encode: values of type f32.
class EncodedValues {
public:
  /// Encodes, right where it is made, each value that the plan copies to the
  /// host. Who first runs after a fetch of it reads what is decoded right
  /// before the first of all that read what this fetch brought.
  EncodedValues(const GraphView &view, const core::Plan &plan);

  bool empty() const { return values.empty(); }
  void undo();
  /// Takes back what a plan of the function as it is now leaves on the device.
  /// True if there was any.
  bool undoWhatStays(const GraphView &view, const core::Plan &plan);

private:
  SmallVector<EncodedValue> values;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_ENCODEDVALUES_H

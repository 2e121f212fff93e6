//===- MapExpression.h - What a memplan.map computes ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_DIALECT_MEMPLAN_IR_MAPEXPRESSION_H
#define MEMPLAN_LIB_DIALECT_MEMPLAN_IR_MAPEXPRESSION_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::memplan {

/// The functions of an expression, in the order of the table in
/// MapExpression.cpp.
enum class MapFunction {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Pow,
  Min,
  Max,
  Lt,
  Le,
  Eq,
  Ne,
  Neg,
  Abs,
  Sign,
  Floor,
  Ceil,
  Round,
  Exp,
  Log,
  Log1p,
  Expm1,
  Sqrt,
  Rsqrt,
  Sin,
  Cos,
  Tanh,
  Sigmoid,
  Erf,
  Select
};

/// An input, the result of an earlier step, or a number.
struct MapValue {
  enum Kind { Input, Step, Number } kind = Number;
  unsigned index = 0; ///< of an input or step
  double number = 0;

  bool operator==(const MapValue &other) const {
    return kind == other.kind &&
           (kind == Number ? number == other.number : index == other.index);
  }
};

struct MapStep {
  MapFunction function;
  SmallVector<MapValue, 3> operands;
};

/// Steps, each a function of values that are there before it. The last
/// statement of the text is `result`.
struct MapExpression {
  SmallVector<MapStep> steps;
  MapValue result;

  /// Reads the text that `memplan.map` describes. Inputs are numbered below
  /// `inputs`. Where it fails, `reason` says why.
  static FailureOr<MapExpression> parse(StringRef text, unsigned inputs,
                                        std::string &reason);
  std::string text() const;

  /// Appends a step, or gives the value that it has where its operands say so.
  MapValue add(MapFunction function, ArrayRef<MapValue> operands);
  /// Leaves out steps that `result` does not need.
  void dropUnusedSteps();
};

/// The derivative of `expression` by input `input`, times input number
/// `gradient`. Gives no result where it is 0 everywhere.
std::optional<MapExpression> derivative(const MapExpression &expression,
                                        unsigned input, unsigned gradient);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_DIALECT_MEMPLAN_IR_MAPEXPRESSION_H

//===- MapCode.h - The expression of a memplan.map --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_MAPCODE_H
#define MEMPLAN_LIB_KERNELS_MAPCODE_H

#include "Operands.h"

#include <string>
#include <vector>

namespace memplan::runtime::kernels {

inline constexpr int mostMapInputs = 16, mostMapSteps = 96;

/// As the dialect names them; see the description of `memplan.map`.
enum class MapFunction : int32_t {
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

/// An input (>= 0), a step (< 0: -1 is the first), or a number.
struct MapOperand {
  int32_t place = 0;
  bool isNumber = false;
  double number = 0;
};

struct MapStep {
  MapFunction function;
  MapOperand operands[3];
};

struct MapCode {
  std::vector<MapStep> steps;
  MapOperand result;
  /// Whether any operand of the launch is i64, so that f32 is too narrow.
  bool wide = false;
};

/// Reads the attribute `expression`. Where it says nothing that a kernel
/// computes, gives false and what is wrong.
bool readMapCode(const memplan_launch_t *launch, MapCode &code,
                 std::string &reason);

/// How the operands of a launch lie: dimensions that no operand tells apart
/// are one. Strides are in elements, 0 along what is repeated.
struct MapLoops {
  int rank = 0;
  int64_t shape[maxRank] = {};
  int64_t strides[mostMapInputs][maxRank] = {};

  explicit MapLoops(const memplan_launch_t *launch);
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_MAPCODE_H

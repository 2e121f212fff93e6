//===- GradientCases.h - Ops and shapes to differentiate --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_DIALECT_GRADIENTCASES_H
#define MEMPLAN_TEST_UNIT_DIALECT_GRADIENTCASES_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// How the elements of a case's inputs are drawn.
enum class Values {
  Random,   ///< signed, away from 0 and from +-0.6, where some ops have kinks
  Distinct, ///< at least 0.05 apart, so that no maximum is near a tie
};

/// `body` computes %y of type `result` from %a, %b, %c of the given types. f32
/// arguments are parameters, i64 ones are inputs below `high`.
struct GradientCase {
  std::string op; ///< the op whose gradient this is
  std::string variant;
  std::vector<std::string> arguments;
  std::string result;
  std::string body;
  Values values = Values::Random;
  int64_t high = 5;
  /// Empty: mean squared error of %y against a constant target. Otherwise the
  /// body computes the scalar loss %y itself.
  bool isLoss = false;
};

inline void PrintTo(const GradientCase &testCase, std::ostream *os) {
  *os << testCase.op << " " << testCase.variant;
}

/// At least one for each differentiable op.
std::vector<GradientCase> gradientCases();

#endif // MEMPLAN_TEST_UNIT_DIALECT_GRADIENTCASES_H

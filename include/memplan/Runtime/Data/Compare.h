//===- Compare.h - A planned run against an unplanned run -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DATA_COMPARE_H
#define MEMPLAN_RUNTIME_DATA_COMPARE_H

#include "memplan/Runtime/Data/Feed.h"

#include <functional>

namespace memplan::runtime {

/// The programs have the same arguments and outputs, so that their runs can be
/// compared. The error names the first difference.
Status checkComparable(const Program &planned, const Program &unplanned);

/// How far values may be from those that they are compared with. For real ones
/// that is the norm of their difference over the norm of the values. To that
/// 1e-4 for each element is added: what should be 0 is noise.
struct Closeness {
  double tolerance = 0; ///< 0: bit for bit
  double farthest = 0;  ///< what was found
};

/// Tolerance against a program that encodes nothing, for one that encodes what
/// it copies to the host. bfloat16 keeps 8 bits, and sums of gradients cancel.
inline constexpr double toleranceOfBf16 = 1.0 / 8;
/// How many values the program encodes so.
int64_t countEncoded(const Program &program);

/// Compares what the two executables hold after a step: every output and every
/// argument, bit for bit or, where `closeness` allows it, real ones nearly.
/// MEMPLAN_CHECK_FAILED names the first value, element and both numbers.
Status compareStep(const Runnable &planned, const Runnable &unplanned,
                   Closeness &closeness);
inline Status compareStep(const Runnable &planned, const Runnable &unplanned) {
  Closeness exact;
  return compareStep(planned, unplanned, exact);
}

struct CompareOptions {
  int64_t steps = 1;
  /// Watch the planned run.
  std::vector<StepObserver *> observers;
  /// Called after each step that compared equal.
  std::function<Status(int64_t step)> afterStep;
  /// Asked before each step; true ends the comparison. Optional.
  std::function<bool()> stop = nullptr;
  double tolerance = 0; ///< as that of Closeness
  /// Runs beside the two, and only how far it is from the planned run is
  /// reported: the program without a codec. Optional.
  Runnable *lossless = nullptr;
};

struct CompareReport {
  int64_t steps = 0;   ///< that ran
  int64_t values = 0;  ///< outputs and arguments compared in each step
  int64_t bytes = 0;   ///< of those values
  double farthest = 0; ///< as that of Closeness
  double farthestFromLossless = 0;
};

/// Runs the two side by side on the same parameters and data and compares them
/// after every step. Updates feed the next step.
Result<CompareReport> compareRuns(Runnable &planned, Runnable &unplanned,
                                  const Feed &feed,
                                  const CompareOptions &options);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DATA_COMPARE_H

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

/// Compares, bit for bit, what the two executables hold after a step: every
/// output and every argument. MEMPLAN_CHECK_FAILED names the first value,
/// element and both numbers.
Status compareStep(const Runnable &planned, const Runnable &unplanned);

struct CompareOptions {
  int64_t steps = 1;
  /// Watch the planned run.
  std::vector<StepObserver *> observers;
  /// Called after each step that compared equal.
  std::function<Status(int64_t step)> afterStep;
  /// Asked before each step; true ends the comparison. Optional.
  std::function<bool()> stop = nullptr;
};

struct CompareReport {
  int64_t steps = 0;  ///< that ran
  int64_t values = 0; ///< outputs and arguments compared in each step
  int64_t bytes = 0;  ///< of those values
};

/// Runs the two side by side on the same parameters and data and compares them
/// after every step. Updates feed the next step.
Result<CompareReport> compareRuns(Runnable &planned, Runnable &unplanned,
                                  const Feed &feed,
                                  const CompareOptions &options);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DATA_COMPARE_H

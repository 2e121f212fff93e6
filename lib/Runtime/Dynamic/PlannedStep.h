//===- PlannedStep.h - A static plan as calls of an engine ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_PLANNEDSTEP_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_PLANNEDSTEP_H

#include "memplan/Runtime/Execute/KernelCall.h"

#include <memory>
#include <span>

namespace memplan::runtime {

/// A run of an op, the first one or another.
struct PlannedRun {
  int32_t call = -1; ///< whose op it is
  /// In the pool, by output; -1: it lies in the bytes of an input.
  std::vector<int64_t> addresses;
  int64_t scratch = -1;
  /// Outputs that take the bytes of an input which the plan reads here for the
  /// last time, and the kernel prepared for that.
  std::vector<memplan_in_place_t> handed;
  std::shared_ptr<const KernelCall> inPlace;
};

/// Values are those of the program without recomputations; the one behind the
/// last of them stands for the constants.
struct PlannedAction {
  int32_t leaves = -1; ///< a value whose bytes are given back, or -1: `run`
  PlannedRun run;
  std::vector<int32_t> wanted; ///< values of the run that are read later
};

struct PlannedCall {
  struct Input {
    int32_t value = -1;
    int64_t offset = 0;
  };
  struct NewBytes {
    int64_t bytes = 0;
    bool isOver = false; ///< it overwrites an argument
  };
  std::string key; ///< profileKey() of its instruction
  std::vector<Input> inputs;
  std::vector<NewBytes> outputs;
  int32_t firstValue = 0; ///< that it makes
  /// What the plan does between the call before it and this one.
  std::vector<PlannedAction> before;
  PlannedRun run;
};

/// The calls that a host makes for a step, each with what a plan does for it.
struct PlannedStep {
  std::vector<PlannedCall> calls;
  /// By value: the last call for which the plan reads it.
  std::vector<int32_t> lastUser;
  int64_t alignment = 1;

  /// `bases`: where each arena of the program lies in the pool.
  static Result<PlannedStep> create(const Device &device,
                                    const Program &planned,
                                    std::span<const int64_t> bases);
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_PLANNEDSTEP_H

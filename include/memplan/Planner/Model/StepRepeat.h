//===- StepRepeat.h - Turns of a step that are alike ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_MODEL_STEPREPEAT_H
#define MEMPLAN_PLANNER_MODEL_STEPREPEAT_H

#include <cstdint>

namespace memplan {

/// Ops [begin, begin + period) and more turns of them, one after the other. Op
/// by op they cost and make the same, and read the same values or what the
/// producers make in their own turn. Micro-batches are such turns. Those of
/// layers have a second part, the backward pass, where the last turn comes
/// first. It reads what the first parts of its own and other turns make.
struct StepRepeat {
  int32_t begin = 0;
  int32_t period = 0;
  int32_t turns = 0; ///< The first counts.
  int32_t backwardBegin = 0;
  int32_t backwardPeriod = 0; ///< 0: there is no second part.
  /// Turns that stand for all: so many of the first ones and of the last ones.
  int32_t keptFirst = 1, keptLast = 0;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_MODEL_STEPREPEAT_H

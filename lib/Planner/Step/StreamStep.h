//===- StreamStep.h - A planned step on several streams ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H
#define MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H

#include "Attempt.h"
#include <functional>

namespace memplan {

/// Plans for one stream and another budget.
using Replan = std::function<llvm::Expected<Plan>(int64_t budgetBytes)>;

/// A plan for one stream, with copies or without, on the streams that the
/// options ask for. It keeps the budgets that the plan keeps: in the worst case
/// it takes the same bytes. One without steps stays as it is. `climbed` is
/// where the plan was chosen from; `replan`, which may be empty, is for plans
/// that are not chosen from a family.
llvm::Expected<Plan> spreadOverStreams(const StepContext &context, Plan plan,
                                       const ClimbedRungs &climbed,
                                       const Replan &replan);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STREAMSTEP_H

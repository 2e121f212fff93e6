//===- Liveness.cpp - Live ranges and steps of a schedule -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Schedule/Liveness.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "memplan/Schedule/ScheduleEvaluator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

std::vector<LiveRange> computeLiveRanges(const GraphIndex &index,
                                         const Schedule &schedule) {
  ScheduleEvaluator evaluator(index);
  return evaluator.computeLiveRanges(schedule.runs);
}

ScheduleMetrics measureSchedule(const GraphIndex &index,
                                const Schedule &schedule,
                                const InPlaceChoice &inPlace) {
  ScheduleEvaluator evaluator(index);
  return evaluator.measure(schedule.runs, inPlace);
}

Error verifySchedule(const GraphIndex &index, const Schedule &schedule) {
  ScheduleChecker checker(index);
  if (std::optional<ScheduleViolation> violation = checker.check(schedule.runs))
    return toError(index.graph(), *violation);
  return Error::success();
}

} // namespace memplan

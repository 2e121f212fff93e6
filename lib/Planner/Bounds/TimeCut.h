//===- TimeCut.h - A bound on time by one least cut -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At the first run of an op, what is read later is on the device, was copied to
// the host by then, or is recomputed afterwards, with all that this takes. For
// any share y from 0 to 1, what comes before lasts at least 1 - y times its
// computation and y times its copies out. For any multiplier w of bytes
//
//   time >= cost - y (cost before) + w (bytes touched - budget) + cut
//
// where the cut is the least sum over all choices: w times a value's bytes, or
// y times the time of its copy out, whichever is less, or the cost of each op
// that runs again.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_TIMECUT_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_TIMECUT_H

#include "memplan/Planner/Bounds/TimeBound.h"

namespace memplan {

/// The best such bound of at most `flows` cuts at the op. Rounded down. Each
/// cut is one maximum flow over the values that are live there.
double boundTimeAt(const TimeBoundProblem &problem, int32_t op, int flows);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_TIMECUT_H

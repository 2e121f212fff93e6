//===- Tuning.h - The tuned numbers of orders -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They decide what is looked at; every move that is made is measured. Chosen by
// trial; no record says on which graphs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ORDER_TUNING_H
#define MEMPLAN_LIB_PLANNER_ORDER_TUNING_H

#include <cstdint>

namespace memplan::tuning {

/// Updates are deferred where what they make is at least 1 / 100 of the peak
/// and what they read at most 1 / 8 of it: others change no peak.
constexpr int64_t worthOfPeak = 100, smallShare = 8;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_ORDER_TUNING_H

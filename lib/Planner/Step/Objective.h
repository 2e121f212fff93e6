//===- Objective.h - Which of two plans is better ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one comparison of plans that keep the same budget: in searches over
// budgets, between solvers, between numbers of streams, and between forms of a
// step. Without copies and on one stream the time of a plan is its work.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_OBJECTIVE_H
#define MEMPLAN_LIB_PLANNER_STEP_OBJECTIVE_H

#include "memplan/Planner/Options.h"
#include <algorithm>
#include <utility>

namespace memplan {

class Objective {
public:
  /// Less time, then fewer device bytes.
  static Objective time() { return Objective(Kind::Time); }
  /// Fewer device bytes, then less time.
  static Objective bytes() { return Objective(Kind::Bytes); }
  /// What the options ask of plans within their budget, of steps whose runs go
  /// side by side or one after the other. Bytes up to `freeBytes` cost nothing
  /// where bytes come first: a plan of so many is known.
  static Objective of(const PlanOptions &options, bool sideBySide,
                      int64_t freeBytes = 0) {
    if (options.minBudget)
      return bytes();
    if (!sideBySide || options.parallelism == "prefer")
      return time();
    if (options.parallelism == "memory")
      return Objective(Kind::Bytes, freeBytes);
    // Where there is a budget, bytes up to it are free.
    return Objective(options.budgetBytes ? Kind::Time : Kind::Product);
  }

  bool isBetter(double time, int64_t deviceBytes, double otherTime,
                int64_t otherBytes) const {
    return key(time, deviceBytes) < key(otherTime, otherBytes);
  }
  /// Compares packed plans: those with `plan` and `deviceBytes`.
  template <typename Packed>
  bool isBetter(const Packed &a, const Packed &b) const {
    return isBetter(a.plan.makespan(), a.deviceBytes, b.plan.makespan(),
                    b.deviceBytes);
  }
  /// Keeps the better one; the first of equals.
  template <typename Best, typename Packed>
  void take(Packed &&packed, std::optional<Best> &best) const {
    if (!best || isBetter(packed, *best))
      best = std::forward<Packed>(packed);
  }
  /// Whether time decides before bytes do.
  bool isTimeFirst() const { return kind == Kind::Time; }

private:
  enum class Kind { Time, Bytes, Product };
  explicit Objective(Kind kind, int64_t freeBytes = 0)
      : kind(kind), freeBytes(freeBytes) {}

  std::pair<double, double> key(double time, int64_t deviceBytes) const {
    const auto bytes = double(std::max(deviceBytes, freeBytes));
    switch (kind) {
    case Kind::Time:
      return {time, bytes};
    case Kind::Bytes:
      return {bytes, time};
    case Kind::Product:
      return {time * bytes, time};
    }
    return {time, bytes};
  }

  Kind kind;
  int64_t freeBytes;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_OBJECTIVE_H

//===- LiveSetBound.cpp - What is left to pay from a live set -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveSetBound.h"
#include "Tuning.h"
#include <limits>

using namespace memplan;

LiveSetBound::LiveSetBound(const PeakModel &model,
                           const PeakMultipliers &multipliers)
    : totalCost(model.rows->step().totalCost()) {
  const PeakDual dual(model);
  std::vector<PeakDual::Later> later;
  base = dual.proveLater(multipliers, later);
  changes.resize(base.size());
  const ExactCost unit(totalCost);
  lossLists.assign(base.size(), std::vector<double>(
                                    size_t(model.rows->step().numValues()), 0));
  for (const PeakDual::Later &one : later) {
    base[one.done] += one.freed;
    if (one.kept == one.freed)
      continue;
    changes[one.done].push_back({one.value, one.kept - one.freed});
    lossLists[one.done][one.value] = unit.toDouble(one.freed - one.kept);
  }
}

double LiveSetBound::least(int32_t done, const LiveSet &live) const {
  if (base.empty())
    return 0;
  Int128 sum = base[done];
  for (const Change &change : changes[done])
    if (live.has(change.value))
      sum += change.by;
  const ExactCost unit(totalCost);
  if (sum > unit.floor(totalCost) << tuning::doublingsOfNever)
    return std::numeric_limits<double>::infinity();
  return std::max(0.0, unit.toDouble(sum - 1));
}

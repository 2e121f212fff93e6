//===- Lagrangian.cpp - Prices for the bytes at first runs ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: relax memory at the first run of each op by a price w >= 0 of a byte
//   there. What is left falls apart into gaps: one that costs c to bridge and
//   holds m bytes saves max(0, m W - c), W the prices that it spans. Any prices
//   give a bound; the best ones are looked for by Polyak's steps.
// Guarantee: the prices that are found are rounded and the bound is evaluated
//   in integers.
// Cost: O(ops + gaps) for each step.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/ExactCost.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace memplan;

namespace {

/// What prices prove of the cost beyond one run of each op.
class GapDual {
public:
  GapDual(const ContractedStep &step, int64_t budgetBytes)
      : rows(step), budget(budgetBytes) {
    int32_t value = 0;
    mainOutput.assign(size_t(step.numValues()), false);
    for (const StepOp &op : step.ops()) {
      // What a run costs is charged to its largest output alone.
      const int32_t *most = std::max_element(
          op.outputs.data(), op.outputs.data() + op.outputs.size(),
          [&](int32_t a, int32_t b) {
            return step.values()[a].bytes < step.values()[b].bytes;
          });
      if (!op.outputs.empty())
        mainOutput[*most] = true;
    }
    (void)value;
    excess.resize(size_t(rows.numRows()));
    allBytes = 1;
    for (int32_t row = 0; row < rows.numRows(); ++row) {
      excess[row] = rows.ownBytes(row) + rows.heldBytes(row) - budget;
      allBytes = std::max(allBytes, std::abs(excess[row]));
    }
    for (const StepValue &each : step.values())
      allBytes += each.bytes;
    for (const ValueGap &gap : rows.gaps()) {
      const StepValue &made = step.values()[gap.value];
      const StepOp &producer = step.ops()[made.producer];
      items.push_back({gap.begin, gap.end, made.bytes,
                       mainOutput[gap.value] ? producer.ways.front().cost : 0});
      for (int32_t row = gap.begin + 1; row < gap.end; row = gap.end)
        (void)row;
    }
    // A gap is there unless it is bridged.
    std::vector<int64_t> change(size_t(rows.numRows()) + 1, 0);
    for (const Item &item : items) {
      change[item.begin + 1] += item.bytes;
      change[item.end] -= item.bytes;
    }
    int64_t sum = 0;
    for (int32_t row = 0; row < rows.numRows(); ++row)
      excess[row] += sum += change[row];
  }
};
} // namespace

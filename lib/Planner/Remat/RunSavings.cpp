//===- RunSavings.cpp - What a run in a program can save ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/RunSavings.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace memplan;

RowScales::RowScales(const ContractedStep &step, bool hasDonated,
                     int64_t limitBytes) {
  int64_t unit = 0;
  for (const StepValue &value : step.values())
    unit = std::gcd(unit, value.bytes);
  if (hasDonated)
    for (const DonatedInput &input : step.donated())
      unit = std::gcd(unit, input.bytes);
  for (const StepOp &op : step.ops()) {
    for (const NodeVariant &variant : op.variants)
      unit = std::gcd(unit, variant.workspaceBytes);
    for (const StepOverlap &overlap : op.overlaps)
      unit = std::gcd(unit, overlap.savedBytes);
  }
  unit = std::max<int64_t>(unit, 1);
  const bool isWhole = limitBytes / unit <= tuning::mostUnitsOfRows;
  ofByte =
      isWhole ? 1 / double(unit) : tuning::totalOfRows / double(limitBytes);
  limit = isWhole ? double(limitBytes / unit) : bytes(limitBytes);
  const double total = step.totalCost();
  if (total > 0 && (total > double(tuning::mostUnitsOfRows) || total < 1))
    ofCost = tuning::totalOfRows / total;
}

int32_t RunSavings::addPair(const StepOverlap &overlap, const RowScales &scales,
                            MilpModel &milp, std::vector<MilpTerm> &bytes) {
  const int32_t column = milp.addColumn(0, 1, 0, /*isInteger=*/false);
  pairs.push_back({column, &overlap});
  bytes.push_back({column, -scales.bytes(overlap.savedBytes)});
  return column;
}

void RunSavings::addPairRows(
    int32_t run, llvm::function_ref<int32_t(const StepOverlap &)> mayTake,
    MilpModel &milp) const {
  for (size_t i = 0; i < pairs.size(); ++i)
    for (bool ofOutput : {false, true}) {
      const StepOverlap &overlap = *pairs[i].overlap;
      auto same = [&](const Pair &other) {
        return ofOutput ? other.overlap->output == overlap.output
                        : other.overlap->source == overlap.source;
      };
      if (llvm::any_of(llvm::ArrayRef(pairs).take_front(i), same))
        continue; // The first of them has the row.
      std::vector<MilpTerm> terms{{ofOutput ? run : mayTake(overlap), -1}};
      for (const Pair &other : pairs)
        if (same(other))
          terms.push_back({other.column, 1});
      milp.addRow(terms, MilpModel::atMost(0));
    }
}

void RunSavings::addVariants(const StepOp &op, int32_t run,
                             const RowScales &scales, MilpModel &milp,
                             std::vector<MilpTerm> &bytes) {
  std::vector<MilpTerm> one{{run, -1}};
  const NodeVariant &cheapest = op.variants.front();
  for (const NodeVariant &variant : llvm::drop_begin(op.variants)) {
    const int32_t column =
        milp.addBinary((variant.cost - cheapest.cost) * scales.ofCost);
    const int64_t saved = cheapest.workspaceBytes - variant.workspaceBytes;
    variants.push_back({column, saved});
    one.push_back({column, 1});
    bytes.push_back({column, -scales.bytes(saved)});
  }
  if (one.size() > 1)
    milp.addRow(one, MilpModel::atMost(0));
}

void RunSavings::take(llvm::function_ref<bool(const StepOverlap &)> isPossible,
                      double bytes, double limit, const RowScales &scales,
                      std::vector<double> &point) const {
  for (size_t i = 0; i < pairs.size(); ++i) {
    const StepOverlap &overlap = *pairs[i].overlap;
    const bool isTaken =
        isPossible(overlap) &&
        llvm::none_of(llvm::ArrayRef(pairs).take_front(i),
                      [&](const Pair &other) {
                        return point[other.column] != 0 &&
                               (other.overlap->output == overlap.output ||
                                other.overlap->source == overlap.source);
                      });
    point[pairs[i].column] = isTaken;
    bytes -= isTaken ? scales.bytes(overlap.savedBytes) : 0;
  }
  if (bytes <= limit + tuning::slackOfUnits)
    return;
  for (const Variant &variant : variants)
    if (bytes - scales.bytes(variant.savedBytes) <=
        limit + tuning::slackOfUnits) {
      point[variant.column] = 1;
      return;
    }
}

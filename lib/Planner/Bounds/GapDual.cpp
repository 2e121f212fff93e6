//===- GapDual.cpp - What multipliers of bytes prove ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One template holds what a gap saves, for floating point (the way to good
// multipliers) and for integers (the proof).
//
//===----------------------------------------------------------------------===//

#include "GapDual.h"
#include "Tuning.h"
#include "Variants.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

GapDual::GapDual(const OrderRows &rows, int64_t budgetBytes, int treeSize,
                 int32_t numRows)
    : rows(&rows), weightedRows(numRows) {
  const ContractedStep &step = rows.step();
  std::vector<int64_t> spanned(size_t(weightedRows) + 1, 0);
  for (const ValueGap &gap : rows.gaps()) {
    if (gap.begin + 1 >= weightedRows)
      continue;
    const int64_t bytes = step.values()[gap.value].bytes;
    const int32_t end = std::min(gap.end, weightedRows);
    gaps.push_back({gap.begin, end, gap.value, bytes, costOf(gap.value)});
    growTree(gaps.back(), treeSize);
    spanned[gap.begin + 1] += bytes;
    spanned[end] -= bytes;
  }
  share();
  int64_t sum = 0;
  for (int32_t row = 0; row < weightedRows; ++row) {
    sum += spanned[row];
    excess.push_back(rows.ownBytes(row) + rows.heldBytes(row) +
                     rows.donatedBytes(row) + sum - budgetBytes);
    allBytes = std::max(allBytes, std::abs(excess.back()));
  }
  for (const StepValue &value : step.values())
    allBytes += value.bytes;
  for (const StepOp &op : step.ops())
    allBytes = std::max(allBytes, op.variants.front().workspaceBytes);
}

double GapDual::costOf(int32_t value) const {
  const ContractedStep &step = rows->step();
  return step.ops()[step.values()[value].producer].variants.front().cost;
}

void GapDual::growTree(Gap &gap, int treeSize) {
  gap.deadBegin = static_cast<int32_t>(dead.size());
  for (const DeadInput &input :
       rows->deadInputs(gap.value, gap.begin, treeSize))
    dead.push_back({input.value, input.parent,
                    rows->step().values()[input.value].bytes,
                    costOf(input.value), input.again});
  gap.deadEnd = static_cast<int32_t>(dead.size());
}

/// What leaving the gap saves, times wholeShare; at least 0. Leaves the part of
/// each dead input in `parts` and, if it is kept rather than made, in `kept`.
template <typename Number, typename CostOf>
Number GapDual::savings(const Gap &gap, Number width, CostOf costOf,
                        std::vector<Number> &parts,
                        std::vector<char> &kept) const {
  Number saved = Number(gap.bytes) * width * Number(wholeShare) -
                 costOf(gap.cost) * Number(gap.part);
  if (!(saved > 0))
    return 0;
  const llvm::ArrayRef<Dead> tree = treeOf(gap);
  parts.resize(tree.size());
  kept.resize(tree.size());
  for (size_t i = 0; i < tree.size(); ++i)
    parts[i] = costOf(tree[i].cost) * Number(tree[i].part);
  // Children come after their parents.
  for (size_t i = tree.size(); i-- > 0;) {
    const Number ifKept = Number(tree[i].share) * Number(tree[i].bytes) * width;
    kept[i] = !tree[i].again || ifKept <= parts[i];
    if (kept[i])
      parts[i] = ifKept;
    (tree[i].parent < 0 ? saved : parts[tree[i].parent]) +=
        tree[i].parent < 0 ? -parts[i] : parts[i];
  }
  return saved > 0 ? saved : 0;
}

double GapDual::prove(llvm::ArrayRef<double> multipliers) const {
  const ContractedStep &step = rows->step();
  const ExactCost unit(step.totalCost());
  const std::vector<Int128> exact =
      exactMultipliers(unit, multipliers, allBytes);
  auto costOf = [&](double cost) { return unit.floor(cost); };
  std::vector<Int128> before{0}, parts;
  std::vector<char> kept;
  int64_t bytesMore;
  Int128 sum = unit.floor(step.costOutside());
  for (int32_t op = numRows(); op < rows->numRows(); ++op)
    sum += unit.floor(step.ops()[op].variants.front().cost);
  for (int32_t op = 0; op < numRows(); ++op) {
    before.push_back(before.back() + exact[op]);
    sum += exact[op] * excess[op] +
           cheapestVariant(step.ops()[op], exact[op], costOf, bytesMore);
  }
  Int128 saved = 0;
  for (const Gap &gap : gaps)
    if (Int128 width = before[gap.end] - before[gap.begin + 1]; width > 0)
      saved += savings(gap, width, costOf, parts, kept);
  return unit.toDouble(sum - saved / wholeShare - 1);
}

double GapDual::evaluate(llvm::ArrayRef<double> multipliers,
                         std::vector<double> &excessBytes) {
  const ContractedStep &step = rows->step();
  auto costOf = [](double cost) { return cost; };
  scratch.resize(size_t(numRows()) + 1);
  excessBytes.assign(size_t(numRows()) + 1, 0);
  double bound = 0;
  scratch[0] = 0;
  for (int32_t op = 0; op < numRows(); ++op) {
    scratch[op + 1] = scratch[op] + multipliers[op];
    bound += multipliers[op] * double(excess[op]);
  }
  for (Gap &gap : gaps) {
    const double width = scratch[gap.end] - scratch[gap.begin + 1];
    if (width <= 0)
      continue;
    const double saved = savings(gap, width, costOf, parts, kept);
    if (saved <= 0)
      continue;
    bound -= saved / wholeShare;
    gap.uses += 1;
    const double bytes = double(gap.bytes) - keptBytes(gap);
    excessBytes[gap.begin + 1] -= bytes;
    excessBytes[gap.end] += bytes;
  }
  double left = 0;
  for (int32_t op = 0; op < numRows(); ++op) {
    left += excessBytes[op];
    int64_t bytesMore = 0;
    bound +=
        cheapestVariant(step.ops()[op], multipliers[op], costOf, bytesMore) -
        step.ops()[op].variants.front().cost;
    excessBytes[op] = left + double(excess[op]) + double(bytesMore);
  }
  excessBytes.pop_back();
  return bound;
}

/// Bytes of dead inputs that are kept where the gap is left, as savings() found
/// them; counts the uses of all that pay.
double GapDual::keptBytes(const Gap &gap) {
  double bytes = 0;
  const llvm::MutableArrayRef<Dead> tree =
      llvm::MutableArrayRef<Dead>(dead).slice(size_t(gap.deadBegin),
                                              treeOf(gap).size());
  // `kept` of a dead input below a kept one means nothing.
  for (size_t i = 0; i < tree.size(); ++i) {
    const int32_t parent = tree[i].parent;
    if (parent >= 0 && kept[parent]) {
      kept[i] = 2;
      continue;
    }
    tree[i].uses += 1;
    if (kept[i])
      bytes += double(tree[i].share) / wholeShare * double(tree[i].bytes);
  }
  return bytes;
}

/// Weights of a value add up over its gaps and dead inputs; those of an op over
/// its outputs.
void GapDual::share() {
  const ContractedStep &step = rows->step();
  std::vector<double> ofDead(size_t(step.numValues()), 0), ofValue = ofDead,
                                                           ofOp;
  ofOp.assign(size_t(step.numOps()), 0);
  for (const Dead &each : dead) {
    ofDead[each.value] += each.weight;
    ofValue[each.value] += each.weight;
  }
  for (const Gap &gap : gaps)
    ofValue[gap.value] += gap.weight;
  for (int32_t value = 0; value < step.numValues(); ++value)
    ofOp[step.values()[value].producer] += ofValue[value];
  auto partOf = [&](int32_t value) {
    return ofValue[value] / ofOp[step.values()[value].producer] *
           (1 - tuning::lessForShares);
  };
  for (Gap &gap : gaps)
    gap.part = static_cast<int32_t>(wholeShare * partOf(gap.value));
  for (Dead &each : dead) {
    const double part =
        each.weight / ofDead[each.value] * (1 - tuning::lessForShares);
    each.share = static_cast<int32_t>(wholeShare * part);
    each.part = static_cast<int32_t>(wholeShare * part * partOf(each.value));
  }
}

void GapDual::shareByUse() {
  auto weigh = [](auto &item) {
    item.weight =
        item.weight / tuning::partOfFormerUses + item.uses + tuning::leastUses;
    item.uses = 0;
  };
  std::for_each(gaps.begin(), gaps.end(), weigh);
  std::for_each(dead.begin(), dead.end(), weigh);
  share();
}

//===- TimeDual.cpp - Bounds on time by Lagrange multipliers --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeDual.h"
#include "Tuning.h"
#include "memplan/Graph/CopyTime.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

static constexpr double never = std::numeric_limits<double>::infinity();

TimeDual::TimeDual(const TimeBoundProblem &problem, int segmentCount,
                   int treeSize)
    : rows(*problem.rows), bandwidth(problem.bandwidth),
      outside(rows.step().costOutside()) {
  for (int32_t row = 0; row < rows.numRows(); ++row) {
    const double bytes = double(rows.ownBytes(row) + rows.donatedBytes(row)) -
                         double(problem.hostableBytes);
    excess.push_back(bytes - double(problem.budgetBytes));
    magnitude.push_back(std::abs(bytes) + double(problem.budgetBytes));
  }
  addGaps(problem, treeSize);
  cut(problem, segmentCount);
  for (Gap &gap : gaps) {
    gap.firstSegment = segmentOf(gap.begin + 1);
    gap.lastSegment = segmentOf(gap.end - 1);
  }
}

double TimeDual::costOf(int32_t value) const {
  const ContractedStep &step = rows.step();
  return rows.paysFor(value)
             ? step.ops()[step.values()[value].producer].variants.front().cost
             : 0;
}

double TimeDual::fetchOf(int32_t value) const {
  return copyTime(bandwidth, CopyDirection::HostToDevice,
                  rows.step().values()[value].bytes);
}

/// Gaps in which a value must stay are those of rows that nothing can leave.
void TimeDual::addGaps(const TimeBoundProblem &problem, int treeSize) {
  const ContractedStep &step = rows.step();
  std::vector<double> spanned(excess.size() + 1);
  size_t recomputable = 0; // Both lists are by value, then by use.
  for (int32_t value = 0; value < step.numValues(); ++value) {
    const double bytes = double(step.values()[value].bytes);
    const size_t first = gaps.size();
    double length = 0;
    int32_t begin = step.values()[value].producer;
    for (int32_t end : rows.users(value)) {
      const bool again = recomputable < rows.gaps().size() &&
                         rows.gaps()[recomputable].value == value &&
                         rows.gaps()[recomputable].begin == begin;
      recomputable += again;
      if (bytes > 0 && end - begin > 1) {
        spanned[begin + 1] += bytes;
        spanned[end] -= bytes;
        const bool mayRecompute = again && problem.mayRecompute;
        if (mayRecompute || problem.mayCopy) {
          Gap &gap = gaps.emplace_back();
          gap.value = value;
          gap.begin = begin;
          gap.end = end;
          gap.bytes = bytes;
          gap.mayRecompute = mayRecompute;
          gap.cost = costOf(value);
          gap.fetch = problem.mayCopy ? fetchOf(value) : never;
          gap.evict = double(end - begin);
          length += gap.evict;
          growTree(gap, problem, treeSize);
        }
      }
      begin = end;
    }
    const double evict = copyTime(bandwidth, CopyDirection::DeviceToHost,
                                  step.values()[value].bytes);
    for (size_t i = first; i < gaps.size(); ++i)
      gaps[i].evict *= evict / length * (1 - tuning::lessForSums);
  }
  double sum = 0;
  for (size_t row = 0; row < excess.size(); ++row) {
    sum += spanned[row];
    excess[row] += sum;
    magnitude[row] += sum;
  }
  std::vector<int32_t> holders(size_t(step.numValues()), 0);
  for (const Dead &each : dead)
    ++holders[each.value];
  for (Dead &each : dead) {
    const double share = 1.0 / holders[each.value] * (1 - tuning::lessForSums);
    each.bytes *= share;
    each.cost *= share;
    each.fetch *= share;
  }
}

void TimeDual::growTree(Gap &gap, const TimeBoundProblem &problem,
                        int treeSize) {
  gap.deadBegin = gap.deadEnd = static_cast<int32_t>(dead.size());
  if (!gap.mayRecompute)
    return;
  for (const DeadInput &input : rows.deadInputs(gap.value, gap.begin, treeSize))
    dead.push_back({input.value, input.parent,
                    double(rows.step().values()[input.value].bytes),
                    input.again ? costOf(input.value) : never,
                    problem.mayCopy ? fetchOf(input.value) : never});
  gap.deadEnd = static_cast<int32_t>(dead.size());
}

/// At the highest row, and evenly in time.
void TimeDual::cut(const TimeBoundProblem &problem, int segmentCount) {
  const std::vector<StepOp> &ops = rows.step().ops();
  const int32_t count = numRows();
  std::vector<double> at{0};
  for (const StepOp &op : ops)
    at.push_back(at.back() + op.variants.front().cost);
  least = at.back();
  cuts = {0,
          static_cast<int32_t>(std::max_element(excess.begin(), excess.end()) -
                               excess.begin())};
  for (int part = 1; part < segmentCount - 1; ++part)
    cuts.push_back(static_cast<int32_t>(
        std::lower_bound(at.begin(), at.begin() + count - 1,
                         least * part / (segmentCount - 1)) -
        at.begin()));
  llvm::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.push_back(count);
  for (size_t j = 0; j + 1 < cuts.size(); ++j) {
    computed.push_back(at[cuts[j + 1]] - at[cuts[j]]);
    segments.resize(cuts[j + 1], static_cast<int32_t>(j));
  }
}

TimeMultipliers TimeDual::firstMultipliers() const {
  return {std::vector<double>(excess.size()),
          std::vector<std::array<double, 3>>(computed.size(), {1, 0, 0})};
}

TimeDual::Cheapest TimeDual::cheapest(const Gap &gap,
                                      const TimeMultipliers &multipliers,
                                      Clock clock) const {
  Cheapest list;
  double multiplier = never;
  int32_t at = gap.lastSegment;
  for (int32_t j = gap.lastSegment; j >= gap.firstSegment; --j) {
    if (multipliers.ofSegment[j][clock] < multiplier) {
      multiplier = multipliers.ofSegment[j][clock];
      at = j;
    }
    list.multiplier[j - gap.firstSegment] = multiplier;
    list.at[j - gap.firstSegment] = at;
  }
  return list;
}

/// Multipliers of the gap's rows up to the end of a segment.
double TimeDual::widthTo(const Gap &gap, int32_t segment) const {
  return before[std::min(gap.end, cuts[segment + 1])] - before[gap.begin + 1];
}

/// What the inputs that nothing else needs cost; `way` gets what pays for them.
double TimeDual::payInputs(const Gap &gap, double width, double compute,
                           double fetch, Leaving &choice) {
  const size_t count = size_t(gap.deadEnd - gap.deadBegin);
  const Dead *tree = dead.data() + gap.deadBegin;
  for (std::vector<double> *list :
       {&parts, &partBytes, &partComputed, &partFetched})
    list->assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    partComputed[i] = tree[i].cost < never ? tree[i].cost : 0;
    parts[i] = tree[i].cost < never ? tree[i].cost * compute : never;
  }
  double sum = 0;
  for (size_t i = count; i-- > 0;) { // Children come after their parents.
    if (tree[i].fetch < never && tree[i].fetch * fetch < parts[i]) {
      parts[i] = tree[i].fetch * fetch;
      partBytes[i] = partComputed[i] = 0;
      partFetched[i] = tree[i].fetch;
    }
    if (tree[i].bytes * width <= parts[i]) {
      parts[i] = tree[i].bytes * width;
      partBytes[i] = tree[i].bytes;
      partComputed[i] = partFetched[i] = 0;
    }
    if (tree[i].parent < 0) {
      sum += parts[i];
      choice.bytes -= partBytes[i];
      choice.computed += partComputed[i];
      choice.fetched += partFetched[i];
      continue;
    }
    const int32_t to = tree[i].parent;
    parts[to] += parts[i];
    partBytes[to] += partBytes[i];
    partComputed[to] += partComputed[i];
    partFetched[to] += partFetched[i];
  }
  return sum;
}

void TimeDual::leaveByRecomputing(const Gap &gap, const Cheapest &compute,
                                  const Cheapest &fetch, Leaving &best) {
  for (int32_t j = gap.firstSegment; j <= gap.lastSegment; ++j) {
    const int32_t k = j - gap.firstSegment;
    const double width = widthTo(gap, j);
    const double saved = gap.bytes * width - gap.cost * compute.multiplier[k];
    if (saved <= best.saved)
      continue;
    Leaving choice;
    choice.segment = j;
    choice.bytes = gap.bytes;
    choice.computed = gap.cost;
    choice.firstRow = gap.begin + 1;
    choice.saved = saved - payInputs(gap, width, compute.multiplier[k],
                                     fetch.multiplier[k], choice);
    if (choice.saved > best.saved)
      best = choice;
  }
}

void TimeDual::leaveByCopy(const Gap &gap, const TimeMultipliers &multipliers,
                           const Cheapest &compute, const Cheapest &fetch,
                           Leaving &best) const {
  const int32_t producer = rows.step().values()[gap.value].producer;
  int32_t cheapestEvict = segmentOf(producer);
  for (int32_t j = cheapestEvict; j < gap.firstSegment; ++j)
    if (multipliers.ofSegment[j][ToHost] <
        multipliers.ofSegment[cheapestEvict][ToHost])
      cheapestEvict = j;
  Leaving begin; // The best beginning so far: `saved` is that of the rows left
  begin.saved = -never; // out, less what is paid.
  for (int32_t j = gap.firstSegment; j <= gap.lastSegment; ++j) {
    if (multipliers.ofSegment[j][ToHost] <
        multipliers.ofSegment[cheapestEvict][ToHost])
      cheapestEvict = j;
    const double left =
        j > gap.firstSegment ? gap.bytes * widthTo(gap, j - 1) : 0;
    // What is left out by a copy this late may be left out by a recomputation.
    const double byRecomputing =
        gap.mayRecompute ? left - gap.cost * compute.multiplier[0] : -never;
    const double saved =
        -left - gap.evict * multipliers.ofSegment[cheapestEvict][ToHost] +
        std::max(0.0, byRecomputing);
    if (saved > begin.saved) {
      begin.saved = saved;
      begin.recomputeToo = byRecomputing > 0;
      begin.evictSegment = cheapestEvict;
      begin.firstRow =
          begin.recomputeToo ? gap.begin + 1 : std::max(gap.begin + 1, cuts[j]);
    }
    const double all = gap.bytes * widthTo(gap, j) -
                       gap.fetch * fetch.multiplier[j - gap.firstSegment] +
                       begin.saved;
    if (all <= best.saved)
      continue;
    best = begin;
    best.saved = all;
    best.byCopy = true;
    best.segment = j;
    best.bytes = gap.bytes;
    best.fetched = gap.fetch;
    best.computed = begin.recomputeToo ? gap.cost : 0;
  }
}

void TimeDual::charge(const Gap &gap, const Leaving &choice,
                      const Cheapest &compute, const Cheapest &fetch,
                      TimeMultipliers &rise) {
  const int32_t k = choice.segment - gap.firstSegment;
  rise.ofRow[choice.firstRow] -= choice.bytes;
  const int32_t end = std::min(gap.end, cuts[choice.segment + 1]);
  if (end < numRows())
    rise.ofRow[end] += choice.bytes;
  rise.ofSegment[compute.at[choice.byCopy ? 0 : k]][Computing] +=
      choice.computed;
  rise.ofSegment[fetch.at[k]][ToDevice] += choice.fetched;
  if (choice.byCopy)
    rise.ofSegment[choice.evictSegment][ToHost] += gap.evict;
  else
    for (int32_t i = gap.deadBegin; i < gap.deadEnd; ++i)
      dead[i].uses += 1;
}

double TimeDual::evaluate(const TimeMultipliers &multipliers,
                          TimeMultipliers &rise) {
  rise.ofRow.assign(excess.size(), 0);
  rise.ofSegment.assign(computed.size(), {0, 0, 0});
  before.assign(excess.size() + 1, 0);
  double bound = 0, rounding = least + outside;
  for (size_t row = 0; row < excess.size(); ++row) {
    before[row + 1] = before[row] + multipliers.ofRow[row];
    bound += multipliers.ofRow[row] * excess[row];
    rounding += multipliers.ofRow[row] * magnitude[row];
  }
  double leastShare = 1;
  for (size_t j = 0; j < computed.size(); ++j) {
    bound += multipliers.ofSegment[j][Computing] * computed[j];
    rise.ofSegment[j][Computing] = computed[j];
    leastShare = std::min(leastShare, multipliers.ofSegment[j][Computing]);
  }
  bound += outside * leastShare;
  for (const Gap &gap : gaps) {
    const double width = before[gap.end] - before[gap.begin + 1];
    if (width <= 0)
      continue;
    const Cheapest compute = cheapest(gap, multipliers, Computing),
                   fetch = cheapest(gap, multipliers, ToDevice);
    Leaving best;
    if (gap.mayRecompute)
      leaveByRecomputing(gap, compute, fetch, best);
    if (gap.fetch < never)
      leaveByCopy(gap, multipliers, compute, fetch, best);
    if (best.saved <= 0)
      continue;
    bound -= best.saved;
    rounding += gap.bytes * width;
    charge(gap, best, compute, fetch, rise);
  }
  double sum = 0;
  for (size_t row = 0; row < excess.size(); ++row) {
    sum += rise.ofRow[row];
    rise.ofRow[row] = sum + excess[row];
  }
  return bound - tuning::roundingOfTerm * rounding;
}

void TimeDual::shareByUse() {
  const ContractedStep &step = rows.step();
  std::vector<double> sum(size_t(step.numValues()), 0);
  for (const Dead &each : dead)
    sum[each.value] += each.uses + tuning::leastUses;
  for (Dead &each : dead) {
    const double share = (each.uses + tuning::leastUses) / sum[each.value] *
                         (1 - tuning::lessForSums);
    each.bytes = share * double(step.values()[each.value].bytes);
    if (each.cost < never)
      each.cost = share * costOf(each.value);
    if (each.fetch < never)
      each.fetch = share * fetchOf(each.value);
    each.uses = 0;
  }
}

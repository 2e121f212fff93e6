//===- PeakSearch.cpp - Branch and bound over what stays ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakSearch.h"
#include "SubsetSum.h"
#include "Tuning.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

std::optional<PeakRuns> memplan::leastRuns(const PeakModel &model,
                                           llvm::ArrayRef<Stay> stays) {
  const OrderRows &rows = *model.rows;
  const ContractedStep &step = rows.step();
  PeakRuns runs;
  runs.inBlock.resize(size_t(model.numPeaks()) + 1);
  std::vector<char> isRun(size_t(step.numOps())), isNeeded;
  for (int32_t block = 0; block <= model.numPeaks(); ++block) {
    std::fill(isRun.begin(), isRun.end(), false);
    isNeeded.assign(model.values.size(), false);
    // Inputs are made by earlier ops, so that one walk from the end suffices.
    for (size_t v = model.values.size(); v-- > 0;) {
      const PeakModel::Value &value = model.values[v];
      if (block <= value.firstBlock || block > value.lastBlock)
        continue;
      const size_t at = value.begin + size_t(block - value.firstBlock);
      const bool isKept = at > value.begin && stays[at - 1] == Stay::Kept;
      const bool stays_ = block < value.lastBlock && stays[at] == Stay::Kept;
      if (isKept || !(model.read[at] || stays_ || isNeeded[v]))
        continue;
      if (block > value.lastAgain)
        return std::nullopt;
      const int32_t op = step.values()[value.value].producer;
      if (isRun[op])
        continue;
      isRun[op] = true;
      runs.inBlock[block].push_back(op);
      runs.cost += step.ops()[op].variants.front().cost;
      for (int32_t input : rows.inputs(op))
        isNeeded[input] = true;
    }
  }
  return runs;
}

PeakSearch::PeakSearch(const PeakModel &model, double cutoff, int64_t &effort,
                       const std::atomic<bool> *stop)
    : model(model), cutoff(cutoff), leastCost(model.rows->leastCost()),
      effort(effort), stop(stop), dual(model),
      ascent(dual, std::max(cutoff - leastCost, tuning::lessForSums),
             leastCost / model.rows->numRows(), model.budgetBytes),
      mean(model.numPlaces(), 0) {}

PeakSearch::Outcome PeakSearch::run(PeakMultipliers start) {
  root = start;
  return visit(std::vector<Stay>(model.numPlaces(), Stay::Open),
               std::move(start), /*isRoot=*/true);
}

bool PeakSearch::isWithinBudget(llvm::ArrayRef<Stay> stays) const {
  for (int32_t row = 0; row < model.numPeaks(); ++row) {
    int64_t over = model.excess[row];
    for (auto [at, bytes] : model.atRow[row])
      over += stays[at] == Stay::Kept ? bytes : 0;
    if (over > 0)
      return false;
  }
  return true;
}

/// What no longer fits beside what stays is freed, and bytes that nothing open
/// fills are taken. False where too much stays.
bool PeakSearch::propagate(std::vector<Stay> &decisions) {
  std::vector<int64_t> excess;
  std::vector<int64_t> sizes;
  for (int32_t row = 0; row < model.numPeaks(); ++row) {
    int64_t kept = 0;
    for (auto [at, bytes] : model.atRow[row])
      kept += decisions[at] == Stay::Kept ? bytes : 0;
    const int64_t left = -model.excess[row] - kept;
    if (left < 0)
      return false;
    sizes = model.variantSizes(row);
    for (auto [at, bytes] : model.atRow[row]) {
      if (decisions[at] != Stay::Open)
        continue;
      if (bytes > left)
        decisions[at] = Stay::Freed;
      else
        sizes.push_back(bytes);
    }
    excess.push_back(-kept - largestSumWithin(sizes, left, tuning::mostSums));
  }
  dual.setExcess(std::move(excess));
  return true;
}

/// The way that values took last, if memory allows it and runs are cheap.
bool PeakSearch::tryPoint(llvm::ArrayRef<Stay> decisions) {
  std::vector<Stay> point(decisions.begin(), decisions.end());
  for (size_t at = 0; at < point.size(); ++at)
    if (point[at] == Stay::Open)
      point[at] = dual.stays()[at] ? Stay::Kept : Stay::Freed;
  if (!isWithinBudget(point))
    return false;
  std::optional<PeakRuns> runs = leastRuns(model, point);
  // Rounding is far below what cutoffs leave.
  if (!runs || runs->cost + leastCost >= cutoff)
    return false;
  solution = std::move(point);
  return true;
}

/// All is decided where it takes bytes. A row keeps what it touches for
/// nothing.
PeakSearch::Outcome PeakSearch::leaf(std::vector<Stay> decisions) {
  for (size_t at = 0; at < decisions.size(); ++at)
    if (decisions[at] == Stay::Open)
      decisions[at] = model.touched[at] ? Stay::Kept : Stay::Freed;
  std::optional<PeakRuns> runs = leastRuns(model, decisions);
  if (!isWithinBudget(decisions) || !runs || runs->cost + leastCost >= cutoff)
    return Outcome::Proved;
  solution = std::move(decisions);
  return Outcome::Found;
}

/// The one of the most doubtful places of which both choices raise the bound
/// most after a few steps.
std::optional<size_t>
PeakSearch::choosePlace(std::vector<Stay> &decisions,
                        const PeakMultipliers &multipliers) {
  std::vector<std::pair<double, size_t>> open;
  for (const auto &list : model.atRow)
    for (auto [at, bytes] : list)
      if (decisions[at] == Stay::Open)
        open.push_back(
            {-(tuning::leastDoubt + std::min(mean[at], 1 - mean[at])) *
                 std::sqrt(double(bytes)),
             at});
  if (open.empty())
    return std::nullopt;
  std::sort(open.begin(), open.end());
  open.resize(std::min<size_t>(open.size(), tuning::mostCandidates));
  if (open.size() == 1)
    return open.front().second;
  const int64_t size = int64_t(model.numPlaces() + model.needs.size()) + 1;
  PeakMultipliers rise;
  dual.decide(decisions);
  const double here = dual.evaluate(multipliers, rise);
  std::optional<size_t> best;
  double most = -1;
  for (auto [doubt, at] : open) {
    double score = 1;
    for (Stay choice : {Stay::Kept, Stay::Freed}) {
      std::vector<Stay> child = decisions;
      child[at] = choice;
      double raised = cutoff - leastCost;
      if (propagate(child)) {
        dual.decide(child);
        effort -= (tuning::candidateSteps + 1) * size;
        raised = dual.evaluate(
            ascent.run(multipliers, tuning::candidateSteps, tuning::nodeLength),
            rise);
      }
      score *=
          std::clamp(raised - here, tuning::leastRise * (cutoff - leastCost),
                     cutoff - leastCost - here + tuning::lessForShares);
    }
    if (score > most) {
      most = score;
      best = at;
    }
  }
  dual.decide(decisions);
  return best;
}

PeakSearch::Outcome PeakSearch::visit(std::vector<Stay> decisions,
                                      PeakMultipliers multipliers,
                                      bool isRoot) {
  ++count;
  const int64_t size = int64_t(model.numPlaces() + model.needs.size()) + 1;
  for (int round = 0;
       round < (isRoot ? tuning::rootRounds : tuning::nodeRounds); ++round) {
    if (!propagate(decisions))
      return Outcome::Proved;
    dual.decide(decisions);
    const int64_t steps = isRoot && round == 0 ? tuning::rootSteps
                          : isRoot             ? tuning::nextRootSteps
                                               : tuning::nodeSteps;
    effort -= size * (steps + tuning::stepsOfRound);
    if (effort < 0 || (stop && stop->load(std::memory_order_relaxed)))
      return Outcome::Stopped;
    std::fill(mean.begin(), mean.end(), 0);
    multipliers = ascent.run(
        std::move(multipliers), steps, isRoot ? 1 : tuning::nodeLength, [&] {
          llvm::ArrayRef<uint8_t> stays = dual.stays();
          for (size_t at = 0; at < stays.size(); ++at)
            mean[at] += (double(stays[at]) - mean[at]) * tuning::newMean;
        });
    if (isRoot)
      root = multipliers;
    std::vector<Stay> more = decisions;
    if (dual.prove(multipliers, cutoff, more) >= cutoff)
      return Outcome::Proved;
    if (tryPoint(decisions))
      return Outcome::Found;
    const bool moved = more != decisions;
    decisions = std::move(more);
    if (!moved)
      break;
  }
  if (!propagate(decisions))
    return Outcome::Proved;
  const std::vector<double> keepLikely = mean;
  const std::optional<size_t> at = choosePlace(decisions, multipliers);
  if (!at)
    return leaf(decisions);
  const bool keepFirst = keepLikely[*at] > 0.5;
  for (Stay choice : {keepFirst ? Stay::Kept : Stay::Freed,
                      keepFirst ? Stay::Freed : Stay::Kept}) {
    decisions[*at] = choice;
    const Outcome outcome = visit(decisions, multipliers, /*isRoot=*/false);
    if (outcome != Outcome::Proved)
      return outcome;
  }
  return Outcome::Proved;
}

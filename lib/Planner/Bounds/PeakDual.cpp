//===- PeakDual.cpp - What must come back after a peak --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakDual.h"
#include "ValuePath.h"
#include "Variants.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

PeakDual::PeakDual(const PeakModel &model)
    : model(&model), excess(model.excess),
      path(std::make_unique<PathMultipliers<double>>()),
      runs(model.numPlaces()), isThere(model.numPlaces()),
      kept(model.numPlaces()), marks(size_t(model.numPeaks()) + 1) {
  for (const PeakModel::Value &value : model.values) {
    isThere[value.begin] = true;
    if (value.lastBlock > value.firstBlock)
      spanning.push_back(value.value);
  }
}

PeakDual::~PeakDual() = default;

/// Multipliers of needs as they act on places.
template <typename Number>
static void spread(const PeakModel &model, llvm::ArrayRef<Number> ofNeed,
                   PathMultipliers<Number> &path) {
  path.extra.assign(model.numPlaces(), 0);
  path.credit.assign(model.numPlaces(), 0);
  path.runCredit.assign(model.numPlaces(), 0);
  for (size_t i = 0; i < model.needs.size(); ++i) {
    const PeakModel::Need &need = model.needs[i];
    path.extra[need.run] += ofNeed[i];
    (need.ofRun ? path.runCredit : path.credit)[need.input] += ofNeed[i];
  }
}

/// Fills `exact` and returns what does not depend on values.
Int128 PeakDual::takeExactly(const ExactCost &unit,
                             const PeakMultipliers &multipliers,
                             PathMultipliers<Int128> &exact) const {
  const ContractedStep &step = model->rows->step();
  exact.ofRow = exactMultipliers(unit, multipliers.ofRow, model->allBytes);
  spread<Int128>(*model, exactMultipliers(unit, multipliers.ofNeed, 1), exact);
  auto costOf = [&](double cost) { return unit.floor(cost); };
  Int128 sum = unit.floor(step.costOutside());
  for (const StepOp &op : step.ops())
    sum += costOf(op.variants.front().cost);
  int64_t bytesMore;
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    const StepOp &op = step.ops()[model->peaks[row]];
    sum += exact.ofRow[row] * excess[row] - costOf(op.variants.front().cost) +
           cheapestVariant(op, exact.ofRow[row], costOf, bytesMore);
  }
  return sum;
}

Int128 PeakDual::leastSum(const ExactCost &unit,
                          const PeakMultipliers &multipliers,
                          PathMultipliers<Int128> &exact) const {
  Int128 sum = takeExactly(unit, multipliers, exact);
  const ValuePath<Int128> route(*model, exact, decided);
  std::vector<uint8_t> some(marks.size());
  for (const PeakModel::Value &value : model->values)
    sum += route.least(value, unit.floor(value.cost), some.data());
  return sum;
}

static double boundOf(const ExactCost &unit, Int128 leastSum) {
  return leastSum >= unreachable(Int128()) / 2
             ? std::numeric_limits<double>::infinity()
             : unit.toDouble(leastSum - 1);
}

double PeakDual::prove(const PeakMultipliers &multipliers) const {
  const ExactCost unit(model->rows->step().totalCost());
  PathMultipliers<Int128> exact;
  return boundOf(unit, leastSum(unit, multipliers, exact));
}

/// Forward and backward over one value: what each choice adds to the least.
class PeakDual::Margins {
public:
  Margins(const PeakDual &dual, const ValuePath<Int128> &route,
          const PathMultipliers<Int128> &multipliers)
      : dual(dual), model(*dual.model), route(route), multipliers(multipliers),
        to(size_t(model.numPeaks()) + 1), from(to.size()) {}

  /// The least cost; then add(i, kept) is what the choice at the row of block i
  /// adds to it.
  Int128 measure(const PeakModel::Value &value, Int128 cost) {
    const int32_t blocks = value.lastBlock - value.firstBlock + 1;
    uint8_t mark;
    to[0] = route.begin(value);
    for (int32_t i = 1; i < blocks; ++i)
      to[i] = route.next(value, cost, i, to[i - 1], mark);
    from[blocks - 1] = {never, 0};
    for (int32_t i = blocks - 1; i > 0; --i) {
      const size_t at = value.begin + size_t(i);
      Int128 kept = route.stay(value, i) + from[i].kept, freed = from[i].freed;
      if (isDecided(at, Stay::Freed))
        kept = never;
      if (isDecided(at, Stay::Kept))
        freed = never;
      const Int128 there = std::min(kept, freed) - multipliers.credit[at];
      const Int128 made = route.recompute(value, i, there, cost);
      from[i - 1] = {route.keep(value, i, there, cost),
                     model.read[at] ? made : std::min(made, freed)};
    }
    return best = to[blocks - 1].freed;
  }
  /// The least cost from within block i on, where the value is live or freed
  /// when a part of it begins that reads it or not.
  ValuePath<Int128>::State fromBlock(const PeakModel::Value &value, int32_t i,
                                     bool isRead, Int128 cost) const {
    const size_t at = value.begin + size_t(i);
    const Int128 there =
        std::min(route.stay(value, i) + from[i].kept, from[i].freed) -
        multipliers.credit[at];
    const Int128 made = route.recompute(value, i, there, cost);
    return {route.keep(value, i, there, cost),
            isRead ? made : std::min(made, from[i].freed)};
  }
  Int128 added(int32_t i, Stay choice) const {
    return (choice == Stay::Kept ? to[i].kept + from[i].kept
                                 : to[i].freed + from[i].freed) -
           best;
  }

private:
  bool isDecided(size_t at, Stay choice) const {
    return !dual.decided.empty() && dual.decided[at] == choice;
  }
  const Int128 never = unreachable(Int128());
  const PeakDual &dual;
  const PeakModel &model;
  const ValuePath<Int128> &route;
  const PathMultipliers<Int128> &multipliers;
  std::vector<ValuePath<Int128>::State> to, from;
  Int128 best = 0;
};

double PeakDual::prove(const PeakMultipliers &multipliers, double cutoff,
                       std::vector<Stay> &decisions) const {
  const ExactCost unit(model->rows->step().totalCost());
  PathMultipliers<Int128> exact;
  const Int128 sum = leastSum(unit, multipliers, exact);
  const double bound = boundOf(unit, sum);
  if (bound >= cutoff)
    return bound;
  const ValuePath<Int128> route(*model, exact, decided);
  Margins margins(*this, route, exact);
  // Decisions are read while they are made; those of one value do not meet.
  for (const PeakModel::Value &value : model->values) {
    if (value.lastBlock == value.firstBlock)
      continue;
    margins.measure(value, unit.floor(value.cost));
    for (int32_t i = 0; i < value.lastBlock - value.firstBlock; ++i) {
      const size_t at = value.begin + size_t(i);
      if (decisions[at] != Stay::Open)
        continue;
      for (Stay choice : {Stay::Kept, Stay::Freed})
        if (unit.toDouble(sum + margins.added(i, choice) - 1) >= cutoff)
          decisions[at] = choice == Stay::Kept ? Stay::Freed : Stay::Kept;
    }
  }
  return bound;
}

std::vector<Int128> PeakDual::proveLater(const PeakMultipliers &multipliers,
                                         std::vector<Later> &later) const {
  const OrderRows &rows = *model->rows;
  const ContractedStep &step = rows.step();
  const ExactCost unit(step.totalCost());
  PathMultipliers<Int128> exact;
  takeExactly(unit, multipliers, exact);
  auto costOf = [&](double cost) { return unit.floor(cost); };
  // By first runs done: values that are made there, then rows.
  std::vector<Int128> rest(size_t(step.numOps()) + 1, 0);
  int64_t bytesMore;
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    const StepOp &op = step.ops()[model->peaks[row]];
    rest[model->peaks[row]] +=
        exact.ofRow[row] * excess[row] - costOf(op.variants.front().cost) +
        cheapestVariant(op, exact.ofRow[row], costOf, bytesMore);
  }
  const ValuePath<Int128> route(*model, exact, {});
  Margins margins(*this, route, exact);
  for (const PeakModel::Value &value : model->values) {
    const Int128 cost = unit.floor(value.cost);
    const int32_t producer = step.values()[value.value].producer;
    rest[producer] += margins.measure(value, cost);
    if (value.bytes == 0)
      continue; // It is always there, though in no set.
    int32_t row = value.firstBlock;
    for (int32_t done = producer + 1; done < step.numOps(); ++done) {
      row += row < model->numPeaks() && model->peaks[row] < done;
      if (row > value.lastBlock)
        break;
      const int32_t end =
          row < model->numPeaks() ? model->peaks[row] : step.numOps() - 1;
      const bool isRead =
          llvm::any_of(rows.users(value.value),
                       [&](int32_t op) { return op >= done && op <= end; });
      const auto [kept, freed] =
          margins.fromBlock(value, row - value.firstBlock, isRead, cost);
      later.push_back({done, value.value, kept, freed});
    }
  }
  for (size_t done = rest.size() - 1; done-- > 0;)
    rest[done] += rest[done + 1];
  return rest;
}

double PeakDual::evaluate(const PeakMultipliers &multipliers,
                          PeakMultipliers &rise) {
  const ContractedStep &step = model->rows->step();
  path->ofRow = multipliers.ofRow;
  spread<double>(*model, multipliers.ofNeed, *path);
  auto costOf = [](double cost) { return cost; };
  double bound = 0;
  rise.ofRow.resize(size_t(model->numPeaks()));
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    const StepOp &op = step.ops()[model->peaks[row]];
    int64_t bytesMore = 0;
    bound += multipliers.ofRow[row] * double(excess[row]) +
             cheapestVariant(op, multipliers.ofRow[row], costOf, bytesMore) -
             op.variants.front().cost;
    rise.ofRow[row] = double(excess[row]) + double(bytesMore);
  }
  const ValuePath<double> route(*model, *path, decided);
  for (int32_t index : spanning) {
    const PeakModel::Value &value = model->values[index];
    bound += route.least(value, value.cost, marks.data());
    follow(value, rise);
  }
  const std::vector<PeakModel::Need> &needs = model->needs;
  rise.ofNeed.resize(needs.size());
  for (size_t i = 0; i < needs.size(); ++i)
    rise.ofNeed[i] = double(runs[needs[i].run]) -
                     double((needs[i].ofRun ? runs : isThere)[needs[i].input]);
  return bound;
}

/// Goes back over the marks from the last block, after which nothing stays.
void PeakDual::follow(const PeakModel::Value &value, PeakMultipliers &rise) {
  bool stays = false;
  for (int32_t i = value.lastBlock - value.firstBlock; i >= 0; --i) {
    const size_t at = value.begin + size_t(i);
    const int32_t row = value.firstBlock + i;
    kept[at] = stays;
    if (stays && row < model->numPeaks() && !model->touched[at])
      rise.ofRow[row] += double(value.bytes);
    isThere[at] =
        i == 0 || stays || (marks[i] & ValuePath<double>::LeftAfterUse);
    const bool fromKept =
        isThere[at] && (marks[i] & ValuePath<double>::FromKept);
    runs[at] = i > 0 && isThere[at] &&
               (!fromKept || (marks[i] & ValuePath<double>::RunsBeside));
    stays = fromKept;
  }
}

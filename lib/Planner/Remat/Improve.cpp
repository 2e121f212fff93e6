//===- Improve.cpp - Local improvement of what is kept --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Improve.h"
#include "Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>

using namespace memplan;

Improver::Improver(const StageGraph &graph, int64_t limitBytes,
                   const SolveLimits &limits)
    : graph(graph), search(graph, limitBytes), limits(limits), clock(limits),
      costUnit(graph.totalCost() > 0 ? 1 / graph.totalCost() : 1),
      byteUnit(1 / std::max<double>(1, double(limitBytes))) {
  // Values below a hundred-thousandth of the limit are not worth a move; they
  // are kept where they are needed.
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const StepValue &stepValue = graph.values()[value];
    if (stepValue.bytes > limitBytes / 100000 &&
        graph.lastUser(value) > stepValue.producer + 1 &&
        graph.lastStage(stepValue.producer) > stepValue.producer)
      droppable.push_back(value);
  }
}

void Improver::start(const Retention &from) {
  search.reset(from);
  note();
}

double Improver::energy() const {
  return search.cost() * costUnit +
         weight * (double(search.excessBytes()) * byteUnit +
                   0.003 * search.stagesOverLimit());
}

void Improver::note() {
  if (search.stagesOverLimit() == 0) {
    if (!bestRetention || search.cost() < costOfBest * (1 - 1e-12)) {
      bestRetention = search.retention();
      costOfBest = search.cost();
    }
  } else if (!bestRetention &&
             (!closestRetention || search.excessBytes() < excessOfClosest)) {
    closestRetention = search.retention();
    excessOfClosest = search.excessBytes();
  }
}

void Improver::dropGreedily() {
  auto nothing = [](int32_t) { return false; };
  auto everything = [](int32_t) { return true; };
  while (search.stagesOverLimit() > 0 && !stopped()) {
    int32_t worst = 0;
    for (int32_t stage = 1; stage < search.numStages(); ++stage)
      if (search.peak(stage) > search.peak(worst))
        worst = stage;
    const double cost = search.cost();
    const int64_t excess = search.excessBytes();
    double bestScore = 0;
    int32_t bestValue = -1, bestLast = -1;
    bool bestExtend = false;
    auto tryOut = [&](int32_t value, int32_t first, int32_t last, bool extend) {
      search.begin();
      bool applies = extend ? search.drop(value, first, last, everything)
                            : search.drop(value, first, last, nothing);
      if (applies && search.settle() && search.excessBytes() < excess) {
        double multiplier =
            std::max(0.0, (search.cost() - cost) * costUnit) + 1e-7;
        double score =
            double(excess - search.excessBytes()) * byteUnit / multiplier;
        if (score > bestScore) {
          bestScore = score;
          bestValue = value;
          bestLast = last;
          bestExtend = extend;
        }
      }
      search.rollback();
    };
    for (int32_t value : droppable) {
      if (!search.isKept(value, worst))
        continue;
      auto [first, last] = search.gapAround(value, worst);
      for (bool extend : {false, true}) {
        tryOut(value, first, last, extend);
        if (last > worst)
          tryOut(value, first, worst, extend);
      }
    }
    if (bestValue < 0)
      return;
    search.begin();
    auto [first, last] = search.gapAround(bestValue, worst);
    if (bestExtend)
      search.drop(bestValue, first, bestLast, everything);
    else
      search.drop(bestValue, first, bestLast, nothing);
    search.settle();
    note();
  }
}

void Improver::anneal(int64_t moves) {
  if (droppable.empty())
    return;
  int64_t length =
      std::max<int64_t>(tuning::shortestCycle, moves / tuning::cyclesOfAll);
  for (int cycle = 0; moves > 0 && !stopped(); ++cycle) {
    if (bestRetention && isAtMost(costOfBest, graph.totalCost()))
      return; // Nothing is run twice.
    length = std::min(length, moves);
    if (cycle % 2 == 0 && cycle > 0 && bestRetention)
      search.reset(*bestRetention);
    annealCycle(length, tuning::heats[cycle % 4]);
    moves -= length;
    length += length / 2;
    if (limits.progress)
      limits.progress(
          {"greedy",
           bestRetention ? std::optional<double>(costOfBest) : std::nullopt,
           std::nullopt, clock.seconds()});
  }
}

void Improver::annealCycle(int64_t moves, double heat) {
  // The temperature falls from 2e-3 to 2e-6 of the cost, the weight of excess
  // bytes rises from 0.3 to 9.
  constexpr double logTemperature = -6.907755278982137,
                   logWeight = -3.4011973816621555;
  double temperature = 0;
  for (int64_t i = 0; i < moves; ++i) {
    if ((i & 63) == 0) {
      const double done = double(i) / double(moves);
      temperature =
          tuning::firstTemperature * heat * decay(logTemperature * done);
      weight = tuning::lastWeight * decay(logWeight * (1 - done));
    }
    if ((i & 1023) == 0) {
      if (stopped())
        return;
      over.clear();
      for (int32_t stage = 0; stage < search.numStages(); ++stage)
        if (search.isOver(stage))
          over.push_back(stage);
    }
    const double before = energy();
    search.begin();
    if (!tryMove() || !search.settle()) {
      search.rollback();
      continue;
    }
    const double change = energy() - before;
    if (change > 0 && random.unit() >= decay(-change / temperature)) {
      search.rollback();
      continue;
    }
    note();
  }
}

bool Improver::tryMove() {
  const bool overLimit = search.stagesOverLimit() > 0;
  return random.chance(overLimit ? 0.6 : 0.45) ? tryDrop() : tryRetain();
}

int32_t Improver::pickStage() {
  if (!over.empty() && random.chance(0.7))
    return over[random.below(static_cast<int32_t>(over.size()))];
  return random.below(search.numStages());
}

int32_t Improver::pickKept(int32_t stage) {
  for (int attempt = 0; attempt < 24; ++attempt) {
    int32_t value =
        droppable[random.below(static_cast<int32_t>(droppable.size()))];
    if (search.isKept(value, stage))
      return value;
  }
  return -1;
}

bool Improver::tryDrop() {
  const int32_t stage = pickStage();
  const int32_t value = pickKept(stage);
  if (value < 0)
    return false;
  if (random.chance(0.15))
    return tryDropGroup(value, stage);
  auto [first, last] = search.gapAround(value, stage);
  if (random.chance(0.5) && last > stage) {
    // Make it again early: best where its producer runs anyway or finds its
    // inputs.
    const int32_t producer = graph.values()[value].producer;
    int32_t early = stage + random.below(last - stage);
    for (int attempt = 0; attempt < 4 && !search.inputsLive(producer, early);
         ++attempt)
      early = stage + random.below(last - stage);
    last = early;
  }
  const double mode = random.unit();
  const double extend = mode < 0.5 ? 0 : mode < 0.75 ? 0.6 : 1;
  return search.drop(value, first, last, [&](int32_t) {
    return extend > 0 && random.chance(extend);
  });
}

/// A run of neighbouring values is dropped together and recomputed together
/// where one of them is read first: Chen's segment.
bool Improver::tryDropGroup(int32_t value, int32_t stage) {
  int32_t size = 2;
  while (size < 40 && random.chance(0.8))
    ++size;
  int32_t at = static_cast<int32_t>(
      std::lower_bound(droppable.begin(), droppable.end(), value) -
      droppable.begin());
  int32_t low = at, high = at;
  const int32_t count = static_cast<int32_t>(droppable.size());
  auto canDrop = [&](int32_t i) {
    return i >= 0 && i < count && search.isKept(droppable[i], stage);
  };
  for (int32_t i = 1; i < size; ++i) {
    if (random.chance(0.5) && canDrop(low - 1))
      --low;
    else if (canDrop(high + 1))
      ++high;
    else if (canDrop(low - 1))
      --low;
    else
      break;
  }
  int32_t together = search.numStages();
  std::vector<std::pair<int32_t, int32_t>>
      members; // Value and first stage to drop.
  for (int32_t i = low; i <= high; ++i) {
    auto [first, last] = search.gapAround(droppable[i], stage);
    together =
        std::min({together, last,
                  graph.lastStage(graph.values()[droppable[i]].producer)});
    members.push_back({droppable[i], first});
  }
  const bool extend = random.chance(0.5);
  bool changed = false;
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].second <= together)
      changed |= search.drop(members[i].first, members[i].second, together,
                             [&](int32_t) { return extend && i == 0; });
  return changed;
}

bool Improver::tryRetain() {
  int32_t stage = -1;
  for (int attempt = 0; attempt < 30 && stage < 0; ++attempt) {
    int32_t pick = random.below(search.numStages());
    if (search.row(pick).size() > 1)
      stage = pick;
  }
  if (stage < 0)
    return false;
  const std::vector<int32_t> &row = search.row(stage);
  const int32_t op = row[random.below(static_cast<int32_t>(row.size()))];
  if (op == stage || graph.ops()[op].outputs.empty())
    return false;
  const int32_t since = search.lastLive(graph.ops()[op].outputs.front(), stage);
  int32_t from = -1;
  if (since < stage - 1) {
    const double mode = random.unit();
    if (mode < 0.5) {
      // Make it early, where all its inputs are live anyway.
      int32_t seen = 0;
      for (int32_t early = stage - 1; early > since; --early)
        if (search.inputsLive(op, early) && random.below(++seen) == 0)
          from = early;
    } else if (mode < 0.55) {
      from = since + 1 + random.below(stage - 1 - since);
      if (from > graph.lastStage(op))
        from = -1;
    }
  }
  return search.retain(op, stage, from);
}

//===- OffloadStart.cpp - Copies around a given schedule ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffloadStart.h"
#include "memplan/Planner/Search/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace memplan;

namespace {
class Offloader {
public:
  Offloader(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan,
            double limitBytes);
  std::vector<PlannedRun> place();

private:
  /// The longest time in which a value that is made once is not used: between
  /// the runs at these places.
  struct Gap {
    int32_t value;
    int32_t producer, after, before;
    int32_t leaves = 0; ///< First place without its bytes.
  };

  void findGaps();
  void chooseGaps();
  void placeFetches();
  double costAt(int32_t place) const {
    return step.variants(plan[place].op)[plan[place].variant].cost;
  }
  int32_t numPlaces() const { return int32_t(plan.size()); }

  const SearchStep &step;
  llvm::ArrayRef<PlannedRun> plan;
  double limitBytes;
  std::vector<double> starts;  ///< By place, were there no copies.
  std::vector<double> bytesAt; ///< By place.
  std::vector<Gap> gaps, chosen;
  std::vector<std::vector<int32_t>> before, after; ///< Copies, by place.
};
} // namespace

Offloader::Offloader(const SearchStep &step, llvm::ArrayRef<PlannedRun> plan,
                     double limitBytes)
    : step(step), plan(plan), limitBytes(limitBytes), before(plan.size()),
      after(plan.size()) {
  double time = 0;
  for (int32_t place = 0; place < numPlaces(); ++place) {
    starts.push_back(time);
    time += costAt(place);
  }
  RunSequence runs(step, /*freeOrder=*/true);
  runs.reset(plan, limitBytes);
  for (int32_t run = runs.first(); run >= 0; run = runs.next(run))
    if (runs.op(run) < step.end())
      bytesAt.push_back(runs.line().bytesAt(runs.slot(run)));
}

void Offloader::findGaps() {
  struct Uses {
    int32_t producer = -1, last = -1, numProducers = 0;
    Gap gap;
  };
  std::vector<Uses> uses(step.numValues());
  for (int32_t place = 0; place < numPlaces(); ++place) {
    const int32_t op = plan[place].op;
    for (int32_t value : step.inputs(op)) {
      Uses &its = uses[value];
      if (its.numProducers != 1)
        continue;
      if (starts[place] - starts[its.last] >
          starts[its.gap.before] - starts[its.gap.after])
        its.gap = {value, its.producer, its.last, place};
      its.last = place;
    }
    for (int32_t value : step.outputs(op)) {
      Uses &its = uses[value];
      its.producer = its.last = place;
      its.gap = {value, place, place, place};
      ++its.numProducers;
    }
  }
  for (int32_t value = 0; value < step.numValues(); ++value)
    if (step.evictOf(value) >= 0 && uses[value].numProducers == 1 &&
        uses[value].gap.before > uses[value].gap.after + 1)
      gaps.push_back(uses[value].gap);
  llvm::sort(gaps, [](const Gap &a, const Gap &b) {
    return std::tie(a.producer, a.value) < std::tie(b.producer, b.value);
  });
}

void Offloader::chooseGaps() {
  double bestRate = 0;
  auto rateOf = [&](int32_t value) {
    return step.bytes(value) / step.copyTime(step.evictOf(value));
  };
  for (const Gap &gap : gaps)
    bestRate = std::max(bestRate, rateOf(gap.value));
  double done = 0;
  for (Gap &gap : gaps) {
    if (rateOf(gap.value) < searchTuning::leastRateOfCopy * bestRate)
      continue;
    const double leaves =
        std::max(done, starts[gap.producer] + costAt(gap.producer)) +
        step.copyTime(step.evictOf(gap.value));
    const double back =
        starts[gap.before] - step.copyTime(step.fetchOf(gap.value));
    const auto begin =
        int32_t(llvm::lower_bound(starts, leaves) - starts.begin());
    gap.leaves = std::max(gap.after + 1, begin);
    bool isOver = false;
    for (int32_t place = gap.leaves;
         place < gap.before && starts[place] < back && !isOver; ++place)
      isOver = bytesAt[place] > limitBytes;
    if (!isOver)
      continue;
    done = leaves;
    for (int32_t place = gap.leaves; place < gap.before; ++place)
      bytesAt[place] -= step.bytes(gap.value);
    after[gap.leaves - 1].push_back(step.evictOf(gap.value));
    chosen.push_back(gap);
  }
}

void Offloader::placeFetches() {
  llvm::sort(chosen, [](const Gap &a, const Gap &b) {
    return std::tie(a.before, a.value) < std::tie(b.before, b.value);
  });
  double next = std::numeric_limits<double>::infinity();
  int32_t follower = numPlaces();
  for (const Gap &gap : llvm::reverse(chosen)) {
    const int32_t fetch = step.fetchOf(gap.value);
    const double bytes = step.bytes(gap.value);
    next = std::min(next, starts[gap.before]) - step.copyTime(fetch);
    int32_t place = gap.before;
    // The engine's queue is in the order of need.
    while (place > gap.leaves && (starts[place] > next || place > follower) &&
           bytesAt[place - 1] + bytes <= limitBytes) {
      --place;
      bytesAt[place] += bytes;
    }
    follower = place;
    before[place].push_back(fetch);
  }
  for (std::vector<int32_t> &copies : before)
    std::reverse(copies.begin(), copies.end());
}

std::vector<PlannedRun> Offloader::place() {
  findGaps();
  chooseGaps();
  placeFetches();
  std::vector<PlannedRun> made;
  for (int32_t place = 0; place < numPlaces(); ++place) {
    for (int32_t fetch : before[place])
      made.push_back({fetch, 0});
    made.push_back(plan[place]);
    for (int32_t evict : after[place])
      made.push_back({evict, 0});
  }
  return made;
}

std::vector<PlannedRun> memplan::offloadStart(const SearchStep &step,
                                              llvm::ArrayRef<PlannedRun> plan,
                                              double limitBytes) {
  return Offloader(step, plan, limitBytes).place();
}

//===- HillClimbArena.cpp - Orders improved by swaps ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: hill_climb of TVM's unified static memory planner (src/tir/usmp/algo/
// hill_climb.cc, until 2024).
// Idea: first fit by decreasing size, then 500 times: of a buffer that reaches
// the top take one that stands before it and conflicts with it, swap that with
// another such, or with one that stands before and conflicts with such a one;
// keep the swap if the arena is lower, or by a chance that soon vanishes.
// Differences: memplan's own random numbers; equal sizes and numbers of
// conflicts by place instead of by a hash of the name; parts that nothing is
// live across are improved alone; the best arena is kept, not the last.
// Complexity: O(n^2) for each swap. Where more than 40,000 pairs conflict the
// default is fewer swaps, beyond 30 million pairs none.
// Guaranteed: a valid plan, no higher than first fit by decreasing size.
//
//===----------------------------------------------------------------------===//

#include "FirstFit.h"
#include "GreedyArena.h"
#include "OffsetCollector.h"
#include "Tuning.h"
#include "memplan/Support/Random.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;

namespace {
class HillClimb {
public:
  explicit HillClimb(const PackPart &part)
      : part(part), packer(part), order(part.items.size()),
        places(part.items.size()), conflicts(part.items.size()),
        hasConflicts(findConflicts()) {
    sortBySize();
  }

  /// One attempt; false where no other is worth it.
  bool step();

  /// Pairs that conflict, and each item with itself.
  int64_t pairs() const {
    int64_t sum = 0;
    for (const std::vector<int32_t> &others : conflicts)
      sum += 1 + static_cast<int64_t>(others.size());
    return sum;
  }
  int64_t heightBytes() const { return bestHeight; }
  const std::vector<int64_t> &offsets() const { return best; }

private:
  bool findConflicts();
  void sortBySize();
  void swapPlaces(int32_t a, int32_t b);
  std::vector<int32_t> conflictsBefore(int32_t item) const;
  void chooseSwap();
  int32_t pick(const std::vector<int32_t> &items) {
    return items[random.below(static_cast<int32_t>(items.size()))];
  }

  const PackPart &part;
  FirstFit packer;
  std::vector<int32_t> order, places; ///< places: by item, in the order.
  std::vector<std::vector<int32_t>> conflicts; ///< By item.
  bool hasConflicts;
  Random random{1};
  int64_t attempts = 0;
  int64_t height = 0; ///< Height of the order that was accepted last.
  std::vector<int64_t> accepted;
  std::optional<std::pair<int32_t, int32_t>> swapped; ///< Not accepted yet.
  int64_t bestHeight = 0;
  std::vector<int64_t> best;
};
} // namespace

/// False where there are too many of them.
bool HillClimb::findConflicts() {
  std::vector<std::pair<SectionSpan, int32_t>> spans;
  for (size_t i = 0; i < part.items.size(); ++i)
    for (SectionSpan span : part.spansOf(part.items[i]))
      spans.push_back({span, static_cast<int32_t>(i)});
  std::sort(spans.begin(), spans.end(), [](const auto &a, const auto &b) {
    return std::pair(a.first.begin, a.second) <
           std::pair(b.first.begin, b.second);
  });
  std::vector<std::pair<SectionSpan, int32_t>> live;
  size_t pairs = 0;
  auto add = [&](int32_t a, int32_t b) {
    conflicts[a].push_back(b);
    conflicts[b].push_back(a);
  };
  for (const auto &[span, item] : spans) {
    std::erase_if(live, [begin = span.begin](const auto &other) {
      return other.first.end <= begin;
    });
    pairs += live.size();
    if (pairs > tuning::mostConflicts)
      return false;
    for (const auto &[otherSpan, other] : live)
      add(item, other);
    live.push_back({span, item});
  }
  for (auto [a, b] : part.conflicts)
    add(a, b);
  for (std::vector<int32_t> &others : conflicts) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
  return true;
}

void HillClimb::sortBySize() {
  std::iota(order.begin(), order.end(), 0);
  auto keyOf = [&](int32_t item) {
    return std::tuple(-part.items[item].bytes,
                      -static_cast<int64_t>(conflicts[item].size()), item);
  };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return keyOf(a) < keyOf(b); });
  for (size_t place = 0; place < order.size(); ++place)
    places[order[place]] = static_cast<int32_t>(place);
}

void HillClimb::swapPlaces(int32_t a, int32_t b) {
  std::swap(order[places[a]], order[places[b]]);
  std::swap(places[a], places[b]);
}

std::vector<int32_t> HillClimb::conflictsBefore(int32_t item) const {
  std::vector<int32_t> result;
  for (int32_t other : conflicts[item])
    if (places[other] < places[item])
      result.push_back(other);
  return result;
}

void HillClimb::chooseSwap() {
  std::vector<int32_t> highest;
  for (int32_t item : order)
    if (accepted[item] + part.items[item].bytes == height)
      highest.push_back(item);
  const std::vector<int32_t> first = conflictsBefore(pick(highest));
  if (first.empty())
    return;
  std::vector<int32_t> second;
  for (int32_t item : first) {
    const std::vector<int32_t> before = conflictsBefore(item);
    second.insert(second.end(), before.begin(), before.end());
  }
  const int32_t a = pick(first);
  int32_t b = a;
  do
    b = !second.empty() && random.below(100) > 25 ? pick(second) : pick(first);
  while (b == a && (first.size() > 1 || second.size() > 1));
  if (a == b)
    return;
  swapped = {a, b};
  swapPlaces(a, b);
}

bool HillClimb::step() {
  ++attempts;
  const int64_t reached =
      *packer.run(order, std::numeric_limits<int64_t>::max());
  const bool isFirst = accepted.empty();
  const int64_t percent =
      isFirst
          ? 0
          : 50 * (reached - height) / std::max<int64_t>(reached, 1) / attempts;
  if (isFirst || reached < height || random.below(100) < percent) {
    accepted = packer.offsets();
    height = reached;
    if (best.empty() || height < bestHeight) {
      bestHeight = height;
      best = accepted;
    }
    if (height <= part.boundBytes || !hasConflicts)
      return false;
  } else if (swapped) {
    swapPlaces(swapped->first, swapped->second);
  }
  swapped.reset();
  chooseSwap();
  return true;
}

llvm::Expected<ArenaPlan>
memplan::solveHillClimbArena(const ArenaProblem &problem,
                             const SolveLimits &limits) {
  constexpr int64_t attemptsOfTvm = 500;
  const SolveClock clock(limits);
  const PackParts all = makePackParts(problem);
  OffsetCollector packed(problem, all);
  for (const PackPart &part : all.parts) {
    HillClimb climb(part);
    const int64_t most =
        limits.effort > 0
            ? limits.effort
            : std::min(attemptsOfTvm,
                       1 + tuning::pairsOfAttempts / climb.pairs());
    for (int64_t attempt = 0; attempt < most; ++attempt) {
      if (!climb.step() || clock.isStopped())
        break;
      if (limits.progress)
        limits.progress({"hill-climb", double(climb.heightBytes()),
                         double(part.boundBytes), clock.seconds()});
    }
    packed.add(part, climb.offsets());
  }
  return packed.finish();
}

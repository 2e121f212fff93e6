//===- WeighInPlace.cpp - Pairs by what they do to the arena --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a pair saves bytes at its run alone, and makes one long buffer of two
//   short ones. So it hurts where that buffer packs worse than its parts, or
//   where a small output keeps a large storage; such pairs lie at the top of
//   the arena or at the peak of live bytes. Local search over them.
// Cost: a packing for each choice whose live bytes promise less than the best.
// Guarantee: legal, and never worse than the choice to start from.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/WeighInPlace.h"
#include "Tuning.h"
#include "memplan/Planner/InPlace/InPlaceCandidates.h"
#include "memplan/Support/Random.h"
#include <algorithm>

using namespace memplan;

namespace {
using Taken = InPlaceCandidates::Taken;

class Weigher {
public:
  Weigher(const InPlaceProblem &problem, const InPlaceChoice &start,
          WeighedArena arena, int64_t enoughBytes, int mostPackings,
          WeighArena weigh)
      : candidates(problem), enoughBytes(enoughBytes),
        mostPackings(mostPackings), weigh(weigh),
        best(candidates.takenIn(start)), arena(std::move(arena)) {
    result.choice = start;
    this->enoughBytes = std::max(enoughBytes, candidates.leastLiveBytes());
    walks = std::min<int64_t>(tuning::walksOfPacking * mostPackings,
                              tuning::mostWalkedRanges /
                                  int64_t(candidates.liveRanges().size() + 1));
  }

  llvm::Expected<WeighedChoice> run();

private:
  bool isDone() const {
    return arena.bytes <= enoughBytes || result.packings >= mostPackings;
  }
  bool areFew() const;
  llvm::Error tryAll();
  llvm::Error tryOneByOne();
  llvm::Error tryAtRandom();
  llvm::Error tryOut(Taken taken);
  void flip(Taken &taken, size_t candidate) const;
  std::vector<size_t> highCandidates() const;
  bool mayWalk() { return walks-- > 0 && !isDone(); }

  InPlaceCandidates candidates;
  int64_t enoughBytes;
  int mostPackings;
  WeighArena weigh;
  Taken best;
  WeighedArena arena; ///< Arena of the best choice.
  WeighedChoice result;
  int64_t walks; ///< Over the live ranges, that may still be made.
  Random random{1};
};
} // namespace

/// Packs the choice if it may be better than the best, and takes it if it is
/// no worse: equals lead on.
llvm::Error Weigher::tryOut(Taken taken) {
  candidates.makeLegal(taken);
  if (taken == best || candidates.liveBytes(taken) >= arena.bytes)
    return llvm::Error::success();
  ++result.packings;
  InPlaceChoice choice = candidates.choiceOf(taken);
  llvm::Expected<WeighedArena> weighed = weigh(choice);
  if (!weighed)
    return weighed.takeError();
  if (weighed->bytes > arena.bytes)
    return llvm::Error::success();
  arena = std::move(*weighed);
  best = std::move(taken);
  result.choice = std::move(choice);
  return llvm::Error::success();
}

bool Weigher::areFew() const {
  const size_t count = candidates.all().size();
  return count <= tuning::mostPairsForAll &&
         (int64_t(1) << count) <= mostPackings;
}

llvm::Error Weigher::tryAll() {
  const size_t count = candidates.all().size();
  for (uint32_t set = 0; set < (1u << count) && !isDone(); ++set) {
    Taken taken(count);
    for (size_t i = 0; i < count; ++i)
      taken[i] = (set >> i) & 1;
    if (llvm::Error error = tryOut(std::move(taken)))
      return error;
  }
  return llvm::Error::success();
}

/// Gives the pair up, or takes it in the place of those that it excludes.
void Weigher::flip(Taken &taken, size_t candidate) const {
  taken[candidate] = !taken[candidate];
  if (!taken[candidate])
    return;
  const auto &list = candidates.all();
  auto giveUp = [&](size_t other) {
    if (candidates.excludeEachOther(candidate, other))
      taken[other] = false;
  };
  const int32_t run = list[candidate].run;
  for (size_t i = candidate; i-- > 0 && list[i].run == run;)
    giveUp(i);
  for (size_t i = candidate + 1; i < list.size() && list[i].run == run; ++i)
    giveUp(i);
}

/// Candidates that may matter, largest first: at high runs, and what keeps a
/// storage that is larger than it needs.
std::vector<size_t> Weigher::highCandidates() const {
  const auto &list = candidates.all();
  std::vector<int32_t> high = arena.highRuns;
  std::sort(high.begin(), high.end());
  auto bytesOf = [&](size_t candidate) {
    return candidates.liveRanges()[list[candidate].output].bytes;
  };
  std::vector<size_t> found;
  for (size_t i = 0; i < list.size(); ++i) {
    const int64_t storage = candidates.liveRanges()[list[i].input].bytes;
    if (std::binary_search(high.begin(), high.end(), list[i].run) ||
        (best[i] && bytesOf(i) < storage))
      found.push_back(i);
  }
  std::sort(found.begin(), found.end(), [&](size_t a, size_t b) {
    return std::pair(bytesOf(b), a) < std::pair(bytesOf(a), b);
  });
  return found;
}

/// Each pair alone, again after each that helps.
llvm::Error Weigher::tryOneByOne() {
  for (bool improves = true; improves && !isDone();) {
    improves = false;
    for (size_t candidate : highCandidates()) {
      if (result.packings >= mostPackings * tuning::quartersOneByOne / 4 ||
          !mayWalk())
        return llvm::Error::success();
      const int64_t before = arena.bytes;
      Taken taken = best;
      flip(taken, candidate);
      if (llvm::Error error = tryOut(std::move(taken)))
        return error;
      if (arena.bytes < before) {
        improves = true;
        break;
      }
    }
  }
  return llvm::Error::success();
}

/// Some at once, for chains that have to be broken at several places.
llvm::Error Weigher::tryAtRandom() {
  std::vector<size_t> high = highCandidates();
  while (!high.empty() && mayWalk()) {
    const int64_t before = arena.bytes;
    Taken taken = best;
    for (int32_t flips = 1 + random.below(tuning::mostFlips); flips > 0;
         --flips)
      flip(taken, high[random.below(int32_t(high.size()))]);
    if (llvm::Error error = tryOut(std::move(taken)))
      return error;
    if (arena.bytes < before)
      high = highCandidates();
  }
  return llvm::Error::success();
}

llvm::Expected<WeighedChoice> Weigher::run() {
  if (!candidates.all().empty() && !isDone()) {
    llvm::Error error =
        areFew() ? tryAll() : tryOut(Taken(candidates.all().size(), false));
    if (!error)
      error = tryOneByOne();
    if (!error)
      error = tryAtRandom();
    if (error)
      return std::move(error);
  }
  result.bytes = arena.bytes;
  return std::move(result);
}

llvm::Expected<WeighedChoice>
memplan::weighInPlace(const InPlaceProblem &problem, const InPlaceChoice &start,
                      WeighedArena arena, int64_t enoughBytes, int mostPackings,
                      WeighArena weigh) {
  return Weigher(problem, start, std::move(arena), enoughBytes, mostPackings,
                 weigh)
      .run();
}

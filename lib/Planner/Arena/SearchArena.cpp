//===- SearchArena.cpp - Dives, merges, first fit and blame ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own; see SkylineDive, ItemMerger and PartSearch.
// Idea: each part of each space is packed by dives of several orders. What is
// still above the bound is searched on, part by part, the highest first.
// Complexity: O(n log^2 n) for each order, as a rule.
// Guaranteed: a valid plan; the bound is that of the problem.
//
//===----------------------------------------------------------------------===//

#include "GreedyArena.h"
#include "OffsetCollector.h"
#include "PartSearch.h"
#include "Tuning.h"
#include <algorithm>

using namespace memplan;

namespace {
class ArenaSearch {
public:
  ArenaSearch(const ArenaProblem &problem, const SolveLimits &limits)
      : limits(limits), clock(limits), bounds(problem.lowerBoundBySpace()),
        all(makePackParts(problem)), packed(problem, all) {
    for (const auto &[space, bytes] : bounds)
      boundOfAll += double(bytes);
  }

  ArenaPlan run();

private:
  void packSpace(int32_t space, std::vector<const PackPart *> parts);
  PartSearchLimits limitsOf(const PackPart &part, int64_t spaceBound) const;
  void showProgress(int32_t space, int64_t height);

  const SolveLimits &limits;
  SolveClock clock;
  std::vector<std::pair<std::string, int64_t>> bounds; ///< By space.
  double boundOfAll = 0;
  PackParts all;
  int64_t tried = 0;
  double secondsAtReport = -1;
  OffsetCollector packed;
};
} // namespace

/// Bytes of all spaces, ten times a second.
void ArenaSearch::showProgress(int32_t space, int64_t height) {
  const double now = clock.seconds();
  if (!limits.progress || now < secondsAtReport + tuning::secondsOfReport)
    return;
  secondsAtReport = now;
  double incumbent = 0;
  for (size_t other = 0; other < bounds.size(); ++other) {
    const int64_t reached = packed.heightOf(int32_t(other));
    incumbent += double(std::max(
        {reached, bounds[other].second, int32_t(other) == space ? height : 0}));
  }
  limits.progress({"search", incumbent, boundOfAll, now});
}

/// `target` is what the space needs anyhow. With the default effort a large
/// part also ends within a hundred-thousandth of it.
PartSearchLimits ArenaSearch::limitsOf(const PackPart &part,
                                       int64_t target) const {
  PartSearchLimits result;
  result.targetBytes = target;
  result.isStopped = [this] { return clock.isStopped(); };
  if (limits.effort > 0) {
    result.orders = std::max<int64_t>(limits.effort - tried, 1);
    result.work = std::numeric_limits<int64_t>::max();
    return result;
  }
  if (int64_t(part.items.size()) > tuning::largePart)
    result.targetBytes += target / tuning::closeEnough;
  result.orders = tuning::defaultOrders;
  result.patience = std::min(tuning::mostPatience,
                             tuning::patience + tuning::patienceOfAll /
                                                    int64_t(part.items.size()));
  result.work = tuning::mostWork;
  return result;
}

/// The part with the highest bound decides how low the others have to be.
void ArenaSearch::packSpace(int32_t space,
                            std::vector<const PackPart *> parts) {
  std::sort(
      parts.begin(), parts.end(), [](const PackPart *a, const PackPart *b) {
        return std::pair(-a->boundBytes, a) < std::pair(-b->boundBytes, b);
      });
  int64_t target = bounds[space].second;
  for (const PackPart *part : parts) {
    target = std::max({target, part->boundBytes, part->enoughBytes});
    PartSearch search(*part);
    PartSearchLimits partLimits = limitsOf(*part, target);
    partLimits.report = [&] { showProgress(space, search.heightBytes()); };
    search.run(partLimits);
    tried += search.orders();
    packed.add(*part, search.offsets());
    target = std::max(target, packed.heightOf(space));
  }
}

ArenaPlan ArenaSearch::run() {
  std::vector<std::vector<const PackPart *>> partsOfSpace(all.spaces.size());
  for (const PackPart &part : all.parts)
    partsOfSpace[part.space].push_back(&part);
  for (size_t space = 0; space < partsOfSpace.size(); ++space)
    packSpace(static_cast<int32_t>(space), std::move(partsOfSpace[space]));
  return packed.finish();
}

llvm::Expected<ArenaPlan> memplan::solveSearchArena(const ArenaProblem &problem,
                                                    const SolveLimits &limits) {
  return ArenaSearch(problem, limits).run();
}

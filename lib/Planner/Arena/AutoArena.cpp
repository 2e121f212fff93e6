//===- AutoArena.cpp - The lowest of several packings ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: every space as the plain heuristic that packs it lowest has it, then a
// search for better orders in each space that is above its lower bound.
// Guaranteed: a valid plan, no higher in any space than those of the
// heuristics. A stop or the time limit ends the search, never the heuristics.
//
//===----------------------------------------------------------------------===//

#include "GreedyArena.h"
#include "OrderSearch.h"
#include <algorithm>

using namespace memplan;

namespace {
/// The best offsets so far, by space.
class Packing {
public:
  Packing(const ArenaProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits), clock(limits) {
    for (size_t i = 0; i < problem.buffers.size(); ++i)
      members[problem.buffers[i].space].push_back(static_cast<int32_t>(i));
    best.offsets.resize(problem.buffers.size());
  }

  llvm::Error packPlainly();
  void improve();
  ArenaPlan finish() && {
    reportPacking(problem, heights, best);
    return std::move(best);
  }

private:
  using Space = std::pair<const std::string, std::vector<int32_t>>;

  int64_t heightOf(const Space &space, const ArenaPlan &plan) const;
  int64_t improve(const Space &space, int64_t boundBytes, int64_t moves);
  void showProgress(const std::string &space, int64_t heightBytes);

  const ArenaProblem &problem;
  const SolveLimits &limits;
  SolveClock clock;
  std::map<std::string, std::vector<int32_t>> members; ///< By space.
  std::map<std::string, int64_t> heights;
  double boundOfAll = 0; ///< Of all spaces, as heights are added.
  double secondsAtReport = -1;
  ArenaPlan best;
};
} // namespace

int64_t Packing::heightOf(const Space &space, const ArenaPlan &plan) const {
  int64_t height = 0;
  for (int32_t i : space.second)
    if (problem.buffers[i].bytes > 0)
      height = std::max(height, plan.offsets[i] + problem.buffers[i].bytes);
  return height;
}

/// Each space as the plan that packs it lowest has it.
llvm::Error Packing::packPlainly() {
  ArenaProblem unlimited = problem;
  unlimited.budgetBytes.reset();
  for (auto solve : {solveBestFit, solveGreedyBySize}) {
    llvm::Expected<ArenaPlan> plan = solve(unlimited, limits);
    if (!plan)
      return plan.takeError();
    for (const Space &space : members) {
      const int64_t height = heightOf(space, *plan);
      auto [known, isFirst] = heights.insert({space.first, height});
      if (!isFirst && height >= known->second)
        continue;
      known->second = height;
      for (int32_t i : space.second)
        best.offsets[i] = plan->offsets[i];
    }
  }
  return llvm::Error::success();
}

/// Bytes of all spaces, ten times a second.
void Packing::showProgress(const std::string &space, int64_t heightBytes) {
  const double now = clock.seconds();
  if (secondsAtReport >= 0 && now < secondsAtReport + 0.1)
    return;
  secondsAtReport = now;
  double incumbent = 0;
  for (const auto &[name, height] : heights)
    incumbent += double(name == space ? std::min(height, heightBytes) : height);
  limits.progress({"auto", incumbent, boundOfAll, now});
}

/// Returns how many moves it took.
int64_t Packing::improve(const Space &space, int64_t boundBytes,
                         int64_t moves) {
  // Pairs of buffers to look at, for about half a second.
  constexpr int64_t work = 40'000'000;
  SearchLimits search;
  search.work = work / int64_t(members.size());
  if (limits.effort > 0)
    search.moves = moves;
  search.isStopped = [this] { return clock.isStopped(); };
  if (limits.progress)
    search.report = [&](int64_t height) { showProgress(space.first, height); };
  OrderSearch order(problem, space.second, boundBytes);
  int64_t &height = heights[space.first];
  if (!order.run(search) || order.heightBytes() >= height)
    return order.moves();
  height = order.heightBytes();
  for (size_t i = 0; i < space.second.size(); ++i)
    best.offsets[space.second[i]] = order.offsets()[i];
  return order.moves();
}

void Packing::improve() {
  const auto bounds = problem.lowerBoundBySpace();
  boundOfAll = double(problem.lowerBoundBytes());
  auto isOpen = [&](const auto &bound) {
    return heights[bound.first] != bound.second;
  };
  int64_t open = std::count_if(bounds.begin(), bounds.end(), isOpen);
  int64_t moves = limits.effort;
  for (const auto &bound : bounds) {
    if (!isOpen(bound))
      continue;
    // What one space leaves over goes to those after it.
    const int64_t share = moves / open + (moves % open != 0);
    moves -= improve(*members.find(bound.first), bound.second, share);
    --open;
  }
}

llvm::Expected<ArenaPlan> memplan::solveAutoArena(const ArenaProblem &problem,
                                                  const SolveLimits &limits) {
  Packing packing(problem, limits);
  if (llvm::Error error = packing.packPlainly())
    return std::move(error);
  packing.improve();
  return std::move(packing).finish();
}

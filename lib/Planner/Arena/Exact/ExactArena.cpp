//===- ExactArena.cpp - Proved packings, and the solver for every day -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: each part is packed by one dive. Parts that are above what their space
// needs anyhow share the work: orders first, then the exact search, which packs
// lower, proves that nothing is lower, or runs out of work. `auto` and `exact`
// differ in how much work that is.
// Guaranteed: a valid plan. Its bound is proved: by what is live, or by a
// search that left nothing out.
//
//===----------------------------------------------------------------------===//

#include "../GreedyArena.h"
#include "../OffsetCollector.h"
#include "../Tuning.h"
#include "PartProof.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
/// How much work a solver spends by default, on all parts together.
struct Defaults {
  const char *solver;
  tuning::DefaultWork work;
  bool endsClose; ///< Within an alignment of the goal, where that is little.
};

class ProvedPacking {
public:
  ProvedPacking(const ArenaProblem &problem, const SolveLimits &limits,
                const Defaults &defaults)
      : problem(problem), limits(limits), defaults(defaults), clock(limits),
        bounds(problem.lowerBoundBySpace()), all(makePackParts(problem)) {}

  ArenaPlan run();

private:
  int64_t heightOf(int32_t space) const;
  int64_t boundOf(int32_t space) const;
  int64_t goalOf(size_t part) const;
  ProofLimits shareOf(size_t part, int64_t open) const;
  std::vector<size_t> findOpen() const;
  void showProgress(size_t part, int64_t height);
  ArenaPlan finish();

  const ArenaProblem &problem;
  const SolveLimits &limits;
  const Defaults &defaults;
  SolveClock clock;
  std::vector<std::pair<std::string, int64_t>> bounds; ///< By space.
  PackParts all;
  std::vector<PartProof> proofs; ///< By part.
  int64_t effortLeft = 0;
  double secondsAtReport = -1;
};
} // namespace

int64_t ProvedPacking::heightOf(int32_t space) const {
  int64_t height = 0;
  for (size_t i = 0; i < proofs.size(); ++i)
    if (all.parts[i].space == space)
      height = std::max(height, proofs[i].heightBytes);
  return height;
}

int64_t ProvedPacking::boundOf(int32_t space) const {
  int64_t bound = bounds[space].second;
  for (size_t i = 0; i < proofs.size(); ++i)
    if (all.parts[i].space == space)
      bound = std::max(bound, proofs[i].boundBytes);
  return bound;
}

/// What the part's space needs anyhow, or what it may take.
int64_t ProvedPacking::goalOf(size_t part) const {
  const PackPart &its = all.parts[part];
  return std::max(
      {boundOf(its.space), its.budgetBytes.value_or(0), its.enoughBytes});
}

/// Parts above their goals, the highest bound first.
std::vector<size_t> ProvedPacking::findOpen() const {
  std::vector<size_t> open;
  for (size_t i = 0; i < proofs.size(); ++i)
    if (proofs[i].heightBytes > goalOf(i))
      open.push_back(i);
  std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
    return std::pair(-all.parts[a].boundBytes, a) <
           std::pair(-all.parts[b].boundBytes, b);
  });
  return open;
}

/// Bytes of all spaces, ten times a second.
void ProvedPacking::showProgress(size_t part, int64_t height) {
  const double now = clock.seconds();
  if (!limits.progress || now < secondsAtReport + tuning::secondsOfReport)
    return;
  secondsAtReport = now;
  const int64_t known = std::exchange(
      proofs[part].heightBytes, std::min(height, proofs[part].heightBytes));
  double incumbent = 0, bound = 0;
  for (size_t space = 0; space < all.spaces.size(); ++space) {
    incumbent += double(heightOf(int32_t(space)));
    bound += double(boundOf(int32_t(space)));
  }
  proofs[part].heightBytes = known;
  limits.progress({defaults.solver, incumbent, bound, now});
}

ProofLimits ProvedPacking::shareOf(size_t part, int64_t open) const {
  ProofLimits share;
  share.goalBytes = goalOf(part);
  share.budgetBytes = all.parts[part].budgetBytes;
  share.orders = defaults.work.orders;
  share.patience = defaults.work.patience;
  const auto count = int64_t(all.parts[part].items.size());
  const int64_t work = defaults.work.work;
  // A budget is kept to the byte.
  const int64_t little =
      share.budgetBytes ? 0 : share.goalBytes / tuning::closeEnough;
  share.work = std::clamp(work / tuning::buffersOfWork * count, work,
                          std::max(work, tuning::mostWork));
  share.trials = defaults.work.trials / open;
  if (limits.effort > 0) {
    share.trials = effortLeft / open + (effortLeft % open != 0);
    share.orders =
        std::min(share.trials, tuning::ordersOfEffort * defaults.work.orders);
    share.work = std::numeric_limits<int64_t>::max();
  } else if (count > tuning::largePart) {
    // As `search` has it, a large part also ends close to its goal.
    share.goalBytes += little;
  } else if (defaults.endsClose) {
    // Which buffer ends highest is seldom worth a search.
    share.goalBytes += std::min(little, all.parts[part].grain() - 1);
  }
  share.isStopped = [this] { return clock.isStopped(); };
  return share;
}

ArenaPlan ProvedPacking::run() {
  for (const PackPart &part : all.parts)
    proofs.push_back(packOnce(part));
  effortLeft = limits.effort;
  const std::vector<size_t> open = findOpen();
  for (size_t i = 0; i < open.size() && !clock.isStopped(); ++i) {
    PartProof &proof = proofs[open[i]];
    ProofLimits share = shareOf(open[i], int64_t(open.size() - i));
    share.report = [&, part = open[i]](int64_t height) {
      showProgress(part, height);
    };
    // Others of the space may have found that it needs more.
    share.goalBytes = std::max(share.goalBytes, goalOf(open[i]));
    improveProof(all.parts[open[i]], share, proof);
    effortLeft -= std::min(effortLeft, proof.trials);
  }
  return finish();
}

ArenaPlan ProvedPacking::finish() {
  OffsetCollector packed(problem, all);
  for (size_t i = 0; i < proofs.size(); ++i)
    packed.add(all.parts[i], proofs[i].offsets);
  ArenaPlan plan = packed.finish();
  int64_t bound = 0;
  for (size_t space = 0; space < all.spaces.size(); ++space)
    bound += boundOf(int32_t(space));
  if (double(bound) == plan.report.bound ||
      plan.report.status == SolveStatus::Infeasible)
    return plan;
  plan.report.bound = double(bound);
  plan.report.proof = "search";
  if (plan.report.status == SolveStatus::Feasible && plan.peakBytes == bound)
    plan.report.status = SolveStatus::Optimal;
  for (size_t space = 0; space < all.spaces.size(); ++space) {
    const std::optional<int64_t> budget = problem.budgetOf(all.spaces[space]);
    if (boundOf(int32_t(space)) <= budget.value_or(boundOf(int32_t(space))))
      continue;
    plan.report.status = SolveStatus::Infeasible;
    plan.report.note = llvm::formatv(
        "a search that left nothing out found no packing within the {0} bytes "
        "of the budget",
        *budget);
  }
  return plan;
}

llvm::Expected<ArenaPlan> memplan::solveExactArena(const ArenaProblem &problem,
                                                   const SolveLimits &limits) {
  static const Defaults defaults = {"exact", tuning::workOfExact, false};
  return ProvedPacking(problem, limits, defaults).run();
}

llvm::Expected<ArenaPlan> memplan::solveAutoArena(const ArenaProblem &problem,
                                                  const SolveLimits &limits) {
  static const Defaults defaults = {"auto", tuning::workOfAuto, true};
  const SolveClock clock(limits);
  ArenaPlan plan = ProvedPacking(problem, limits, defaults).run();
  // A budget that is missed is worth all that `exact` spends by default.
  if (plan.report.status != SolveStatus::NoPlan || limits.effort > 0 ||
      clock.isStopped())
    return plan;
  SolveLimits rest = limits;
  rest.timeLimitSeconds = clock.secondsLeft();
  return solveExactArena(problem, rest);
}

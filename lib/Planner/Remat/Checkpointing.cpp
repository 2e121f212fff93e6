//===- Checkpointing.cpp - Chen's checkpoints and generalisations ---------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Chen et al., "Training deep nets with sublinear memory cost",
//   arXiv:1604.06174; generalised to articulation points and to linearized
//   graphs by Jain et al., "Checkmate", MLSys 2020, 5.1 and Table 1.
// Idea: keep the ends of segments of the forward pass; make a segment again
//   when the backward pass comes to it.
// Cost: O(knobs * (nodes + edges + runs)).
// Guarantee: a valid schedule; the greedy forms return the cheapest of the
//   knobs that they tried which keeps the budget. No optimality.
//
//===----------------------------------------------------------------------===//

#include "LayerCheckpoints.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace memplan;

Checkpoints memplan::linearCandidates(const StageGraph &graph) {
  Checkpoints forward;
  for (int32_t op = 0; op < graph.numStages(); ++op)
    if (graph.ops()[op].feedsBackward)
      forward.push_back(op);
  // The last of them is the loss: the backward pass begins with it, so that
  // keeping it saves nothing.
  if (!forward.empty())
    forward.pop_back();
  return forward;
}

bool memplan::isForwardPath(const StageGraph &graph) {
  int32_t previous = -1;
  for (int32_t op = 0; op < graph.numStages(); ++op) {
    const StepOp &stepOp = graph.ops()[op];
    if (!stepOp.feedsBackward)
      continue;
    for (int32_t value : stepOp.inputs)
      if (graph.values()[value].producer != previous)
        return false;
    if (stepOp.inputs.empty() && previous >= 0)
      return false;
    previous = op;
  }
  return true;
}

Checkpoints memplan::everySqrt(const Checkpoints &candidates) {
  size_t k =
      static_cast<size_t>(std::sqrt(static_cast<double>(candidates.size())));
  Checkpoints chosen;
  for (size_t i = k; k > 0 && i <= candidates.size(); i += k)
    chosen.push_back(candidates[i - 1]);
  return chosen;
}

namespace {
struct SegmentEnds {
  Checkpoints chosen;
  /// Bytes of the smallest segment. Sizes below them choose the same ends.
  int64_t leastBytes = std::numeric_limits<int64_t>::max();
};
} // namespace

static SegmentEnds endsBySize(const StageGraph &graph,
                              const Checkpoints &candidates, int64_t bytes) {
  SegmentEnds ends;
  int64_t sum = 0;
  size_t next = 0;
  for (int32_t op = 0; op < graph.numStages() && next < candidates.size();
       ++op) {
    if (graph.ops()[op].feedsBackward)
      sum += graph.bytesMade(op);
    if (op != candidates[next])
      continue;
    ++next;
    if (sum > bytes) {
      ends.chosen.push_back(op);
      ends.leastBytes = std::min(ends.leastBytes, sum);
      sum = 0;
    }
  }
  return ends;
}

Checkpoints memplan::byAccumulatedBytes(const StageGraph &graph,
                                        const Checkpoints &candidates,
                                        int64_t bytes) {
  return endsBySize(graph, candidates, bytes).chosen;
}

/// Calls `drop` for each value of a segment that is not kept until its first
/// backward op brings all of it back, with the stages between.
static void forEachDropOfSegments(
    const StageGraph &graph, const Checkpoints &checkpoints, bool endsBringBack,
    llvm::function_ref<void(int32_t, int32_t, int32_t)> drop) {
  int32_t begin = 0;
  for (int32_t last : checkpoints) {
    // The checkpoint itself is live, and reading it needs nothing else.
    int32_t back = graph.numStages();
    for (int32_t op = begin; op < last + endsBringBack; ++op)
      back = std::min(back, comesBack(graph, op));
    for (int32_t op = begin; op < last; ++op)
      if (graph.ops()[op].forward)
        forEachDrop(graph, op, back, [&](int32_t value, int32_t from) {
          drop(value, from, back);
        });
    begin = last + 1;
  }
}

static Retention keepOnly(const StageGraph &graph,
                          const Checkpoints &checkpoints, bool endsBringBack) {
  Retention retention = keepAll(graph);
  forEachDropOfSegments(graph, checkpoints, endsBringBack,
                        [&](int32_t value, int32_t from, int32_t to) {
                          retention.set(value, from, to, false);
                        });
  for (int32_t last : checkpoints)
    for (int32_t value : graph.ops()[last].outputs)
      if (!graph.values()[value].users.empty())
        retention.set(value, last + 1, graph.numStages() - 1, true);
  return retention;
}

Retention memplan::keepCheckpoints(const StageGraph &graph,
                                   const Checkpoints &checkpoints) {
  return keepOnly(graph, checkpoints, /*endsBringBack=*/false);
}

/// What keepCheckpoints() costs at least: what is dropped is recomputed.
static double leastCostOf(const StageGraph &graph,
                          const Checkpoints &checkpoints) {
  auto cheapest = [&](int32_t op) {
    return graph.ops()[op].variants.front().cost;
  };
  double cost = graph.costOutside();
  for (int32_t op = 0; op < graph.numStages(); ++op)
    cost += cheapest(op);
  int32_t counted = -1; // One run may bring several values back.
  forEachDropOfSegments(
      graph, checkpoints, false, [&](int32_t value, int32_t, int32_t) {
        const int32_t producer = graph.values()[value].producer;
        if (producer > counted)
          cost += cheapest(counted = producer);
      });
  return cost;
}

static RematPlan planCheckpoints(const RematProblem &problem,
                                 const StageGraph &graph,
                                 const Checkpoints &checkpoints) {
  Retention retention = keepCheckpoints(graph, checkpoints);
  return measurePlan(problem, graph.expand(solveRows(graph, retention)));
}

/// Without a budget as published: a segment comes back with the first backward
/// op that reads anything of it, its end included. That may be one op early,
/// and take bytes that a budget has not.
static RematPlan planSqrt(const RematProblem &problem, const StageGraph &graph,
                          const Checkpoints &candidates) {
  if (!problem.budgetBytes) {
    Retention retention = keepOnly(graph, everySqrt(candidates), true);
    return planWithinBudget(
        problem,
        measurePlan(problem, graph.expand(solveRows(graph, retention))));
  }
  return planWithinBudget(
      problem, planCheckpoints(problem, graph, everySqrt(candidates)));
}

/// All segment sizes that choose different ends, where those are at most
/// `most`.
static std::optional<std::vector<int64_t>>
everySegmentSize(const StageGraph &graph, const Checkpoints &candidates,
                 size_t most) {
  std::vector<int64_t> sizes{0};
  for (;;) {
    const SegmentEnds ends = endsBySize(graph, candidates, sizes.back());
    if (ends.chosen.empty())
      return sizes;
    if (sizes.size() == most)
      return std::nullopt;
    sizes.push_back(ends.leastBytes);
  }
}

/// Segment sizes worth trying: all sums of consecutive ops where those are at
/// most `most`, of a forward pass that is short, else a geometric grid.
static std::vector<int64_t> segmentSizes(const StageGraph &graph, size_t most) {
  std::vector<int64_t> sizes{0};
  int64_t total = 0, smallest = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> bytes;
  for (int32_t op = 0; op < graph.numStages(); ++op)
    if (graph.ops()[op].feedsBackward) {
      bytes.push_back(graph.bytesMade(op));
      total += bytes.back();
      if (bytes.back() > 0)
        smallest = std::min(smallest, bytes.back());
    }
  if (bytes.size() <= tuning::fewValues) {
    for (size_t i = 0; i < bytes.size(); ++i)
      for (int64_t sum = 0, j = int64_t(i); j < int64_t(bytes.size()); ++j)
        sizes.push_back(sum += bytes[j]);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  }
  if (bytes.size() > tuning::fewValues || sizes.size() > most) {
    // From the mean op on: smaller segments hardly differ. Integers only, so
    // that every machine tries the same.
    sizes = {0};
    int64_t size = std::max<int64_t>(
        smallest, total / (tuning::partsOfMean * int64_t(bytes.size()) + 1));
    const int64_t parts =
        graph.numStages() <= largeStep ? tuning::partsOfSize : 1;
    for (; size < total; size += std::max<int64_t>(1, size / parts))
      sizes.push_back(size);
    sizes.push_back(total);
  }
  return sizes;
}

static RematPlan planGreedily(const RematProblem &problem,
                              const StageGraph &graph,
                              const Checkpoints &candidates,
                              const SolveLimits &limits) {
  std::optional<RematPlan> best;
  Checkpoints previous{-1};
  const auto most =
      size_t(tuning::mostStagesPlanned / (graph.numStages() + 1) + 1);
  std::optional<std::vector<int64_t>> sizes =
      everySegmentSize(graph, candidates, most);
  if (!sizes)
    sizes = segmentSizes(graph, most);
  for (int64_t bytes : *sizes) {
    Checkpoints checkpoints = byAccumulatedBytes(graph, candidates, bytes);
    if (checkpoints == previous)
      continue;
    previous = checkpoints;
    RematPlan plan = planCheckpoints(problem, graph, checkpoints);
    if (!best || isBetter(problem, plan, *best))
      best = std::move(plan);
    if (limits.stop && limits.stop->load())
      break;
  }
  return planWithinBudget(problem, std::move(*best));
}

static llvm::Error requirePath(const StageGraph &graph, llvm::StringRef solver,
                               llvm::StringRef remedy) {
  if (isForwardPath(graph))
    return llvm::Error::success();
  return llvm::createStringError("solver '%s' is for a linear forward pass, "
                                 "where each node reads the one before it; "
                                 "use '%s' for this graph",
                                 solver.str().c_str(), remedy.str().c_str());
}

llvm::Expected<RematPlan> memplan::solveChenSqrt(const RematProblem &problem,
                                                 const SolveLimits &) {
  StageGraph graph(*problem.index, problem.inPlace);
  if (llvm::Error error = requirePath(graph, "chen-sqrt", "ap-sqrt"))
    return error;
  return planSqrt(problem, graph, linearCandidates(graph));
}

llvm::Expected<RematPlan> memplan::solveChenGreedy(const RematProblem &problem,
                                                   const SolveLimits &limits) {
  StageGraph graph(*problem.index, problem.inPlace);
  if (llvm::Error error = requirePath(graph, "chen-greedy", "ap-greedy"))
    return error;
  return planGreedily(problem, graph, linearCandidates(graph), limits);
}

llvm::Expected<RematPlan> memplan::solveApSqrt(const RematProblem &problem,
                                               const SolveLimits &) {
  StageGraph graph(*problem.index, problem.inPlace);
  return planSqrt(problem, graph, articulationCandidates(graph));
}

llvm::Expected<RematPlan> memplan::solveApGreedy(const RematProblem &problem,
                                                 const SolveLimits &limits) {
  StageGraph graph(*problem.index, problem.inPlace);
  return planGreedily(problem, graph, articulationCandidates(graph), limits);
}

llvm::Expected<RematPlan>
memplan::solveLinearizedSqrt(const RematProblem &problem, const SolveLimits &) {
  StageGraph graph(*problem.index, problem.inPlace);
  return planSqrt(problem, graph, linearCandidates(graph));
}

llvm::Expected<RematPlan>
memplan::solveLinearizedGreedy(const RematProblem &problem,
                               const SolveLimits &limits) {
  StageGraph graph(*problem.index, problem.inPlace);
  return planGreedily(problem, graph, linearCandidates(graph), limits);
}

std::vector<RematPlan>
memplan::planCheckpointFamily(const RematProblem &problem, double mostCost) {
  StageGraph graph(*problem.index, problem.inPlace);
  std::map<std::pair<int64_t, double>, RematPlan> tried; // The first of equals.
  std::set<Checkpoints> known;
  auto add = [&](RematPlan plan, const char *solver) {
    plan.report.solver = solver;
    tried.try_emplace({plan.peakBytes, plan.cost}, std::move(plan));
  };
  auto consider = [&](const Checkpoints &checkpoints, const char *solver) {
    if (known.insert(checkpoints).second &&
        leastCostOf(graph, checkpoints) < mostCost)
      add(planCheckpoints(problem, graph, checkpoints), solver);
  };
  auto considerAll = [&](const Checkpoints &candidates, const char *bySqrt,
                         const char *byBytes) {
    consider(everySqrt(candidates), bySqrt);
    for (int64_t bytes : segmentSizes(graph, tuning::sizesBesideSearch))
      consider(byAccumulatedBytes(graph, candidates, bytes), byBytes);
  };
  considerAll(articulationCandidates(graph), "ap-sqrt", "ap-greedy");
  considerAll(linearCandidates(graph), "linearized-sqrt", "linearized-greedy");
  forEachLayerCheckpoint(graph, [&](Retention kept, const char *solver) {
    RematPlan plan = measurePlan(problem, graph.expand(solveRows(graph, kept)));
    if (plan.cost < mostCost)
      add(std::move(plan), solver);
  });
  std::vector<RematPlan> plans;
  for (auto &[key, plan] : tried)
    if (plans.empty() || plan.cost < plans.back().cost)
      plans.push_back(std::move(plan));
  return plans;
}

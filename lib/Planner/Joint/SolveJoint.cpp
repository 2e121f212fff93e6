//===- SolveJoint.cpp - Recompute, copy or keep, together -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a plan is the sequence of its runs and copies; live ranges follow from
//   it, and an exact pass over three clocks gives its time. A price on bytes
//   above the budget makes first plans; annealing makes them better.
// Cost: a move touches the live ranges of what it puts in or takes out; those
//   that may be accepted cost a pass over the sequence besides.
// Guarantee: valid actions within the budget, or none.
//
//===----------------------------------------------------------------------===//

#include "JointSearch.h"
#include "ReadActions.h"
#include "WriteActions.h"
#include "memplan/Planner/Joint/JointProblem.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <map>

using namespace memplan;

/// Moves that take some seconds on one core.
static int64_t defaultMoves(const SearchStep &step) {
  return std::clamp<int64_t>(600 * int64_t(step.begin()), 20'000, 400'000);
}

namespace {
class Solving {
public:
  Solving(const JointProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits),
        contracted(*problem.index, problem.inPlace) {}
  JointPlan solve();

private:
  JointPlan search(std::vector<TensorId> hosted, int64_t moves);
  std::vector<TensorId> hostedFor(int64_t bytes) const;
  int32_t wayOf(int32_t op, const NodeVariant &variant) const;
  std::vector<PlannedRun> runsOf(const SearchStep &step,
                                 const Schedule &schedule) const;
  Packing::Excess excessFunction(const SearchStep &step, Effort &effort,
                                 const std::vector<TensorId> &hosted) const;

  const JointProblem &problem;
  const SolveLimits &limits;
  const ContractedStep contracted;
};
} // namespace

/// The way that stands for a variant: no dearer, and of no more workspace.
int32_t Solving::wayOf(int32_t op, const NodeVariant &variant) const {
  const std::vector<NodeVariant> &ways = contracted.ops()[op].ways;
  int32_t way = 0;
  while (way + 1 < static_cast<int32_t>(ways.size()) &&
         ways[way].workspaceBytes > variant.workspaceBytes)
    ++way;
  return way;
}

/// The ops of a schedule, with the copies of what lives on the host.
std::vector<PlannedRun> Solving::runsOf(const SearchStep &step,
                                        const Schedule &schedule) const {
  const Graph &graph = problem.index->graph();
  std::vector<int32_t> opOfNode(graph.nodes.size(), -1);
  for (int32_t op = 0; op < step.end(); ++op)
    opOfNode[contracted.ops()[op].node.index] = op;
  // Copies stand where they do in source order: before or after a first run.
  std::map<int32_t, std::vector<PlannedRun>> before, after;
  const std::vector<PlannedRun> source = RunSequence::sourceOrder(step);
  for (size_t i = 0; i < source.size(); ++i) {
    if (!step.isCopy(source[i].op))
      continue;
    size_t at = i;
    while (step.isCopy(source[at].op))
      step.isFetch(source[i].op) ? ++at : --at;
    (step.isFetch(source[i].op) ? before : after)[source[at].op].push_back(
        source[i]);
  }
  std::vector<PlannedRun> runs;
  std::vector<bool> ran(step.numOps());
  for (size_t i = 0; i < schedule.runs.size(); ++i) {
    const int32_t op = opOfNode[schedule.runs[i].index];
    if (op < 0)
      continue;
    if (!ran[op])
      runs.insert(runs.end(), before[op].begin(), before[op].end());
    runs.push_back({op, wayOf(op, schedule.variantAt(graph, i))});
    if (!ran[op])
      runs.insert(runs.end(), after[op].begin(), after[op].end());
    ran[op] = true;
  }
  return runs;
}

/// Packing takes about as long as a move for each few nodes.
Packing::Excess
Solving::excessFunction(const SearchStep &step, Effort &effort,
                        const std::vector<TensorId> &hosted) const {
  if (!problem.excessBytes)
    return {};
  return [this, &step, &effort, &hosted](const std::vector<PlannedRun> &runs) {
    for (int32_t op = 0; op < step.begin(); op += 4)
      effort.spend();
    const int64_t bytes =
        problem.excessBytes(writeActions(contracted, step, runs), hosted);
    if (bytes <= 0)
      return 0.0;
    const int64_t budget = problem.budgetBytes;
    return std::max(1.0, step.limitFor(budget) - step.limitFor(budget - bytes));
  };
}

JointPlan Solving::search(std::vector<TensorId> hosted, int64_t moves) {
  const SearchStep step(contracted, {problem.bandwidth, hosted});
  if (moves <= 0)
    moves = limits.effort > 0 ? limits.effort : defaultMoves(step);
  Effort effort(limits, moves);
  Packing packing(step.limitFor(problem.budgetBytes),
                  excessFunction(step, effort, hosted));
  JointSearch search(step, packing, {problem.mayRerun, problem.mayCopy},
                     problem.seed, effort);
  int64_t onHost = 0;
  for (TensorId id : hosted)
    onHost += problem.index->graph()[id].bytes;
  if (problem.keptRuns)
    search.keepRuns(runsOf(step, *problem.keptRuns));
  else if (problem.goOnFrom)
    search.goOnFrom(readActions(contracted, step, *problem.goOnFrom));
  else
    for (const Schedule *schedule : problem.starts)
      search.addStart(runsOf(step, *schedule));
  if (problem.hostBudgetBytes)
    search.setHostLimit(step.roundDown(*problem.hostBudgetBytes - onHost));
  search.search(step.totalCost(), moves);
  JointPlan plan;
  plan.hosted = std::move(hosted);
  if (!packing.accepted())
    return plan;
  plan.actions = writeActions(contracted, step, packing.accepted()->runs);
  plan.time = packing.accepted()->cost / step.unitsPerCost();
  plan.report.status = SolveStatus::Feasible;
  return plan;
}

std::vector<TensorId> memplan::hostableTensors(const GraphIndex &index) {
  const Graph &graph = index.graph();
  std::vector<bool> isUsed(graph.tensors.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (TensorId base : index.usedBases(NodeId(n)))
      isUsed[base.index] = true;
  std::vector<TensorId> tensors;
  for (size_t t = 0; t < graph.tensors.size(); ++t) {
    const TensorId id(t);
    const TensorKind kind = graph[id].kind;
    if ((kind == TensorKind::Parameter || kind == TensorKind::State) &&
        !index.producer(id) && !graph[id].viewOf && isUsed[t] &&
        graph[id].bytes > 0 && index.aliasSet(id).size() == 1)
      tensors.push_back(id);
  }
  llvm::sort(tensors, [&](TensorId a, TensorId b) {
    return std::pair(-graph[a].bytes, a.index) <
           std::pair(-graph[b].bytes, b.index);
  });
  return tensors;
}

/// Those that save the step `bytes`, as far as they do: states before
/// parameters, for these are used more.
std::vector<TensorId> Solving::hostedFor(int64_t bytes) const {
  const Graph &graph = problem.index->graph();
  std::vector<TensorId> hosted;
  for (TensorKind kind : {TensorKind::State, TensorKind::Parameter})
    for (TensorId id : problem.mayBeHosted)
      if (graph[id].kind == kind && bytes > 0) {
        hosted.push_back(id);
        bytes -= graph[id].bytes;
      }
  return hosted;
}

/// With nothing on the host between steps, with as much as the step lacks, with
/// all states, and with all: a little of each, the rest for the best.
JointPlan Solving::solve() {
  if (problem.mayBeHosted.empty() || !problem.mayCopy || problem.keptRuns)
    return search({}, 0);
  const int64_t peak = measureUnplanned(*problem.index).peakBytes;
  std::vector<std::vector<TensorId>> choices{{}};
  auto add = [&](std::vector<TensorId> hosted) {
    int64_t bytes = 0;
    for (TensorId id : hosted)
      bytes += problem.index->graph()[id].bytes;
    if (bytes <= problem.hostBudgetBytes.value_or(bytes) &&
        !llvm::is_contained(choices, hosted))
      choices.push_back(std::move(hosted));
  };
  add(hostedFor(peak - problem.budgetBytes));
  std::vector<TensorId> states;
  for (TensorId id : hostedFor(std::numeric_limits<int64_t>::max()))
    if (problem.index->graph()[id].kind == TensorKind::State)
      states.push_back(id);
  add(std::move(states));
  add(hostedFor(std::numeric_limits<int64_t>::max()));
  const int64_t moves =
      limits.effort > 0 ? limits.effort : defaultMoves(SearchStep(contracted));
  JointPlan best;
  for (const std::vector<TensorId> &hosted : choices) {
    JointPlan plan = search(hosted, moves / 8);
    if (!plan.actions.empty() &&
        (best.actions.empty() || plan.time < best.time))
      best = std::move(plan);
  }
  if (best.actions.empty())
    return best;
  JointPlan plan = search(best.hosted, moves / 2);
  return !plan.actions.empty() && plan.time < best.time ? plan : best;
}

JointPlan memplan::solveJoint(const JointProblem &problem,
                              const SolveLimits &limits) {
  return Solving(problem, limits).solve();
}

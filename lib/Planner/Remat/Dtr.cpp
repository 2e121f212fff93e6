//===- Dtr.cpp - Dynamic rematerialization, with the sequence known -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Kirisame et al., "Dynamic tensor rematerialization", ICLR 2021, as
//   MegEngine does it for a sequence that is known beforehand: with the
//   distance to the next use in place of the time since the last.
// Idea: run the ops in source order; when an op does not fit, evict the value
//   with the least (time to recompute it) x (bytes to recompute it) x
//   (evicted values that wait for it) / (its bytes) / (distance to its next
//   use), until it does; recompute what an op misses.
// Cost: O(ops + evictions * (values + edges)).
// Guarantee: a valid schedule; no look at what an eviction does to the peak of
//   its own recomputation. Costs are those of the graph (MegEngine: bytes read
//   and made), bytes those of the run list with in-place outputs.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>

using namespace memplan;

namespace {
/// The step as it would run on a device with `limitBytes` for its values.
class KnownRun {
public:
  KnownRun(const StageGraph &graph, int64_t limitBytes)
      : graph(graph), limit(limitBytes), isThere(size_t(graph.numValues())),
        begun(size_t(graph.numStages())), pins(size_t(graph.numValues())),
        heldUntil(size_t(graph.numValues())),
        nextUser(size_t(graph.numValues())),
        lastStage(size_t(graph.numStages())), startOf(1, 0) {
    for (int32_t op = 0; op < graph.numStages(); ++op)
      startOf.push_back(startOf.back() + graph.ops()[op].cost);
    holdWhatRunsOnce();
    // An op may run again only as long as all that leads to it may, or is held.
    for (int32_t op = 0; op < graph.numStages(); ++op) {
      int32_t &last = lastStage[size_t(op)] = graph.lastStage(op);
      for (int32_t value : graph.ops()[op].inputs) {
        const int32_t producer = graph.values()[value].producer;
        last = std::min(last, graph.ops()[producer].runsOnce
                                  ? heldUntil[size_t(value)]
                                  : lastStage[size_t(producer)]);
      }
    }
  }

  /// Empty where the step makes values again without end in sight, as DTR does
  /// under tight limits.
  std::vector<int32_t> sequence() {
    const size_t most =
        tuning::runsOfOp * graph.ops().size() + tuning::runsBesides;
    for (stage = 0; stage < graph.numStages(); ++stage) {
      if (runs.size() > most)
        return {};
      provideInputs(stage);
      run(stage);
      for (int32_t value : graph.ops()[stage].inputs)
        releaseIfDone(value);
      for (int32_t value : graph.ops()[stage].outputs)
        releaseIfDone(value);
      for (int32_t value : held)
        releaseIfDone(value);
    }
    return std::move(runs);
  }

private:
  /// What is made once stays while forward values that follow from it are read:
  /// they could not be recomputed without it.
  void holdWhatRunsOnce() {
    std::vector<int32_t> reach(size_t(graph.numStages()), 0);
    for (int32_t op = graph.numStages() - 1; op >= 0; --op)
      for (int32_t value : graph.ops()[op].outputs) {
        int32_t until = graph.lastUser(value);
        for (int32_t user : graph.values()[value].users)
          if (graph.ops()[user].forward && !graph.ops()[user].runsOnce)
            until = std::max(until, reach[size_t(user)]);
        reach[size_t(op)] = std::max(reach[size_t(op)], until);
        heldUntil[size_t(value)] = until;
        if (graph.ops()[op].runsOnce && until > graph.lastUser(value))
          held.push_back(value);
      }
  }

  bool isHeld(int32_t value) const {
    return graph.ops()[graph.values()[value].producer].runsOnce &&
           heldUntil[size_t(value)] >= stage;
  }
  void releaseIfDone(int32_t value) {
    if (nextUse(value) == graph.numStages() && !isHeld(value))
      release(value);
  }

  /// The next op of the source that reads the value, after this stage.
  int32_t nextUse(int32_t value) {
    const std::vector<int32_t> &users = graph.values()[value].users;
    size_t &next = nextUser[size_t(value)];
    while (next < users.size() && users[next] <= stage)
      ++next;
    return next < users.size() ? users[next] : graph.numStages();
  }

  void release(int32_t value) {
    if (isThere[size_t(value)])
      live -= graph.values()[value].bytes;
    isThere[size_t(value)] = false;
  }

  /// Makes what the op reads, each with what it needs itself, and pins it.
  void provideInputs(int32_t op) {
    for (int32_t value : graph.ops()[op].inputs)
      ++pins[size_t(value)];
    for (int32_t value : graph.ops()[op].inputs)
      if (!isThere[size_t(value)])
        recompute(value);
  }

  /// As deep as evictions reach; an own stack, since that may be deep.
  void recompute(int32_t wanted) {
    std::vector<int32_t> pending{graph.values()[wanted].producer};
    while (!pending.empty()) {
      const int32_t op = pending.back();
      if (!begun[size_t(op)]) {
        begun[size_t(op)] = true;
        for (int32_t value : graph.ops()[op].inputs)
          ++pins[size_t(value)];
      }
      auto isMissing = [&](int32_t value) {
        const int32_t producer = graph.values()[value].producer;
        return !isThere[size_t(value)] && !begun[size_t(producer)];
      };
      const std::vector<int32_t> &inputs = graph.ops()[op].inputs;
      auto missing = std::find_if(inputs.begin(), inputs.end(), isMissing);
      if (missing != inputs.end()) {
        pending.push_back(graph.values()[*missing].producer);
        continue;
      }
      pending.pop_back();
      begun[size_t(op)] = false;
      run(op);
    }
  }

  /// Runs an op whose inputs are live and pinned, and unpins them.
  void run(int32_t op) {
    const StepOp &stepOp = graph.ops()[op];
    for (int32_t value : stepOp.outputs) {
      release(value); // One of several may have been there.
      ++pins[size_t(value)];
    }
    int64_t needed = stepOp.workspaceBytes;
    for (int32_t value : stepOp.outputs)
      needed += graph.values()[value].bytes;
    for (auto [output, input] : stepOp.inPlace)
      if (op == stage && nextUse(input) == graph.numStages() &&
          isThere[size_t(input)]) {
        needed -= graph.values()[output].bytes;
        break;
      }
    while (live + needed > limit && evictBest()) {
    }
    runs.push_back(op);
    for (int32_t value : stepOp.outputs) {
      live += graph.values()[value].bytes;
      isThere[size_t(value)] = true;
      --pins[size_t(value)];
    }
    for (int32_t value : stepOp.inputs)
      --pins[size_t(value)];
  }

  bool evictBest() {
    weigh();
    int32_t best = -1;
    double bestScore = 0;
    for (int32_t value = 0; value < graph.numValues(); ++value) {
      const double bytes = double(graph.values()[value].bytes);
      if (!isThere[size_t(value)] || pins[size_t(value)] > 0 || bytes == 0 ||
          !mayGo(value))
        continue;
      const double distance =
          startOf[size_t(nextUse(value))] - startOf[size_t(stage)];
      const Weight &weight = weights[size_t(value)];
      const double score =
          weight.cost * weight.bytes * weight.waiting /
          (bytes * (distance + tuning::leastDistance * startOf.back() +
                    tuning::leastScore));
      if (best < 0 || score < bestScore) {
        best = value;
        bestScore = score;
      }
    }
    if (best >= 0)
      release(best);
    return best >= 0;
  }

  /// The value is never read again, or can be recomputed when it is.
  bool mayGo(int32_t value) {
    const int32_t next = nextUse(value);
    if (next == graph.numStages())
      return !isHeld(value);
    return lastStage[size_t(graph.values()[value].producer)] >= next;
  }

  struct Weight {
    /// Cost of recomputing it with all that is missing for it, and the values
    /// that are missing and made from it, with itself. What is needed in two
    /// ways counts twice, as in the source.
    double cost = 0, bytes = 0, waiting = 1;
  };
  void weigh() {
    weights.assign(size_t(graph.numValues()), {});
    for (int32_t value = 0; value < graph.numValues(); ++value) {
      Weight &weight = weights[size_t(value)];
      const int32_t producer = graph.values()[value].producer;
      if (producer >= stage)
        break;
      weight.cost = graph.ops()[producer].cost;
      weight.bytes = double(graph.values()[value].bytes);
      for (int32_t input : graph.ops()[producer].inputs)
        if (!isThere[size_t(input)]) {
          weight.cost += weights[size_t(input)].cost;
          weight.bytes += weights[size_t(input)].bytes;
        }
    }
    for (int32_t value = graph.numValues(); value-- > 0;) {
      const int32_t producer = graph.values()[value].producer;
      if (producer >= stage || isThere[size_t(value)] ||
          nextUse(value) == graph.numStages())
        continue;
      for (int32_t input : graph.ops()[producer].inputs)
        weights[size_t(input)].waiting += weights[size_t(value)].waiting;
    }
  }

  const StageGraph &graph;
  int64_t limit, live = 0;
  int32_t stage = 0;
  std::vector<bool> isThere, begun;
  std::vector<int32_t> pins;      ///< By value.
  std::vector<int32_t> heldUntil; ///< By value.
  std::vector<int32_t> held;
  std::vector<size_t> nextUser;
  std::vector<int32_t> lastStage; ///< By op, of all that leads to it.
  std::vector<double> startOf;    ///< By op: cost of all before it.
  std::vector<Weight> weights;
  std::vector<int32_t> runs;
};
} // namespace

/// What a run without knowledge of what comes does within the budget, as a
/// plan.
static llvm::Expected<RematPlan> solveOnline(const RematProblem &problem,
                                             const SolveLimits &limits) {
  llvm::Expected<DtrPolicy> policy = DtrPolicy::parse(limits.heuristic);
  if (!policy)
    return policy.takeError();
  llvm::Expected<DtrRun> run =
      simulateDtr(*problem.index, *policy, problem.budgetBytes);
  if (!run)
    return withoutPlan(problem, toString(run.takeError()));
  if (run->end != DtrEnd::Done)
    return withoutPlan(problem, std::string(policy->heuristic->name) + " " +
                                    describeEnd(problem.index->graph(), *run));
  Schedule schedule;
  for (const DtrStep &step : run->steps)
    if (step.isCompute)
      schedule.runs.push_back(step.node);
  return planWithinBudget(problem, measurePlan(problem, std::move(schedule)));
}

llvm::Expected<RematPlan> memplan::solveDtr(const RematProblem &problem,
                                            const SolveLimits &limits) {
  llvm::Expected<RematPlan> all = solveCheckpointAll(problem, limits);
  if (!all || !all->schedule.runs.empty())
    return all;
  if (limits.heuristic != "next-use")
    return solveOnline(problem, limits);
  StageGraph graph(*problem.index, problem.inPlace);
  std::optional<RematPlan> best;
  int64_t limit = *problem.budgetBytes - graph.residentBytes();
  // What the run counts differs from what its schedule takes: values that are
  // evicted live shorter there, scratch of views longer.
  for (int round = 0; round < tuning::roundsOfDtr && limit > 0; ++round) {
    const std::vector<int32_t> runs = KnownRun(graph, limit).sequence();
    if (runs.empty())
      break;
    RematPlan plan = measurePlan(problem, graph.ContractedStep::expand(runs));
    const int64_t excess = plan.peakBytes - *problem.budgetBytes;
    if (!best || isBetter(problem, plan, *best))
      best = std::move(plan);
    if (excess <= 0 || (limits.stop && limits.stop->load()))
      break;
    limit -= std::max<int64_t>(excess, 1);
  }
  if (!best)
    return withoutPlan(problem, "no run keeps the budget without making values "
                                "again more than four times on average");
  return planWithinBudget(problem, std::move(*best));
}

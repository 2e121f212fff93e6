//===- Revolve.cpp - Binomial checkpoints on a chain ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Griewank and Walther, "Algorithm 799: revolve", ACM TOMS 2000.
// Idea: with s slots for states, advance from a stored state, store one on the
//   way so that both parts take the fewest advances, reverse the later part
//   first. The step's input is a state that is always there.
// Cost: O(ops^2) for each number of slots that is tried.
// Guarantee: fewest forward runs for each number of slots, on a chain whose
//   backward pass visits it from the end. Of the numbers of slots tried the
//   cheapest plan that keeps the budget; optimal where all costs and sizes
//   are equal.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>

using namespace memplan;

int64_t memplan::revolveAdvances(int64_t steps, int64_t slots) {
  // C(s + r, s) by C(s + r, s) = C(s + r - 1, s) (s + r) / r.
  int64_t repeats = 0, reach = 1;
  while (reach < steps) {
    ++repeats;
    reach = reach * (slots + repeats) / repeats;
  }
  // C(s + r, s + 1) = C(s + r, s) r / (s + 1).
  return repeats * steps - reach * repeats / (slots + 1);
}

int32_t memplan::comesBack(const StageGraph &graph, int32_t op) {
  int32_t first = graph.numStages();
  for (int32_t value : graph.ops()[op].outputs)
    for (int32_t user : graph.values()[value].users)
      if (!graph.ops()[user].forward)
        first = std::min(first, user);
  return first;
}

void memplan::forEachDrop(const StageGraph &graph, int32_t op, int32_t stage,
                          llvm::function_ref<void(int32_t, int32_t)> drop) {
  if (stage >= graph.numStages() || graph.lastStage(op) < stage)
    return;
  for (int32_t value : graph.ops()[op].outputs) {
    const int32_t lastForward = graph.lastForwardUser(value);
    if (lastForward < stage && graph.lastUser(value) >= stage)
      drop(value, lastForward + 1);
  }
}

void memplan::dropUntil(const StageGraph &graph, int32_t op, int32_t stage,
                        Retention &retention) {
  forEachDrop(graph, op, stage, [&](int32_t value, int32_t from) {
    retention.set(value, from, stage, false);
  });
}

void memplan::keepFrom(const StageGraph &graph, int32_t op, int32_t made,
                       int32_t until, Retention &retention) {
  for (int32_t value : graph.ops()[op].outputs)
    if (!graph.values()[value].users.empty() && made + 1 <= until)
      retention.set(value, std::max(made, op) + 1, until, true);
}

namespace {
/// Writes revolve's checkpoints into a retention.
class Revolver {
public:
  /// State 0 is the step's input, state i what `path[i - 1]` makes.
  Revolver(const StageGraph &graph, const std::vector<int32_t> &path)
      : graph(graph), path(path), retention(keepAll(graph)),
        back(path.size() + 1, graph.numStages()) {
    for (size_t i = path.size(); i > 0; --i) {
      back[i] = comesBack(graph, path[i - 1]);
      // What no backward op reads is passed on the way to the next state.
      if (back[i] == graph.numStages() && i < path.size())
        back[i] = back[i + 1];
      // The first sweep ends at the last state, which needs no slot.
      if (i < path.size())
        dropUntil(graph, path[i - 1], back[i], retention);
    }
  }

  Retention checkpoints(int64_t slots) {
    reverse(0, int64_t(path.size()) + 1, slots, 0);
    return retention;
  }

private:
  /// States `first` to first + steps - 1, the first of which is stored in one
  /// of the slots; the sweep starts in stage `now`.
  void reverse(int64_t first, int64_t steps, int64_t slots, int32_t now) {
    while (steps > 1 && slots > 1) {
      const int64_t skip = bestSkip(steps, slots);
      const int64_t stored = first + skip;
      const int32_t op = path[size_t(stored) - 1];
      keepFrom(graph, op, std::max(now, op), back[size_t(stored)], retention);
      reverse(stored, steps - skip, slots - 1, now);
      // Then the states before it, whose sweep starts when the first of them
      // is needed.
      steps = skip;
      now = back[size_t(stored) - 1];
    }
  }

  /// States to advance before storing one: t(l, s) = m + t(l - m, s - 1) +
  /// t(m, s) at its least.
  static int64_t bestSkip(int64_t steps, int64_t slots) {
    const int64_t least = revolveAdvances(steps, slots);
    for (int64_t skip = 1; skip < steps; ++skip)
      if (skip + revolveAdvances(steps - skip, slots - 1) +
              revolveAdvances(skip, slots) ==
          least)
        return skip;
    return steps - 1;
  }

  const StageGraph &graph;
  const std::vector<int32_t> &path;
  Retention retention;
  std::vector<int32_t> back; ///< By state: the stage that needs it again.
};
} // namespace

/// Every number where the chain is short, else a growing grid.
static std::vector<int64_t> slotsWorthTrying(size_t states) {
  std::vector<int64_t> slots;
  for (int64_t s = 1; s < int64_t(states);
       s += std::max<int64_t>(1, states > tuning::mostStatesForAllSlots
                                     ? s / tuning::partsOfSlots
                                     : 1))
    slots.push_back(s);
  slots.push_back(int64_t(states));
  return slots;
}

llvm::Expected<RematPlan> memplan::solveRevolve(const RematProblem &problem,
                                                const SolveLimits &limits) {
  StageGraph graph(*problem.index, problem.inPlace);
  if (!isForwardPath(graph))
    return llvm::createStringError(
        "solver 'revolve' is for a linear forward pass, where each node reads "
        "the one before it; use 'rotor' for this graph, which is not a chain");
  const Checkpoints path = linearCandidates(graph);
  const std::vector<int64_t> slots = slotsWorthTrying(path.size() + 1);
  return bestOf(problem, limits, slots.size(), [&](size_t i) {
    Retention retention = Revolver(graph, path).checkpoints(slots[i]);
    return graph.expand(solveRows(graph, retention));
  });
}

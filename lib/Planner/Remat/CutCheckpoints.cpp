//===- CutCheckpoints.cpp - What is cheapest to keep ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: PyTorch's partitioner of forward and backward passes keeps a minimum
//   cut; with costs of recomputation it is a maximal closure (Picard, 1976).
// Idea: a kept byte has a cost, and so has each op that is recomputed. The cut
//   weighs all of them together, so that what only serves other recomputation
//   is counted once. Equal layers get equal decisions but for a slope by
//   place, which lets them change one after the other.
// Cost: one maximum flow of O(ops + edges) arcs for each level.
// Guarantee: for its multiplier, no choice of kept values has less kept bytes
//   times the multiplier plus cost of what is recomputed once.
//
//===----------------------------------------------------------------------===//

#include "LayerCheckpoints.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/Baselines.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Support/MaxFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

namespace {
/// The network of one multiplier: a value that is needed is kept or leads on to
/// its producer, which needs its inputs.
class KeepingCut {
public:
  KeepingCut(const StageGraph &graph, double costOfByte);
  /// By value.
  std::vector<bool> kept();

private:
  /// Flows are whole numbers: the step's cost is so many of them.
  static constexpr double unitsOfCost = double(int64_t(1) << 40);

  int64_t unitsOf(double cost) const {
    return std::llround(
        std::min(cost / graph.totalCost(), tuning::mostCostOfCut) *
        unitsOfCost);
  }
  void addProducer(int32_t op);

  const StageGraph &graph;
  std::vector<int32_t> vertexOfValue, vertexOfOp; ///< -1: of no forward op.
  MaxFlow flow;
};
} // namespace

bool memplan::mayRecompute(const StageGraph &graph, int32_t op) {
  if (graph.ops()[op].runsOnce)
    return false;
  const int32_t first = comesBack(graph, op);
  return first == graph.numStages() || first <= graph.lastStage(op);
}

double memplan::costOfKeeping(const StageGraph &graph, int32_t value,
                              double costOfByte) {
  const StepValue &made = graph.values()[value];
  const double place = double(made.producer) / graph.numStages();
  return costOfByte * double(made.bytes) *
         (1 + tuning::slopeOfCut * (1 - place));
}

KeepingCut::KeepingCut(const StageGraph &graph, double costOfByte)
    : graph(graph), vertexOfValue(size_t(graph.numValues()), -1),
      vertexOfOp(graph.ops().size(), -1) {
  for (int32_t op = 0; op < graph.numStages(); ++op)
    if (graph.ops()[op].forward)
      addProducer(op);
  for (int32_t value = 0; value < graph.numValues(); ++value) {
    const int32_t vertex = vertexOfValue[value];
    if (vertex < 0)
      continue;
    if (graph.isReadBackward(value))
      flow.connect(MaxFlow::source, vertex, MaxFlow::unlimited);
    flow.connect(vertex, vertexOfOp[graph.values()[value].producer],
                 unitsOf(costOfKeeping(graph, value, costOfByte)));
  }
}

void KeepingCut::addProducer(int32_t op) {
  const StepOp &made = graph.ops()[op];
  vertexOfOp[op] = flow.addVertex();
  flow.connect(vertexOfOp[op], MaxFlow::sink,
               mayRecompute(graph, op) ? unitsOf(made.cost)
                                       : MaxFlow::unlimited);
  for (int32_t value : made.inputs)
    if (vertexOfValue[value] >= 0)
      flow.connect(vertexOfOp[op], vertexOfValue[value], MaxFlow::unlimited);
  for (int32_t value : made.outputs)
    vertexOfValue[value] = flow.addVertex();
}

std::vector<bool> KeepingCut::kept() {
  flow.run();
  std::vector<bool> isKept(size_t(graph.numValues()), true);
  for (int32_t value = 0; value < graph.numValues(); ++value)
    if (vertexOfValue[value] >= 0)
      isKept[value] =
          flow.isReached(vertexOfValue[value]) &&
          !flow.isReached(vertexOfOp[graph.values()[value].producer]);
  return isKept;
}

std::vector<bool> memplan::keptByCut(const StageGraph &graph,
                                     double costOfByte) {
  return KeepingCut(graph, costOfByte).kept();
}

CutCheckpoints::CutCheckpoints(const RematProblem &problem)
    : problem(problem), graph(*problem.index, problem.inPlace),
      plans(tuning::levelsOfCut) {
  int64_t bytes = 1;
  for (const StepValue &value : graph.values())
    if (graph.ops()[value.producer].forward)
      bytes += value.bytes;
  leastCostOfByte = tuning::leastCostOfCut * graph.totalCost() / double(bytes);
}

const RematPlan &CutCheckpoints::at(int level) {
  std::optional<RematPlan> &plan = plans[level];
  if (!plan) {
    double costOfByte = leastCostOfByte;
    for (int i = 0; i < level; ++i)
      costOfByte *= tuning::stepOfCut;
    Retention kept = recomputeOnce(graph, KeepingCut(graph, costOfByte).kept());
    plan = measurePlan(problem, graph.expand(solveRows(graph, kept)));
    plan->report.solver = "selective";
  }
  return *plan;
}

/// Where next to nothing is kept, what is recomputed takes many bytes. So
/// levels beyond a certain one need more again, and the halving begins below
/// the first that is enough of some.
int CutCheckpoints::leastThat(
    llvm::function_ref<bool(const RematPlan &)> isEnough) {
  const int last = numLevels() - 1;
  int low = -1, high = last, smallest = last;
  for (int part = 1; !isEnough(at(high)) && part < tuning::partsOfCutLevels;
       ++part) {
    const int level = part * (last / tuning::partsOfCutLevels);
    if (at(level).peakBytes < at(smallest).peakBytes)
      smallest = level;
    if (isEnough(at(level)))
      high = level;
    else
      low = level;
  }
  if (!isEnough(at(high)))
    return smallest;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (isEnough(at(middle)) ? high : low) = middle;
  }
  return high;
}

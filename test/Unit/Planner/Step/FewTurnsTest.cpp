//===- FewTurnsTest.cpp - Many equal turns, planned as one ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FewTurns.h"
#include "ErrorMatchers.h"
#include "Planner/MicroBatches.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Search/Repeats.h"

using namespace memplan;

namespace {

struct Planner {
  explicit Planner(const GraphIndex &index)
      : context{index, options, llvm::cantFail(findSolvers(options))} {}

  PlanOptions options;
  StepContext context;
};

/// A plan within a share of the peak, by recomputation.
std::optional<PackedPlan> planWithin(const StepContext &context, double share) {
  RematProblem problem = context.problemWithin(std::nullopt);
  problem.packedBytes = nullptr;
  const ContractedStep step(context.index, /*inPlace=*/true);
  std::vector<int32_t> once;
  for (int32_t op = 0; op < step.numOps(); ++op)
    once.push_back(op);
  problem.budgetBytes = int64_t(
      share * double(measurePlan(problem, step.expand(once)).peakBytes));
  SolveLimits limits;
  limits.effort = 5'000;
  llvm::Expected<RematPlan> plan = searchWithoutProof(problem, limits);
  EXPECT_THAT(plan, Succeeds());
  if (!plan || plan->schedule.runs.empty())
    return std::nullopt;
  return llvm::cantFail(context.pack(std::move(*plan)));
}

// What is planned for one turn would cost more in all of them, take more bytes,
// or be no plan.
TEST(FewTurns, a_plan_of_one_turn_is_one_of_all_in_the_same_arena) {
  int plans = 0, written = 0, inTheSameArena = 0, recomputations = 0;
  for (uint64_t seed = 2; seed <= 48; seed += 2) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    constexpr int ops = 110, turns = 12;
    const Graph graph = makeMicroBatches(seed, ops, turns);
    const GraphIndex index(graph);
    const std::unique_ptr<FewTurns> few = FewTurns::find(index, true);
    ASSERT_TRUE(few);
    const Graph &part = few->index().graph();
    EXPECT_GE(few->turns(), turns - 1);
    EXPECT_EQ(part.nodes.size(),
              graph.nodes.size() - size_t(few->turns() - 1) * (ops + 1));
    EXPECT_NEAR(part.totalCost(), graph.totalCost(), 1e-9 * graph.totalCost());
    EXPECT_EQ(part.persistentBytes(), graph.persistentBytes());
    const Planner whole(index), fewer(few->index());
    for (double share : {1.0, 0.8, 0.6}) {
      const std::optional<PackedPlan> plan = planWithin(fewer.context, share);
      if (!plan)
        continue;
      ++plans;
      llvm::Expected<std::optional<PackedPlan>> made =
          few->writeOut(whole.context, *plan, plan->deviceBytes);
      ASSERT_THAT(made, Succeeds());
      if (!*made)
        continue;
      ++written;
      EXPECT_NEAR((*made)->plan.cost, plan->plan.cost, 1e-9 * plan->plan.cost);
      EXPECT_LE((*made)->deviceBytes, plan->deviceBytes);
      inTheSameArena += (*made)->deviceBytes == plan->deviceBytes;
      EXPECT_THAT(verifyPlan(index, (*made)->plan), Succeeds());
      recomputations += int(scheduleOf((*made)->plan.steps).runs.size()) -
                        int(graph.nodes.size());
    }
  }
  EXPECT_GT(plans, 40);
  EXPECT_GT(written, plans * 9 / 10);
  EXPECT_GT(inTheSameArena, written * 9 / 10);
  EXPECT_GT(recomputations, 1000);
}

// A plan that is written out would lose what stays to the end, or what is read
// by more than the next turn.
TEST(FewTurns, turns_whose_values_live_on_are_left_alone) {
  const Graph graph = makeMicroBatches(2, 110, 12);
  EXPECT_TRUE(FewTurns::find(GraphIndex(graph), true));
  Graph kept = graph; // Each turn has a result of its own.
  for (size_t node = 100; node < kept.nodes.size(); node += 111)
    kept.tensors[kept.nodes[node].outputs.front().index].kind =
        TensorKind::Output;
  ASSERT_THAT(kept.check(), Succeeds());
  EXPECT_FALSE(FewTurns::find(GraphIndex(kept), true));
  Graph read = graph; // The end reads what the third turn makes.
  read.nodes.back().inputs.push_back(read.nodes[300].outputs.front());
  ASSERT_THAT(read.check(), Succeeds());
  EXPECT_FALSE(FewTurns::find(GraphIndex(read), true));
  Graph donated = graph; // A turn may take the bytes of an input, others not.
  for (size_t node = 100; node < donated.nodes.size(); node += 111) {
    Tensor input;
    input.externalId = int64_t(donated.tensors.size());
    input.bytes = 5;
    input.kind = TensorKind::Input;
    input.donated = true;
    donated.tensors.push_back(input);
    donated.nodes[node].inputs.push_back(TensorId(donated.tensors.size() - 1));
  }
  ASSERT_THAT(donated.check(), Succeeds());
  EXPECT_FALSE(FewTurns::find(GraphIndex(donated), true));
  EXPECT_FALSE(FewTurns::find(GraphIndex(makeRandomGraph(3, 60)), true));
  // All turns read one value, which each could have made again.
  Graph shared = makeMicroBatches(3, 110, 12);
  const GraphIndex index(shared);
  EXPECT_TRUE(findRepeat(ContractedStep(index, true)));
  EXPECT_FALSE(FewTurns::find(index, true));
  for (Node &node : shared.nodes)
    node.recompute = node.externalId > 1;
  EXPECT_TRUE(FewTurns::find(GraphIndex(shared), true));
}

} // namespace

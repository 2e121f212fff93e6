//===- PartsTest.cpp - Plans of steps whose concats are in place ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "GraphBuilder.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

namespace {

/// Layers that read one value and make the next; some concatenate what two
/// earlier ones made. In one form every concat copies, in the other its pieces
/// are parts of it. Then a backward pass that reads each value again.
class ConcatStep {
public:
  ConcatStep(uint64_t seed, bool placed) : dice(seed), placed(placed) {
    values.push_back(g.tensor(8, TensorKind::Input));
    for (int layer = 0; layer < 6; ++layer)
      dice.chance(75) ? addConcat() : addLayer();
    TensorId grad = g.tensor(8);
    g.node({values.back()}, {grad});
    for (size_t i = values.size(); i-- > 1;) {
      TensorId next = g.tensor(sizes[i - 1], TensorKind::Gradient);
      g[g.node({grad, values[i]}, {next})].inPlace = {{next, grad}};
      grad = next;
    }
    g[grad].kind = TensorKind::Output;
  }

  GraphBuilder g;

private:
  int64_t roll() { return 8 * (1 + dice.roll(4)); }

  void addValue(TensorId value, int64_t bytes) {
    values.push_back(value);
    sizes.push_back(bytes);
  }

  void addLayer() {
    int64_t bytes = roll();
    TensorId out = g.tensor(bytes);
    g.node({values.back()}, {out});
    addValue(out, bytes);
  }

  /// Two layers on the last value, one after the other, and their concat.
  void addConcat() {
    int64_t one = roll(), other = roll();
    TensorId from = values.back();
    if (!placed) {
      TensorId first = g.tensor(one), second = g.tensor(other),
               both = g.tensor(one + other);
      g.node({from}, {first});
      g.node({first}, {second});
      g.node({first, second}, {both});
      return addValue(both, one + other);
    }
    TensorId whole = g.tensor(one + other), first = g.view(whole),
             second = g.view(whole), both = g.view(whole);
    // One concat in two is of pieces with a row for each of two samples.
    const int64_t rows = 1 + int64_t(values.size() % 2),
                  stride = rows == 1 ? 0 : (one + other) / 2;
    g[first].partOf = PartOf{0, one / rows, rows, stride, true};
    g[second].partOf = PartOf{one / rows, other / rows, rows, stride, true};
    g[both].partOf = PartOf{0, one + other, 1, 0};
    g[g.node({from}, {whole, first})].recompute = false;
    g[g.node({first}, {second})].recompute = false;
    g.node({first, second}, {both}, 0);
    addValue(both, one + other);
  }

  Dice dice;
  bool placed;
  std::vector<TensorId> values;
  std::vector<int64_t> sizes = {8};
};

// A planner that took a part for a view that costs nothing would leave out the
// run that writes it, or run it when what it reads is freed.
TEST(Parts, every_planner_keeps_them) {
  int planned = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Graph graph = ConcatStep(seed, true).g.graph;
    ASSERT_THAT(graph.check(), Succeeds()) << "seed " << seed;
    GraphIndex index(graph);
    const int64_t peak = measureUnplanned(index).peakBytes;
    for (const RematSolver &solver : rematSolvers()) {
      // What milp, and auto with it, takes is for longer runs.
      if (solver.name == "milp" || (solver.name == "auto" && seed > 2))
        continue;
      for (int percent : {100, 85, 70}) {
        PlanOptions options;
        options.remat = std::string(solver.name);
        options.alignmentBytes = 8;
        options.limits.effort = 200;
        options.budgetBytes = peak * percent / 100;
        llvm::Expected<Plan> plan = planStep(graph, options);
        if (!plan) { // Some solvers are for linear graphs.
          EXPECT_THAT(llvm::toString(plan.takeError()),
                      testing::HasSubstr("is for a linear forward pass"))
              << "seed " << seed << ", " << options.remat << ", " << percent;
          continue;
        }
        EXPECT_THAT(verifyStepPlan(index, *plan, options), Succeeds())
            << "seed " << seed << ", " << options.remat << ", " << percent;
        planned += !plan->steps.empty();
      }
    }
  }
  EXPECT_GT(planned, 40);
}

// Pieces in place take no more than pieces and a copy of them where the step
// holds both; that is what they are for.
TEST(Parts, save_the_copy) {
  int less = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Graph apart = ConcatStep(seed, false).g.graph,
          placed = ConcatStep(seed, true).g.graph;
    llvm::Expected<Plan> a = planStep(apart, {}), b = planStep(placed, {});
    ASSERT_THAT(a, Succeeds()) << "seed " << seed;
    ASSERT_THAT(b, Succeeds()) << "seed " << seed;
    EXPECT_LE(b->cost, a->cost) << "seed " << seed;
    EXPECT_LE(b->peakBytes, a->peakBytes) << "seed " << seed;
    less += b->peakBytes < a->peakBytes;
  }
  EXPECT_GT(less, 10);
}

/// x -> (whole, first); x -> second; both; end.
struct OneWhole {
  OneWhole() {
    x = g.tensor(8, TensorKind::Input);
    whole = g.tensor(16);
    first = g.view(whole);
    second = g.view(whole);
    both = g.view(whole);
    end = g.tensor(8, TensorKind::Output);
    g[first].partOf = PartOf{0, 8, 1, 0, true};
    g[second].partOf = PartOf{8, 8, 1, 0, true};
    g[both].partOf = PartOf{0, 16, 1, 0};
    g[g.node({x}, {whole, first})].recompute = false;
    g[g.node({x}, {second})].recompute = false;
    g.node({first, second}, {both}, 0);
    g.node({both}, {end});
  }
  /// Runs the nodes in this order, frees the whole after run `freeAfter`.
  Plan plan(std::vector<int32_t> runs, size_t freeAfter) const {
    Plan plan;
    plan.status = SolveStatus::Feasible;
    for (size_t run = 0; run < runs.size(); ++run) {
      plan.steps.push_back(PlanAction::compute(NodeId(runs[run])));
      if (run == freeAfter)
        plan.steps.push_back(PlanAction::free({whole}));
    }
    return plan;
  }
  GraphBuilder g;
  TensorId x, whole, first, second, both, end;
};

/// A value of eight bytes that waits while as many are worked on, as a whole or
/// as two pieces of one byte that take a run more.
static Graph makeWaiting(bool isWhole) {
  SmallGraph g;
  const TensorId batch = g.caller(1, TensorKind::Input);
  std::vector<TensorId> waiting = {g.op({batch}, isWhole ? 8 : 1)};
  if (!isWhole)
    waiting.push_back(g.op({batch}, 1));
  TensorId busy = g.op({g.op({batch}, 1)}, 8);
  waiting.push_back(g.op({g.op({busy}, 1)}, 1));
  g.keep(g.op(waiting, 1));
  g.graph.bandwidth = Bandwidth{4, 4, 0};
  return g.graph;
}

// Without a copy of its own a concat is less work, but a whole that leaves for
// the host may take longer than pieces that stay. Chosen by work, the user
// waits longer than without parts.
TEST(Parts, of_two_forms_the_faster_one_is_taken) {
  const Graph whole = makeWaiting(true), pieces = makeWaiting(false);
  PlanOptions options;
  options.order = "source";
  options.remat = "checkpoint-all";
  options.swap = "search";
  options.alignmentBytes = 1;
  options.limits.effort = 100;
  options.budgetBytes = 13;
  llvm::Expected<Plan> one = planStep(whole, options),
                       other = planStep(pieces, options);
  ASSERT_THAT(one, Succeeds());
  ASSERT_THAT(other, Succeeds());
  ASSERT_TRUE(hasSteps(one->status) && hasSteps(other->status));
  ASSERT_LT(one->cost, other->cost);
  ASSERT_GT(one->makespan(), other->makespan());
  llvm::Expected<ChosenPlan> best = planBestOf({&whole, &pieces}, options);
  ASSERT_THAT(best, Succeeds());
  EXPECT_EQ(best->form, 1u);
  EXPECT_EQ(best->plan.makespan(), other->makespan());
  // With bytes for both, less work is less time.
  options.budgetBytes = 40;
  best = planBestOf({&whole, &pieces}, options);
  ASSERT_THAT(best, Succeeds());
  EXPECT_EQ(best->form, 0u);
}

// The whole would be read with bytes that nothing has written, or after its
// bytes were given to another value.
TEST(Parts, broken_plans_are_refused) {
  OneWhole step;
  ASSERT_THAT(step.g.graph.check(), Succeeds());
  GraphIndex index(step.g.graph);
  llvm::Expected<Replay> good = replayPlan(index, step.plan({0, 1, 2, 3}, 3));
  ASSERT_THAT(good, Succeeds());
  // 8 of x, 16 of the whole once, 8 of the end: no byte counts twice.
  EXPECT_EQ(good->peakBytes, 32);
  EXPECT_EQ(good->bytesAtStep, (std::vector<int64_t>{24, 24, 24, 32, 32}));
  EXPECT_THAT(replayPlan(index, step.plan({0, 2, 1, 3}, 3)),
              FailsWith("plan_c2: step 1: node 2 reads tensor 3, which is not "
                        "resident"));
  EXPECT_THAT(replayPlan(index, step.plan({1, 0, 2, 3}, 3)),
              FailsWith("plan_c2: step 0: node 1 makes tensor 3, a view of "
                        "tensor 1, which is not resident"));
  EXPECT_THAT(replayPlan(index, step.plan({0, 1, 2, 3}, 1)),
              FailsWith("plan_c2: step 3: node 2 reads tensor 2, which is not "
                        "resident"));
  EXPECT_THAT(replayPlan(index, step.plan({0, 1, 2, 3}, 2)),
              FailsWith("plan_c2: step 4: node 3 reads tensor 4, which is not "
                        "resident"));
  EXPECT_THAT(replayPlan(index, step.plan({0, 1, 1, 2, 3}, 4)),
              FailsWith("plan_c5: step 2: node 1 may run only once"));
}

} // namespace

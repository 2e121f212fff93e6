//===- InPlaceTest.cpp - Outputs that overwrite inputs --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"

using namespace memplan;

/// Verdict on one pair at one run.
static llvm::Error verifyPair(const Planned &planned, size_t run,
                              InPlacePair pair) {
  InPlaceChoice choice(planned.schedule.runs.size());
  choice[run] = {pair};
  return InPlaceProblem{&planned.index, &planned.schedule}.verify(choice);
}

static llvm::Error verifyOwn(const Planned &planned) {
  return InPlaceProblem{&planned.index, &planned.schedule}.verify(
      planned.inPlace);
}

// --- Constraints ----------------------------------------------------------

// A kernel that is not made for it would overwrite what it still has to read.
TEST(InPlaceVerify, inplace_c1_rejects_pairs_that_the_node_does_not_offer) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4);
  g.keep(b);
  Planned planned(g);
  EXPECT_THAT(verifyPair(planned, 1, {b, a}), Violates("inplace_c1"));
  InPlaceProblem problem{&planned.index, &planned.schedule};
  EXPECT_THAT(problem.verify({}),
              Violates("inplace_c1", "in-place pairs of 0 runs for 2 runs"));
}

// A larger output would write behind the end of the storage.
TEST(InPlaceVerify, inplace_c2_rejects_larger_outputs) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 5, a);
  g.keep(b);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[1].empty());
  EXPECT_THAT(verifyPair(planned, 1, {b, a}),
              FailsWith("the storage of tensor 0 (4 bytes) at run 1"));
}

// A plan may put an output over a larger input; what counts for the next one is
// the storage. The solver takes no such pair.
TEST(InPlaceVerify, inplace_c2_allows_outputs_in_larger_storage) {
  SmallGraph g;
  TensorId a = g.op({}, 8), b = g.op({a}, 3, a), c = g.op({b}, 5, b);
  TensorId d = g.op({c}, 9, c);
  g.keep(d);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[1].empty());
  InPlaceProblem problem{&planned.index, &planned.schedule};
  EXPECT_THAT(problem.verify({{}, {{b, a}}, {{c, b}}, {}}), Succeeds());
  EXPECT_THAT(problem.verify({{}, {}, {{c, b}}, {}}),
              FailsWith("the storage of tensor 1 (3 bytes) at run 2"));
  EXPECT_THAT(problem.verify({{}, {{b, a}}, {{c, b}}, {{d, c}}}),
              FailsWith("the storage of tensor 2 (8 bytes) at run 3"));
}

// A later user would find the output instead of its value.
TEST(InPlaceVerify, inplace_c3_rejects_inputs_that_are_read_again) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4, a), c = g.op({a, b}, 4);
  g.keep(c);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[1].empty());
  EXPECT_THAT(verifyPair(planned, 1, {b, a}),
              Violates("inplace_c3", "needs it at run 2"));
}

// A view made by the same run would show the output.
TEST(InPlaceVerify, inplace_c3_rejects_runs_that_make_a_view) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4, a);
  TensorId v = g.view(a);
  g.graph.nodes.pop_back();
  g.lastNode().outputs.push_back(v);
  g.keep(b);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[1].empty());
  EXPECT_THAT(verifyPair(planned, 1, {b, a}),
              Violates("inplace_c3", "which makes the view tensor 2 of it"));
}

// Weights, inputs of the caller and results of the step would be destroyed.
TEST(InPlaceVerify, inplace_c4_rejects_storage_that_is_not_the_steps) {
  for (TensorKind kind :
       {TensorKind::Parameter, TensorKind::State, TensorKind::Input}) {
    SmallGraph g;
    TensorId a = g.caller(4, kind), b = g.op({a}, 4, a);
    g.keep(b);
    Planned planned(g);
    EXPECT_TRUE(planned.inPlace[0].empty());
    EXPECT_THAT(verifyPair(planned, 0, {b, a}),
                Violates("inplace_c4", "the caller's and not donated"));
  }
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4, a);
  g.keep(a);
  g.keep(b);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[1].empty());
  EXPECT_THAT(verifyPair(planned, 1, {b, a}),
              Violates("inplace_c4", "an output of the step"));
}

// A donated input may be overwritten, but only by its last user.
TEST(InPlaceVerify, inplace_c4_donated_inputs_serve_their_last_user) {
  SmallGraph g;
  TensorId a = g.caller(4, TensorKind::Input, /*donated=*/true);
  TensorId b = g.op({a}, 4, a), c = g.op({a}, 4, a);
  g.keep(b);
  g.keep(c);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[0].empty());
  EXPECT_EQ(planned.inPlace[1], (std::vector<InPlacePair>{{c, a}}));
  EXPECT_THAT(verifyOwn(planned), Succeeds());
  EXPECT_THAT(verifyPair(planned, 0, {b, a}),
              Violates("inplace_c4", "needs it at run 1"));
}

// Two outputs in one storage, or one output in two places.
TEST(InPlaceVerify, inplace_c5_rejects_two_pairs_for_one_storage_or_output) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({}, 4);
  std::vector<TensorId> outputs = g.ops({a, b}, {4, 4});
  g.lastNode().inPlace = {
      {outputs[0], a}, {outputs[0], b}, {outputs[1], a}, {outputs[1], b}};
  g.keep(outputs[0]);
  g.keep(outputs[1]);
  Planned planned(g);
  // First listed first, and each output gets one.
  EXPECT_EQ(planned.inPlace[2],
            (std::vector<InPlacePair>{{outputs[0], a}, {outputs[1], b}}));
  InPlaceProblem problem{&planned.index, &planned.schedule};
  EXPECT_THAT(problem.verify({{}, {}, {{outputs[0], a}, {outputs[1], a}}}),
              Violates("inplace_c5", "one storage or one output twice"));
  EXPECT_THAT(problem.verify({{}, {}, {{outputs[0], a}, {outputs[0], b}}}),
              Violates("inplace_c5"));
}

// A discarded output is scratch for one run: it cannot keep a storage alive.
TEST(InPlaceVerify, inplace_c5_rejects_discarded_outputs) {
  SmallGraph g;
  TensorId a = g.op({}, 4);
  std::vector<TensorId> outputs = g.ops({a}, {4, 2});
  g.lastNode().inPlace = {{outputs[0], a}};
  TensorId x = g.op({outputs[0], outputs[1]}, 1), y = g.op({x, outputs[1]}, 1);
  g.keep(y);
  // The second run of node 1 is for outputs[1] alone.
  Schedule runs{
      {NodeId(0), NodeId(1), NodeId(2), NodeId(0), NodeId(1), NodeId(3)}};
  Planned planned(g, runs);
  EXPECT_EQ(planned.inPlace[1], (std::vector<InPlacePair>{{outputs[0], a}}));
  EXPECT_TRUE(planned.inPlace[4].empty());
  EXPECT_THAT(
      verifyPair(planned, 4, {outputs[0], a}),
      Violates("inplace_c5", "is discarded, so that it takes no storage over"));
}

// The kernel would read its own output through the other operand.
TEST(InPlaceVerify, inplace_c6_rejects_storage_read_twice) {
  SmallGraph g;
  TensorId a = g.op({}, 4), v = g.view(a);
  TensorId b = g.op({a, v}, 4, a);
  g.keep(b);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[2].empty());
  EXPECT_THAT(verifyPair(planned, 2, {b, a}),
              Violates("inplace_c6", "has 2 operands in that storage"));
}

// --- Cases ----------------------------------------------------------------

// MX-2: "one user in the graph" is not the rule; the last one may overwrite.
TEST(InPlaceCases, MX_2_the_last_user_overwrites_and_no_earlier_one) {
  SmallGraph g;
  TensorId a = g.op({}, 1), b = g.op({a}, 1, a), c = g.op({b}, 1, b);
  TensorId e = g.op({c}, 1, c), f = g.op({b, e}, 1, b);
  g.keep(f);
  Planned planned(g);
  EXPECT_EQ(planned.inPlace,
            (InPlaceChoice{{}, {{b, a}}, {}, {{e, c}}, {{f, b}}}));
  EXPECT_THAT(verifyOwn(planned), Succeeds());
  EXPECT_EQ(measureSchedule(planned.index, planned.schedule, planned.inPlace)
                .peakBytes,
            2);
  InPlaceChoice none(planned.schedule.runs.size());
  EXPECT_EQ(measureSchedule(planned.index, planned.schedule, none).peakBytes,
            3);
}

// MX-15: a view shares with other users about, but nobody may overwrite
// either while the other is still read.
TEST(InPlaceCases, MX_15_no_overwriting_under_a_live_view) {
  SmallGraph g;
  TensorId a = g.op({}, 4), v = g.view(a);
  TensorId b = g.op({v}, 4, v), c = g.op({a}, 4, a), d = g.op({b, c}, 4, b);
  g.keep(d);
  Planned planned(g);
  EXPECT_TRUE(planned.inPlace[2].empty()); // a is read after it.
  EXPECT_EQ(planned.inPlace[3], (std::vector<InPlacePair>{{c, a}}));
  EXPECT_THAT(verifyOwn(planned), Succeeds());
  EXPECT_THAT(verifyPair(planned, 2, {b, v}),
              Violates("inplace_c3", "needs it at run 3"));
}

// A whole view may be overwritten by the last user of all of the alias set.
TEST(InPlaceCases, a_view_is_overwritten_by_the_last_user_of_its_alias_set) {
  SmallGraph g;
  TensorId a = g.op({}, 4), v = g.view(a);
  TensorId c = g.op({a}, 2), b = g.op({v}, 4, v), d = g.op({b, c}, 4, b);
  g.keep(d);
  Planned planned(g);
  EXPECT_EQ(planned.inPlace, (InPlaceChoice{{}, {}, {}, {{b, v}}, {{d, b}}}));
  EXPECT_THAT(verifyOwn(planned), Succeeds());
}

// MUT-1: in place on a value that a later node still reads is rejected, and
// allowed where the value is recomputed for that node.
TEST(InPlaceCases, MUT_1_recomputation_frees_a_value_for_overwriting) {
  SmallGraph g;
  TensorId x = g.caller(4, TensorKind::Input), w = g.caller(8);
  TensorId a = g.op({x, w}, 4), b = g.op({a}, 4, a), c = g.op({b, a}, 4);
  g.keep(c);
  Planned once(g);
  EXPECT_TRUE(once.inPlace[1].empty());
  EXPECT_THAT(verifyPair(once, 1, {b, a}), Violates("inplace_c3"));
  Planned twice(g, Schedule{{NodeId(0), NodeId(1), NodeId(0), NodeId(2)}});
  EXPECT_EQ(twice.inPlace[1], (std::vector<InPlacePair>{{b, a}}));
  EXPECT_THAT(verifyOwn(twice), Succeeds());
}

// --- Against the replay ---------------------------------------------------

// The replay of plans shares no code with verify(): what one accepts the other
// must. Left aside what plans allow beyond it: one operand twice, and a view of
// the input that the same run makes and discards.
TEST(InPlaceOracle, verify_agrees_with_the_replay_on_every_pair) {
  int accepted = 0, rejected = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 20);
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceProblem problem{&index, &schedule};
    InPlaceChoice chosen = chooseInPlace(problem);
    EXPECT_THAT(problem.verify(chosen), Succeeds());
    for (size_t run = 0; run < schedule.runs.size(); ++run)
      for (const InPlacePair &pair : graph[schedule.runs[run]].inPlace) {
        InPlaceChoice choice(schedule.runs.size());
        choice[run] = {pair};
        std::string message = llvm::toString(problem.verify(choice));
        if (message.find("inplace_c6") != std::string::npos ||
            message.find("which makes the view") != std::string::npos)
          continue;
        Plan plan;
        plan.steps = buildActions(index, schedule, choice);
        llvm::Expected<Replay> replay = replayPlan(index, plan);
        EXPECT_EQ(message.empty(), bool(replay))
            << "run " << run << ", " << describe(graph, pair.output) << " on "
            << describe(graph, pair.input) << ": " << message;
        if (!replay)
          llvm::consumeError(replay.takeError());
        (message.empty() ? accepted : rejected) += 1;
        // A legal pair is left out only for another one at that run.
        if (message.empty() &&
            graph[pair.output].bytes == graph[index.base(pair.input)].bytes) {
          EXPECT_FALSE(chosen[run].empty());
        }
      }
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(rejected, 50);
}

//===- SharingCasesTest.cpp - Known cases of static sharing ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case gives the number of storages, their bytes, and who shares with
// whom.
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/Sharing/ReleaserColor.h"
#include "Planner/SmallGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Step/Buffers.h"
#include <algorithm>
#include <set>

using namespace memplan;

static StorageMap share(const SharingProblem &problem, const char *solver) {
  llvm::Expected<StorageMap> map =
      solve(problem, solverNamed(sharingSolvers(), solver), {});
  if (map)
    return std::move(*map);
  ADD_FAILURE() << solver << ": " << llvm::toString(map.takeError());
  return {};
}

static StorageMap share(const Planned &planned, const char *solver,
                        int64_t matchRange = 16) {
  SharingProblem problem;
  problem.index = &planned.index;
  problem.schedule = &planned.schedule;
  problem.inPlace = &planned.inPlace;
  problem.matchRange = matchRange;
  return share(problem, solver);
}

static StorageMap share(const SmallGraph &small, bool inPlace,
                        const char *solver, int64_t matchRange = 16) {
  return share(Planned(small, inPlace), solver, matchRange);
}

using Group = std::vector<TensorId>;

/// Tensors of each storage, in the order in which they take it.
static std::set<Group> groups(const StorageMap &map) {
  std::vector<Group> lists(map.storageBytes.size());
  for (size_t i = 0; i < map.liveRanges.size(); ++i)
    if (map.storageOf[i].isValid())
      lists[map.storageOf[i].index].push_back(map.liveRanges[i].tensor);
  return {lists.begin(), lists.end()};
}

// MX-1: a chain of sigmoids needs one buffer in place, two with sharing, and
// one per layer without either.
TEST(SharingCases, MX_1_chain_of_sigmoids) {
  for (int length : {3, 10}) {
    SmallGraph g;
    TensorId last = g.op({}, 1);
    for (int i = 0; i < length; ++i)
      last = g.op({last}, 1, last);
    g.keep(last);
    EXPECT_EQ(share(g, true, "none").totalBytes, 1);
    EXPECT_EQ(share(g, true, "counter").totalBytes, 1);
    StorageMap sharing = share(g, false, "counter");
    EXPECT_EQ(sharing.totalBytes, 2);
    EXPECT_EQ(sharing.report.bound, 2.0); // The load without in-place.
    EXPECT_EQ(sharing.report.status, SolveStatus::Optimal);
    EXPECT_EQ(share(g, false, "none").totalBytes, length + 1);
  }
}

// MX-2: in place only where the node is the last user at that moment.
TEST(SharingCases, MX_2_counter_at_that_moment) {
  SmallGraph g;
  TensorId a = g.op({}, 1), b = g.op({a}, 1, a), c = g.op({b}, 1, b);
  TensorId e = g.op({c}, 1, c), f = g.op({b, e}, 1, b);
  g.keep(f);
  EXPECT_EQ(groups(share(g, true, "counter")),
            (std::set<Group>{{a, b, f}, {c, e}}));
  EXPECT_EQ(share(g, false, "counter").report.bound, 3.0);
}

// MX-3: what is dead gives its memory to the next but one.
TEST(SharingCases, MX_3_chain_shares_alternately) {
  SmallGraph g;
  TensorId a = g.caller(1);
  TensorId b = g.op({a}, 1), c = g.op({b}, 1), e = g.op({c}, 1),
           f = g.op({e}, 1);
  g.keep(f);
  StorageMap map = share(g, false, "counter");
  EXPECT_EQ(groups(map), (std::set<Group>{{b, e}, {c, f}}));
  EXPECT_EQ(map.totalBytes, 2);
}

// MX-4: a storage grows to its largest sharer after the fact.
TEST(SharingCases, MX_4_storages_grow_to_the_supremum) {
  SmallGraph g;
  TensorId a = g.caller(1);
  TensorId b = g.op({a}, 4), c = g.op({b}, 2), e = g.op({c}, 6),
           f = g.op({e}, 2);
  g.keep(f);
  StorageMap map = share(g, false, "counter");
  EXPECT_EQ(groups(map), (std::set<Group>{{b, e}, {c, f}}));
  EXPECT_EQ(map.storageBytes, (std::vector<int64_t>{6, 2}));
  EXPECT_EQ(map.totalBytes, 8);
  EXPECT_EQ(map.report.bound, 8.0);
  EXPECT_EQ(map.report.status, SolveStatus::Optimal);
}

namespace {
/// MX-5's two-layer perceptron with its backward pass.
struct Perceptron : SmallGraph {
  TensorId data = caller(4, TensorKind::Input), label = caller(2),
           w2 = caller(8);
  TensorId fc1 = op({data}, 4);
  TensorId act1 = op({fc1}, 4, fc1);
  TensorId fc2 = op({act1, w2}, 2);
  TensorId out = op({fc2}, 2, fc2);
  TensorId dout = op({out, label}, 2, out);
  TensorId dW2 = op({dout, act1}, 8);
  TensorId dact1 = op({dout, w2}, 4);
  TensorId dfc1 = op({dact1, act1}, 4, dact1);
  TensorId dW1 = op({dfc1, data}, 6);
  Perceptron() {
    keep(dW1);
    keep(dW2);
  }
};
} // namespace

// MX-5: what in-place and sharing save, alone and together.
TEST(SharingCases, MX_5_perceptron) {
  Perceptron g;
  StorageMap neither = share(g, false, "none");
  EXPECT_EQ(neither.totalBytes, 36);
  EXPECT_EQ(neither.storageBytes.size(), 9u);
  EXPECT_EQ(neither.report.bound, 20.0);
  StorageMap inPlace = share(g, true, "none");
  EXPECT_EQ(inPlace.totalBytes, 24);
  EXPECT_EQ(inPlace.storageBytes.size(), 5u);
  EXPECT_EQ(inPlace.report.bound, 18.0);
  StorageMap sharing = share(g, false, "counter");
  EXPECT_EQ(sharing.totalBytes, 22);
  EXPECT_EQ(sharing.storageBytes.size(), 4u);
  StorageMap both = share(g, true, "counter");
  EXPECT_EQ(both.totalBytes, 20);
  EXPECT_EQ(groups(both), (std::set<Group>{{g.fc1, g.act1, g.dW1},
                                           {g.fc2, g.out, g.dout},
                                           {g.dW2},
                                           {g.dact1, g.dfc1}}));
}

// MX-5: offsets do better than whole storages, 18 instead of 20.
TEST(SharingCases, MX_5_offsets_beat_storages) {
  Perceptron g;
  Planned planned(g);
  std::vector<PlanAction> steps =
      buildActions(planned.index, planned.schedule, planned.inPlace);
  StepBuffers buffers = makeBuffers(
      planned.index, steps,
      makeOwnStorages(
          planned.index,
          computeLiveRanges(planned.index, planned.schedule, planned.inPlace)),
      1);
  std::multiset<int64_t> classes;
  for (const ArenaBuffer &buffer : buffers.problem.buffers)
    classes.insert(buffer.bytes);
  EXPECT_EQ(classes, (std::multiset<int64_t>{4, 2, 8, 4, 6}));
  EXPECT_EQ(buffers.problem.lowerBoundBytes(), 18);
  llvm::Expected<ArenaPlan> plan =
      solve(buffers.problem, solverNamed(arenaSolvers(), "greedy-by-size"), {});
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(plan->peakBytes, 18);
}

namespace {
/// MX-6: two branches of three between A1 and A8, in an order that takes turns.
struct Branches : SmallGraph {
  TensorId a1 = op({}, 1), a2 = op({a1}, 1), a5 = op({a1}, 1), a3 = op({a2}, 1),
           a6 = op({a5}, 1), a4 = op({a3}, 1), a7 = op({a6}, 1),
           a8 = op({a4, a7}, 1);
  Branches() { keep(a8); }
};

/// MX-7's second instance: y takes a's storage while b may still read a.
struct SecondRace : SmallGraph {
  TensorId a = op({}, 1), b = op({a}, 1), x = op({a}, 1), c = op({b}, 1),
           y = op({x}, 1), d = op({c}, 1), z = op({d, y}, 1);
  SecondRace() { keep(z); }
};

SharingProblem parallelProblem(const Planned &planned) {
  SharingProblem problem;
  problem.index = &planned.index;
  problem.schedule = &planned.schedule;
  problem.inPlace = &planned.inPlace;
  problem.parallel = true;
  return problem;
}
} // namespace

// MX-6: serial sharing is fine on one stream and unsafe on several.
TEST(SharingCases, MX_6_serial_sharing_is_unsafe_in_parallel) {
  Branches g;
  Planned planned(g, false);
  SharingProblem problem = parallelProblem(planned);
  problem.parallel = false;
  StorageMap map = share(problem, "counter");
  EXPECT_EQ(
      groups(map),
      (std::set<Group>{{g.a1, g.a3, g.a7}, {g.a2, g.a6, g.a8}, {g.a5, g.a4}}));
  EXPECT_TRUE(map.orderingEdges.empty());
  problem.parallel = true;
  EXPECT_THAT(problem.verify(map), Violates("sharing_c3"));
  // In parallel, the same sharing comes with the edges that it needs.
  StorageMap ordered = share(problem, "counter");
  EXPECT_EQ(ordered.totalBytes, 3);
  EXPECT_FALSE(ordered.orderingEdges.empty());
}

// MX-6: colors of longest paths; of equally long paths the later one.
TEST(SharingCases, MX_6_colors_of_longest_paths) {
  Branches g;
  Planned planned(g, false);
  // Runs: A1 A2 A5 A3 A6 A4 A7 A8.
  EXPECT_EQ(colorRuns(planned.index, planned.schedule),
            (std::vector<int32_t>{0, 1, 0, 1, 0, 1, 0, 0}));
  SharingProblem problem = parallelProblem(planned);
  llvm::Expected<StorageMap> unsafe = shareByReleaserColor(problem, {});
  ASSERT_TRUE(bool(unsafe));
  EXPECT_EQ(unsafe->storageBytes.size(), 4u);
}

// MX-7: longest-path colors alone do not make sharing safe; verify() finds the
// user of another color, and the safe rule adds the edge that is missing.
TEST(SharingCases, MX_7_a_user_of_another_color_races) {
  SharingSolver unsafe = {"releaser-color", "", {}, shareByReleaserColor};
  Branches g;
  Planned planned(g, false);
  SharingProblem problem = parallelProblem(planned);
  // A6 (run 4) takes the storage of A1 while A2 (run 1) may still read it.
  EXPECT_THAT(solve(problem, unsafe, {}),
              FailsWith("tensor 4 of run 4 takes storage 0 of tensor 0 of run "
                        "0, which node 1 (run 1) may still use"));
  StorageMap safe = share(problem, "color");
  EXPECT_EQ(safe.storageBytes.size(), 4u);
  EXPECT_EQ(safe.orderingEdges, (std::vector<OrderingEdge>{{1, 4}}));

  SecondRace second;
  Planned other(second, false);
  problem = parallelProblem(other);
  EXPECT_EQ(colorRuns(other.index, other.schedule),
            (std::vector<int32_t>{0, 0, 1, 0, 1, 0, 0}));
  EXPECT_THAT(solve(problem, unsafe, {}),
              FailsWith("tensor 4 of run 4 takes storage 0 of tensor 0 of run "
                        "0, which node 1 (run 1) may still use"));
  EXPECT_THAT(problem.verify(share(problem, "color")), Succeeds());
}

// MX-11: where a value has two uses, its gradients are added in place: two
// gradient buffers at the peak, not three.
TEST(SharingCases, MX_11_gradients_are_added_in_place) {
  SmallGraph g;
  TensorId b = g.op({}, 0), c = g.op({b}, 0), d = g.op({b}, 0);
  TensorId loss = g.op({c, d}, 0);
  TensorId dB1 = g.op({loss, c}, 8), dB2 = g.op({loss, d}, 8);
  TensorId dB = g.op({dB1, dB2}, 8, dB1);
  TensorId dA = g.op({dB}, 8);
  g.keep(dA);
  StorageMap map = share(g, true, "none");
  EXPECT_TRUE(groups(map).count({dB1, dB}));
  Planned planned(g);
  EXPECT_EQ(measureSchedule(planned.index, planned.schedule, planned.inPlace)
                .peakBytes,
            16);
  InPlaceChoice none(planned.schedule.runs.size());
  EXPECT_EQ(measureSchedule(planned.index, planned.schedule, none).peakBytes,
            24);
}

// MX-12: with explicit backward nodes, a value that no gradient reads is freed
// after its last forward use; a backward that mirrors layers would keep it.
TEST(SharingCases, MX_12_explicit_backward_frees_earlier) {
  for (bool mirrored : {false, true}) {
    SmallGraph g;
    TensorId c = g.op({}, 1), f = g.op({c}, 1), h = g.op({f}, 1);
    TensorId dh = g.op({h}, 1);
    std::vector<TensorId> reads = {dh, c};
    if (mirrored)
      reads.push_back(f);
    TensorId dc = g.op(reads, 1);
    g.keep(dc);
    Planned planned(g);
    std::vector<LiveRange> liveRanges =
        computeLiveRanges(planned.index, planned.schedule);
    EXPECT_EQ(liveRanges[f.index].end, mirrored ? 5 : 3);
    EXPECT_EQ(share(g, true, "none").report.bound, mirrored ? 4.0 : 3.0);
  }
}

// MX-13: inference needs two buffers, or one in place; training about one per
// layer. No flag tells them apart.
TEST(SharingCases, MX_13_inference_and_training_by_one_path) {
  constexpr int layers = 8;
  for (bool inPlace : {false, true}) {
    SmallGraph g;
    TensorId last = g.op({g.caller(1)}, 1);
    for (int i = 1; i < layers; ++i)
      last = g.op({last}, 1, last);
    g.keep(last);
    EXPECT_EQ(share(g, inPlace, "counter").totalBytes, inPlace ? 1 : 2);
  }
  SmallGraph g;
  std::vector<TensorId> values = {g.caller(1)};
  for (int i = 0; i < layers; ++i)
    values.push_back(g.op({values.back()}, 1));
  TensorId gradient = g.op({values.back()}, 1);
  for (int i = layers; i > 0; --i)
    gradient = g.op({gradient, values[i], values[i - 1]}, 1);
  g.keep(gradient);
  EXPECT_EQ(share(g, false, "counter").totalBytes, layers + 2);
}

// MX-14: an output that nothing reads takes a storage while its node runs and
// gives it back at once; outputs are served largest first, inputs still taken.
TEST(SharingCases, MX_14_unused_and_several_outputs) {
  SmallGraph g;
  TensorId a = g.op({}, 10), b = g.op({a}, 1);
  // a's 10 bytes are free: the larger output gets them.
  std::vector<TensorId> pair = g.ops({b}, {3, 9});
  TensorId last = g.op({pair[0]}, 9);
  g.keep(last);
  StorageMap map = share(g, false, "counter");
  // pair[1] is unused, so that `last` takes the storage after it.
  EXPECT_EQ(groups(map), (std::set<Group>{{a, pair[1], last}, {b}, {pair[0]}}));
  EXPECT_EQ(map.totalBytes, 10 + 1 + 3);
  EXPECT_EQ(map.liveRanges[3].end, map.liveRanges[3].begin + 1);
}

// MX-15: a view has no storage of its own, and no node overwrites what the
// other users of its alias set still need.
TEST(SharingCases, MX_15_views_share_and_forbid_overwriting) {
  SmallGraph g;
  TensorId a = g.op({}, 4), v = g.view(a);
  TensorId b = g.op({v}, 4, v), c = g.op({a}, 4, a), d = g.op({b, c}, 4, b);
  g.keep(d);
  StorageMap map = share(g, true, "counter");
  EXPECT_EQ(groups(map), (std::set<Group>{{a, c}, {b, d}}));
  EXPECT_EQ(map.liveRanges[0].end, 4); // Not only until the view's user.
}

// MX-16: a free storage serves a request only if their sizes are near enough.
TEST(SharingCases, MX_16_match_range) {
  SmallGraph small;
  TensorId a = small.op({}, 20), b = small.op({a}, 320), c = small.op({b}, 1);
  small.keep(c);
  EXPECT_EQ(share(small, false, "counter", 16).storageBytes.size(), 3u);
  EXPECT_EQ(groups(share(small, false, "counter", 32)),
            (std::set<Group>{{a, c}, {b}}));
  SmallGraph growing;
  TensorId d = growing.op({}, 1), e = growing.op({d}, 300),
           f = growing.op({e}, 16);
  growing.keep(f);
  StorageMap map = share(growing, false, "counter", 16);
  EXPECT_EQ(groups(map), (std::set<Group>{{d, f}, {e}}));
  EXPECT_EQ(map.storageBytes[0], 16);
}

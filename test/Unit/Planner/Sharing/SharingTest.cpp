//===- SharingTest.cpp - Contract of the sharing problem ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorMatchers.h"
#include "Planner/Sharing/ReleaserColor.h"
#include "Planner/SmallGraph.h"
#include "RandomGraph.h"
#include <map>
#include <set>

using namespace memplan;

static SharingProblem problemOf(const Planned &planned, bool parallel = false) {
  SharingProblem problem;
  problem.index = &planned.index;
  problem.schedule = &planned.schedule;
  problem.inPlace = &planned.inPlace;
  problem.parallel = parallel;
  return problem;
}

static StorageMap solve(const SharingProblem &problem, const char *solver) {
  llvm::Expected<StorageMap> map =
      solve(problem, solverNamed(sharingSolvers(), solver), {});
  if (map)
    return std::move(*map);
  ADD_FAILURE() << solver << ": " << llvm::toString(map.takeError());
  return {};
}

namespace {
/// a -> b -> c -> d with b in place on a.
struct Chain : SmallGraph {
  TensorId a = op({}, 4), b = op({a}, 4, a), c = op({b}, 4), d = op({c}, 4);
  Chain() { keep(d); }
};
} // namespace

// --- Input constraints ----------------------------------------------------

// Without a valid schedule and valid pairs nothing that follows means anything.
TEST(SharingCheck, sharing_i1_rejects_missing_and_invalid_parts) {
  Chain g;
  Planned planned(g);
  EXPECT_THAT(SharingProblem().check(), Violates("sharing_i1", "has no graph"));
  SharingProblem problem;
  problem.index = &planned.index;
  EXPECT_THAT(problem.check(), Violates("sharing_i1", "has no schedule"));
  Schedule wrong{{NodeId(1), NodeId(0), NodeId(2), NodeId(3)}};
  problem.schedule = &wrong;
  EXPECT_THAT(problem.check(), Violates("sharing_i1"));
  problem = problemOf(planned);
  EXPECT_THAT(problem.check(), Succeeds());
  InPlaceChoice notOffered = {{}, {}, {{g.c, g.b}}, {}};
  problem.inPlace = &notOffered;
  EXPECT_THAT(problem.check(), Violates("sharing_i1", "inplace_c1: "));
  problem.inPlace = nullptr; // Nothing in place.
  EXPECT_THAT(problem.check(), Succeeds());
}

// A range below 1 would let nothing match, or divide by zero.
TEST(SharingCheck, sharing_i2_rejects_match_ranges) {
  Chain g;
  Planned planned(g);
  SharingProblem problem = problemOf(planned);
  for (int64_t range : {int64_t(0), int64_t(-16)}) {
    problem.matchRange = range;
    EXPECT_THAT(problem.check(), Violates("sharing_i2", "is below 1"));
  }
  problem.matchRange = INT64_MAX;
  EXPECT_EQ(solve(problem, "counter").totalBytes, 8);
}

// --- Solution constraints -------------------------------------------------

// Values without storage, or storages that are too small for their values.
TEST(SharingVerify, sharing_c1_rejects_wrong_storages) {
  Chain g;
  Planned planned(g);
  SharingProblem problem = problemOf(planned);
  const StorageMap good = solve(problem, "counter");
  StorageMap map = good;
  map.liveRanges.pop_back();
  EXPECT_THAT(problem.verify(map), Violates("sharing_c1"));
  map = good;
  map.liveRanges[0].end = 4;
  EXPECT_THAT(
      problem.verify(map),
      FailsWith("live range 0 is tensor 0 during runs [0, 2) in 4 bytes"));
  map = good;
  map.storageOf[2] = StorageId(7);
  EXPECT_THAT(problem.verify(map),
              Violates("sharing_c1", "has storage 7 of 2"));
  map = good;
  map.storageOf[2] = StorageId();
  EXPECT_THAT(problem.verify(map), FailsWith("has storage -1 of 2"));
  map = good;
  std::swap(map.storageOf[1], map.storageOf[2]); // b leaves a's storage.
  EXPECT_THAT(problem.verify(map),
              FailsWith("tensor 1 of run 1 is in place on tensor 0 of run 0"));
  map = good;
  map.storageBytes[0] = 3;
  EXPECT_THAT(problem.verify(map),
              FailsWith("storage 0 has 3 bytes, its largest sharer 4"));
  map = good;
  map.storageBytes.push_back(0); // Nobody uses it.
  EXPECT_THAT(problem.verify(map), Violates("sharing_c1"));
  map = good;
  map.totalBytes = 7;
  EXPECT_THAT(problem.verify(map),
              FailsWith("says 7 bytes in total, its storages have 8"));
}

// The later value would overwrite one that is still needed.
TEST(SharingVerify, sharing_c2_rejects_sharers_that_live_together) {
  Chain g;
  Planned planned(g);
  SharingProblem problem = problemOf(planned);
  StorageMap map = solve(problem, "none");
  ASSERT_EQ(map.storageBytes.size(), 3u);
  map.storageOf[2] = map.storageOf[1]; // c is made while b is read.
  map.storageOf[3] = StorageId(1);
  map.storageBytes.pop_back();
  map.totalBytes = 8;
  EXPECT_THAT(problem.verify(map),
              Violates("sharing_c2",
                       "tensor 2 of run 2 takes storage 0, in which "
                       "tensor 1 of run 1 is needed until run 2"));
}

// A race between streams, also where one of them works in place.
TEST(SharingVerify, sharing_c3_rejects_users_that_nothing_orders) {
  SmallGraph g;
  TensorId a = g.op({}, 4), b = g.op({a}, 4), c = g.op({a}, 4, a);
  TensorId d = g.op({b, c}, 4);
  g.keep(d);
  Planned planned(g);
  SharingProblem problem = problemOf(planned, /*parallel=*/true);
  for (const SharingSolver &solver : sharingSolvers()) {
    StorageMap map = solve(problem, solver.name.data());
    // c overwrites a, so that b's run has to come first.
    EXPECT_EQ(map.orderingEdges, (std::vector<OrderingEdge>{{1, 2}}));
    map.orderingEdges.clear();
    EXPECT_THAT(problem.verify(map),
                FailsWith("tensor 2 of run 2 takes storage 0 of tensor 0 of "
                          "run 0, which node 1 (run 1) may still use"));
    problem.parallel = false;
    EXPECT_THAT(problem.verify(map), Succeeds());
    problem.parallel = true;
  }
}

// The same with an input that the caller has given away.
TEST(SharingVerify, sharing_c3_respects_users_of_donated_inputs) {
  SmallGraph g;
  TensorId a = g.caller(4, TensorKind::Input, /*donated=*/true);
  TensorId b = g.op({a}, 2), c = g.op({a}, 4, a), d = g.op({c}, 4, c);
  TensorId e = g.op({b, d}, 1);
  g.keep(e);
  Planned planned(g);
  SharingProblem problem = problemOf(planned, /*parallel=*/true);
  StorageMap map = solve(problem, "color");
  ASSERT_EQ(map.liveRanges.size(), 5u);     // a, b, c, d, e
  EXPECT_FALSE(map.storageOf[0].isValid()); // The caller's,
  EXPECT_FALSE(map.storageOf[2].isValid()); // in which c lies,
  EXPECT_FALSE(map.storageOf[3].isValid()); // and d in c's.
  EXPECT_EQ(map.orderingEdges, (std::vector<OrderingEdge>{{0, 1}}));
  EXPECT_EQ(map.totalBytes, 3);
  map.orderingEdges.clear();
  EXPECT_THAT(problem.verify(map),
              FailsWith("tensor 2 of run 1 takes the storage of donated "
                        "tensor 0, which node 0 (run 0) may still use"));
}

// Edges in a circle would let the step wait for ever.
TEST(SharingVerify, sharing_c4_rejects_edges_that_go_back) {
  Chain g;
  Planned planned(g);
  SharingProblem problem = problemOf(planned);
  const StorageMap good = solve(problem, "counter");
  for (OrderingEdge edge : {OrderingEdge{2, 1}, {1, 1}, {-1, 2}, {0, 4}}) {
    StorageMap map = good;
    map.orderingEdges = {edge};
    EXPECT_THAT(problem.verify(map),
                Violates("sharing_c4", "does not go forward in 4 runs"));
  }
}

// A status that does not hold would be reported as a proof.
TEST(SharingVerify, sharing_c5_rejects_untrue_status) {
  Chain g;
  Planned planned(g);
  SharingProblem problem = problemOf(planned);
  StorageMap map = solve(problem, "none");
  EXPECT_EQ(map.totalBytes, 12);
  EXPECT_EQ(map.report.status, SolveStatus::Feasible);
  map.report.status = SolveStatus::Optimal;
  EXPECT_THAT(
      problem.verify(map),
      Violates("sharing_c5",
               "status 'optimal' at 12 bytes, while 8 are live at one run"));
}

// Users type these names; a solver's bug must reach nobody.
TEST(SharingDoor, finds_solvers_and_stops_wrong_answers) {
  EXPECT_THAT(lookUpSolver("sharing", sharingSolvers(), "colour"),
              FailsWith("unknown sharing solver 'colour'; there are 'auto', "
                        "'none', 'counter', 'color'"));
  Chain g;
  Planned planned(g);
  SharingSolver empty = {"empty",
                         "",
                         {},
                         [](const SharingProblem &,
                            const SolveLimits &) -> llvm::Expected<StorageMap> {
                           return StorageMap();
                         }};
  EXPECT_THAT(solve(problemOf(planned), empty, {}),
              FailsWith("solver 'empty' made an invalid plan"));
}

// --- Parallel executions, all of them -------------------------------------

namespace {
/// Runs a schedule in every order that data and ordering edges allow, and looks
/// at what each read finds in its storage. Plain graphs without views.
class AllOrders {
public:
  AllOrders(const Planned &planned, const StorageMap &map)
      : graph(planned.graph), runs(planned.schedule.runs), map(map),
        before(runs.size(), 0), reads(runs.size()), makes(runs.size()) {
    std::map<TensorId, int32_t> latest; // Live range by tensor.
    for (size_t run = 0; run < runs.size(); ++run) {
      for (TensorId input : graph[runs[run]].inputs)
        if (auto found = latest.find(input); found != latest.end()) {
          reads[run].push_back(found->second);
          before[run] |= uint32_t(1) << map.liveRanges[found->second].begin;
        }
      for (size_t i = 0; i < map.liveRanges.size(); ++i)
        if (map.liveRanges[i].begin == static_cast<int32_t>(run)) {
          makes[run].push_back(static_cast<int32_t>(i));
          latest[map.liveRanges[i].tensor] = static_cast<int32_t>(i);
        }
    }
    for (OrderingEdge edge : map.orderingEdges)
      before[edge.after] |= uint32_t(1) << edge.before;
  }

  bool areSafe() {
    contents.assign(map.storageBytes.size(), -1);
    return explore(0);
  }

private:
  bool explore(uint32_t done) {
    if (done + 1 == uint32_t(1) << runs.size()) {
      for (size_t i = 0; i < map.liveRanges.size(); ++i)
        if (static_cast<size_t>(map.liveRanges[i].end) > runs.size() &&
            contents[map.storageOf[i].index] != static_cast<int32_t>(i))
          return false;
      return true;
    }
    // What was found safe from one state is safe again.
    if (!seen.insert({done, contents}).second)
      return true;
    for (size_t run = 0; run < runs.size(); ++run) {
      if ((done >> run & 1) || (before[run] & ~done))
        continue;
      for (int32_t liveRange : reads[run])
        if (contents[map.storageOf[liveRange].index] != liveRange)
          return false;
      std::vector<int32_t> saved = contents;
      for (int32_t liveRange : makes[run])
        contents[map.storageOf[liveRange].index] = liveRange;
      if (!explore(done | uint32_t(1) << run))
        return false;
      contents = saved;
    }
    return true;
  }

  const Graph &graph;
  const std::vector<NodeId> &runs;
  const StorageMap &map;
  std::vector<uint32_t> before;            ///< By run: bits of runs before it.
  std::vector<std::vector<int32_t>> reads; ///< By run: live ranges.
  std::vector<std::vector<int32_t>> makes; ///< By run: live ranges.
  std::vector<int32_t> contents;           ///< By storage: live range.
  std::set<std::pair<uint32_t, std::vector<int32_t>>> seen;
};

/// A graph of plain ops that may all run in place, all results read or kept.
SmallGraph makeBranchy(Dice &dice, int nodes) {
  SmallGraph g;
  std::vector<TensorId> values;
  std::set<TensorId> unread;
  for (int i = 0; i < nodes; ++i) {
    std::set<TensorId> inputs;
    for (int64_t k = dice.roll(3); k > 0 && !values.empty(); --k) {
      auto count = static_cast<int64_t>(values.size());
      inputs.insert(values[count - 1 - dice.roll(std::min<int64_t>(4, count))]);
    }
    std::vector<TensorId> list(inputs.begin(), inputs.end());
    std::optional<TensorId> inPlace;
    if (!list.empty() && dice.chance(30))
      inPlace = list.front();
    values.push_back(g.op(list, 1 + dice.roll(2), inPlace));
    unread.insert(values.back());
    for (TensorId input : list)
      unread.erase(input);
  }
  for (TensorId id : unread)
    g.keep(id);
  return g;
}
} // namespace

// Sharing that verify() accepts must be right in every order of parallel runs;
// NNVM's color rule is not, and whenever it is not verify() must say so.
TEST(SharingOracle, parallel_sharing_is_safe_in_every_order) {
  int unsafeMaps = 0, needed = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    SmallGraph g = makeBranchy(dice, 9);
    Planned planned(g, dice.chance(50));
    SharingProblem problem = problemOf(planned, /*parallel=*/true);
    for (const SharingSolver &solver : sharingSolvers()) {
      StorageMap map = solve(problem, solver.name.data());
      EXPECT_TRUE(AllOrders(planned, map).areSafe()) << solver.name;
      // Without one of its edges a map is unsafe, unless another edge says as
      // much; verify() must tell.
      for (size_t i = 0; i < map.orderingEdges.size(); ++i) {
        StorageMap without = map;
        without.orderingEdges.erase(without.orderingEdges.begin() +
                                    static_cast<std::ptrdiff_t>(i));
        bool isSafe = AllOrders(planned, without).areSafe();
        needed += !isSafe;
        if (isSafe)
          EXPECT_THAT(problem.verify(without), Succeeds());
        else
          EXPECT_THAT(problem.verify(without), Violates("sharing_c3"));
      }
    }
    llvm::Expected<StorageMap> unsafe = shareByReleaserColor(problem, {});
    ASSERT_TRUE(bool(unsafe));
    if (AllOrders(planned, *unsafe).areSafe())
      continue;
    ++unsafeMaps;
    EXPECT_THAT(problem.verify(*unsafe), Violates("sharing_c3"));
  }
  EXPECT_GT(needed, 100);
  EXPECT_GT(unsafeMaps, 10);
}

// --- Properties -----------------------------------------------------------

// Graphs with views, updates, recomputations, donated inputs: every solver's
// answer is verified by solve(), never larger than no sharing, never below the
// load.
TEST(SharingProperty, random_graphs_and_schedules) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 24);
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = chooseInPlace({&index, &schedule});
    ASSERT_THAT((InPlaceProblem{&index, &schedule}.verify(inPlace)),
                Succeeds());
    SharingProblem problem;
    problem.index = &index;
    problem.schedule = &schedule;
    problem.inPlace = &inPlace;
    for (bool parallel : {false, true}) {
      problem.parallel = parallel;
      int64_t unshared = solve(problem, "none").totalBytes;
      for (const char *solver : {"counter", "color"}) {
        StorageMap map = solve(problem, solver);
        EXPECT_LE(map.totalBytes, unshared) << solver;
        EXPECT_GE(static_cast<double>(map.totalBytes), *map.report.bound);
      }
    }
  }
}

// The same input gives the same storages and edges.
TEST(SharingProperty, solvers_are_deterministic) {
  Graph graph = makeRandomGraph(11, 60);
  GraphIndex index(graph);
  Schedule schedule = makeRandomSchedule(index, 11);
  InPlaceChoice inPlace = chooseInPlace({&index, &schedule});
  SharingProblem problem;
  problem.index = &index;
  problem.schedule = &schedule;
  problem.inPlace = &inPlace;
  problem.parallel = true;
  for (const SharingSolver &solver : sharingSolvers()) {
    StorageMap first = solve(problem, solver.name.data());
    for (int run = 0; run < 20; ++run) {
      StorageMap again = solve(problem, solver.name.data());
      EXPECT_EQ(again.storageOf, first.storageOf);
      EXPECT_EQ(again.orderingEdges, first.orderingEdges);
    }
    EXPECT_EQ(chooseInPlace({&index, &schedule}), inPlace);
  }
}

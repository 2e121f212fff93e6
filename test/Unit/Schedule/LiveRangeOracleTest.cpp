//===- LiveRangeOracleTest.cpp - Live ranges against brute force ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle asks, for every tensor and every run, whether somebody still needs
// the value, and follows storages by name. It keeps no list of live ranges.
//
//===----------------------------------------------------------------------===//

#include "../RandomGraph.h"
#include "memplan/Schedule/Liveness.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace memplan;

namespace {

class Oracle {
public:
  Oracle(const Graph &graph, const GraphIndex &index, const Schedule &schedule)
      : graph(graph), index(index), runs(schedule.runs),
        count(static_cast<int32_t>(runs.size())) {}

  TensorId baseOf(TensorId id) const {
    while (graph[id].viewOf)
      id = *graph[id].viewOf;
    return id;
  }

  bool makes(int32_t run, TensorId base) const {
    return llvm::is_contained(graph[runs[run]].outputs, base);
  }

  /// Does the run look at a value that was there before it?
  bool uses(int32_t run, TensorId base) const {
    const Node &node = graph[runs[run]];
    auto looks = [&](TensorId id) { return baseOf(id) == base; };
    bool views = llvm::any_of(node.outputs, [&](TensorId output) {
      return graph[output].viewOf && looks(output);
    });
    return llvm::any_of(node.inputs, looks) ||
           llvm::any_of(node.writes, looks) || (views && !makes(run, base));
  }

  bool isNeededAtEnd(TensorId base) const {
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      if (baseOf(TensorId(i)) == base && index.staysToTheEnd(TensorId(i)))
        return true;
    return false;
  }

  /// One past the last position that needs the value made by `run` (-1: the
  /// caller's), or run + 1.
  int32_t endOf(TensorId base, int32_t run) const {
    int32_t end = run + 1;
    for (int32_t at = run + 1; at < count; ++at) {
      if (uses(at, base))
        end = at + 1;
      if (makes(at, base))
        return end;
    }
    return isNeededAtEnd(base) ? count + 1 : end;
  }

  bool isRecomputation(int32_t run) const {
    for (int32_t at = 0; at < run; ++at)
      if (runs[at] == runs[run])
        return true;
    return false;
  }

  const Graph &graph;
  const GraphIndex &index;
  const std::vector<NodeId> &runs;
  int32_t count;
};

/// Bytes of the device at each run, with a table of storages: base tensor ->
/// what its value lies in.
std::vector<int64_t> simulateBytes(const Oracle &oracle,
                                   const InPlaceChoice &inPlace) {
  const Graph &graph = oracle.graph;
  struct Storage {
    int64_t bytes;
    bool isFreeable;
  };
  std::vector<Storage> storages;
  std::map<TensorId, size_t> lies;
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (TensorId id(i); isCallerOwned(graph[id].kind) && !graph[id].viewOf) {
      lies[id] = storages.size();
      storages.push_back({graph[id].bytes, graph[id].donated});
    }
  int64_t live = graph.persistentBytes();
  // A donated input that no run needs is freed before the first.
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (TensorId id(i);
        graph[id].donated && !graph[id].viewOf && oracle.endOf(id, -1) == 0) {
      live -= graph[id].bytes;
      lies.erase(id);
    }
  std::vector<int64_t> bytes;
  for (int32_t run = 0; run < oracle.count; ++run) {
    const Node &node = graph[oracle.runs[run]];
    std::vector<size_t> dying;
    for (TensorId output : node.outputs) {
      if (graph[output].viewOf)
        continue;
      size_t storage = storages.size();
      for (const InPlacePair &pair : inPlace[run])
        if (pair.output == output) {
          TensorId base = oracle.baseOf(pair.input);
          storage = lies.at(base);
          storages[storage].isFreeable = true;
          lies.erase(base);
        }
      if (storage == storages.size()) {
        storages.push_back({graph[output].bytes, true});
        live += graph[output].bytes;
      }
      lies[output] = storage;
    }
    bytes.push_back(live + node.workspaceBytes);
    for (auto it = lies.begin(); it != lies.end();) {
      // The latest making at or before this run.
      int32_t made = run;
      while (made >= 0 && !oracle.makes(made, it->first))
        --made;
      bool isOver = oracle.endOf(it->first, made) == run + 1;
      if (!isOver || !storages[it->second].isFreeable) {
        ++it;
        continue;
      }
      live -= storages[it->second].bytes;
      it = lies.erase(it);
    }
  }
  return bytes;
}

/// What the random cases exercised.
struct Coverage {
  int ranges = 0, donated = 0, overDonated = 0, larger = 0, longChains = 0,
      discarded = 0, viewed = 0, workspaces = 0, recomputations = 0;
};

void checkRange(const Oracle &oracle, const std::vector<LiveRange> &list,
                size_t at, Coverage &coverage) {
  const LiveRange &range = list[at];
  const Graph &graph = oracle.graph;
  SCOPED_TRACE(describe(graph, range.tensor) + " of run " +
               std::to_string(range.begin));
  EXPECT_EQ(range.end, oracle.endOf(range.tensor, range.begin));
  bool isRecomputation =
      range.begin >= 0 && oracle.isRecomputation(range.begin);
  EXPECT_EQ(range.discarded, isRecomputation && range.end == range.begin + 1);
  EXPECT_EQ(range.space, MemorySpace::Device);
  EXPECT_LE(graph[range.tensor].bytes, range.bytes);
  ++coverage.ranges;
  coverage.donated += range.begin < 0;
  coverage.discarded += range.discarded;
  coverage.recomputations += isRecomputation;
  for (TensorId view : oracle.index.aliasSet(range.tensor))
    coverage.viewed += view != range.tensor;
  if (range.begin >= 0)
    coverage.workspaces += graph[oracle.runs[range.begin]].workspaceBytes > 0;
  if (!range.isInPlace()) {
    EXPECT_EQ(range.allocatedBy, range.tensor);
    EXPECT_EQ(range.bytes, graph[range.tensor].bytes);
    return;
  }
  ASSERT_LT(range.over, static_cast<int32_t>(at));
  const LiveRange &under = list[range.over];
  EXPECT_TRUE(under.takenOver);
  EXPECT_EQ(under.end, range.begin + 1);
  EXPECT_EQ(range.bytes, under.bytes);
  EXPECT_EQ(range.allocatedBy, under.allocatedBy);
  coverage.overDonated += under.begin < 0;
  coverage.longChains += under.isInPlace();
  coverage.larger += range.bytes > graph[range.tensor].bytes;
}

// If the one derivation of live time and bytes were wrong, planners, problems
// and their verifiers would all believe it.
TEST(LiveRangeOracle, time_and_bytes_agree_with_brute_force) {
  Coverage coverage;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = makeRandomGraph(seed, 3 + static_cast<int>(seed % 17));
    GraphIndex index(graph);
    Schedule schedule = makeRandomSchedule(index, seed);
    InPlaceChoice inPlace = makeRandomInPlace(index, schedule, seed);
    Oracle oracle(graph, index, schedule);
    std::vector<LiveRange> list = computeLiveRanges(index, schedule, inPlace);
    // All of them, each once, in order.
    std::set<std::pair<int32_t, TensorId>> expected, found;
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      TensorId id(i);
      if (graph[id].donated && !graph[id].viewOf)
        expected.insert({-1, id});
      for (int32_t run = 0; run < oracle.count; ++run)
        if (!graph[id].viewOf && oracle.makes(run, id))
          expected.insert({run, id});
    }
    for (size_t at = 0; at < list.size(); ++at) {
      checkRange(oracle, list, at, coverage);
      found.insert({list[at].begin, list[at].tensor});
      if (at > 0) {
        EXPECT_LT(std::pair(list[at - 1].begin, list[at - 1].tensor),
                  std::pair(list[at].begin, list[at].tensor));
      }
    }
    EXPECT_EQ(found, expected);
    // Every pair that was taken is there.
    size_t pairs = 0, over = 0;
    for (const std::vector<InPlacePair> &each : inPlace)
      pairs += each.size();
    for (const LiveRange &range : list)
      over += range.isInPlace();
    EXPECT_EQ(over, pairs);
    ScheduleMetrics metrics = measureLiveRanges(index, schedule, list);
    EXPECT_EQ(metrics.bytesAtRun, simulateBytes(oracle, inPlace));
    int64_t peak = graph.persistentBytes();
    for (int64_t bytes : metrics.bytesAtRun)
      peak = std::max(peak, bytes);
    EXPECT_EQ(metrics.peakBytes, peak);
  }
  EXPECT_GT(coverage.ranges, 2000);
  EXPECT_GT(coverage.donated, 100);
  EXPECT_GT(coverage.overDonated, 10);
  EXPECT_GT(coverage.larger, 50);
  EXPECT_GT(coverage.longChains, 20);
  EXPECT_GT(coverage.discarded, 50);
  EXPECT_GT(coverage.viewed, 200);
  EXPECT_GT(coverage.workspaces, 200);
  EXPECT_GT(coverage.recomputations, 500);
}

// Pairs that the node does not list are for verifiers to name, not for the
// derivation to follow.
TEST(LiveRanges, leave_out_pairs_that_the_node_does_not_list) {
  Graph graph = makeRandomGraph(3, 8);
  GraphIndex index(graph);
  Schedule schedule = makeRandomSchedule(index, 3);
  InPlaceChoice wild(schedule.runs.size());
  for (std::vector<InPlacePair> &pairs : wild)
    pairs = {{TensorId(), TensorId()}, {TensorId(100000), TensorId(0)}};
  EXPECT_EQ(computeLiveRanges(index, schedule, wild),
            computeLiveRanges(index, schedule));
}

} // namespace

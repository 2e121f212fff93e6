//===- ShareStorages.cpp - Simulated sharing of storages ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Chen et al., MXNet's memory note ("counter", and the colors of
// longest paths); the details as in NNVM's memory planner. Idea: walk the runs
// with a free list of storages and allocate nothing. An output takes a storage
// whose size is near enough from the free list, or a new one; a storage whose
// live range was read for the last time goes back onto the free list. A storage
// is as large as the largest live range that it ever held, which is known at
// the end. Complexity: O(runs * arity * log storages) for "counter" on one
// stream; with colors or several streams O(runs^2 * arity / 64 + colors *
// edges). Guaranteed: no two values that are live together share. Wherever runs
// may overlap in time, all users of a storage precede the next owner, if need
// be by an ordering edge. Such an edge goes from an earlier run to the newest
// one, so that no cycle can arise. Not guaranteed: fewest bytes.
//
//===----------------------------------------------------------------------===//

#include "ShareStorages.h"
#include "RunOrder.h"
#include "memplan/Planner/Sharing/RunColors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <set>
#include <tuple>

using namespace memplan;

namespace {
enum class Policy { None, Counter, Color };

/// When each run can start and end if any number of them runs side by side, and
/// how long it takes from there to the end of the step.
class RunTimes {
public:
  RunTimes(const Graph &graph, const Schedule &schedule,
           const std::vector<std::vector<int32_t>> &edges)
      : ends(edges.size()), path(edges.size()) {
    for (size_t run = 0; run < edges.size(); ++run)
      costs.push_back(schedule.variantAt(graph, run).cost);
    for (size_t run = edges.size(); run-- > 0;) {
      path[run] += costs[run];
      for (int32_t before : edges[run])
        path[before] = std::max(path[before], path[run]);
      makespan = std::max(makespan, path[run]);
    }
  }
  void start(int32_t run, const std::vector<int32_t> &edges) {
    ends[run] = costs[run];
    for (int32_t before : edges)
      order(before, run);
  }
  void order(int32_t before, int32_t run) {
    ends[run] = std::max(ends[run], ends[before] + costs[run]);
  }
  /// (lengthening of the step, of the run's start) if it came after `before`.
  std::pair<double, double> delay(int32_t before, int32_t run) const {
    const double start = std::max(ends[before], ends[run] - costs[run]);
    return {std::max(0.0, start + path[run] - makespan),
            start - (ends[run] - costs[run])};
  }

private:
  std::vector<double> costs, ends, path; ///< By run.
  double makespan = 0;
};

class Simulation {
public:
  Simulation(const SharingProblem &problem, Policy policy);
  llvm::Expected<StorageMap> run();

private:
  struct Storage {
    int64_t bytes = 0;
    int32_t occupant = -1;   ///< Latest live range.
    int32_t releasedBy = -1; ///< Run that put it onto the free list.
  };
  /// (bytes, number of releases before, storage): equal sizes first in, first
  /// out.
  using FreeList = std::set<std::tuple<int64_t, int64_t, int32_t>>;

  void findUsers();
  void beginRun(int32_t run);
  void allocate(llvm::ArrayRef<int32_t> made);
  int32_t request(int64_t bytes);
  void release(int32_t liveRange, int32_t run);
  template <typename Accept>
  FreeList::iterator findFree(int64_t bytes, Accept accept) const;
  bool allPrecede(int32_t occupant) const;
  FreeList::iterator findCheapest(int64_t bytes) const;
  void orderUsers(llvm::ArrayRef<int32_t> earlier);
  void report();

  const SharingProblem &problem;
  const Graph &graph;
  const std::vector<NodeId> &runs;
  Policy policy;
  bool needsOrder;
  StorageMap map;
  std::vector<std::vector<int32_t>> users;  ///< By live range: producer, users.
  std::vector<std::vector<int32_t>> ending; ///< By run: live ranges.
  std::vector<Storage> storages;
  FreeList freeList;
  int64_t releases = 0;
  RunOrder order;
  std::vector<int32_t> colors;
  int32_t newest = 0;            ///< Run being simulated.
  std::optional<RunTimes> times; ///< Where runs are ordered.
};
} // namespace

Simulation::Simulation(const SharingProblem &problem, Policy policy)
    : problem(problem), graph(problem.index->graph()),
      runs(problem.schedule->runs), policy(policy),
      needsOrder(problem.parallel || policy == Policy::Color),
      ending(runs.size()), order(runs.size()) {
  map.liveRanges =
      computeLiveRanges(*problem.index, *problem.schedule,
                        problem.inPlace ? *problem.inPlace : InPlaceChoice());
  map.storageOf.resize(map.liveRanges.size());
  for (size_t i = 0; i < map.liveRanges.size(); ++i) {
    const LiveRange &range = map.liveRanges[i];
    if (range.end > 0 && static_cast<size_t>(range.end) <= runs.size())
      ending[range.end - 1].push_back(static_cast<int32_t>(i));
  }
  if (policy == Policy::Color)
    colors = colorRuns(*problem.index, *problem.schedule);
  if (needsOrder)
    findUsers();
}

/// Lists, for each live range, the runs that make, read, write or view it.
void Simulation::findUsers() {
  users.resize(map.liveRanges.size());
  std::vector<int32_t> latest(graph.tensors.size(), -1);
  size_t next = 0;
  for (; next < map.liveRanges.size() && map.liveRanges[next].begin < 0; ++next)
    latest[map.liveRanges[next].tensor.index] = static_cast<int32_t>(next);
  for (size_t run = 0; run < runs.size(); ++run) {
    auto now = static_cast<int32_t>(run);
    auto use = [&](TensorId tensor) {
      int32_t range = latest[problem.index->base(tensor).index];
      if (range >= 0 && (users[range].empty() || users[range].back() != now))
        users[range].push_back(now);
    };
    const Node &node = graph[runs[run]];
    llvm::for_each(node.inputs, use);
    llvm::for_each(node.writes, use);
    for (TensorId output : node.outputs)
      if (problem.index->producer(problem.index->base(output)) != runs[run])
        use(output);
    for (; next < map.liveRanges.size() && map.liveRanges[next].begin == now;
         ++next) {
      latest[map.liveRanges[next].tensor.index] = static_cast<int32_t>(next);
      users[next].push_back(now);
    }
  }
}

llvm::Expected<StorageMap> Simulation::run() {
  std::vector<std::vector<int32_t>> edges;
  if (needsOrder)
    edges = findRunEdges(*problem.index, *problem.schedule);
  if (needsOrder)
    times.emplace(graph, *problem.schedule, edges);
  size_t next = llvm::count_if(
      map.liveRanges, [](const LiveRange &range) { return range.begin < 0; });
  for (size_t run = 0; run < runs.size(); ++run) {
    newest = static_cast<int32_t>(run);
    if (needsOrder) {
      order.startRun(edges[run]);
      times->start(newest, edges[run]);
    }
    std::vector<int32_t> made;
    for (; next < map.liveRanges.size() && map.liveRanges[next].begin == newest;
         ++next)
      made.push_back(static_cast<int32_t>(next));
    allocate(made);
    // After the outputs: none may lie where an input was.
    for (int32_t liveRange : ending[run])
      release(liveRange, newest);
  }
  for (const Storage &storage : storages) {
    map.storageBytes.push_back(storage.bytes);
    if (llvm::AddOverflow(map.totalBytes, storage.bytes, map.totalBytes))
      return llvm::createStringError(
          "all storages of the schedule together take more than 2^63 bytes");
  }
  llvm::sort(map.orderingEdges);
  map.orderingEdges.erase(
      std::unique(map.orderingEdges.begin(), map.orderingEdges.end()),
      map.orderingEdges.end());
  report();
  return std::move(map);
}

/// Gives the new live ranges storages: those in place first, then the largest.
void Simulation::allocate(llvm::ArrayRef<int32_t> made) {
  std::vector<int32_t> requests;
  for (int32_t liveRange : made) {
    int32_t from = map.liveRanges[liveRange].over;
    if (from < 0) {
      requests.push_back(liveRange);
      continue;
    }
    if (needsOrder)
      orderUsers(users[from]);
    StorageId storage = map.storageOf[from];
    map.storageOf[liveRange] = storage;
    if (storage.isValid()) // Else the caller's.
      storages[storage.index].occupant = liveRange;
  }
  auto bytesOf = [&](int32_t liveRange) {
    return map.liveRanges[liveRange].bytes;
  };
  llvm::sort(requests, [&](int32_t a, int32_t b) {
    return std::tuple(-bytesOf(a), a) < std::tuple(-bytesOf(b), b);
  });
  for (int32_t liveRange : requests) {
    int32_t storage = request(bytesOf(liveRange));
    map.storageOf[liveRange] = StorageId(storage);
    storages[storage].occupant = liveRange;
    storages[storage].bytes =
        std::max(storages[storage].bytes, bytesOf(liveRange));
  }
}

/// NNVM's search: the smallest free storage that is large enough, else the
/// largest one, both within the match range.
template <typename Accept>
Simulation::FreeList::iterator Simulation::findFree(int64_t bytes,
                                                    Accept accept) const {
  int64_t range = problem.matchRange;
  int64_t least = bytes / range + (bytes % range != 0);
  int64_t most = llvm::SaturatingMultiply<uint64_t>(bytes, range) >
                         static_cast<uint64_t>(INT64_MAX)
                     ? INT64_MAX
                     : bytes * range;
  auto middle = freeList.lower_bound({bytes, -1, -1});
  for (auto it = middle; it != freeList.end() && std::get<0>(*it) <= most; ++it)
    if (accept(std::get<2>(*it)))
      return it;
  for (auto it = middle; it != freeList.begin();) {
    --it;
    if (std::get<0>(*it) < least)
      break;
    if (accept(std::get<2>(*it)))
      return it;
  }
  return freeList.end();
}

/// The free storage of the newest run's color whose ordering edges
/// lengthen the step least, then delay the run least, then are fewest; of
/// equals, the one that findFree() would take.
Simulation::FreeList::iterator Simulation::findCheapest(int64_t bytes) const {
  using Multiplier = std::tuple<double, double, int64_t>;
  std::optional<std::pair<Multiplier, int32_t>> cheapest;
  findFree(bytes, [&](int32_t storage) {
    if (colors[storages[storage].releasedBy] != colors[newest])
      return false;
    Multiplier cost;
    for (int32_t user : users[storages[storage].occupant]) {
      if (order.precedesNewest(user))
        continue;
      auto [step, start] = times->delay(user, newest);
      cost = {std::max(std::get<0>(cost), step),
              std::max(std::get<1>(cost), start), std::get<2>(cost) + 1};
    }
    if (!cheapest || cost < cheapest->first)
      cheapest = {cost, storage};
    return false;
  });
  if (!cheapest)
    return freeList.end();
  return findFree(bytes,
                  [&](int32_t storage) { return storage == cheapest->second; });
}

/// A storage for `bytes` at the newest run, off the free list or new.
int32_t Simulation::request(int64_t bytes) {
  auto found = freeList.end();
  switch (policy) {
  case Policy::None:
    break;
  case Policy::Counter:
    found = findFree(bytes, [](int32_t) { return true; });
    break;
  case Policy::Color:
    found = findFree(bytes, [&](int32_t storage) {
      return allPrecede(storages[storage].occupant);
    });
    if (found == freeList.end())
      found = findCheapest(bytes);
    break;
  }
  if (found == freeList.end()) {
    storages.emplace_back();
    return static_cast<int32_t>(storages.size()) - 1;
  }
  int32_t storage = std::get<2>(*found);
  freeList.erase(found);
  if (needsOrder)
    orderUsers(users[storages[storage].occupant]);
  return storage;
}

void Simulation::release(int32_t liveRange, int32_t run) {
  StorageId storage = map.storageOf[liveRange];
  if (map.liveRanges[liveRange].takenOver || !storage.isValid())
    return;
  storages[storage.index].releasedBy = run;
  freeList.insert({storages[storage.index].bytes, releases++, storage.index});
}

bool Simulation::allPrecede(int32_t occupant) const {
  return llvm::all_of(users[occupant],
                      [&](int32_t run) { return order.precedesNewest(run); });
}

/// Makes all users of a value precede the newest run. Users of the storage
/// before that value had to precede its producer, hence precede the newest run
/// as well.
void Simulation::orderUsers(llvm::ArrayRef<int32_t> earlier) {
  // Later users first: an edge from them often covers the earlier ones.
  for (int32_t run : llvm::reverse(earlier))
    if (run < newest && !order.precedesNewest(run)) {
      order.addEdgeToNewest(run);
      times->order(run, newest);
      map.orderingEdges.push_back({run, newest});
    }
}

/// The bound: no storages together are smaller than what is live at one run.
void Simulation::report() {
  std::vector<int64_t> change(runs.size() + 2, 0);
  for (size_t i = 0; i < map.liveRanges.size(); ++i) {
    const LiveRange &range = map.liveRanges[i];
    if (!map.storageOf[i].isValid())
      continue;
    // What is taken over counts as its successor at the run of both.
    change[range.begin] += range.bytes;
    change[range.end - (range.takenOver ? 1 : 0)] -= range.bytes;
  }
  int64_t live = 0, bound = 0;
  for (int64_t each : change)
    bound = std::max(bound, live += each);
  map.report.bound = static_cast<double>(bound);
  map.report.proof = "exact";
  map.report.status =
      map.totalBytes == bound ? SolveStatus::Optimal : SolveStatus::Feasible;
}

llvm::Expected<StorageMap>
memplan::solveNoSharing(const SharingProblem &problem, const SolveLimits &) {
  return Simulation(problem, Policy::None).run();
}

llvm::Expected<StorageMap> memplan::solveCounter(const SharingProblem &problem,
                                                 const SolveLimits &) {
  return Simulation(problem, Policy::Counter).run();
}

llvm::Expected<StorageMap> memplan::solveColor(const SharingProblem &problem,
                                               const SolveLimits &) {
  return Simulation(problem, Policy::Color).run();
}

//===- SharingVerify.cpp - What a sharing problem and its maps must be ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the solvers: it derives the runs' edges again, in its own
// way, and closes them over all runs at once. The live ranges are given by the
// schedule; no solver decides them, and both read computeLiveRanges().
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace memplan;

namespace {
/// What happens to the storage of one base tensor, in run order.
struct Touch {
  enum Kind { Make, Read, Write } kind;
  int32_t run;
};

class Verifier {
public:
  Verifier(const SharingProblem &problem, const StorageMap &map)
      : problem(problem), map(map), index(*problem.index), graph(index.graph()),
        runs(problem.schedule->runs), touches(graph.tensors.size()) {}

  llvm::Error verify() {
    if (llvm::Error error = verifyLiveRanges())
      return error;
    collectTouches();
    if (llvm::Error error = verifyStorages())
      return error;
    if (llvm::Error error = verifySerial())
      return error;
    if (llvm::Error error = verifyEdges())
      return error;
    if (llvm::Error error = verifyStatus())
      return error;
    return problem.parallel ? verifyParallel() : llvm::Error::success();
  }

private:
  std::string name(size_t liveRange) const {
    const LiveRange &range = map.liveRanges[liveRange];
    if (range.begin < 0)
      return "donated " + describe(graph, range.tensor);
    return llvm::formatv("{0} of run {1}", describe(graph, range.tensor),
                         range.begin);
  }
  std::string storageName(size_t liveRange) const {
    StorageId storage = map.storageOf[liveRange];
    return storage.isValid() ? "storage " + std::to_string(storage.index)
                             : "the storage";
  }
  int64_t bytesOf(size_t liveRange) const {
    return map.liveRanges[liveRange].bytes;
  }

  llvm::Error verifyLiveRanges();
  void collectTouches();
  llvm::Error verifyStorages();
  llvm::Error verifySerial();
  llvm::Error verifyEdges();
  llvm::Error verifyStatus();
  llvm::Error verifyParallel();
  llvm::Error verifyReuse(size_t from, size_t to);
  void closeOrder();

  const SharingProblem &problem;
  const StorageMap &map;
  const GraphIndex &index;
  const Graph &graph;
  const std::vector<NodeId> &runs;
  std::vector<std::vector<Touch>> touches;   ///< By base.
  std::vector<std::vector<int32_t>> sharers; ///< By storage: by begin.
  std::vector<llvm::BitVector> ancestors;    ///< By run.
};
} // namespace

llvm::Error Verifier::verifyLiveRanges() {
  std::vector<LiveRange> expected =
      computeLiveRanges(index, *problem.schedule,
                        problem.inPlace ? *problem.inPlace : InPlaceChoice());
  if (expected.size() != map.liveRanges.size() ||
      map.storageOf.size() != expected.size())
    return violation("sharing_c1",
                     "the schedule has {0} live ranges, the map {1} and {2} "
                     "storage ids",
                     expected.size(), map.liveRanges.size(),
                     map.storageOf.size());
  for (size_t i = 0; i < expected.size(); ++i)
    if (expected[i] != map.liveRanges[i])
      return violation("sharing_c1",
                       "live range {0} is {1} during runs [{2}, {3}) in {4} "
                       "bytes, not what the map says",
                       i, describe(graph, expected[i].tensor),
                       expected[i].begin, expected[i].end, expected[i].bytes);
  return llvm::Error::success();
}

void Verifier::collectTouches() {
  for (size_t run = 0; run < runs.size(); ++run) {
    auto at = static_cast<int32_t>(run);
    const Node &node = graph[runs[run]];
    for (TensorId tensor : node.inputs)
      touches[index.base(tensor).index].push_back({Touch::Read, at});
    for (TensorId tensor : node.outputs)
      if (index.producer(index.base(tensor)) != runs[run])
        touches[index.base(tensor).index].push_back({Touch::Read, at});
    for (TensorId tensor : node.writes)
      touches[index.base(tensor).index].push_back({Touch::Write, at});
    for (TensorId tensor : node.outputs)
      if (index.base(tensor) == tensor)
        touches[tensor.index].push_back({Touch::Make, at});
  }
}

llvm::Error Verifier::verifyStorages() {
  sharers.resize(map.storageBytes.size());
  std::vector<int64_t> largest(map.storageBytes.size(), -1);
  for (size_t i = 0; i < map.liveRanges.size(); ++i) {
    StorageId storage = map.storageOf[i];
    bool isCallers = isCallersStorage(index, map.liveRanges[i]);
    int32_t over = map.liveRanges[i].over;
    if (over >= 0 && map.storageOf[over] != storage)
      return violation(
          "sharing_c1", "{0} is in place on {1}, but has storage {2}, not {3}",
          name(i), name(over), storage.index, map.storageOf[over].index);
    if (isCallers != !storage.isValid() ||
        (!isCallers &&
         static_cast<size_t>(storage.index) >= map.storageBytes.size()))
      return violation("sharing_c1", "{0} has storage {1} of {2}{3}", name(i),
                       storage.index, map.storageBytes.size(),
                       isCallers ? ", but the storage is the caller's" : "");
    if (isCallers)
      continue;
    largest[storage.index] = std::max(largest[storage.index], bytesOf(i));
    sharers[storage.index].push_back(static_cast<int32_t>(i));
  }
  int64_t total = 0;
  for (size_t i = 0; i < largest.size(); ++i) {
    if (largest[i] != map.storageBytes[i])
      return violation("sharing_c1",
                       "storage {0} has {1} bytes, its largest sharer {2}", i,
                       map.storageBytes[i], largest[i]);
    if (llvm::AddOverflow(total, largest[i], total))
      return violation("sharing_c1", "all storages take more than 2^63 bytes");
  }
  if (total != map.totalBytes)
    return violation("sharing_c1",
                     "the map says {0} bytes in total, its storages have {1}",
                     map.totalBytes, total);
  return llvm::Error::success();
}

llvm::Error Verifier::verifySerial() {
  for (size_t storage = 0; storage < sharers.size(); ++storage)
    for (size_t k = 1; k < sharers[storage].size(); ++k) {
      // Live ranges are ordered by begin, and all before k - 1 ended before it.
      int32_t from = sharers[storage][k - 1], to = sharers[storage][k];
      int32_t end = map.liveRanges[from].end;
      int32_t begin = map.liveRanges[to].begin;
      if (end <= begin || (end == begin + 1 && map.liveRanges[to].over == from))
        continue;
      return violation("sharing_c2",
                       "{0} takes storage {1}, in which {2} is needed until "
                       "run {3}",
                       name(to), storage, name(from), end - 1);
    }
  return llvm::Error::success();
}

llvm::Error Verifier::verifyEdges() {
  auto count = static_cast<int32_t>(runs.size());
  for (const OrderingEdge &edge : map.orderingEdges)
    if (edge.before < 0 || edge.after >= count || edge.before >= edge.after)
      return violation("sharing_c4",
                       "the ordering edge from run {0} to run {1} does not go "
                       "forward in {2} runs",
                       edge.before, edge.after, count);
  return llvm::Error::success();
}

llvm::Error Verifier::verifyStatus() {
  if (map.report.status != SolveStatus::Optimal)
    return llvm::Error::success();
  std::vector<int64_t> live(runs.size() + 2, 0); // Changes, then their sum.
  for (size_t i = 0; i < map.liveRanges.size(); ++i) {
    const LiveRange &liveRange = map.liveRanges[i];
    if (!map.storageOf[i].isValid())
      continue;
    live[liveRange.begin] += bytesOf(i);
    live[liveRange.end] -= bytesOf(i);
    if (!liveRange.isInPlace())
      continue;
    // In place, both are the same bytes while the run executes.
    live[liveRange.begin] -= bytesOf(liveRange.over);
    live[liveRange.begin + 1] += bytesOf(liveRange.over);
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  int64_t largest = *llvm::max_element(live);
  if (map.totalBytes == largest)
    return llvm::Error::success();
  return violation("sharing_c5",
                   "status 'optimal' at {0} bytes, while {1} are live at one "
                   "run",
                   map.totalBytes, largest);
}

/// Ancestors of every run by values, versions of written storages, collectives
/// and ordering edges. An edge from each touch to the make or write that
/// follows or precedes it on the same value says the same as following tensors.
void Verifier::closeOrder() {
  std::vector<std::vector<int32_t>> before(runs.size());
  for (const std::vector<Touch> &list : touches) {
    int32_t writer = -1; // Latest make or write.
    std::vector<int32_t> readers;
    for (const Touch &touch : list) {
      if (touch.kind != Touch::Make && writer >= 0)
        before[touch.run].push_back(writer);
      if (touch.kind == Touch::Read) {
        readers.push_back(touch.run);
        continue;
      }
      if (touch.kind == Touch::Write)
        llvm::append_range(before[touch.run], readers);
      readers.clear();
      writer = touch.run;
    }
  }
  // A value read through a view is live until the view's run is over.
  std::vector<int32_t> made(graph.tensors.size(), -1);
  std::vector<int32_t> madeBase(graph.tensors.size(), -1);
  int32_t collective = -1;
  for (size_t run = 0; run < runs.size(); ++run) {
    const Node &node = graph[runs[run]];
    for (const std::vector<TensorId> *list : {&node.inputs, &node.writes})
      for (TensorId tensor : *list)
        if (graph[tensor].viewOf && made[tensor.index] >= 0)
          before[run].push_back(made[tensor.index]);
    for (TensorId tensor : node.outputs) {
      const std::optional<TensorId> &viewOf = graph[tensor].viewOf;
      if (viewOf && made[viewOf->index] >= 0)
        before[run].push_back(made[viewOf->index]);
    }
    // A view that is still there serves on when its node runs again.
    for (TensorId tensor : node.outputs)
      if (TensorId base = index.base(tensor);
          made[tensor.index] < madeBase[base.index] || made[tensor.index] < 0 ||
          index.producer(base) == runs[run])
        made[tensor.index] = static_cast<int32_t>(run);
    for (TensorId tensor : index.madeBases(runs[run]))
      madeBase[tensor.index] = static_cast<int32_t>(run);
    if (!node.keepsPlace())
      continue;
    if (collective >= 0)
      before[run].push_back(collective);
    collective = static_cast<int32_t>(run);
  }
  for (const OrderingEdge &edge : map.orderingEdges)
    before[edge.after].push_back(edge.before);
  ancestors.assign(runs.size(), llvm::BitVector(runs.size()));
  for (size_t run = 0; run < runs.size(); ++run)
    for (int32_t each : before[run]) {
      if (each == static_cast<int32_t>(run))
        continue;
      ancestors[run] |= ancestors[each];
      ancestors[run].set(each);
    }
}

llvm::Error Verifier::verifyParallel() {
  closeOrder();
  for (const std::vector<int32_t> &list : sharers)
    for (size_t k = 1; k < list.size(); ++k)
      if (llvm::Error error = verifyReuse(list[k - 1], list[k]))
        return error;
  // What the caller owns is handed over as well, along in-place pairs.
  for (size_t i = 0; i < map.liveRanges.size(); ++i)
    if (!map.storageOf[i].isValid() && map.liveRanges[i].isInPlace())
      if (llvm::Error error = verifyReuse(map.liveRanges[i].over, i))
        return error;
  return llvm::Error::success();
}

/// Everything that touches `from` is over when the run that makes `to` starts.
llvm::Error Verifier::verifyReuse(size_t from, size_t to) {
  const LiveRange &old = map.liveRanges[from];
  int32_t run = map.liveRanges[to].begin;
  for (const Touch &touch : touches[old.tensor.index])
    if (old.isAt(touch.run) && touch.run != run &&
        !ancestors[run].test(touch.run))
      return violation("sharing_c3",
                       "{0} takes {1} of {2}, which {3} (run {4}) may still "
                       "use when they run in parallel",
                       name(to), storageName(to), name(from),
                       describe(graph, runs[touch.run]), touch.run);
  return llvm::Error::success();
}

llvm::Error SharingProblem::check() const {
  if (!index || !schedule)
    return violation("sharing_i1", "the problem has no {0}",
                     index ? "schedule" : "graph");
  if (llvm::Error error = verifySchedule(*index, *schedule))
    return violation("sharing_i1", "{0}", llvm::toString(std::move(error)));
  if (inPlace)
    if (llvm::Error error = InPlaceProblem{index, schedule}.verify(*inPlace))
      return violation("sharing_i1", "{0}", llvm::toString(std::move(error)));
  if (matchRange < 1)
    return violation("sharing_i2", "the match range {0} is below 1",
                     matchRange);
  return llvm::Error::success();
}

llvm::Error SharingProblem::verify(const StorageMap &map) const {
  return Verifier(*this, map).verify();
}

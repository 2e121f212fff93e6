//===- RunGraph.cpp - A schedule as TFLMS sees a graph --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunGraph.h"
#include "TflmsFilters.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

bool memplan::isBelow(llvm::StringRef name,
                      const std::vector<std::string> &scopes) {
  return llvm::any_of(scopes, [&](llvm::StringRef scope) {
    llvm::StringRef rest = name;
    return rest.consume_front(scope) &&
           (rest.empty() || rest.front() == '/' || rest.front() == '.' ||
            scope.ends_with("/"));
  });
}

bool memplan::canMakeViewsAgain(const GraphIndex &index, NodeId node,
                                TensorId base) {
  const Graph &graph = index.graph();
  auto isOfBase = [&](TensorId tensor) { return index.base(tensor) == base; };
  auto isThere = [&](TensorId tensor) {
    const TensorId owner = index.base(tensor);
    return owner == base ||
           (isCallerOwned(graph[owner].kind) && !graph[owner].donated &&
            index.writersOf(owner).empty() && !index.producer(tensor));
  };
  return !graph[node].runsOnce() &&
         llvm::all_of(graph[node].outputs, isOfBase) &&
         llvm::all_of(graph[node].inputs, isThere) &&
         !llvm::is_contained(graph[node].outputs, base);
}

RunGraph::RunGraph(const SwapProblem &problem)
    : problem(problem),
      liveRanges(computeLiveRanges(*problem.index, *problem.schedule,
                                   problem.inPlace ? *problem.inPlace
                                                   : InPlaceChoice())) {
  levels.assign(problem.schedule->runs.size(), 1);
  findValues();
  findEdges();
  findPhases();
  runBackwardOpsLate();
  putDecodersBesideUsers();
}

bool RunGraph::isEncoder(int32_t run) const {
  return isCodec(run) && nodeOf(run).name == encoderName;
}

int32_t RunGraph::userOf(int32_t run) const {
  int32_t first = run;
  const std::vector<int32_t> *users = &decodedFor[run];
  while (!users->empty()) {
    first = *llvm::min_element(*users, [&](int32_t a, int32_t b) {
      return std::pair(levels[a], a) < std::pair(levels[b], b);
    });
    if (!isView[first])
      break;
    users = &after[first];
  }
  return first;
}

std::vector<llvm::StringRef> RunGraph::placesOf(int32_t run) const {
  return memplan::placesOf(problem.index->graph(), nodeOf(run));
}

bool RunGraph::isBelow(int32_t run,
                       const std::vector<std::string> &scopes) const {
  return llvm::any_of(placesOf(run), [&](llvm::StringRef place) {
    return memplan::isBelow(place, scopes);
  });
}

/// A value that is copied comes back under its own name and with its own bytes:
/// in one version, with views that can be recomputed, and with room for what is
/// put in place over it.
bool RunGraph::isSwappable(const LiveRange &range) const {
  const GraphIndex &index = *problem.index;
  const Graph &graph = index.graph();
  const bool survives =
      static_cast<size_t>(range.end) > problem.schedule->runs.size();
  if (range.begin < 0 || range.discarded || survives ||
      graph[range.tensor].bytes == 0 || !index.writersOf(range.tensor).empty())
    return false;
  return llvm::all_of(index.aliasSet(range.tensor), [&](TensorId alias) {
    const bool isWritten = graph[alias].partOf && graph[alias].partOf->written;
    return alias == range.tensor ||
           (!isWritten &&
            canMakeViewsAgain(index, *index.producer(alias), range.tensor));
  });
}

void RunGraph::findValues() {
  const GraphIndex &index = *problem.index;
  std::vector<int32_t> valueOfRange(liveRanges.size(), -1);
  std::vector<std::vector<int32_t>> madeBy(numRuns());
  for (size_t i = 0; i < liveRanges.size(); ++i) {
    const LiveRange &range = liveRanges[i];
    if (range.begin < 0 || range.discarded)
      continue;
    valueOfRange[i] = static_cast<int32_t>(values.size());
    madeBy[range.begin].push_back(valueOfRange[i]);
    values.push_back({range.tensor, range.begin, {}, isSwappable(range)});
  }
  // What takes more bytes in place than a fetch would bring back.
  for (const LiveRange &range : liveRanges)
    if (range.isInPlace() && valueOfRange[range.over] >= 0) {
      RunValue &under = values[valueOfRange[range.over]];
      if (index.graph()[range.tensor].bytes > index.graph()[under.tensor].bytes)
        under.isSwappable = false;
    }
  std::vector<int32_t> current(index.graph().tensors.size(), -1);
  for (int32_t run = 0; run < numRuns(); ++run) {
    for (TensorId base : index.usedBases(problem.schedule->runs[run]))
      if (current[base.index] >= 0)
        values[current[base.index]].uses.push_back(run);
    for (int32_t value : madeBy[run])
      current[values[value].tensor.index] = value;
  }
}

/// Runs whose results a run reads, ascending, by the latest producer of each
/// tensor.
std::vector<int32_t> RunGraph::sourcesOf(int32_t run,
                                         const std::vector<int32_t> &producer) {
  std::vector<int32_t> sources;
  for (TensorId input : nodeOf(run).inputs)
    if (producer[input.index] >= 0)
      sources.push_back(producer[input.index]);
  for (TensorId base : problem.index->usedBases(problem.schedule->runs[run]))
    if (producer[base.index] >= 0)
      sources.push_back(producer[base.index]);
  llvm::sort(sources);
  sources.erase(llvm::unique(sources), sources.end());
  return sources;
}

void RunGraph::findEdges() {
  const GraphIndex &index = *problem.index;
  const Graph &graph = index.graph();
  const bool hasCodec = problem.tflms.codec != "none";
  origins.assign(numRuns(), -1);
  decodedFor.resize(numRuns());
  std::vector<int32_t> decoder(graph.tensors.size(), -1); // The latest run.
  before.resize(numRuns());
  after.resize(numRuns());
  later.resize(numRuns());
  std::vector<int32_t> producer(graph.tensors.size(), -1); // The latest run.
  // By written base: the run that wrote it last, and who has read it since.
  std::vector<int32_t> writer(graph.tensors.size(), -1);
  std::vector<std::vector<int32_t>> users(graph.tensors.size());
  for (int32_t run = 0; run < numRuns(); ++run) {
    auto runAfter = [&](int32_t other) {
      if (other < 0 || other == run)
        return;
      levels[run] = std::max(levels[run], levels[other] + 1);
      later[other].push_back(run);
    };
    std::vector<int32_t> sources = sourcesOf(run, producer);
    if (hasCodec && !sources.empty() &&
        (nodeOf(run).name == encoderName || nodeOf(run).name == decoderName)) {
      origins[run] = sources.front();
      levels[run] = levels[sources.front()];
      for (TensorId output : nodeOf(run).outputs) {
        producer[output.index] = sources.front();
        decoder[output.index] = nodeOf(run).name == decoderName ? run : -1;
      }
      continue;
    }
    for (TensorId input : nodeOf(run).inputs)
      if (decoder[input.index] >= 0)
        decodedFor[decoder[input.index]].push_back(run);
    for (TensorId base : index.usedBases(problem.schedule->runs[run])) {
      if (index.writersOf(base).empty())
        continue;
      runAfter(writer[base.index]);
      users[base.index].push_back(run);
    }
    before[run] = sources;
    for (int32_t source : sources) {
      runAfter(source);
      after[source].push_back(run);
    }
    for (TensorId written : nodeOf(run).writes) {
      const int32_t base = index.base(written).index;
      for (int32_t user : users[base])
        runAfter(user);
      users[base].clear();
      writer[base] = run;
    }
    for (TensorId output : nodeOf(run).outputs)
      producer[output.index] = run;
  }
}

void RunGraph::putDecodersBesideUsers() {
  for (int32_t run = 0; run < numRuns(); ++run)
    if (isCodec(run) && !isEncoder(run))
      levels[run] = levels[userOf(run)];
}

void RunGraph::findPhases() {
  const std::vector<std::string> &scopes = problem.tflms.optimizerScopes;
  rewritesAll = scopes == std::vector<std::string>{"none"};
  std::vector<bool> hasRun(problem.index->graph().nodes.size());
  for (int32_t run = 0; run < numRuns(); ++run) {
    const Node &node = nodeOf(run);
    const NodeId id = problem.schedule->runs[run];
    backward.push_back(hasRun[id.index] ||
                       (scopes.empty() ? node.backward : isBelow(run, scopes)));
    hasRun[id.index] = true;
    isView.push_back(node.writes.empty() && !node.outputs.empty() &&
                     llvm::all_of(node.outputs, [&](TensorId output) {
                       return problem.index->base(output) != output;
                     }));
  }
}

void RunGraph::runBackwardOpsLate() {
  int32_t loss = 0;
  for (int32_t run = 0; run < numRuns(); ++run)
    if (!backward[run])
      loss = std::max(loss, levels[run]);
  for (int32_t run = numRuns() - 1; run >= 0; --run) {
    if (!backward[run] || levels[run] > loss || later[run].empty())
      continue;
    int32_t next = levels[later[run].front()];
    for (int32_t other : later[run])
      next = std::min(next, levels[other]);
    levels[run] = std::max(levels[run], next - 1);
  }
}

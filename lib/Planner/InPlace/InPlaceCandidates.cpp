//===- InPlaceCandidates.cpp - Pairs that a schedule allows ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Chen et al., MXNet's memory note: an output may take the memory of an
// input whose counter of pending users is 1, which is the op itself.
// Idea: one walk over the runs; a live range that ends at a run has that run as
// its last user, so the counter need not be kept.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/InPlaceCandidates.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

InPlaceCandidates::InPlaceCandidates(const InPlaceProblem &problem)
    : index(problem.index), schedule(problem.schedule),
      ranges(computeLiveRanges(*problem.index, *problem.schedule)),
      latest(problem.index->graph().tensors.size(), -1) {
  size_t next = 0;
  auto settle = [&](size_t end) {
    for (; next < end; ++next)
      latest[ranges[next].tensor.index] = static_cast<int32_t>(next);
  };
  settle(llvm::count_if(
      ranges, [](const LiveRange &range) { return range.begin < 0; }));
  for (size_t run = 0; run < schedule->runs.size(); ++run) {
    size_t end = next;
    while (end < ranges.size() &&
           ranges[end].begin == static_cast<int32_t>(run))
      ++end;
    addRun(static_cast<int32_t>(run), next, end);
    settle(end);
  }
}

/// The alias set is read once by the node, not written, and gets no new view.
static bool isOnlyOperand(const GraphIndex &index, const Node &node,
                          TensorId source) {
  auto ofAliasSet = [&](TensorId tensor) {
    return index.base(tensor) == source;
  };
  return llvm::count_if(node.inputs, ofAliasSet) == 1 &&
         llvm::none_of(node.writes, ofAliasSet) &&
         llvm::none_of(node.outputs, ofAliasSet);
}

/// Live ranges [first, end) begin at this run.
void InPlaceCandidates::addRun(int32_t run, size_t first, size_t end) {
  const Graph &graph = index->graph();
  const Node &node = graph[schedule->runs[run]];
  for (const InPlacePair &pair : node.inPlace) {
    int32_t output = -1;
    for (size_t i = first; i < end; ++i)
      if (ranges[i].tensor == pair.output && !ranges[i].discarded)
        output = static_cast<int32_t>(i);
    const TensorId source = index->base(pair.input);
    // Outputs of the step stay what they are; parameters, states and inputs
    // that are not donated have no live range.
    const int32_t input = latest[source.index];
    if (output >= 0 && input >= 0 && ranges[input].end == run + 1 &&
        graph[source].kind != TensorKind::Output &&
        isOnlyOperand(*index, node, source))
      list.push_back({run, pair, output, input});
  }
}

bool InPlaceCandidates::excludeEachOther(size_t a, size_t b) const {
  return list[a].output == list[b].output || list[a].input == list[b].input;
}

void InPlaceCandidates::makeLegal(Taken &taken) const {
  std::vector<int64_t> storageBytes;
  for (const LiveRange &range : ranges)
    storageBytes.push_back(range.bytes);
  for (size_t i = 0; i < list.size(); ++i) {
    const auto [run, pair, output, input] = list[i];
    if (!taken[i])
      continue;
    bool isFree = bytesOf(output) <= storageBytes[input];
    for (size_t j = i; isFree && j-- > 0 && list[j].run == run;)
      isFree = !taken[j] || !excludeEachOther(i, j);
    taken[i] = isFree;
    if (isFree)
      storageBytes[output] = storageBytes[input];
  }
}

InPlaceCandidates::Taken InPlaceCandidates::takeEqual() const {
  Taken taken(list.size());
  for (size_t i = 0; i < list.size(); ++i)
    taken[i] = bytesOf(list[i].output) == bytesOf(list[i].input);
  makeLegal(taken);
  return taken;
}

InPlaceCandidates::Taken
InPlaceCandidates::takenIn(const InPlaceChoice &choice) const {
  Taken taken(list.size());
  for (size_t i = 0; i < list.size(); ++i)
    taken[i] = llvm::is_contained(choice[list[i].run], list[i].pair);
  return taken;
}

InPlaceChoice InPlaceCandidates::choiceOf(const Taken &taken) const {
  InPlaceChoice choice(schedule->runs.size());
  for (size_t i = 0; i < list.size(); ++i)
    if (taken[i])
      choice[list[i].run].push_back(list[i].pair);
  return choice;
}

/// By run: what is live with nothing in place, and scratch.
std::vector<int64_t> InPlaceCandidates::bytesApart() const {
  const size_t runs = schedule->runs.size();
  std::vector<int64_t> bytes(runs + 1, 0);
  for (const LiveRange &range : ranges) {
    if (range.end <= 0)
      continue; // Given back before the first run.
    bytes[std::max(range.begin, 0)] += range.bytes;
    if (static_cast<size_t>(range.end) < runs)
      bytes[range.end] -= range.bytes;
  }
  for (size_t run = 1; run < runs; ++run)
    bytes[run] += bytes[run - 1];
  for (size_t run = 0; run < runs; ++run)
    bytes[run] += schedule->variantAt(index->graph(), run).workspaceBytes;
  return bytes;
}

int64_t InPlaceCandidates::donatedBytes() const {
  int64_t bytes = 0;
  for (const LiveRange &range : ranges)
    bytes += range.begin < 0 ? range.bytes : 0;
  return bytes;
}

int64_t InPlaceCandidates::liveBytes(const Taken &taken) const {
  std::vector<int64_t> bytes = bytesApart();
  std::vector<int64_t> storageBytes;
  for (const LiveRange &range : ranges)
    storageBytes.push_back(range.bytes);
  std::vector<int64_t> more(bytes.size() + 1, 0); // Than apart, from a run on.
  for (size_t i = 0; i < list.size(); ++i) {
    if (!taken[i])
      continue;
    const auto [run, pair, output, input] = list[i];
    storageBytes[output] = storageBytes[input];
    // One storage instead of two while the run executes, and the larger one
    // for as long as the output lives.
    bytes[run] -= storageBytes[input];
    const int64_t wider = storageBytes[output] - bytesOf(output);
    more[run] += wider;
    more[std::min<size_t>(ranges[output].end, bytes.size())] -= wider;
  }
  int64_t most = donatedBytes(), wider = 0;
  for (size_t run = 0; run < bytes.size(); ++run)
    most = std::max(most, bytes[run] + (wider += more[run]));
  return most;
}

int64_t InPlaceCandidates::leastLiveBytes() const {
  std::vector<int64_t> bytes = bytesApart();
  // The most that one of its pairs saves each output; no pair saves more than
  // the smaller of the two.
  for (size_t i = 0; i < list.size(); ++i) {
    auto savedBy = [&](size_t at) {
      return std::min(bytesOf(list[at].output), bytesOf(list[at].input));
    };
    int64_t before = 0;
    for (size_t j = i; j-- > 0 && list[j].run == list[i].run;)
      if (list[j].output == list[i].output)
        before = std::max(before, savedBy(j));
    bytes[list[i].run] -= std::max<int64_t>(0, savedBy(i) - before);
  }
  return std::max(donatedBytes(),
                  *std::max_element(bytes.begin(), bytes.end()));
}

InPlaceChoice memplan::chooseInPlace(const InPlaceProblem &problem) {
  const InPlaceCandidates candidates(problem);
  return candidates.choiceOf(candidates.takeEqual());
}

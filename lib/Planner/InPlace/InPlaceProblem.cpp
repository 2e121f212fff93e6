//===- InPlaceProblem.cpp - Outputs that overwrite inputs -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Chen et al., MXNet's memory note: an output may take the memory of an
// input whose counter of pending readers is 1, which is the op itself.
// Idea: one walk over the runs; a live range that ends at a run has that run as
// its last reader, so the counter need not be kept.
// Complexity: O(runs * arity).
// Guaranteed: every pair is legal on its own and together with the others.
// Taking all of them is not always least in bytes after packing, since a chain
// becomes one long buffer.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class Chooser {
public:
  explicit Chooser(const InPlaceProblem &problem)
      : index(*problem.index), graph(problem.index->graph()),
        runs(problem.schedule->runs),
        liveRanges(computeLiveRanges(*problem.index, *problem.schedule)),
        resident(graph.tensors.size(), -1) {}

  InPlaceChoice choose() {
    InPlaceChoice choice(runs.size());
    size_t next = 0;
    auto settle = [&](size_t end) {
      for (; next < end; ++next)
        resident[liveRanges[next].tensor.index] = static_cast<int32_t>(next);
    };
    settle(llvm::count_if(
        liveRanges, [](const LiveRange &range) { return range.begin < 0; }));
    for (size_t run = 0; run < runs.size(); ++run) {
      size_t end = next;
      while (end < liveRanges.size() &&
             liveRanges[end].begin == static_cast<int32_t>(run))
        ++end;
      choice[run] = choosePairs(static_cast<int32_t>(run), next, end);
      settle(end);
    }
    return choice;
  }

private:
  /// Live ranges [first, end) begin at this run.
  std::vector<InPlacePair> choosePairs(int32_t run, size_t first, size_t end) {
    std::vector<InPlacePair> taken;
    for (const InPlacePair &pair : graph[runs[run]].inPlace) {
      bool isKept = false;
      for (size_t i = first; i < end; ++i)
        if (liveRanges[i].tensor == pair.output)
          isKept = !liveRanges[i].discarded;
      TensorId source = index.base(pair.input);
      bool isFree = llvm::none_of(taken, [&](const InPlacePair &other) {
        return other.output == pair.output || index.base(other.input) == source;
      });
      if (isKept && isFree && graph[pair.output].bytes == graph[source].bytes &&
          endsHere(run, source) && isOnlyOperand(graph[runs[run]], source))
        taken.push_back(pair);
    }
    return taken;
  }

  /// Outputs of the step stay what they are; parameters, states and inputs that
  /// are not donated have no live range.
  bool endsHere(int32_t run, TensorId source) const {
    return graph[source].kind != TensorKind::Output &&
           resident[source.index] >= 0 &&
           liveRanges[resident[source.index]].end == run + 1;
  }

  /// The alias set is read once by the node, not written, and gets no new view.
  bool isOnlyOperand(const Node &node, TensorId source) const {
    auto ofAliasSet = [&](TensorId tensor) {
      return index.base(tensor) == source;
    };
    return llvm::count_if(node.inputs, ofAliasSet) == 1 &&
           llvm::none_of(node.writes, ofAliasSet) &&
           llvm::none_of(node.outputs, ofAliasSet);
  }

  const GraphIndex &index;
  const Graph &graph;
  const std::vector<NodeId> &runs;
  std::vector<LiveRange> liveRanges;
  std::vector<int32_t> resident; ///< By base: its latest live range.
};
} // namespace

InPlaceChoice memplan::chooseInPlace(const InPlaceProblem &problem) {
  return Chooser(problem).choose();
}

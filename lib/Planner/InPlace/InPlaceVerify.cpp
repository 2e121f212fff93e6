//===- InPlaceVerify.cpp - What in-place pairs must be --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with chooseInPlace(). Both read the live ranges, which are
// what the problem is about and not what its solver decides; that these are
// right is for the replay of the plan to find out, which does not know them.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class Verifier {
public:
  Verifier(const InPlaceProblem &problem, const InPlaceChoice &choice)
      : index(*problem.index), graph(problem.index->graph()),
        runs(problem.schedule->runs),
        liveRanges(computeLiveRanges(index, *problem.schedule, choice)),
        rangesOf(graph.tensors.size()) {
    for (const LiveRange &range : liveRanges)
      rangesOf[range.tensor.index].push_back(&range);
  }

  llvm::Error verifyRun(int32_t run,
                        const std::vector<InPlacePair> &pairs) const {
    const Node &node = graph[runs[run]];
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (!llvm::is_contained(node.inPlace, pairs[i]))
        return violation("inplace_c1", "{0} does not offer {1} in place on {2}",
                         describe(graph, runs[run]), name(pairs[i].output),
                         name(pairs[i].input));
      if (llvm::Error error = verifyEnd(run, pairs[i]))
        return error;
      if (llvm::Error error = verifyBytes(run, pairs[i]))
        return error;
      if (llvm::Error error = verifyOutput(run, pairs[i]))
        return error;
      if (llvm::Error error = verifyOperands(run, pairs[i]))
        return error;
      for (size_t j = 0; j < i; ++j)
        if (pairs[j].output == pairs[i].output ||
            index.base(pairs[j].input) == index.base(pairs[i].input))
          return violation("inplace_c5",
                           "run {0} of {1} puts {2} on {3} and {4} on {5}, "
                           "which is one storage or one output twice",
                           run, describe(graph, runs[run]),
                           name(pairs[j].output), name(pairs[j].input),
                           name(pairs[i].output), name(pairs[i].input));
    }
    return llvm::Error::success();
  }

private:
  std::string name(TensorId tensor) const { return describe(graph, tensor); }

  /// The live range that the tensor had last when the run began, or has from
  /// that run on if `made`.
  const LiveRange *rangeAt(TensorId tensor, int32_t run, bool made) const {
    const std::vector<const LiveRange *> &list = rangesOf[tensor.index];
    auto after = llvm::partition_point(list, [&](const LiveRange *range) {
      return made ? range->begin <= run : range->begin < run;
    });
    return after == list.begin() ? nullptr : *std::prev(after);
  }

  llvm::Error verifyBytes(int32_t run, const InPlacePair &pair) const {
    int64_t outputBytes = graph[pair.output].bytes;
    int64_t storageBytes =
        rangeAt(index.base(pair.input), run, /*made=*/false)->bytes;
    if (outputBytes <= storageBytes)
      return llvm::Error::success();
    return violation("inplace_c2",
                     "{0} ({1} bytes) does not fit the storage of {2} ({3} "
                     "bytes) at run {4}",
                     name(pair.output), outputBytes, name(pair.input),
                     storageBytes, run);
  }

  llvm::Error verifyEnd(int32_t run, const InPlacePair &pair) const {
    TensorId base = index.base(pair.input);
    const Tensor &tensor = graph[base];
    bool isStepsOwn = index.producer(base).has_value();
    const LiveRange *range = rangeAt(base, run, /*made=*/false);
    if (tensor.kind == TensorKind::Output || !range)
      return violation("inplace_c4",
                       "{0} may not overwrite {1} at run {2}: the storage is "
                       "{3}",
                       name(pair.output), name(pair.input), run,
                       isStepsOwn ? "an output of the step"
                                  : "the caller's and not donated");
    if (range->end == run + 1)
      return llvm::Error::success();
    int32_t last = range->end - 1;
    std::string user = static_cast<size_t>(last) < runs.size()
                           ? llvm::formatv("{0} needs it at run {1}",
                                           describe(graph, runs[last]), last)
                                 .str()
                           : "it must be live at the end of the step";
    return violation(isStepsOwn ? "inplace_c3" : "inplace_c4",
                     "{0} may not overwrite {1} at run {2}: {3}",
                     name(pair.output), name(pair.input), run, user);
  }

  llvm::Error verifyOutput(int32_t run, const InPlacePair &pair) const {
    if (graph[pair.output].viewOf ||
        rangeAt(pair.output, run, /*made=*/true)->discarded)
      return violation("inplace_c5",
                       "{0} at run {1} is {2}, so that it takes no storage "
                       "over",
                       name(pair.output), run,
                       graph[pair.output].viewOf ? "a view" : "discarded");
    return llvm::Error::success();
  }

  llvm::Error verifyOperands(int32_t run, const InPlacePair &pair) const {
    const Node &node = graph[runs[run]];
    TensorId base = index.base(pair.input);
    for (TensorId output : node.outputs)
      if (index.base(output) == base)
        return violation("inplace_c3",
                         "{0} may not overwrite {1} at run {2}, which makes "
                         "the view {3} of it",
                         name(pair.output), name(pair.input), run,
                         name(output));
    int operands = 0;
    for (TensorId input : node.inputs)
      operands += index.base(input) == base;
    for (TensorId written : node.writes)
      operands += index.base(written) == base;
    if (operands == 1)
      return llvm::Error::success();
    return violation("inplace_c6",
                     "{0} may not overwrite {1} at run {2}: {3} has {4} "
                     "operands in that storage",
                     name(pair.output), name(pair.input), run,
                     describe(graph, runs[run]), operands);
  }

  const GraphIndex &index;
  const Graph &graph;
  const std::vector<NodeId> &runs;
  std::vector<LiveRange> liveRanges;
  std::vector<std::vector<const LiveRange *>> rangesOf; ///< By base.
};
} // namespace

llvm::Error InPlaceProblem::verify(const InPlaceChoice &choice) const {
  if (choice.size() != schedule->runs.size())
    return violation("inplace_c1", "in-place pairs of {0} runs for {1} runs",
                     choice.size(), schedule->runs.size());
  Verifier verifier(*this, choice);
  for (size_t run = 0; run < choice.size(); ++run)
    if (llvm::Error error =
            verifier.verifyRun(static_cast<int32_t>(run), choice[run]))
      return error;
  return llvm::Error::success();
}

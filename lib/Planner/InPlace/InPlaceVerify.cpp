//===- InPlaceVerify.cpp - What in-place pairs must be --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on lists of which runs touch which storage, not on live ranges, so that
// it shares nothing with chooseInPlace().
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class Verifier {
public:
  explicit Verifier(const InPlaceProblem &problem)
      : index(*problem.index), graph(problem.index->graph()),
        runs(problem.schedule->runs), touches(graph.tensors.size()),
        makes(graph.tensors.size()) {
    for (size_t run = 0; run < runs.size(); ++run) {
      auto at = static_cast<int32_t>(run);
      const Node &node = graph[runs[run]];
      for (TensorId output : node.outputs)
        if (index.base(output) == output)
          makes[output.index].push_back(at);
        else if (index.producer(index.base(output)) != runs[run])
          touches[index.base(output).index].push_back(at);
      for (TensorId input : node.inputs)
        touches[index.base(input).index].push_back(at);
      for (TensorId written : node.writes)
        touches[index.base(written).index].push_back(at);
    }
  }

  llvm::Error verifyRun(int32_t run,
                        const std::vector<InPlacePair> &pairs) const {
    const Node &node = graph[runs[run]];
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (!llvm::is_contained(node.inPlace, pairs[i]))
        return violation("inplace_c1", "{0} does not offer {1} in place on {2}",
                         describe(graph, runs[run]), name(pairs[i].output),
                         name(pairs[i].input));
      if (llvm::Error error = verifyBytes(run, pairs[i]))
        return error;
      if (llvm::Error error = verifyEnd(run, pairs[i]))
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

  llvm::Error verifyBytes(int32_t run, const InPlacePair &pair) const {
    int64_t outputBytes = graph[pair.output].bytes;
    int64_t storageBytes = graph[index.base(pair.input)].bytes;
    if (outputBytes == storageBytes)
      return llvm::Error::success();
    return violation("inplace_c2",
                     "{0} ({1} bytes) does not fit the storage of {2} ({3} "
                     "bytes) at run {4}",
                     name(pair.output), outputBytes, name(pair.input),
                     storageBytes, run);
  }

  /// First run after `run` in the list, or none.
  static std::optional<int32_t> firstAfter(const std::vector<int32_t> &list,
                                           int32_t run) {
    auto after = llvm::upper_bound(list, run);
    return after == list.end() ? std::nullopt : std::optional(*after);
  }

  /// Does anybody need the value that `base` has after `run`?
  std::optional<int32_t> neededAt(TensorId base, int32_t run) const {
    std::optional<int32_t> touch = firstAfter(touches[base.index], run);
    std::optional<int32_t> make = firstAfter(makes[base.index], run);
    // A run that touches and makes the same base touches what was there before.
    if (touch && (!make || *touch <= *make))
      return touch;
    if (!make)
      for (TensorId member : index.aliasSet(base))
        if (index.staysToTheEnd(member))
          return static_cast<int32_t>(runs.size());
    return std::nullopt;
  }

  llvm::Error verifyEnd(int32_t run, const InPlacePair &pair) const {
    TensorId base = index.base(pair.input);
    const Tensor &tensor = graph[base];
    bool isStepsOwn = index.producer(base).has_value();
    if (tensor.kind == TensorKind::Output ||
        (!isStepsOwn && !(tensor.kind == TensorKind::Input && tensor.donated)))
      return violation("inplace_c4",
                       "{0} may not overwrite {1} at run {2}: the storage is "
                       "{3}",
                       name(pair.output), name(pair.input), run,
                       isStepsOwn ? "an output of the step"
                                  : "the caller's and not donated");
    std::optional<int32_t> needed = neededAt(base, run);
    if (!needed)
      return llvm::Error::success();
    std::string reader =
        static_cast<size_t>(*needed) < runs.size()
            ? llvm::formatv("{0} needs it at run {1}",
                            describe(graph, runs[*needed]), *needed)
                  .str()
            : "it must be there at the end of the step";
    return violation(isStepsOwn ? "inplace_c3" : "inplace_c4",
                     "{0} may not overwrite {1} at run {2}: {3}",
                     name(pair.output), name(pair.input), run, reader);
  }

  llvm::Error verifyOutput(int32_t run, const InPlacePair &pair) const {
    if (graph[pair.output].viewOf ||
        (makes[pair.output.index].front() < run && !neededAt(pair.output, run)))
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
  /// By base: runs that read or write its alias set or make views of it.
  std::vector<std::vector<int32_t>> touches;
  std::vector<std::vector<int32_t>> makes; ///< By base: runs that make it.
};
} // namespace

llvm::Error InPlaceProblem::verify(const InPlaceChoice &choice) const {
  if (choice.size() != schedule->runs.size())
    return violation("inplace_c1", "in-place pairs of {0} runs for {1} runs",
                     choice.size(), schedule->runs.size());
  Verifier verifier(*this);
  for (size_t run = 0; run < choice.size(); ++run)
    if (llvm::Error error =
            verifier.verifyRun(static_cast<int32_t>(run), choice[run]))
      return error;
  return llvm::Error::success();
}

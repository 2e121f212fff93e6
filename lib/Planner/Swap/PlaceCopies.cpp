//===- PlaceCopies.cpp - From a rewriting to actions ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceCopies.h"
#include "CopyQueue.h"
#include "Stays.h"
#include "memplan/Plan/BuildActions.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
/// Walks the runs and puts in between what copies ask for.
class CopyWriter {
public:
  CopyWriter(const RunGraph &graph, std::vector<CopiedValue> copied);
  std::vector<PlanAction> write();

private:
  void beforeRun(int32_t run, const PlanAction &action);
  void run(int32_t run, PlanAction action);
  void afterRun(int32_t run);
  void free(PlanAction action);
  /// A copied base is made or given back: so are its views.
  void forgetViews(TensorId base);
  void forgetFreed();
  /// Makes views of copied bases again that the node needs and that are
  /// invalid.
  void makeViews(NodeId node);
  void makeView(TensorId view);
  /// Which views of copied bases a run need not make.
  std::vector<TensorId> findDiscards(const PlanAction &action) const;
  int64_t bytesMade(const PlanAction &action, bool isScratchToo) const;
  TensorId tensorOf(const CopiedValue &copied) const {
    return graph.values[copied.value].tensor;
  }

  const RunGraph &graph;
  const GraphIndex &index;
  const Graph &owner;
  std::vector<CopiedValue> values;
  std::vector<bool> isCopied; ///< By base.
  /// By run: copied values that it makes; stays, as (value, which), that are
  /// issued after it, wait before it, or end with it.
  std::vector<std::vector<size_t>> made;
  std::vector<std::vector<std::pair<size_t, size_t>>> issued, awaited, ended;
  std::vector<bool> hasLeft;    ///< By copied value: the host had room.
  std::vector<bool> isReadable; ///< By view of a copied base.
  CopyQueue queue;
};
} // namespace

CopyWriter::CopyWriter(const RunGraph &graph, std::vector<CopiedValue> copied)
    : graph(graph), index(*graph.problem.index), owner(index.graph()),
      values(std::move(copied)), isCopied(owner.tensors.size()),
      made(graph.numRuns()), issued(graph.numRuns()), awaited(graph.numRuns()),
      ended(graph.numRuns()), hasLeft(values.size()),
      isReadable(owner.tensors.size()), queue(graph.problem) {
  for (size_t i = 0; i < values.size(); ++i) {
    isCopied[tensorOf(values[i]).index] = true;
    made[graph.values[values[i].value].producer].push_back(i);
    for (size_t s = 0; s < values[i].stays.size(); ++s) {
      const Stay &stay = values[i].stays[s];
      issued[stay.issueAfter].push_back({i, s});
      awaited[stay.first].push_back({i, s});
      // The last one ends as the schedule has it.
      if (s + 1 < values[i].stays.size())
        ended[stay.last].push_back({i, s});
    }
  }
}

void CopyWriter::forgetViews(TensorId base) {
  if (isCopied[base.index])
    for (TensorId alias : index.aliasSet(base))
      isReadable[alias.index] = false;
}

void CopyWriter::forgetFreed() {
  for (TensorId base : queue.takeFreed())
    forgetViews(base);
}

void CopyWriter::makeView(TensorId view) {
  const TensorId base = index.base(view);
  if (view == base || !isCopied[base.index] || isReadable[view.index])
    return;
  const NodeId producer = *index.producer(view);
  makeViews(producer);
  PlanAction again = PlanAction::compute(producer);
  again.discard = findDiscards(again);
  for (TensorId output : owner[producer].outputs)
    isReadable[output.index] = true;
  queue.compute(std::move(again), 0);
}

void CopyWriter::makeViews(NodeId node) {
  for (TensorId input : owner[node].inputs)
    makeView(input);
  for (TensorId output : owner[node].outputs)
    if (std::optional<TensorId> parent = owner[output].viewOf;
        parent && index.producer(*parent) != node)
      makeView(*parent);
}

std::vector<TensorId> CopyWriter::findDiscards(const PlanAction &action) const {
  std::vector<TensorId> discards;
  for (TensorId discard : action.discard)
    if (!isCopied[index.base(discard).index] || index.base(discard) == discard)
      discards.push_back(discard);
  for (TensorId output : owner[action.node].outputs)
    if (isCopied[index.base(output).index] && index.base(output) != output &&
        isReadable[output.index])
      discards.push_back(output);
  llvm::sort(discards);
  return discards;
}

/// Bytes of new storages, and of scratch if asked for.
int64_t CopyWriter::bytesMade(const PlanAction &action,
                              bool isScratchToo) const {
  const Node &node = owner[action.node];
  int64_t bytes =
      isScratchToo ? node.variant(action.variant).workspaceBytes : 0;
  for (TensorId output : node.outputs) {
    if (owner[output].viewOf ||
        llvm::any_of(action.inPlace, [&](const InPlacePair &pair) {
          return pair.output == output;
        }))
      continue;
    if (isScratchToo || !llvm::is_contained(action.discard, output))
      bytes += owner[output].bytes;
  }
  return bytes;
}

void CopyWriter::beforeRun(int32_t run, const PlanAction &action) {
  for (auto [value, stay] : awaited[run]) {
    if (!hasLeft[value])
      continue;
    queue.waitForFetch(tensorOf(values[value]));
    if (stay + 1 == values[value].stays.size())
      queue.dropHost(tensorOf(values[value]));
  }
  queue.giveBackWhatIsOver(run - 1);
  queue.makeRoom(bytesMade(action, true), run - 1);
  forgetFreed();
  makeViews(action.node);
}

void CopyWriter::run(int32_t run, PlanAction action) {
  beforeRun(run, action);
  action.discard = findDiscards(action);
  const int64_t bytes = bytesMade(action, false);
  for (TensorId output : owner[action.node].outputs) {
    const TensorId base = index.base(output);
    if (base != output && isCopied[base.index])
      isReadable[output.index] = true;
    if (base == output && !llvm::is_contained(action.discard, output))
      queue.hold(output, owner[output].bytes);
  }
  for (const InPlacePair &pair : action.inPlace) {
    const TensorId under = index.base(pair.input);
    queue.hold(pair.output, queue.bytesOf(under));
    queue.hold(under, 0);
    forgetViews(under);
  }
  queue.compute(std::move(action), bytes);
}

void CopyWriter::free(PlanAction action) {
  for (TensorId tensor : action.tensors)
    queue.free(index.base(tensor));
  queue.actions.push_back(std::move(action));
}

void CopyWriter::afterRun(int32_t run) {
  for (auto [value, stay] : ended[run])
    if (hasLeft[value])
      free(PlanAction::free({tensorOf(values[value])}));
  for (size_t value : made[run])
    hasLeft[value] =
        queue.evict(tensorOf(values[value]), values[value].lastBefore);
  queue.giveBackWhatIsOver(run);
  for (auto [value, stay] : issued[run]) {
    if (!hasLeft[value])
      continue;
    queue.makeRoom(owner[tensorOf(values[value])].bytes, run);
    queue.fetch(tensorOf(values[value]));
  }
  forgetFreed();
}

std::vector<PlanAction> CopyWriter::write() {
  const SwapProblem &problem = graph.problem;
  std::vector<PlanAction> plain = buildActions(
      index, *problem.schedule,
      problem.inPlace ? *problem.inPlace : InPlaceChoice(), graph.liveRanges);
  int32_t next = 0;
  for (size_t i = 0; i < plain.size(); ++i) {
    if (plain[i].action == ActionKind::Free) {
      free(std::move(plain[i]));
      continue;
    }
    run(next++, std::move(plain[i]));
    // What the schedule frees after a run goes before copies are issued.
    if (i + 1 < plain.size() && plain[i + 1].action == ActionKind::Free)
      free(std::move(plain[++i]));
    afterRun(next - 1);
  }
  return std::move(queue.actions);
}

std::vector<PlanAction> memplan::placeCopies(const RunGraph &graph,
                                             const Rewriting &rewriting) {
  return CopyWriter(graph, findStays(graph, rewriting)).write();
}

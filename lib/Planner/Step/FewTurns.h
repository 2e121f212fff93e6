//===- FewTurns.h - Many equal turns, planned as one ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Micro-batches are turns that are alike, node by node. One of them stands for
// all: a step without the others is planned and packed, and each turn of the
// whole step then runs like that one, at the same offsets. So a walk over
// budgets takes the time of a step of few turns.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_FEWTURNS_H
#define MEMPLAN_LIB_PLANNER_STEP_FEWTURNS_H

#include "ParetoFront.h"
#include "PlanningContext.h"
#include <memory>

namespace memplan {

/// A step of which one turn is left, and what lies before and behind the turns.
/// That turn costs as much as all of them, so that a plan costs what it does
/// once it is written out. Tensors of the caller stay, whether or not a node
/// still reads them: plans of both steps have the same bytes beside the arena.
class FewTurns {
public:
  /// Null where no turns repeat, where a turn makes what is read later than in
  /// the next one, where turns share what each of them could recompute, and
  /// where `whole` is not of a single stream. The index is kept by reference.
  static std::unique_ptr<FewTurns> find(const GraphIndex &whole, bool inPlace);

  const GraphIndex &index() const { return *part; }
  int32_t turns() const { return numTurns; }
  /// A plan of `index()` for the whole step, of the same cost. It has the same
  /// arena, or another one within the budget where turns that follow each other
  /// need other offsets. Empty where they do not run like one after what lies
  /// before them. `context` is of the whole step.
  llvm::Expected<std::optional<PackedPlan>> writeOut(const StepContext &context,
                                                     const PackedPlan &plan,
                                                     int64_t budgetBytes) const;
  /// The same, added to a front; false where there is none.
  llvm::Expected<bool> addTo(ParetoFront &front, const StepContext &context,
                             const PackedPlan &plan, int64_t budgetBytes) const;

private:
  explicit FewTurns(const GraphIndex &whole) : whole(whole) {}
  bool findTurns(bool inPlace);
  bool isLike(int32_t node) const;
  bool isLikeTensor(TensorId tensor, TensorId other) const;
  bool isLikeView(TensorId tensor, TensorId other) const;
  bool isKeptInTurns() const;
  bool sharesRecomputable() const;
  int32_t turnOf(int32_t node) const {
    return node < begin || node >= end() ? -1 : (node - begin) / period;
  }
  int32_t end() const { return begin + numTurns * period; }
  int32_t partNode(int32_t node) const;
  void makePart();
  TensorId partTensor(TensorId tensor) const { return partOf[tensor.index]; }
  NodeId wholeNode(NodeId node, int32_t turn) const;
  std::vector<InPlacePair> wholePairs(NodeId node,
                                      const std::vector<InPlacePair> &pairs,
                                      int32_t turn) const;

  /// The runs of a plan of the part that are of its turn: [begin, end).
  struct Segments {
    int32_t begin, end;

    /// The run of the part that a run of the whole step is like.
    int32_t partRun(int32_t run, int32_t turns) const {
      const int32_t length = end - begin, behind = run - begin;
      if (behind < 0)
        return run;
      return behind < turns * length ? begin + behind % length
                                     : run - (turns - 1) * length;
    }
  };
  Segments segmentsOf(llvm::ArrayRef<NodeId> runs) const;
  std::optional<RematPlan> writeRuns(const RematPlan &from,
                                     Segments segments) const;
  std::vector<int64_t> offsetsOf(const PackedPlan &plan, Segments segments,
                                 llvm::ArrayRef<PlanAction> actions,
                                 const StepBuffers &buffers) const;

  const GraphIndex &whole;
  /// First node of the turns, nodes of each, and how many.
  int32_t begin = 0, period = 0, numTurns = 0;
  Graph graph; ///< The part.
  std::unique_ptr<const GraphIndex> part;
  std::vector<TensorId> partOf;   ///< By tensor of the whole step.
  std::vector<TensorId> original; ///< By tensor of the part.
  std::vector<bool> isView;       ///< By node of the part: it only makes views.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_FEWTURNS_H

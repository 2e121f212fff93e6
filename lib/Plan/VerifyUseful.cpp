//===- VerifyUseful.cpp - Whether a plan runs nothing in vain -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Claims.h"
#include "memplan/Support/Violation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

namespace {
/// What has become of the latest run of each node, step by step.
class LatestRuns {
public:
  LatestRuns(const GraphIndex &index, FirstRuns firstRuns)
      : index(index), firstRuns(firstRuns), states(index.graph().nodes.size()) {
  }

  Error perform(const PlanAction &step);
  Error finish() const;

private:
  struct State {
    int32_t runs = 0;
    int32_t firsts = 0;  ///< Nodes that had run after its latest run.
    bool isUsed = false; ///< Whether the value of the latest run is used.
  };

  /// Marks as used what made the tensor and, of a view, its bytes.
  void use(TensorId tensor) {
    for (TensorId used : {tensor, index.base(tensor)})
      if (std::optional<NodeId> producer = index.producer(used))
        states[producer->index].isUsed = true;
  }
  /// Whether runs of the node are for the bytes that they make.
  bool makesBytes(NodeId node) const {
    return !index.madeBases(node).empty() && index.graph()[node].writes.empty();
  }
  Error refuse(NodeId node, const char *until) const {
    return violation("plan_c20",
                     "{0} runs in vain: nothing that it makes is read or "
                     "copied out before {1}",
                     describe(index.graph(), node), until);
  }

  const GraphIndex &index;
  FirstRuns firstRuns;
  std::vector<State> states; ///< By node.
  int32_t firsts = 0;        ///< Nodes that have run, and keep an order.
};
} // namespace

Error LatestRuns::perform(const PlanAction &step) {
  if (step.action == ActionKind::Evict)
    use(step.tensors.front());
  if (step.action != ActionKind::Compute)
    return Error::success();
  for (TensorId base : index.usedBases(step.node))
    use(base);
  for (TensorId input : index.graph()[step.node].inputs)
    use(input);
  State &state = states[step.node.index];
  // In source order the node would come behind those that ran since.
  const bool isForOrder = firstRuns == FirstRuns::SourceOrder &&
                          state.runs == 1 && firsts > state.firsts;
  if (state.runs > 0 && !state.isUsed && !isForOrder && makesBytes(step.node))
    return refuse(step.node, "it runs again");
  firsts += state.runs == 0 &&
            !onlyMakesViews(index.graph(), index.graph()[step.node]);
  ++state.runs;
  state.firsts = firsts;
  state.isUsed = false;
  return Error::success();
}

Error LatestRuns::finish() const {
  for (size_t n = 0; n < states.size(); ++n) {
    const NodeId node(n);
    if (states[n].runs > 1 && !states[n].isUsed && makesBytes(node) &&
        llvm::none_of(index.graph()[node].outputs, [&](TensorId output) {
          return index.staysToTheEnd(output) ||
                 index.isKept(index.base(output));
        }))
      return refuse(node, "the end");
  }
  return Error::success();
}

Error verifyUseful(const GraphIndex &index, const Plan &plan,
                   FirstRuns firstRuns) {
  LatestRuns latest(index, firstRuns);
  for (const PlanAction &step : plan.steps)
    if (Error error = latest.perform(step))
      return error;
  return latest.finish();
}

} // namespace memplan

//===- VerifyBatches.cpp - A plan for every batch of a range --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two breakpoints bytes, offsets and arenas are affine in the batch,
// and the steps are the same. Whatever is an inequality of such values - an
// output fits the storage that it lies in, a storage ends within its arena or
// below another - holds between them where it holds at both. Which storages may
// share bytes depends on the steps alone.
//
//===----------------------------------------------------------------------===//

#include "VerifyBatches.h"
#include "Placements.h"
#include "memplan/Plan/BatchPlan.h"
#include "memplan/Plan/PlanVerifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

template <typename... Values>
static Error wrong(const char *format, Values &&...values) {
  return violation("plan_c21", (std::string("batches: ") + format).c_str(),
                   std::forward<Values>(values)...);
}

static Error checkBytes(const BatchRange &range, const std::string &what,
                        BatchBytes bytes) {
  const int64_t samples = range.most() - range.least();
  if (bytes.perSample < 0 || bytes.most < 0 ||
      (samples > 0 && bytes.perSample > bytes.most / samples))
    return wrong("{0} takes {1} bytes at batch {2} and {3} for each sample, so "
                 "that less than nothing is left at batch {4}",
                 what, bytes.most, range.most(), bytes.perSample,
                 range.least());
  return Error::success();
}

static Error checkSizes(const Graph &graph, const Plan &plan) {
  const BatchRange &range = *plan.batches;
  if (range.bytesPerSample.size() != graph.tensors.size() ||
      range.scratch.size() != graph.nodes.size())
    return wrong("the plan has {0} tensors and {1} nodes, the graph {2} and "
                 "{3}",
                 range.bytesPerSample.size(), range.scratch.size(),
                 graph.tensors.size(), graph.nodes.size());
  if (range.stepHash != hashStep(graph, range, range.most()))
    return wrong("the graph is not the step at batch {0}", range.most());
  for (size_t i = 0; i < graph.tensors.size(); ++i)
    if (Error error =
            checkBytes(range, describe(graph, TensorId(i)),
                       {graph.tensors[i].viewOf ? 0 : graph.tensors[i].bytes,
                        range.bytesPerSample[i]}))
      return error;
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (Error error =
            checkBytes(range, "the scratch of " + describe(graph, NodeId(n)),
                       range.scratch[n]))
      return error;
  return Error::success();
}

/// Values at the breakpoints, which do not fall. The last one is that of the
/// plan.
static Error checkValues(const BatchRange &range, const std::string &what,
                         ArrayRef<int64_t> values, int64_t last) {
  if (values.size() != range.breakpoints.size() || values.back() != last ||
      values.front() < 0 || !llvm::is_sorted(values))
    return wrong("{0} has no value that rises to {1} for each of {2} "
                 "breakpoints",
                 what, last, range.breakpoints.size());
  return Error::success();
}

static Error checkOffsets(const BatchRange &range, const PlanArena &arena) {
  if (Error error = checkValues(range, "the " + arena.space + " arena",
                                arena.bytesAt, arena.bytes))
    return error;
  if (arena.offsetsAt.size() != arena.placements.size())
    return wrong("{0} placements, but offsets for {1} of them",
                 arena.placements.size(), arena.offsetsAt.size());
  for (size_t i = 0; i < arena.placements.size(); ++i) {
    const Placement &placement = arena.placements[i];
    const std::vector<int64_t> &offsets = arena.offsetsAt[i];
    if (Error error = checkValues(
            range, "a placement at step " + std::to_string(placement.stepBegin),
            offsets, placement.offset))
      return error;
    for (size_t b = 1; b < offsets.size(); ++b) {
      const int64_t samples = range.breakpoints[b] - range.breakpoints[b - 1],
                    moved = offsets[b] - offsets[b - 1];
      if (arena.alignment > 0 &&
          (moved % samples != 0 || moved / samples % arena.alignment != 0))
        return wrong("a placement at step {0} moves from {1} to {2} between "
                     "batches {3} and {4}, which is no multiple of the "
                     "alignment {5} for each sample",
                     placement.stepBegin, offsets[b - 1], offsets[b],
                     range.breakpoints[b - 1], range.breakpoints[b],
                     arena.alignment);
    }
  }
  return Error::success();
}

/// At one batch, by the bytes that the plan has for it.
static Error verifyAt(const Graph &graph, const Plan &plan, int64_t batch) {
  const GraphIndex index(graph);
  Expected<Plan> at = planAtBatch(index, plan, batch);
  if (!at)
    return violation("plan_c21", at.takeError());
  return verifyPlan(index, *at);
}

Error verifyBatches(const GraphIndex &index, const Plan &plan,
                    std::optional<int64_t> limit, FirstRuns firstRuns) {
  const Graph &graph = index.graph();
  const BatchRange &range = *plan.batches;
  if (range.breakpoints.empty() || range.least() < 1)
    return wrong("there are none, or they begin below 1");
  for (size_t b = 1; b < range.breakpoints.size(); ++b)
    if (range.breakpoints[b - 1] >= range.breakpoints[b])
      return wrong("breakpoint {0} comes after {1}", range.breakpoints[b],
                   range.breakpoints[b - 1]);
  if (Error error = checkSizes(graph, plan))
    return error;
  for (const PlanArena &arena : plan.arenas)
    if (Error error = checkOffsets(range, arena))
      return error;
  // Its scratch is that of the range, which may be more.
  const Graph most = graphAtBatch(graph, range, range.most());
  const GraphIndex mostIndex(most);
  Plan atMost = plan;
  atMost.batches.reset();
  if (Error error = verifyPlan(mostIndex, atMost, limit, firstRuns))
    return error;
  for (int64_t batch : ArrayRef(range.breakpoints).drop_back())
    if (Error error = verifyAt(graphAtBatch(graph, range, batch), plan, batch))
      return error;
  ReplayMachine machine(mostIndex, plan.hosted());
  for (const PlanAction &step : plan.steps)
    if (Error error = machine.execute(step))
      return error;
  if (Error error = machine.finish())
    return error;
  return verifySameOrder(mostIndex, plan, machine);
}

} // namespace memplan

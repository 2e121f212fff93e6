//===- OneVariant.cpp - All runs of a node in one variant -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneVariant.h"
#include "memplan/Plan/UsefulActions.h"
#include <tuple>

using namespace memplan;

namespace {
/// The variant that all runs of a node take; -1 before its first run.
class Chosen {
public:
  explicit Chosen(const Graph &graph)
      : graph(graph), variants(graph.nodes.size(), -1) {}

  void add(NodeId node, int32_t variant) {
    auto rank = [&](int32_t number) {
      const NodeVariant one = graph[node].variant(number);
      return std::tuple(one.workspaceBytes, one.cost, number);
    };
    int32_t &chosen = variants[size_t(node.index)];
    if (chosen < 0 || rank(variant) < rank(chosen))
      chosen = variant;
  }
  int32_t of(NodeId node) const { return variants[size_t(node.index)]; }

private:
  const Graph &graph;
  std::vector<int32_t> variants;
};
} // namespace

void memplan::takeOneVariant(const GraphIndex &index, RematPlan &plan) {
  Schedule &schedule = plan.schedule;
  if (schedule.variants.empty())
    return;
  Chosen chosen(index.graph());
  for (size_t run = 0; run < schedule.runs.size(); ++run)
    chosen.add(schedule.runs[run], schedule.variants[run]);
  bool changes = false;
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    const int32_t variant = chosen.of(schedule.runs[run]);
    changes |= variant != schedule.variants[run];
    schedule.variants[run] = variant;
  }
  if (!changes)
    return;
  const ScheduleMetrics metrics =
      measureSchedule(index, schedule, plan.inPlace);
  plan.cost = metrics.cost;
  plan.peakBytes = metrics.peakBytes;
  if (plan.report.status == SolveStatus::Optimal && plan.report.bound &&
      !isOptimalBound(*plan.report.bound, plan.cost))
    plan.report.status = SolveStatus::Feasible;
}

std::vector<PlanAction>
memplan::usefulInOneVariant(const StepContext &context,
                            std::vector<PlanAction> actions) {
  actions = leaveOutActionsInVain(context.index, std::move(actions),
                                  keepsSourceOrder(context.solvers));
  Chosen chosen(context.index.graph());
  for (const PlanAction &action : actions)
    if (action.action == ActionKind::Compute)
      chosen.add(action.node, action.variant);
  for (PlanAction &action : actions)
    if (action.action == ActionKind::Compute)
      action.variant = chosen.of(action.node);
  return actions;
}

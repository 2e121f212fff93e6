//===- ReplayTrace.cpp - From what ran to a plan --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/ReplayTrace.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/PackActions.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class TraceReplayer {
public:
  TraceReplayer(const GraphIndex &index, const PlanOptions &options,
                const ArenaSolver &solver)
      : index(index), options(options), solver(solver) {}

  llvm::Expected<ReplayedTrace> replay(const Trace &trace);

private:
  llvm::Expected<Plan> pack(std::vector<PlanAction> actions,
                            const char *name) const;
  llvm::Expected<Plan> improve(const Plan &packed) const;
  bool isWithin(const Plan &plan, int64_t bytes) const {
    return deviceBytesOf(index.graph(), plan) <= bytes;
  }

  const GraphIndex &index;
  PlanOptions options; ///< With a budget, once the trace is packed.
  const ArenaSolver &solver;
};
} // namespace

llvm::Expected<Plan> TraceReplayer::pack(std::vector<PlanAction> actions,
                                         const char *name) const {
  llvm::Expected<PackedActions> packed =
      packActions(index, std::move(actions), solver, options.alignmentBytes,
                  options.limits);
  if (!packed)
    return packed.takeError();
  Plan plan = std::move(packed->plan);
  plan.graphHash = hashGraph(index.graph());
  plan.solver = name;
  boundByRunOnce(index.graph(), plan);
  return plan;
}

llvm::Expected<Plan> TraceReplayer::improve(const Plan &packed) const {
  // Copies hide behind what runs beside them; leaving out runs may not be a
  // gain there.
  Schedule schedule;
  for (const PlanAction &action : packed.steps) {
    const bool isPlain = action.action == ActionKind::Compute ||
                         action.action == ActionKind::Free;
    if (!isPlain || action.stream != 0)
      return packed;
    if (action.action == ActionKind::Compute)
      schedule.runs.push_back(action.node);
  }
  // What packing needs beside live bytes is found by trying.
  int64_t limit = *options.budgetBytes;
  for (int round = 0; round < 4; ++round) {
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = options.inPlace;
    const RematPlan improved =
        measurePlan(problem, improveRuns(index, schedule, options.inPlace,
                                         limit, options.limits.effort));
    llvm::Expected<Plan> plan =
        pack(buildActions(index, improved.schedule, improved.inPlace),
             "improved trace");
    if (!plan)
      return plan;
    const int64_t excess =
        deviceBytesOf(index.graph(), *plan) - *options.budgetBytes;
    if (excess <= 0 && plan->cost <= packed.cost)
      return plan;
    limit -= std::max<int64_t>(excess, 1);
  }
  return packed;
}

llvm::Expected<ReplayedTrace> TraceReplayer::replay(const Trace &trace) {
  llvm::Expected<std::vector<PlanAction>> actions = toActions(index, trace);
  if (!actions)
    return actions.takeError();
  ReplayedTrace replayed;
  llvm::Expected<Plan> packed = pack(std::move(*actions), "trace");
  if (!packed)
    return packed.takeError();
  replayed.packed = std::move(*packed);
  resolveBudget(index, options);
  if (!options.budgetBytes)
    options.budgetBytes = deviceBytesOf(index.graph(), replayed.packed);
  llvm::Expected<Plan> improved = improve(replayed.packed);
  if (!improved)
    return improved.takeError();
  replayed.improved = std::move(*improved);
  llvm::Expected<Plan> planned = planStep(index.graph(), options);
  if (!planned)
    return planned.takeError();
  const bool isGain =
      !planned->steps.empty() &&
      (planned->cost < replayed.improved.cost ||
       !isWithin(replayed.improved, *options.budgetBytes) ||
       (planned->cost == replayed.improved.cost &&
        isWithin(*planned, deviceBytesOf(index.graph(), replayed.improved))));
  replayed.planned = isGain ? std::move(*planned) : replayed.improved;
  return replayed;
}

llvm::Expected<ReplayedTrace> memplan::replayTrace(const Graph &graph,
                                                   const Trace &trace,
                                                   const PlanOptions &options) {
  if (llvm::Error error = graph.check())
    return std::move(error);
  llvm::Expected<const ArenaSolver *> solver =
      lookUpSolver("arena", arenaSolvers(), options.arena);
  if (!solver)
    return solver.takeError();
  const GraphIndex index(graph);
  return TraceReplayer(index, options, **solver).replay(trace);
}

//===- ReplayTrace.cpp - From what ran to a plan --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/ReplayTrace.h"
#include "PlanningContext.h"
#include "Tuning.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/EffortSeconds.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

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
  Plan better(const Plan &plan, Plan other) const;
  void takeBound(const Plan &from, Plan &plan) const;
  llvm::Expected<Plan> searchFrom(const Plan &improved) const;
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
  llvm::Expected<PackedPlan> packed =
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

/// Runs of a plan of one stream without copies.
static std::optional<Schedule> runsOf(const Plan &plan) {
  Schedule schedule;
  for (const PlanAction &action : plan.steps) {
    const bool isPlain = action.action == ActionKind::Compute ||
                         action.action == ActionKind::Free;
    if (!isPlain || action.stream != 0)
      return std::nullopt;
    if (action.action == ActionKind::Compute)
      schedule.runs.push_back(action.node);
  }
  return schedule;
}

llvm::Expected<Plan> TraceReplayer::improve(const Plan &packed) const {
  // Copies hide behind what runs beside them; leaving out runs may not be a
  // gain there.
  const std::optional<Schedule> schedule = runsOf(packed);
  if (!schedule)
    return packed;
  // What packing needs beside live bytes is found by trying.
  int64_t limit = *options.budgetBytes;
  for (int round = 0; round < tuning::roundsOfTrace; ++round) {
    RematProblem problem;
    problem.index = &index;
    problem.inPlace = options.inPlace;
    const RematPlan improved =
        measurePlan(problem, improveRuns(index, *schedule, options.inPlace,
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

/// A search has its own first plan, which may be worse than what ran. Where
/// another solver was asked for, or there is no search, nothing is gained.
llvm::Expected<Plan> TraceReplayer::searchFrom(const Plan &improved) const {
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  const StepContext context{index, options, *solvers};
  const std::optional<Schedule> schedule = runsOf(improved);
  if (!schedule || !isSearch(*solvers->remat) ||
      solvers->swap->traits.family != SolverFamily::Baseline ||
      options.streams > 1)
    return improved;
  const auto nodes = int64_t(index.graph().nodes.size());
  const int64_t asked = options.limits.effort;
  RematProblem problem = context.problemWithin(*options.budgetBytes);
  problem.start = &*schedule;
  llvm::Expected<RematPlan> remat =
      solve(problem, solverOfSearch(context),
            context.limitsWith(
                asked > 0 ? asked
                          : std::clamp<int64_t>(tuning::movesOfNode * nodes,
                                                tuning::fewestMoves,
                                                tuning::mostMoves)));
  if (!remat)
    return remat.takeError();
  if (!hasPlan(context, *remat))
    return improved;
  llvm::Expected<PackedPlan> packed =
      context.pack(std::move(*remat), *options.budgetBytes);
  if (!packed)
    return packed.takeError();
  Plan plan = std::move(packed->plan);
  plan.graphHash = hashGraph(index.graph());
  plan.solver = "search from the trace";
  boundByRunOnce(index.graph(), plan);
  return plan;
}

/// Device bytes of the run, if the trace says: the pool's, and of what did not
/// lie in it. A pool that moves tensors together may take less than offsets.
static int64_t poolBytesOf(const Graph &graph, const Trace &trace) {
  if (!trace.highWaterBytes)
    return std::numeric_limits<int64_t>::max();
  int64_t bytes = *trace.highWaterBytes + graph.persistentBytes();
  for (const TraceTensor &tensor : trace.tensors)
    if (tensor.node < 0)
      bytes -= tensor.bytes;
  return bytes;
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
  if (llvm::Error error = resolveEffort(index, options))
    return error;
  if (!options.budgetBytes)
    options.budgetBytes =
        std::min(deviceBytesOf(index.graph(), replayed.packed),
                 poolBytesOf(index.graph(), trace));
  llvm::Expected<Plan> improved = improve(replayed.packed);
  if (!improved)
    return improved.takeError();
  replayed.improved = std::move(*improved);
  llvm::Expected<Plan> planned = planStep(index.graph(), options);
  if (!planned)
    return planned.takeError();
  replayed.planned = better(replayed.improved, *planned);
  if (replayed.planned.status != SolveStatus::Optimal) {
    llvm::Expected<Plan> searched = searchFrom(replayed.improved);
    if (!searched)
      return searched.takeError();
    replayed.planned = better(replayed.planned, std::move(*searched));
  }
  takeBound(*planned, replayed.planned);
  return replayed;
}

/// What was proved for the budget holds for every plan of that order.
void TraceReplayer::takeBound(const Plan &from, Plan &plan) const {
  if (!from.bound || !plan.bound || *from.bound <= *plan.bound ||
      !isAtMost(*from.bound, plan.cost) ||
      solverNamed(orderSolvers(), options.order).traits.family ==
          SolverFamily::Search)
    return;
  plan.bound = from.bound;
  plan.boundSpace = from.boundSpace;
  plan.proof = from.proof;
  if (isOptimalBound(*plan.bound, std::max(plan.cost, plan.makespan())))
    plan.status = SolveStatus::Optimal;
}

/// The other where it is a gain.
Plan TraceReplayer::better(const Plan &plan, Plan other) const {
  const bool isGain =
      !other.steps.empty() && isWithin(other, *options.budgetBytes) &&
      (other.cost < plan.cost || !isWithin(plan, *options.budgetBytes) ||
       (other.cost == plan.cost &&
        isWithin(other, deviceBytesOf(index.graph(), plan))));
  return isGain ? std::move(other) : plan;
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

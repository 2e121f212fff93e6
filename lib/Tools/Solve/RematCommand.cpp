//===- RematCommand.cpp - memplan-solve remat -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Files.h"
#include "Stats.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Schedule/Liveness.h"
#include "memplan/Support/ByteSize.h"

using namespace llvm;

namespace memplan {

/// Peak of the source order without recomputation and without in-place outputs:
/// what percentages refer to.
static int64_t unplannedPeakBytes(const Graph &graph) {
  Schedule source;
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    source.runs.push_back(NodeId(n));
  return measureSchedule(GraphIndex(graph), source, {}).peakBytes;
}

static Expected<std::optional<int64_t>> parseBudget(StringRef text,
                                                    const Graph &graph) {
  if (text.empty())
    return std::nullopt;
  Expected<ByteSizeOrPercentage> budget = parseByteSizeOrPercentage(text);
  if (!budget)
    return createStringError("--budget: " + toString(budget.takeError()));
  int64_t bytes = 0;
  if (const Percentage *share = std::get_if<Percentage>(&*budget))
    bytes = share->ofBytes(unplannedPeakBytes(graph));
  else
    bytes = std::get<int64_t>(*budget);
  if (bytes <= 0)
    return createStringError("--budget must be above 0 bytes");
  return bytes;
}

static Expected<PlanOptions> makePlanOptions(const SolveOptions &options,
                                             const Graph &graph) {
  PlanOptions plan;
  Expected<std::optional<int64_t>> budget = parseBudget(options.budget, graph);
  if (!budget)
    return budget.takeError();
  Expected<int64_t> alignment = parseAlignment(options.alignment);
  if (!alignment)
    return alignment.takeError();
  plan.budgetBytes = *budget;
  plan.alignmentBytes = *alignment;
  plan.remat = options.solver;
  plan.order = options.order;
  plan.sharing = options.sharing;
  plan.arena = options.arena;
  plan.inPlace = options.inPlace;
  plan.limits = makeLimits(options);
  return plan;
}

static void printOverhead(const Graph &graph, const Plan &plan) {
  double once = graph.totalCost();
  errs() << format("cost %.6g", plan.cost);
  if (once > 0)
    errs() << format(" (%+.2f%%)", 100 * (plan.cost / once - 1));
  if (plan.bound)
    errs() << format(", bound %.6g", *plan.bound) << " (" << plan.boundSpace
           << ", " << plan.proof << ")";
  errs() << ", peak " << describeByteSize(plan.peakBytes) << " of "
         << describeByteSize(unplannedPeakBytes(graph)) << " unplanned";
  for (const PlanArena &arena : plan.arenas)
    errs() << ", arena " << describeByteSize(arena.bytes);
}

static void printNoPlan(const Graph &graph, const Plan &plan) {
  if (plan.status == SolveStatus::Infeasible)
    errs() << "proved infeasible";
  else
    errs() << "no plan found, which proves nothing";
  if (plan.boundBytes)
    errs() << "; no budget below " << *plan.boundBytes << " bytes can work";
  if (plan.minimumBudgetBytes)
    errs() << "; " << *plan.minimumBudgetBytes << " bytes ("
           << describeByteSize(*plan.minimumBudgetBytes)
           << ") are known to work";
  if (plan.witnessNode) {
    errs() << "; " << describe(graph, *plan.witnessNode) << " needs";
    const char *separator = " ";
    for (TensorId tensor : plan.witnessTensors) {
      errs() << separator << describe(graph, tensor) << " ("
             << graph[tensor].bytes << " bytes)";
      separator = ", ";
    }
  }
}

static void printSummary(const Graph &graph, const Plan &plan, double seconds) {
  if (errs().is_displayed())
    errs() << "\r\x1b[K"; // Over the progress.
  errs() << (graph.name.empty() ? "graph" : graph.name) << ": "
         << statusName(plan.status) << " by " << plan.solver << ": ";
  if (exitStatusOf(plan.status) == exitPlan)
    printOverhead(graph, plan);
  else
    printNoPlan(graph, plan);
  if (plan.budgetBytes)
    errs() << ", budget " << *plan.budgetBytes << " bytes";
  errs() << format(", %.2f s\n", seconds);
  if (!plan.note.empty())
    errs() << "note: " << plan.note << '\n';
}

Expected<ExitStatus> runRemat(const SolveOptions &options) {
  Expected<Graph> graph = readGraphFile(options.inputFile);
  if (!graph)
    return graph.takeError();
  Expected<PlanOptions> planOptions = makePlanOptions(options, *graph);
  if (!planOptions)
    return planOptions.takeError();
  Stopwatch stopwatch;
  Expected<Plan> plan = planStep(*graph, *planOptions);
  if (!plan)
    return plan.takeError();
  double seconds = stopwatch.seconds();
  printSummary(*graph, *plan, seconds);
  if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
        writePlan(*graph, *plan, os);
      }))
    return std::move(error);
  if (Error error = writeStats(options.statsFile, options.solver,
                               options.threads, seconds))
    return std::move(error);
  return exitStatusOf(plan->status);
}

} // namespace memplan

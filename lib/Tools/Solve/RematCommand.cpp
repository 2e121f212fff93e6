//===- RematCommand.cpp - memplan-solve remat -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "DtrCommand.h"
#include "EmitMilp.h"
#include "Files.h"
#include "Stats.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Plan/LiveBound.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Plan/Witnesses.h"
#include "memplan/Planner/Step/PlanCurve.h"
#include "memplan/Profile/CostModel.h"
#include "memplan/Schedule/Liveness.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/JsonWriter.h"
#include "memplan/Tools/Curve.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/StopSignals.h"

using namespace llvm;

namespace memplan {

/// Peak of the source order without recomputation and without in-place outputs:
/// what percentages refer to.
static void printOverhead(const Graph &graph, const Plan &plan) {
  double once = graph.totalCost();
  errs() << format("cost %.6g", plan.cost);
  if (once > 0)
    errs() << format(" (%+.2f%%)", overheadPercent(plan.cost, once));
  if (plan.time && *plan.time != plan.cost) {
    errs() << format(", makespan %.6g", *plan.time);
    if (once > 0)
      errs() << format(" (%+.2f%%)", overheadPercent(*plan.time, once));
  }
  if (plan.bound)
    errs() << format(", bound %.6g", *plan.bound) << " (" << plan.boundSpace
           << ", " << plan.proof << ")";
  if (plan.timeBound && *plan.timeBound > 0)
    errs() << format(", time at most %.2f %% above any ",
                     100 * (plan.makespan() / *plan.timeBound - 1))
           << describeTimeSpace(plan.timeBoundSpace);
  errs() << ", peak " << describeByteSize(plan.peakBytes) << " of "
         << describeByteSize(measureUnplanned(GraphIndex(graph)).peakBytes)
         << " unplanned";
  for (const PlanArena &arena : plan.arenas) {
    errs() << (arena.space == spaceName(MemorySpace::Host) ? ", host arena "
                                                           : ", arena ")
           << describeByteSize(arena.bytes);
    if (const std::optional<double> ratio = packingRatio(arena))
      errs() << format(" (%.4f of its live bytes)", *ratio);
  }
}

/// What the summary says, for programs.
static std::string statsOf(const Plan &plan) {
  std::string text;
  raw_string_ostream os(text);
  os << ", \"status\": \"" << statusName(plan.status) << '"';
  if (exitStatusOf(plan.status) != exitPlan)
    return text;
  os << ", \"cost\": " << printNumber(plan.cost);
  if (plan.time)
    os << ", \"makespan\": " << printNumber(*plan.time);
  os << ", \"peak_bytes\": " << plan.peakBytes << ", \"arenas\": [";
  const char *separator = "";
  for (const PlanArena &arena : plan.arenas) {
    os << separator << "{\"space\": \"" << arena.space
       << "\", \"bytes\": " << arena.bytes;
    if (arena.liveBytes)
      os << ", \"live_bytes\": " << *arena.liveBytes;
    os << '}';
    separator = ", ";
  }
  os << ']';
  return text;
}

static void printNoPlan(const Graph &graph, const Plan &plan) {
  if (plan.status == SolveStatus::Infeasible)
    errs() << "proved "
           << describeStatus(statusName(plan.status), plan.boundSpace);
  else
    errs() << "no plan found, which proves nothing";
  if (plan.boundBytes)
    errs() << "; no budget below " << *plan.boundBytes << " bytes can work"
           << (plan.boundSpace == "fixed-order" ? " in source order" : "");
  if (plan.minimumBudgetBytes)
    errs() << "; " << *plan.minimumBudgetBytes << " bytes ("
           << describeByteSize(*plan.minimumBudgetBytes)
           << ") are known to work";
  if (plan.witnessNode) {
    errs() << "; " << describe(graph, *plan.witnessNode) << " needs";
    const char *separator = " ";
    Witnesses witnesses(graph, plan);
    for (TensorId tensor : witnesses.largest) {
      errs() << separator << describe(graph, tensor) << " ("
             << graph[tensor].bytes << " bytes)";
      separator = ", ";
    }
    if (witnesses.others > 0)
      errs() << " and " << witnesses.others << " smaller ones ("
             << witnesses.otherBytes << " bytes together)";
  }
}

static void printSummary(const Graph &graph, const Plan &plan, double seconds) {
  errs() << (graph.name.empty() ? "graph" : graph.name) << ": "
         << describeStatus(statusName(plan.status), plan.boundSpace) << " by "
         << plan.solver << ": ";
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

/// What Ctrl-C has led to.
static void printStop(bool hasPlan) {
  if (const char *signal = StopSignals::name())
    errs() << "note: stopped by " << signal
           << (hasPlan ? "; this is the best so far\n"
                       : " before there was a plan\n");
}

/// The options, and a line that says how far planning is.
static PlanOptions watched(PlanOptions options, ProgressLine &line) {
  options.limits.progress = progressOn(line);
  return options;
}

/// What --cost-model says.
static Error applyCosts(const PlanOptions &options, Graph &graph) {
  Expected<CostModel> model = CostModel::parse(options.costModel);
  if (!model)
    return createStringError("--cost-model: " + toString(model.takeError()));
  if (model->kind() == CostModel::Kind::AsItStands)
    return Error::success();
  if (Error error = model->apply(graph))
    return createStringError("--cost-model=" + options.costModel + ": " +
                             toString(std::move(error)));
  return Error::success();
}

/// What --pareto asks for.
static Expected<ExitStatus> runPareto(const SolveOptions &options,
                                      const Graph &graph) {
  Stopwatch stopwatch;
  Expected<std::vector<CurveAt>> curves = watchedCurves(graph, options.plan);
  if (!curves)
    return curves.takeError();
  const double seconds = stopwatch.seconds();
  if (!ProgressLine::isQuiet())
    printCurves(*curves, errs());
  printStop(hasPlans(*curves));
  Expected<std::vector<std::vector<std::string>>> files =
      writePlansOf(*curves, options.plan.paretoPlans);
  if (!files)
    return files.takeError();
  if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
        writeCurves(*curves, *files, os);
      }))
    return std::move(error);
  if (Error error = writeStats(options.statsFile, options.plan.remat, seconds))
    return std::move(error);
  return hasPlans(*curves) ? exitPlan : exitNoPlan;
}

Expected<ExitStatus> runRemat(const SolveOptions &options) {
  if (Error error = checkPareto(options.plan))
    return std::move(error);
  Expected<Graph> graph = readGraphFile(options.inputFile);
  if (!graph)
    return graph.takeError();
  if (Error error = applyCosts(options.plan, *graph))
    return std::move(error);
  applyCopyOptions(options.plan, *graph);
  const bool emitsReport = options.emit == "report-data";
  if (options.emit != "plan" && !emitsReport)
    return runEmit(options, *graph);
  if (options.plan.pareto > 0 && (emitsReport || options.report.isAnything()))
    return createStringError("--pareto makes a curve, so --emit=report-data, "
                             "--report, --perfetto and --summary cannot be "
                             "given too; `memplan report PLAN --curve=FILE` "
                             "draws a curve beside a plan");
  if (options.plan.pareto > 0)
    return runPareto(options, *graph);
  ReportFiles report = options.report;
  if (emitsReport)
    report.data = options.outputFile;
  if (Error error = report.check())
    return std::move(error);
  Expected<std::string> simulated = simulateRun(options, *graph);
  if (!simulated)
    return simulated.takeError();
  Stopwatch stopwatch;
  Expected<Plan> plan = [&] {
    ProgressLine line("planning", options.plan.limits.timeLimitSeconds);
    return planStep(*graph, watched(options.plan, line));
  }();
  if (!plan)
    return plan.takeError();
  double seconds = stopwatch.seconds();
  if (report.summary != SummaryForm::Json && !ProgressLine::isQuiet())
    printSummary(*graph, *plan, seconds);
  printStop(exitStatusOf(plan->status) == exitPlan);
  if (!emitsReport)
    if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
          writePlan(*graph, *plan, os);
        }))
      return std::move(error);
  if (report.isAnything())
    if (Error error = report.write(*graph, *plan, errs()))
      return std::move(error);
  if (Error error = writeStats(options.statsFile, options.plan.remat, seconds,
                               statsOf(*plan) + *simulated))
    return std::move(error);
  return exitStatusOf(plan->status);
}

} // namespace memplan

//===- ArenaCommand.cpp - memplan-solve arena -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferCsv.h"
#include "Commands.h"
#include "Files.h"
#include "SpaceOption.h"
#include "Stats.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Planner/Step/EffortSeconds.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/StopSignals.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace memplan {

/// By how much the packing is above the bound, which no packing is below: 0.01
/// is one percent.
static std::optional<double> gapOf(const ArenaPlan &plan) {
  const double bound = plan.report.bound.value_or(0);
  if (plan.offsets.empty() && plan.peakBytes == 0)
    return plan.report.status == SolveStatus::Optimal ? std::optional(0.0)
                                                      : std::nullopt;
  return bound > 0 ? (double(plan.peakBytes) - bound) / bound : 0.0;
}

namespace {
/// What a space takes, and what it needs at least as far as live ranges tell.
struct SpaceHeight {
  std::string name;
  int64_t heightBytes, liveBytes;
};
} // namespace

/// Height of each space; none without offsets.
static std::vector<SpaceHeight> heightsOf(const ArenaProblem &problem,
                                          const ArenaPlan &plan) {
  std::vector<SpaceHeight> result;
  if (plan.offsets.empty())
    return result;
  const std::map<std::string, int64_t> heights =
      heightsBySpace(problem, plan.offsets);
  for (const auto &[name, live] : problem.lowerBoundBySpace())
    result.push_back({name, heights.at(name), live});
  return result;
}

static void printSummary(const SolveOptions &options,
                         const ArenaProblem &problem, const ArenaPlan &plan,
                         double seconds) {
  errs() << options.inputFile << ": "
         << describeStatus(statusName(plan.report.status),
                           plan.report.boundSpace)
         << " by " << plan.report.solver << ", " << problem.buffers.size()
         << " buffers, height " << plan.peakBytes << " bytes, lower bound "
         << int64_t(plan.report.bound.value_or(0));
  if (const std::optional<double> gap = gapOf(plan))
    errs() << format(", gap %.4f %%", 100 * *gap);
  if (plan.report.proof != "exact")
    errs() << ", bound proved by " << plan.report.proof;
  if (problem.budgetBytes)
    errs() << ", capacity " << *problem.budgetBytes;
  errs() << format(", %.3f s\n", seconds);
  if (!plan.report.note.empty())
    errs() << "note: " << plan.report.note << '\n';
  const std::vector<SpaceHeight> spaces = heightsOf(problem, plan);
  if (spaces.size() < 2 && problem.spaces.empty())
    return;
  for (const SpaceHeight &space : spaces) {
    errs() << "space '" << space.name << "': height " << space.heightBytes
           << " bytes, live bytes at most " << space.liveBytes;
    if (const std::optional<int64_t> budget = problem.budgetOf(space.name))
      errs() << ", budget " << *budget;
    errs() << '\n';
  }
}

/// What the summary says, for programs.
static std::string statsOf(const ArenaProblem &problem, const ArenaPlan &plan) {
  std::string text;
  raw_string_ostream os(text);
  os << ", \"status\": \"" << statusName(plan.report.status)
     << "\", \"buffers\": " << problem.buffers.size()
     << ", \"height_bytes\": " << plan.peakBytes
     << ", \"bound_bytes\": " << int64_t(plan.report.bound.value_or(0))
     << ", \"proof\": \"" << plan.report.proof << '"';
  if (const std::optional<double> gap = gapOf(plan))
    os << ", \"gap\": " << format("%.9f", *gap);
  os << ", \"spaces\": {";
  ListSeparator comma;
  for (const SpaceHeight &space : heightsOf(problem, plan))
    os << comma << json::Value(space.name)
       << ": {\"height_bytes\": " << space.heightBytes
       << ", \"live_bytes\": " << space.liveBytes << '}';
  os << '}';
  return text;
}

Expected<ExitStatus> runArena(const SolveOptions &options) {
  if (Error error = checkEffortIsCount(options.plan))
    return error;
  Expected<const ArenaSolver *> solver =
      lookUpSolver("arena", arenaSolvers(), options.plan.arena);
  if (!solver)
    return solver.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> text = readFile(options.inputFile);
  if (!text)
    return text.takeError();
  Expected<BufferTable> table = parseBuffers((*text)->getBuffer());
  if (!table)
    return inFile(options.inputFile, table.takeError());
  Expected<ArenaProblem> made =
      makeArenaProblem(*table, options.spaces, options.plan.alignmentBytes,
                       options.capacityBytes);
  if (!made)
    return inFile(options.inputFile, made.takeError());
  const ArenaProblem &problem = *made;
  Stopwatch stopwatch;
  Expected<ArenaPlan> plan = [&] {
    ProgressLine line("packing", options.plan.limits.timeLimitSeconds);
    SolveLimits limits = options.plan.limits;
    limits.progress = progressOn(line);
    return solve(problem, **solver, limits);
  }();
  if (!plan)
    return inFile(options.inputFile, plan.takeError());
  double seconds = stopwatch.seconds();
  if (!ProgressLine::isQuiet())
    printSummary(options, problem, *plan, seconds);
  if (const char *signal = StopSignals::name())
    errs() << "note: stopped by " << signal << "; this is the best so far\n";
  ExitStatus status = exitStatusOf(plan->report.status);
  if (status == exitPlan)
    if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
          writeBuffers(*table, plan->offsets, os);
        }))
      return std::move(error);
  if (Error error = writeStats(options.statsFile, plan->report.solver, seconds,
                               statsOf(problem, *plan)))
    return std::move(error);
  return status;
}

} // namespace memplan

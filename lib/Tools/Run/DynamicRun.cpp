//===- DynamicRun.cpp - memplan-run --dynamic -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicRun.h"

#include "RunReport.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"
#include "memplan/Runtime/Dynamic/PoolWatch.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Tools/ProgressLine.h"
#include "memplan/Tools/StopSignals.h"

#include <algorithm>
#include <cstdio>
#include <memory>

using namespace memplan::runtime;

namespace memplan {

using Long = long long;

static Status fromError(const char *flag, llvm::Error error) {
  return invalid(std::string(flag) + ": " + llvm::toString(std::move(error)));
}

/// A percentage is one of the unplanned peak.
static Result<int64_t> parseBytes(const char *flag, const std::string &text,
                                  const RunOptions &options,
                                  const Device &device,
                                  const RunPrograms &programs) {
  auto budget = parseByteSizeOrPercentage(text);
  if (!budget)
    return fromError(flag, budget.takeError());
  if (const auto *bytes = std::get_if<int64_t>(&*budget))
    return *bytes;
  Result<int64_t> peak = unplannedPeakBytes(
      device, programs.unplanned ? *programs.unplanned : programs.planned,
      options.scratchLimit.value_or(INT64_MAX));
  if (!peak)
    return peak.error();
  return std::get<Percentage>(*budget).ofBytes(*peak);
}

/// What a plan counts against its budget: every byte as the plan has it, where
/// the pool rounds arguments up to its units.
static int64_t countedBytes(const Program &planned) {
  int64_t bytes = int64_t(planned.constants.size());
  for (const Argument &argument : planned.arguments)
    bytes += argument.arena >= 0 ? 0 : argument.bytes();
  for (const ArenaInfo &arena : planned.arenas)
    bytes += arena.bytes;
  return bytes;
}

/// The plan is followed where the budget holds it, and left otherwise.
static Status fitPlan(RunPrograms &programs, DynamicProgramOptions &options) {
  Result<int64_t> wanted = plannedPoolBytes(programs.planned);
  if (!wanted)
    return wanted.error();
  const int64_t budget = options.dynamic.budgetBytes;
  if (budget >= *wanted)
    return Status::success();
  const int64_t counted = countedBytes(programs.planned);
  if (budget < counted) {
    std::fprintf(stderr,
                 "memplan-run: note: the plan takes %lld bytes and the budget "
                 "has %lld: the run goes without it\n",
                 Long(counted), Long(budget));
    options.followPlan = false;
    programs.planned = *programs.unplanned;
    return Status::success();
  }
  std::fprintf(stderr,
               "memplan-run: note: the pool takes %lld bytes beyond the budget "
               "to align parameters, states and inputs\n",
               Long(*wanted - budget));
  options.dynamic.budgetBytes = *wanted;
  return Status::success();
}

static Result<DynamicProgramOptions>
programOptions(const RunOptions &options, const Device &device,
               const RunPrograms &programs) {
  DynamicProgramOptions result;
  result.followPlan = !options.dynamic.planFile.empty();
  result.dynamic = options.dynamic.options;
  result.replay = options.dynamic.replay;
  result.nodeCosts = programs.nodeCosts;
  result.scratchLimitBytes = options.scratchLimit.value_or(INT64_MAX);
  const std::string &text = options.dynamic.budget;
  Result<int64_t> budget =
      text.empty() && result.followPlan
          ? plannedPoolBytes(programs.planned)
          : parseBytes("--budget", text.empty() ? "100%" : text, options,
                       device, programs);
  if (!budget)
    return budget.error();
  result.dynamic.budgetBytes = *budget;
  if (!options.dynamic.threshold.empty()) {
    Result<int64_t> threshold = parseBytes(
        "--evict-above", options.dynamic.threshold, options, device, programs);
    if (!threshold)
      return threshold.error();
    result.dynamic.thresholdBytes = *threshold;
  }
  if (!options.dynamic.hostBudget.empty()) {
    auto host = parseByteSize(options.dynamic.hostBudget);
    if (!host)
      return fromError("--host-budget", host.takeError());
    result.dynamic.hostBytes = *host;
  }
  return result;
}

static std::string planned(const ReplayStats &replay) {
  return replay.inPlan == 0
             ? ""
             : ", " + std::to_string(replay.planned) + " of " +
                   std::to_string(replay.inPlan) + " ops as planned";
}

static void printDynamic(const DynamicExecutable &executable) {
  const DynamicStats &stats = executable.engine().stats();
  const Pool &pool = executable.engine().pool();
  std::printf("measured: pool %lld bytes, at most %lld in use, high-water mark "
              "%lld, fragmentation %.1f%%\n",
              Long(pool.capacity()), Long(pool.mostLiveBytes()),
              Long(pool.highWaterBytes()), 100 * stats.fragmentation);
  std::printf(
      "dynamic: %lld ops ran, %lld of them again (%.1f%% more time by "
      "the clock); %lld evictions, %lld copies to the host and %lld "
      "back; %lld compactions moved %lld bytes\n",
      Long(stats.computes + stats.recomputes), Long(stats.recomputes),
      stats.computeCost > 0 ? 100 * stats.recomputeCost / stats.computeCost : 0,
      Long(stats.evictions), Long(stats.copiesOut), Long(stats.copiesIn),
      Long(stats.compactions), Long(stats.movedBytes));
  if (const ReplayStats replay = executable.engine().lastReplay();
      replay.remembered > 0)
    std::printf("replay: %lld calls of the last step as in a step before it%s, "
                "%lld remembered\n",
                Long(replay.followed), planned(replay).c_str(),
                Long(replay.remembered));
}

static Status runSteps(const RunOptions &options, DynamicExecutable &executable,
                       const Feed &feed,
                       const std::function<Status(int64_t)> &afterStep) {
  if (Status s = feed.initialize(executable); !s.ok())
    return s;
  for (int64_t i = 0; i < options.steps && !StopSignals::received(); ++i) {
    const int64_t step = feed.firstStep() + i;
    Status status = feed.feedStep(executable, step);
    if (status.ok())
      status = executable.run();
    if (!status.ok())
      return {status.code,
              "step " + std::to_string(step) + ": " + status.message};
    if (Status s = afterStep(step); !s.ok())
      return s;
  }
  return Status::success();
}

static Status runCompared(const RunOptions &options, const Device &device,
                          DynamicExecutable &executable, Program unplanned,
                          const Feed &feed,
                          const std::function<Status(int64_t)> &afterStep) {
  Result<Executable> other = Executable::compile(
      device, std::move(unplanned), {options.scratchLimit.value_or(INT64_MAX)});
  if (!other)
    return {other.error().code,
            "the unplanned program: " + other.error().message};
  CompareOptions compare{options.steps, {}, afterStep, [] {
                           return StopSignals::received() != 0;
                         }};
  Result<CompareReport> report = compareRuns(executable, *other, feed, compare);
  if (!report)
    return report.error();
  std::printf("check: after each of %lld steps %lld values (%lld bytes) were "
              "the same in the unplanned run, bit for bit\n",
              Long(report->steps), Long(report->values), Long(report->bytes));
  return Status::success();
}

/// Loads the plan beside a compiled program: a compiler has applied plans
/// already.
static Status loadPlan(const RunOptions &options, RunPrograms &programs) {
  const std::string &file = options.dynamic.planFile;
  if (file.empty() || (programs.unplanned && !file.ends_with(".mpp")))
    return Status::success();
  if (!file.ends_with(".mpp"))
    return invalid(
        "--plan=" + file +
        ": expected a planned program table beside a program table, as "
        "--emit-program=FILE.mpp writes it");
  Result<Program> planned = readProgramFile(file);
  if (!planned)
    return planned.error();
  programs.unplanned = std::exchange(programs.planned, std::move(*planned));
  return Status::success();
}

Status runDynamic(const RunOptions &options, RunPrograms programs) {
  if (options.measure || !options.profileFile.empty())
    return invalid("--measure and --profile are for planned programs; a "
                   "dynamic run reports what its pool gave out");
  for (const std::string &path :
       {options.saveParams, options.dynamic.traceFile})
    if (Status s = checkWritable(path); !s.ok())
      return s;
  if (Status s = loadPlan(options, programs); !s.ok())
    return s;
  registerBuiltInBackends();
  Result<Device> device =
      Device::open(options.backend, options.device, options.threads);
  if (!device)
    return device.error();
  Result<Feed> feed = Feed::create(programs.planned, options.feed);
  if (!feed)
    return feed.error();
  Result<DynamicProgramOptions> dynamic =
      programOptions(options, *device, programs);
  if (!dynamic)
    return dynamic.error();
  if (dynamic->followPlan)
    if (Status s = fitPlan(programs, *dynamic); !s.ok())
      return s;
  Result<DynamicExecutable> executable =
      DynamicExecutable::compile(*device, programs.planned, *dynamic);
  if (!executable)
    return executable.error();
  Result<TraceRecorder> recorder = TraceRecorder::create(executable->program());
  const std::string &traceFile = options.dynamic.traceFile;
  if (!traceFile.empty()) {
    if (!recorder)
      return recorder.error();
    executable->record(&*recorder);
  }
  std::unique_ptr<PoolWatch> watch;
  if (options.poison)
    watch = std::make_unique<PoolWatch>(executable->engine());
  std::vector<StepStats> steps;
  std::optional<ProgressLine> line("step");
  auto afterStep = [&](int64_t step) {
    if (watch && !watch->status().ok())
      return watch->status();
    steps.push_back(executable->lastStep());
    line->count(int64_t(steps.size()), options.steps);
    ProgressLine::Pause pause;
    return printLosses(*executable, step);
  };
  Program other = programs.unplanned ? std::move(*programs.unplanned)
                                     : std::move(programs.planned);
  Status status = options.check
                      ? runCompared(options, *device, *executable,
                                    std::move(other), *feed, afterStep)
                      : runSteps(options, *executable, *feed, afterStep);
  line.reset();
  if (!status.ok())
    return status;
  if (watch)
    std::printf("poison: in %lld launches every input was the value that was "
                "meant, and no write met a value still alive\n",
                Long(watch->launches()));
  printDynamic(*executable);
  printSteps(steps);
  if (!traceFile.empty()) {
    const std::string text = recorder->text();
    if (Status s =
            writeFile(traceFile, std::as_bytes(std::span<const char>(text)));
        !s.ok())
      return s;
  }
  if (options.saveParams.empty())
    return Status::success();
  Result<TensorFile> state =
      collectState(*executable, feed->firstStep() + int64_t(steps.size()));
  return state ? writeSafetensors(*state, options.saveParams) : state.error();
}

} // namespace memplan

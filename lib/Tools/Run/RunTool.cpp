//===- RunTool.cpp - The body of memplan-run ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/RunTool.h"

#include "DynamicRun.h"
#include "Measurements.h"
#include "RunReport.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/Version.h"
#include "memplan/Tools/ProgressLine.h"
#include "memplan/Tools/StopSignals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace memplan::runtime;

namespace memplan {

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// Everything that may watch the planned run.
struct Watch {
  PoisonObserver poison;
  ProfileObserver profile;
  std::vector<StepObserver *> observers;

  explicit Watch(const RunOptions &options) {
    if (options.poison)
      observers.push_back(&poison);
    // Nothing stands between its clock and the launch.
    if (options.isTimed())
      observers.push_back(&profile);
  }
};
} // namespace

/// What the file of the profile holds before the run; "" without one.
static Result<std::string> earlierProfile(const std::string &path) {
  if (path.empty() || !std::filesystem::is_regular_file(path))
    return std::string();
  Result<std::vector<std::byte>> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  return std::string(reinterpret_cast<const char *>(bytes->data()),
                     bytes->size());
}

static Status untilStable(Executable &executable, ProfileObserver &profile) {
  ProgressLine line("timing until medians are stable");
  int64_t runs = 0;
  Status s = repeatUntilStable(executable, profile, [&] {
    line.say("run " + std::to_string(++runs));
    return StopSignals::received() != 0;
  });
  return s.ok() ? s : Status{s.code, "the profile: " + s.message};
}

/// Beside what the file has of steps of other shapes.
static Status writeProfile(const RunOptions &options, Executable &executable,
                           Watch &watch) {
  Result<std::string> earlier = earlierProfile(options.profileFile);
  if (!earlier)
    return earlier.error();
  const Executable *executables[] = {&executable};
  const ProfileObserver *profiles[] = {&watch.profile};
  Result<std::string> text = profileText(executables, profiles, *earlier);
  if (!text)
    return {text.error().code,
            "--profile=" + options.profileFile + ": " + text.error().message};
  return writeFile(options.profileFile,
                   std::as_bytes(std::span<const char>(*text)));
}

/// What was timed, to the files that want it.
static Status
writeTimes(const RunOptions &options, Executable &executable, Watch &watch,
           const StepUse &use,
           const std::function<Status(const std::string &)> &drawReport) {
  if (!options.isTimed())
    return Status::success();
  if (Status s = untilStable(executable, watch.profile); !s.ok())
    return s;
  if (!options.profileFile.empty())
    if (Status s = writeProfile(options, executable, watch); !s.ok())
      return s;
  if (!options.isMeasured())
    return Status::success();
  const std::string text = measurementsText(executable, watch.profile, use);
  if (!options.measurementsFile.empty())
    if (Status s = writeFile(options.measurementsFile,
                             std::as_bytes(std::span<const char>(text)));
        !s.ok())
      return s;
  return options.reportFile.empty() ? Status::success() : drawReport(text);
}

static Status runAlone(const RunOptions &options, Executable &executable,
                       const Feed &feed, const Watch &watch,
                       const std::function<Status(int64_t)> &afterStep) {
  if (Status s = feed.initialize(executable); !s.ok())
    return s;
  for (int64_t i = 0; i < options.steps && !StopSignals::received(); ++i) {
    int64_t step = feed.firstStep() + i;
    Status status = feed.feedStep(executable, step);
    if (status.ok())
      status = executable.run(watch.observers);
    if (!status.ok())
      return {status.code,
              "step " + std::to_string(step) + ": " + status.message};
    if (Status s = afterStep(step); !s.ok())
      return s;
  }
  return Status::success();
}

/// The program that a run is compared with.
static Result<Executable> compileOther(const Executable &executable,
                                       const Device &device, Program program,
                                       const char *what) {
  // Other kernels would round differently.
  ExecuteOptions scratch;
  scratch.scratchLimitBytes = executable.missingWorkspace().instructions > 0
                                  ? executable.sharedScratch().largestBytes
                                  : INT64_MAX;
  Result<Executable> other =
      Executable::compile(device, std::move(program), scratch);
  if (!other)
    return Status{other.error().code,
                  std::string(what) + ": " + other.error().message};
  return other;
}

static void printComparison(const CompareReport &report,
                            const CompareOptions &compare) {
  std::printf("check: after each of %lld steps %lld values (%lld bytes) were ",
              static_cast<long long>(report.steps),
              static_cast<long long>(report.values),
              static_cast<long long>(report.bytes));
  if (compare.tolerance > 0)
    std::printf("within a tolerance of %.3g of those in the unplanned run, "
                "%.3g away at most: copies are encoded and lose bits\n",
                compare.tolerance, report.farthest);
  else
    std::printf("the same in the unplanned run, bit for bit\n");
  if (compare.lossless)
    std::printf("codec: that run encodes the same values; without it they "
                "are %.3g away at most, by the norm of the difference\n",
                report.farthestFromLossless);
}

/// A difference that other kernels explain is told apart from a wrong plan.
static Status explained(Status difference, const Executable &executable,
                        const Executable &unplanned) {
  const int64_t here = executable.missingWorkspace().instructions;
  const int64_t there = unplanned.missingWorkspace().instructions;
  if (difference.code == MEMPLAN_CHECK_FAILED && here > there)
    difference.message +=
        "; " + std::to_string(here) +
        " instructions of the planned step run on slower kernels, which round "
        "differently, and only " +
        std::to_string(there) +
        " of the unplanned one: plan with --backend, or compare both on "
        "--backend=reference";
  return difference;
}

static Status runCompared(const RunOptions &options, Executable &executable,
                          const Device &device, RunPrograms programs,
                          const Feed &feed, const Watch &watch,
                          const std::function<Status(int64_t)> &afterStep) {
  CompareOptions compare{options.steps, watch.observers, afterStep,
                         [] { return StopSignals::received() != 0; }};
  if (countEncoded(executable.program()) > countEncoded(*programs.unplanned))
    compare.tolerance = toleranceOfBf16;
  Result<Executable> other =
      compileOther(executable, device, std::move(*programs.unplanned),
                   "the unplanned program");
  if (!other)
    return other.error();
  std::optional<Executable> lossless;
  if (programs.lossless) {
    Result<Executable> compiled =
        compileOther(executable, device, std::move(*programs.lossless),
                     "the program without a codec");
    if (!compiled)
      return compiled.error();
    compare.lossless = &lossless.emplace(std::move(*compiled));
  }
  Result<CompareReport> report = compareRuns(executable, *other, feed, compare);
  if (!report)
    return explained(report.error(), executable, *other);
  printComparison(*report, compare);
  return Status::success();
}

/// On the values of the first step.
static Result<StepUse> measureFirstStep(Executable &executable,
                                        const Feed &feed) {
  Status status = feed.initialize(executable);
  if (status.ok())
    status = feed.feedStep(executable, feed.firstStep());
  return status.ok() ? measureStep(executable) : status;
}

static Status checkFirstStepForRaces(Executable &executable, const Feed &feed) {
  Status status = feed.initialize(executable);
  if (status.ok())
    status = feed.feedStep(executable, feed.firstStep());
  if (!status.ok())
    return status;
  Result<int64_t> orders = runWithDelays(executable);
  if (!orders)
    return orders.error();
  // What a run cannot show, such as a dead value written late, is found here.
  if (Status s = executable.program().checkRaces(); !s.ok())
    return {MEMPLAN_CHECK_FAILED, s.message};
  std::printf("races: none; each of %lld queues was as late as the program "
              "allows, and every read found its value\n",
              static_cast<long long>(*orders));
  return Status::success();
}

static Status writeDescription(const std::string &path, const Device &device) {
  Result<std::string> text = describeDevice(device);
  return text ? writeFile(path, std::as_bytes(std::span<const char>(*text)))
              : text.error();
}

/// Copies take what the plan counts on, where the device can be made to.
static Status throttleCopies(const RunOptions &options, const Device &device,
                             const Program &program) {
  if (!options.bandwidth || !program.usesQueues())
    return Status::success();
  if (!device.backend().throttle_copies) {
    std::fprintf(stderr,
                 "memplan-run: note: copies on %s take what they take; "
                 "--bandwidth is for the plan only\n",
                 device.name().c_str());
    return Status::success();
  }
  const auto [toDevice, toHost, latency] = *options.bandwidth;
  return device.status(device.backend().throttle_copies(
                           device.handle(), toDevice, toHost, latency),
                       "--bandwidth");
}

/// Operations are timed as often as it takes, which ranks cannot agree on.
static Status checkTimed(const RunOptions &options, const Program &program) {
  const char *flag = !options.profileFile.empty()        ? "--profile"
                     : !options.measurementsFile.empty() ? "--measurements"
                     : !options.reportFile.empty()       ? "--report"
                                                         : nullptr;
  if (!flag)
    return Status::success();
  for (const Instruction &instruction : program.instructions)
    if (instruction.kernel == "memplan.all_reduce")
      return invalid(std::string(flag) +
                     " times each operation until its median is stable, and "
                     "ranks would wait for each other in memplan.all_reduce: "
                     "time the step without --ranks");
  return Status::success();
}

/// A block for each arena, which the program borrows and this process keeps.
static Result<std::vector<DeviceBuffer>> takeArenas(const Device &device,
                                                    const Program &program) {
  std::vector<DeviceBuffer> arenas;
  for (const ArenaInfo &arena : program.arenas) {
    const int64_t alignment = std::max<int64_t>(arena.alignment, 256);
    Result<DeviceBuffer> block =
        arena.isHost()
            ? DeviceBuffer::allocateHost(device, arena.bytes, alignment)
            : DeviceBuffer::allocate(device, arena.bytes, alignment);
    if (!block)
      return Status{block.error().code,
                    "--arena-memory=external: " + block.error().message};
    arenas.push_back(std::move(*block));
  }
  return arenas;
}

static void printStop(int64_t stepsRun, int64_t stepsAsked) {
  if (const char *signal = StopSignals::name())
    std::fprintf(
        stderr, "memplan-run: stopped by %s after %lld of %lld steps\n", signal,
        static_cast<long long>(stepsRun), static_cast<long long>(stepsAsked));
}

Status runPrograms(const RunOptions &options, RunPrograms programs) {
  if (options.dump) {
    std::fputs(dumpProgram(programs.planned).c_str(), stdout);
    return Status::success();
  }
  if (!options.reportFile.empty() && !programs.drawReport)
    return invalid(
        "--report: the plan of '" + options.file +
        "' is not known, and the page shows the run beside it; give the .mlir "
        "file in tensor form, which is planned here");
  if (!options.dynamic.policy.empty())
    return runDynamic(options, std::move(programs));
  const auto drawReport = programs.drawReport;
  if (options.check && !programs.unplanned)
    return invalid("--check needs the unplanned program: --unplanned=FILE.mpp");
  for (const std::string &path :
       {options.saveParams, options.profileFile, options.measurementsFile})
    if (Status s = checkWritable(path); !s.ok())
      return s;
  registerBuiltInBackends();
  Result<Device> device =
      Device::open(options.backend, options.device, options.threads);
  if (!device)
    return device.error();
  if (!options.deviceFile.empty())
    return writeDescription(options.deviceFile, *device);
  printPlannedFor(programs.planned, *device);
  if (Status s = checkTimed(options, programs.planned); !s.ok())
    return s;
  Result<Feed> feed = Feed::create(programs.planned, options.feed);
  if (!feed)
    return feed.error();
  if (Status s = throttleCopies(options, *device, programs.planned); !s.ok())
    return s;
  ExecuteOptions execute;
  execute.scratchLimitBytes = options.scratchLimit;
  execute.allowRaces = options.checkRaces;
  execute.useGraph = !options.eager;
  Result<std::vector<DeviceBuffer>> arenas = std::vector<DeviceBuffer>();
  if (options.externalArenas)
    arenas = takeArenas(*device, programs.planned);
  if (!arenas)
    return arenas.error();
  for (const DeviceBuffer &arena : *arenas)
    execute.arenaMemory.emplace_back(arena.base(), size_t(arena.bytes()));
  Result<Executable> executable =
      Executable::compile(*device, std::move(programs.planned), execute);
  if (!executable)
    return executable.error();
  executable->followStep(programs.step);
  printScratch(*executable);
  Result<StepUse> use = StepUse();
  if (options.measure || options.isMeasured())
    use = measureFirstStep(*executable, *feed);
  if (!use)
    return {use.error().code, "the measured step: " + use.error().message};
  if (options.checkRaces)
    if (Status s = checkFirstStepForRaces(*executable, *feed); !s.ok())
      return s;
  std::vector<StepStats> steps;
  std::optional<ProgressLine> line("step");
  auto afterStep = [&](int64_t step) {
    steps.push_back(executable->lastStep());
    line->count(int64_t(steps.size()), options.steps);
    ProgressLine::Pause pause;
    return printLosses(*executable, step);
  };
  Watch watch(options);
  Status status =
      options.check ? runCompared(options, *executable, *device,
                                  std::move(programs), *feed, watch, afterStep)
                    : runAlone(options, *executable, *feed, watch, afterStep);
  line.reset();
  if (!status.ok())
    return status;
  auto stepsRun = int64_t(steps.size());
  printStop(stepsRun, options.steps);
  if (options.poison)
    std::printf("poison: every read found the value that the plan means there, "
                "no write over a value still needed, guards intact\n");
  printUse(*executable, options.measure ? *use : StepUse());
  printSteps(steps);
  if (Status s = writeTimes(options, *executable, watch, *use, drawReport);
      !s.ok())
    return s;
  if (options.saveParams.empty())
    return Status::success();
  Result<TensorFile> state =
      collectState(*executable, feed->firstStep() + stepsRun);
  return state ? writeSafetensors(*state, options.saveParams) : state.error();
}

//===----------------------------------------------------------------------===//
// The tool
//===----------------------------------------------------------------------===//

static bool endsWith(const std::string &path, const std::string &ending) {
  return path.size() > ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

static bool isProgramFile(const std::string &path) {
  return endsWith(path, ".mpp");
}
static bool isStepLibrary(const std::string &path) {
  return endsWith(path, ".so");
}

/// The flag for a file that is no program, by its ending; null where it may be
/// one.
static const char *flagFor(const std::string &path) {
  if (endsWith(path, ".safetensors"))
    return "holds parameters; --params=FILE takes it, beside a program";
  if (endsWith(path, ".npy"))
    return "holds data; --data=FILE takes it, beside a program";
  if (endsWith(path, ".json"))
    return "is no program; --plan=FILE takes a plan, beside the program that "
           "it was made for, and memplan-solve takes graphs";
  return nullptr;
}

static Result<Program> loadProgram(const std::string &path) {
  if (!isStepLibrary(path))
    return readProgramFile(path);
  Result<StepLibrary> library = StepLibrary::open(path);
  if (!library)
    return library.error();
  return library->program();
}

static Result<std::optional<RunPrograms>>
loadProgramFiles(const RunOptions &options) {
  RunPrograms programs;
  if (isStepLibrary(options.file)) {
    Result<StepLibrary> library = StepLibrary::open(options.file);
    if (!library)
      return library.error();
    auto code = std::make_shared<StepLibrary>(std::move(*library));
    programs.planned = code->program();
    programs.step = code->step();
    programs.code = code;
  } else {
    Result<Program> planned = readProgramFile(options.file, options.checkRaces);
    if (!planned)
      return planned.error();
    programs.planned = std::move(*planned);
  }
  if (!options.unplannedFile.empty()) {
    Result<Program> unplanned = loadProgram(options.unplannedFile);
    if (!unplanned)
      return unplanned.error();
    programs.unplanned = std::move(*unplanned);
  }
  return std::optional<RunPrograms>(std::move(programs));
}

static int exitStatus(const Status &status) {
  std::fflush(stdout);
  std::fprintf(stderr, "memplan-run: error: %s\n", status.message.c_str());
  switch (status.code) {
  case MEMPLAN_OK:
  case MEMPLAN_CHECK_FAILED:
  case MEMPLAN_FAILED:
    return 1;
  case MEMPLAN_UNAVAILABLE:
    return 3;
  default:
    return 2;
  }
}

int runToolMain(int argc, char **argv, const ProgramSource &source,
                const std::string &sourceHelp) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const std::string &argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      std::fputs((runHelp() + sourceHelp).c_str(), stdout);
      return 0;
    }
    if (argument == "--version") {
      std::fputs(versionText().c_str(), stdout);
      return 0;
    }
  }
  StopSignals signals;
  Result<RunOptions> options = parseRunOptions(arguments, bool(source));
  if (!options)
    return exitStatus(options.error());
  if (options->quiet)
    ProgressLine::beQuiet();
  if (const char *flag = flagFor(options->file))
    return exitStatus(invalid("'" + options->file + "' " + flag));
  bool compiled = isProgramFile(options->file) || isStepLibrary(options->file);
  if (!compiled && !source)
    return exitStatus(invalid("'" + options->file +
                              "' is neither an .mpp file nor a .so step "
                              "library, and this build has no compiler for "
                              "other inputs"));
  if (compiled && !options->sourceFlags.empty())
    return exitStatus(invalid("unknown flag '" + options->sourceFlags[0] +
                              "' for a compiled program; see --help"));
  options->sourceFlags.insert(options->sourceFlags.end(),
                              options->sharedFlags.begin(),
                              options->sharedFlags.end());
  Result<std::optional<RunPrograms>> programs =
      compiled ? loadProgramFiles(*options) : source(*options);
  if (!programs)
    return exitStatus(programs.error());
  if (!*programs)
    return 0;
  Status status = runPrograms(*options, std::move(**programs));
  if (!status.ok())
    return exitStatus(status);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return exitStatus({MEMPLAN_FAILED, std::string("cannot write to stdout: ") +
                                           std::strerror(errno)});
  // As the shell says it of a process that a signal ended.
  return StopSignals::received() ? 128 + StopSignals::received() : 0;
}

} // namespace memplan

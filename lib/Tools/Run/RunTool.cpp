//===- RunTool.cpp - The body of memplan-run ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/RunTool.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/Version.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace memplan::runtime;

namespace memplan {

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The step's losses, with all digits that tell two floats apart.
static Status printLosses(const Executable &executable, int64_t step) {
  const Program &program = executable.program();
  std::string line = "step " + std::to_string(step) + ":";
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    const Output &output = program.outputs[o];
    if (output.kind != OutputKind::Loss || output.operand.dtype != DType::F32 ||
        output.operand.bytes() != int64_t(sizeof(float)))
      continue;
    float loss = 0;
    if (Status s = executable.readOutput(int32_t(o), &loss, sizeof(loss));
        !s.ok())
      return s;
    char text[32];
    std::snprintf(text, sizeof(text), " = %.9g", double(loss));
    line += " " + (output.name.empty() ? "loss" : output.name) + text;
  }
  std::printf("%s\n", line.c_str());
  return Status::success();
}

static void printUses(const std::vector<ArenaUse> &uses) {
  for (size_t a = 0; a < uses.size(); ++a)
    std::printf("measured: arena %zu used %lld of %lld bytes (highest operand "
                "ends at %lld, highest changed byte before %lld)%s\n",
                a, static_cast<long long>(uses[a].usedBytes()),
                static_cast<long long>(uses[a].arenaBytes),
                static_cast<long long>(uses[a].launchedBytes),
                static_cast<long long>(uses[a].touchedBytes),
                uses[a].usedBytes() == uses[a].arenaBytes ? ", as planned"
                                                          : "");
}

/// Of the whole process while a step ran. The executor makes none; a kernel
/// library may, above all in the first step, where it writes its code.
static void printAllocations(const std::vector<StepStats> &steps) {
  if (steps.front().allocations < 0)
    return; // Nothing counts.
  std::printf("allocations inside a step: %lld in the first",
              static_cast<long long>(steps.front().allocations));
  int64_t later = 0;
  for (size_t i = 1; i < steps.size(); ++i)
    later = std::max(later, steps[i].allocations);
  int64_t bytes = 0;
  for (const StepStats &step : steps)
    bytes = std::max(bytes, step.allocatedBytes);
  if (steps.size() > 1)
    std::printf(", at most %lld in a later one", static_cast<long long>(later));
  std::printf("; at most %lld bytes at a moment of a launch\n",
              static_cast<long long>(bytes));
}

static void printSteps(const std::vector<StepStats> &steps) {
  std::vector<double> micros;
  for (const StepStats &step : steps)
    micros.push_back(step.micros);
  // The first step meets cold caches; it counts only when it is alone.
  if (micros.size() > 1)
    micros.erase(micros.begin());
  std::sort(micros.begin(), micros.end());
  std::printf("time: %.3f ms a step (median of %zu)\n",
              micros[micros.size() / 2] * 1e-3, micros.size());
  printAllocations(steps);
}

static void printMissingWorkspace(const MissingWorkspace &missing) {
  if (missing.instructions == 0)
    return;
  std::fprintf(stderr,
               "memplan-run: note: %lld instructions run on slower kernels, as "
               "the program was planned without the workspaces of this backend "
               "(up to %lld bytes); give memplan-run the .mlir file in tensor "
               "form, or plan with --cost-model=profile:FILE\n",
               static_cast<long long>(missing.instructions),
               static_cast<long long>(missing.largestBytes));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// Everything that may watch the planned run.
struct Watch {
  PoisonObserver poison;
  MeasureObserver measure;
  ProfileObserver profile;
  std::vector<StepObserver *> observers;

  explicit Watch(const RunOptions &options) {
    // The fill of the one watching bytes must be the last before the step.
    if (options.poison)
      observers.push_back(&poison);
    if (options.measure)
      observers.push_back(&measure);
    // Nothing stands between its clock and the launch.
    if (!options.profileFile.empty())
      observers.push_back(&profile);
  }
};
} // namespace

static Status writeProfile(const RunOptions &options,
                           const Executable &executable, const Watch &watch) {
  const Executable *executables[] = {&executable};
  const ProfileObserver *profiles[] = {&watch.profile};
  std::string text = profileText(executables, profiles);
  return writeFile(options.profileFile,
                   std::as_bytes(std::span<const char>(text)));
}

static Status runAlone(const RunOptions &options, Executable &executable,
                       const Feed &feed, const Watch &watch,
                       const std::function<Status(int64_t)> &afterStep) {
  if (Status s = feed.initialize(executable); !s.ok())
    return s;
  for (int64_t i = 0; i < options.steps; ++i) {
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

static Status runCompared(const RunOptions &options, Executable &executable,
                          const Device &device, Program unplanned,
                          const Feed &feed, const Watch &watch,
                          const std::function<Status(int64_t)> &afterStep) {
  Result<Executable> other = Executable::compile(device, std::move(unplanned));
  if (!other)
    return {other.error().code,
            "the unplanned program: " + other.error().message};
  CompareOptions compare{options.steps, watch.observers, afterStep};
  Result<CompareReport> report = compareRuns(executable, *other, feed, compare);
  if (!report)
    return report.error();
  std::printf("check: after each of %lld steps %lld values (%lld bytes) were "
              "the same in the unplanned run, bit for bit\n",
              static_cast<long long>(options.steps),
              static_cast<long long>(report->values),
              static_cast<long long>(report->bytes));
  return Status::success();
}

Status runPrograms(const RunOptions &options, RunPrograms programs) {
  if (options.dump) {
    std::fputs(dumpProgram(programs.planned).c_str(), stdout);
    return Status::success();
  }
  if (options.check && !programs.unplanned)
    return invalid("--check needs the unplanned program: --unplanned=FILE.mpp");
  for (const std::string &path : {options.saveParams, options.profileFile})
    if (Status s = checkWritable(path); !s.ok())
      return s;
  registerBuiltInBackends();
  Result<Device> device =
      Device::open(options.backend, options.device, options.threads);
  if (!device)
    return device.error();
  Result<Feed> feed = Feed::create(programs.planned, options.feed);
  if (!feed)
    return feed.error();
  Result<Executable> executable =
      Executable::compile(*device, std::move(programs.planned));
  if (!executable)
    return executable.error();
  executable->followStep(programs.step);
  printMissingWorkspace(executable->missingWorkspace());
  std::vector<StepStats> steps;
  auto afterStep = [&](int64_t step) {
    steps.push_back(executable->lastStep());
    return printLosses(*executable, step);
  };
  Watch watch(options);
  Status status =
      options.check
          ? runCompared(options, *executable, *device,
                        std::move(*programs.unplanned), *feed, watch, afterStep)
          : runAlone(options, *executable, *feed, watch, afterStep);
  if (!status.ok())
    return status;
  if (options.poison)
    std::printf("poison: no read of bytes without a value, no write over a "
                "value still needed, guards intact\n");
  if (options.measure)
    printUses(watch.measure.uses());
  printSteps(steps);
  if (!options.profileFile.empty())
    if (Status s = writeProfile(options, *executable, watch); !s.ok())
      return s;
  if (options.saveParams.empty())
    return Status::success();
  Result<TensorFile> state =
      collectState(*executable, feed->firstStep() + options.steps);
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
    Result<Program> planned = readProgramFile(options.file);
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
  Result<RunOptions> options = parseRunOptions(arguments, bool(source));
  if (!options)
    return exitStatus(options.error());
  bool compiled = isProgramFile(options->file) || isStepLibrary(options->file);
  if (!compiled && !source)
    return exitStatus(invalid("'" + options->file +
                              "' is neither an .mpp file nor a .so step "
                              "library, and this build has no compiler for "
                              "other inputs"));
  if (compiled && !options->sourceFlags.empty())
    return exitStatus(invalid("unknown flag '" + options->sourceFlags[0] +
                              "' for a compiled program; see --help"));
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
  return 0;
}

} // namespace memplan

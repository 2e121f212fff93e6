//===- Options.cpp - Command line of memplan-solve ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "memplan/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;

namespace memplan {

namespace {
/// The flags, made when the command line is read: a library has no business in
/// static constructors.
struct CommandLine {
  cl::OptionCategory category{"memplan-solve options"};
  cl::SubCommand remat{"remat",
                       "Plan a training step: GRAPH.graph.json to a plan"};
  cl::SubCommand arena{
      "arena",
      "Give buffers offsets: BUFFERS.csv to the same with a column 'offset'"};
  cl::SubCommand check{
      "check",
      "Verify a plan against its graph: GRAPH.graph.json PLAN.plan.json"};
  cl::SubCommand checkOffsets{"check-offsets",
                              "Verify a table of buffers with offsets"};

  cl::opt<bool> listSolvers{"list-solvers",
                            cl::desc("List the solvers of every problem"),
                            cl::cat(category)};

  cl::opt<std::string> inputFile{
      cl::Positional, cl::Required,   cl::desc("INPUT"),     cl::sub(remat),
      cl::sub(arena), cl::sub(check), cl::sub(checkOffsets), cl::cat(category)};
  cl::opt<std::string> planFile{cl::Positional, cl::Required, cl::desc("PLAN"),
                                cl::sub(check), cl::cat(category)};
  cl::opt<std::string> originalFile{
      "input", cl::desc("Buffers that FILE must repeat"),
      cl::value_desc("F.csv"), cl::sub(checkOffsets), cl::cat(category)};
  cl::opt<std::string> outputFile{"o",
                                  cl::desc("Output file; - is standard output"),
                                  cl::value_desc("FILE"),
                                  cl::init("-"),
                                  cl::sub(remat),
                                  cl::sub(arena),
                                  cl::cat(category)};
  cl::opt<std::string> statsFile{"stats",
                                 cl::desc("Write wall-clock figures as JSON"),
                                 cl::value_desc("FILE"),
                                 cl::sub(remat),
                                 cl::sub(arena),
                                 cl::cat(category)};
  cl::opt<std::string> rematSolver{
      "solver",
      cl::desc("Remat solver (see --list-solvers); default greedy"),
      cl::value_desc("NAME"),
      cl::init("greedy"),
      cl::sub(remat),
      cl::cat(category)};
  cl::opt<std::string> arenaSolver{
      "solver",
      cl::desc("Arena solver (see --list-solvers); default best-fit"),
      cl::value_desc("NAME"),
      cl::init("best-fit"),
      cl::sub(arena),
      cl::cat(category)};
  cl::opt<std::string> order{"order",
                             cl::desc("Order of first runs: source"),
                             cl::value_desc("NAME"),
                             cl::init("source"),
                             cl::sub(remat),
                             cl::cat(category)};
  cl::opt<std::string> sharing{"sharing",
                               cl::desc("Sharing solver; default none"),
                               cl::value_desc("NAME"),
                               cl::init("none"),
                               cl::sub(remat),
                               cl::cat(category)};
  cl::opt<std::string> arenaOfRemat{"arena",
                                    cl::desc("Arena solver; default auto"),
                                    cl::value_desc("NAME"),
                                    cl::init("auto"),
                                    cl::sub(remat),
                                    cl::cat(category)};
  cl::opt<bool> inPlace{"in-place",
                        cl::desc("Let outputs overwrite inputs; default true"),
                        cl::init(true), cl::sub(remat), cl::cat(category)};
  cl::opt<std::string> budget{"budget",
                              cl::desc("Device bytes: SIZE such as 16G, or 80% "
                                       "of the unplanned peak (remat)"),
                              cl::value_desc("SIZE"),
                              cl::sub(remat),
                              cl::sub(check),
                              cl::cat(category)};
  cl::opt<std::string> capacity{"capacity",
                                cl::desc("Largest height of each space"),
                                cl::value_desc("SIZE"),
                                cl::sub(arena),
                                cl::sub(checkOffsets),
                                cl::cat(category)};
  cl::opt<std::string> rematAlignment{
      "alignment",
      cl::desc("Alignment of every offset; default 256"),
      cl::value_desc("BYTES"),
      cl::init("256"),
      cl::sub(remat),
      cl::cat(category)};
  cl::opt<std::string> alignment{
      "alignment",
      cl::desc("Alignment of every offset; default 1"),
      cl::value_desc("BYTES"),
      cl::init("1"),
      cl::sub(arena),
      cl::sub(checkOffsets),
      cl::cat(category)};
  cl::opt<int64_t> effort{
      "effort",
      cl::desc("Deterministic limit of the solver's work; 0: its default"),
      cl::value_desc("N"),
      cl::init(0),
      cl::sub(remat),
      cl::sub(arena),
      cl::cat(category)};
  cl::opt<double> timeLimit{
      "time-limit",
      cl::desc("Seconds after which the best plan so far is returned"),
      cl::value_desc("S"),
      cl::init(0),
      cl::sub(remat),
      cl::sub(arena),
      cl::cat(category)};
  cl::opt<int> threads{
      "threads",           cl::desc("Threads of the solver; default 1"),
      cl::value_desc("N"), cl::init(1),
      cl::sub(remat),      cl::sub(arena),
      cl::cat(category)};

  SolveOptions options();
};
} // namespace

SolveOptions CommandLine::options() {
  SolveOptions options;
  if (remat)
    options.command = SolveCommand::Remat;
  else if (arena)
    options.command = SolveCommand::Arena;
  else if (check)
    options.command = SolveCommand::Check;
  else if (checkOffsets)
    options.command = SolveCommand::CheckOffsets;
  else if (listSolvers)
    options.command = SolveCommand::ListSolvers;
  options.inputFile = inputFile;
  options.planFile = planFile;
  options.originalFile = originalFile;
  options.outputFile = outputFile;
  options.statsFile = statsFile;
  options.solver = remat ? rematSolver : arenaSolver;
  options.order = order;
  options.sharing = sharing;
  options.arena = arenaOfRemat;
  options.budget = budget;
  options.capacity = capacity;
  options.alignment = remat ? rematAlignment : alignment;
  options.inPlace = inPlace;
  options.effort = effort;
  options.timeLimitSeconds = timeLimit;
  options.threads = threads;
  return options;
}

/// LLVM begins its messages with the program's name, as does the caller.
static StringRef dropProgramName(StringRef message) {
  message = message.rtrim();
  message.consume_front("memplan-solve: ");
  return message;
}

Expected<SolveOptions> parseSolveOptions(int argc, char **argv) {
  CommandLine flags;
  cl::HideUnrelatedOptions(flags.category);
  for (cl::SubCommand *command :
       {&flags.remat, &flags.arena, &flags.check, &flags.checkOffsets})
    cl::HideUnrelatedOptions(flags.category, *command);
  cl::SetVersionPrinter([](raw_ostream &os) { os << versionText(); });
  std::string message;
  raw_string_ostream errors(message);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "memplan-solve: plan memory from problem files\n",
          &errors))
    return createStringError(dropProgramName(message));
  SolveOptions options = flags.options();
  if (options.command == SolveCommand::None)
    return createStringError("no command; one of remat, arena, check, "
                             "check-offsets, or --list-solvers (see --help)");
  if (options.effort < 0)
    return createStringError("--effort must not be negative: " +
                             Twine(options.effort));
  // Also refuses NaN.
  if (!(options.timeLimitSeconds >= 0))
    return createStringError(
        "--time-limit must be a number of seconds, not negative");
  if (options.threads < 1 || options.threads > 1024)
    return createStringError("--threads must be from 1 to 1024, not " +
                             Twine(options.threads));
  return options;
}

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "set by a signal handler");

static void requestStop(int) {
  stopRequested = true;
  // Who presses it again means it.
  std::signal(SIGINT, SIG_DFL);
}

static void printProgress(const Progress &progress) {
  errs() << '\r' << progress.solver << ':';
  if (progress.incumbent)
    errs() << format(" best %.6g", *progress.incumbent);
  if (progress.bound)
    errs() << format(" bound %.6g", *progress.bound);
  errs() << format(" %.1f s", progress.seconds) << "\x1b[K";
}

SolveLimits makeLimits(const SolveOptions &options) {
  SolveLimits limits;
  limits.effort = options.effort;
  if (options.timeLimitSeconds > 0)
    limits.timeLimitSeconds = options.timeLimitSeconds;
  limits.threads = options.threads;
  limits.stop = &stopRequested;
  std::signal(SIGINT, requestStop);
  if (errs().is_displayed())
    limits.progress = printProgress;
  return limits;
}

} // namespace memplan

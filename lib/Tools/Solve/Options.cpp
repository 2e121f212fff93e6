//===- Options.cpp - Command line of memplan-solve ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SpaceOption.h"
#include "memplan/Support/Version.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/StopSignals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

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

  cl::SubCommand replay{
      "replay", "Plan what a step did while it ran: RUN.trace.json to a plan"};

  cl::opt<bool> listSolvers{"list-solvers",
                            cl::desc("List the solvers of every problem"),
                            cl::cat(category)};

  cl::opt<std::string> inputFile{
      cl::Positional,  cl::Required,          cl::desc("INPUT"),
      cl::sub(remat),  cl::sub(arena),        cl::sub(check),
      cl::sub(replay), cl::sub(checkOffsets), cl::cat(category)};
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
                                  cl::sub(replay),
                                  cl::cat(category)};
  cl::opt<std::string> statsFile{"stats",
                                 cl::desc("Write wall-clock figures as JSON"),
                                 cl::value_desc("FILE"),
                                 cl::sub(remat),
                                 cl::sub(arena),
                                 cl::sub(replay),
                                 cl::cat(category)};
  cl::opt<std::string> emit{
      "emit",
      cl::desc(
          "What is written: the plan; report-data: all that a report of it "
          "shows; milp: Checkmate's integer program "
          "for this budget of live bytes, as .mps or else LP text; "
          "matrices: R, S, U and FREE of a plan in stages"),
      cl::value_desc("plan|report-data|milp|matrices"),
      cl::init("plan"),
      cl::sub(remat),
      cl::cat(category)};
  ReportFlags reportFlags{category, remat};
  cl::opt<std::string> traceFile{
      "trace", cl::desc("Write what --solver=dtr --heuristic=NAME did"),
      cl::value_desc("RUN.trace.json"), cl::sub(remat), cl::cat(category)};
  cl::opt<std::string> graphFile{
      "graph",
      cl::desc("Graph of the program that was traced; without it, the sequence "
               "is packed and no plan is written"),
      cl::value_desc("GRAPH.graph.json"), cl::sub(replay), cl::cat(category)};
  cl::opt<std::string> steps{
      "steps",
      cl::desc("Which plan is written: packed (the sequence as it ran), "
               "improved (with less in it), or planned (the cheapest, from the "
               "graph alone if that is better)"),
      cl::value_desc("packed|improved|planned"),
      cl::init("planned"),
      cl::sub(replay),
      cl::cat(category)};
  cl::opt<bool> useful{"useful",
                       cl::desc("Refuse a plan that runs a node in vain: "
                                "nothing that it makes is read or copied out "
                                "before it runs again, or by the end"),
                       cl::sub(check), cl::cat(category)};
  cl::opt<bool> quiet{
      "quiet",         cl::desc("Say neither progress nor a summary"),
      cl::sub(remat),  cl::sub(arena),
      cl::sub(replay), cl::cat(category)};
  // "alignment" of a table of buffers, which has alignments of its own.
  static PlanOptions ofBuffers() {
    PlanOptions defaults;
    defaults.alignmentBytes = 1;
    return defaults;
  }
  PlanningFlags rematFlags{OptionUser::SolveRemat, category, remat};
  PlanningFlags replayFlags{OptionUser::SolveRemat, category, replay};
  PlanningFlags arenaFlags{OptionUser::SolveArena, category, arena,
                           ofBuffers()};
  PlanningFlags checkFlags{OptionUser::Check, category, check};
  PlanningFlags checkOffsetsFlags{OptionUser::CheckOffsets, category,
                                  checkOffsets, ofBuffers()};
  cl::opt<std::string> solver{
      "solver",
      cl::desc("The same as the option named as the command"),
      cl::value_desc("NAME"),
      cl::sub(remat),
      cl::sub(arena),
      cl::cat(category)};
  cl::opt<std::string> capacity{"capacity",
                                cl::desc("Largest height of each space"),
                                cl::value_desc("SIZE"),
                                cl::sub(arena),
                                cl::sub(checkOffsets),
                                cl::cat(category)};

  cl::list<std::string> spaces{
      "space",
      cl::desc("What is known of a space: its budget, and the largest size of "
               "one of its allocations, which no buffer crosses"),
      cl::value_desc("NAME[,budget=SIZE][,allocation=SIZE]"),
      cl::sub(arena),
      cl::sub(checkOffsets),
      cl::cat(category)};

  Expected<SolveOptions> options();
  Expected<PlanOptions> planOptions();
};
} // namespace

Expected<PlanOptions> CommandLine::planOptions() {
  const PlanningFlags &flags = arena          ? arenaFlags
                               : replay       ? replayFlags
                               : check        ? checkFlags
                               : checkOffsets ? checkOffsetsFlags
                                              : rematFlags;
  Expected<PlanOptions> options = flags.options();
  if (!options || solver.getNumOccurrences() == 0)
    return options;
  const StringRef same = arena ? "arena" : "remat";
  if (flags.isGiven(same))
    return createStringError("--solver and --" + same +
                             " are the same here; give one");
  if (Error error = findOption(same)->set(*options, solver))
    return createStringError("--solver: " + toString(std::move(error)));
  return options;
}

Expected<SolveOptions> CommandLine::options() {
  SolveOptions options;
  if (remat)
    options.command = SolveCommand::Remat;
  else if (arena)
    options.command = SolveCommand::Arena;
  else if (check)
    options.command = SolveCommand::Check;
  else if (checkOffsets)
    options.command = SolveCommand::CheckOffsets;
  else if (replay)
    options.command = SolveCommand::Replay;
  else if (listSolvers)
    options.command = SolveCommand::ListSolvers;
  options.inputFile = inputFile;
  options.planFile = planFile;
  options.originalFile = originalFile;
  options.isUseful = useful;
  options.outputFile = outputFile;
  options.statsFile = statsFile;
  options.traceFile = traceFile;
  options.graphFile = graphFile;
  options.steps = steps;
  options.emit = emit;
  if (!is_contained({"plan", "report-data", "milp", "matrices"},
                    StringRef(emit)))
    return createStringError("--emit: '" + emit +
                             "' is neither plan, report-data, milp nor "
                             "matrices");
  options.report = reportFlags.files();
  if (steps != "packed" && steps != "improved" && steps != "planned")
    return createStringError("--steps: '" + steps +
                             "' is neither packed, improved nor planned");
  Expected<PlanOptions> plan = planOptions();
  if (!plan)
    return plan.takeError();
  options.plan = std::move(*plan);
  options.plan.limits.stop = &StopSignals::asked();
  if (quiet)
    ProgressLine::beQuiet();
  for (const std::string &text : spaces) {
    Expected<ArenaSpace> space = parseArenaSpace(text);
    if (!space)
      return createStringError("--space: " + toString(space.takeError()));
    options.spaces.push_back(std::move(*space));
  }
  if (capacity.getNumOccurrences() == 0)
    return options;
  Expected<int64_t> bytes = parseByteSize(capacity);
  if (!bytes)
    return createStringError("--capacity: " + toString(bytes.takeError()));
  options.capacityBytes = *bytes;
  return options;
}

static StringRef dropProgramName(StringRef message) {
  message = message.rtrim();
  message.consume_front("memplan-solve: ");
  return message;
}

Expected<SolveOptions> parseSolveOptions(int argc, char **argv) {
  CommandLine flags;
  cl::HideUnrelatedOptions(flags.category);
  for (cl::SubCommand *command : {&flags.remat, &flags.arena, &flags.check,
                                  &flags.replay, &flags.checkOffsets})
    cl::HideUnrelatedOptions(flags.category, *command);
  cl::SetVersionPrinter([](raw_ostream &os) { os << versionText(); });
  std::string message;
  raw_string_ostream errors(message);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "memplan-solve: plan memory from problem files\n",
          &errors))
    return createStringError(dropProgramName(message));
  Expected<SolveOptions> options = flags.options();
  if (options && options->command == SolveCommand::None)
    return createStringError(
        "no command; one of remat, arena, check, "
        "check-offsets, replay, or --list-solvers (see --help)");
  return options;
}

} // namespace memplan

//===- ReplayCommand.cpp - memplan-solve replay ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Files.h"
#include "Stats.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Step/ReplayTrace.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/JsonWriter.h"
#include "memplan/Tools/PlanningFlags.h"
#include "memplan/Tools/StopSignals.h"

using namespace llvm;

namespace memplan {

static void printBytes(const TraceBytes &bytes) {
  // What frameworks' pools take is the measure of static offsets.
  const int64_t pool = bytes.tracedBytes.value_or(bytes.poolBytes);
  auto row = [&](const char *what, int64_t taken) {
    errs() << "  " << left_justify(what, 34)
           << right_justify(std::to_string(taken), 14) << " bytes";
    if (pool > 0)
      errs() << format("  %.4f", double(taken) / double(pool));
    errs() << '\n';
  };
  if (bytes.tracedBytes)
    row("pool of the run, high-water mark", *bytes.tracedBytes);
  row("pool, best fit, without a limit", bytes.poolBytes);
  row("static arena, the same sequence", bytes.arenaBytes);
  row("live bytes of the sequence", bytes.liveBytes);
}

static std::string statsOf(const TraceBytes &bytes) {
  std::string text;
  raw_string_ostream os(text);
  os << ", \"pool_bytes\": " << bytes.poolBytes;
  if (bytes.tracedBytes)
    os << ", \"traced_pool_bytes\": " << *bytes.tracedBytes;
  os << ", \"arena_bytes\": " << bytes.arenaBytes
     << ", \"live_bytes\": " << bytes.liveBytes;
  return text;
}

static int64_t countRuns(const Plan &plan) {
  return count_if(plan.steps, [](const PlanAction &action) {
    return action.action == ActionKind::Compute;
  });
}

static void printPlan(const Graph &graph, const char *what, const Plan &plan) {
  const double once = graph.totalCost();
  errs() << "  " << left_justify(what, 34)
         << right_justify(std::to_string(plan.arenas.front().bytes), 14)
         << " bytes" << format("  cost %.6g", plan.cost);
  if (once > 0)
    errs() << format(" (%+.2f%%)", overheadPercent(plan.cost, once));
  errs() << ", " << countRuns(plan) << " runs, device "
         << describeByteSize(deviceBytesOf(graph, plan)) << ", by "
         << plan.solver << '\n';
}

static std::string statsOf(const Graph &graph, const char *what,
                           const Plan &plan) {
  std::string text;
  raw_string_ostream os(text);
  os << ", \"" << what << "\": {\"arena_bytes\": " << plan.arenas.front().bytes
     << ", \"device_bytes\": " << deviceBytesOf(graph, plan)
     << ", \"cost\": " << printNumber(plan.cost)
     << ", \"runs\": " << countRuns(plan) << ", \"solver\": \"" << plan.solver
     << "\"}";
  return text;
}

/// Prints and writes the plans; what --stats says of them.
static Expected<std::string> writePlans(const SolveOptions &options,
                                        const Graph &graph,
                                        const Trace &trace) {
  Expected<ReplayedTrace> replayed = [&] {
    ProgressLine line("planning", options.plan.limits.timeLimitSeconds);
    PlanOptions watched = options.plan;
    watched.limits.progress = progressOn(line);
    return replayTrace(graph, trace, watched);
  }();
  if (!replayed)
    return inFile(options.inputFile, replayed.takeError());
  if (!ProgressLine::isQuiet()) {
    printPlan(graph, "plan of the sequence", replayed->packed);
    printPlan(graph, "improved", replayed->improved);
    printPlan(graph, "planned", replayed->planned);
  }
  if (const char *signal = StopSignals::name())
    errs() << "note: stopped by " << signal << "; these are the best so far\n";
  const Plan &chosen = options.steps == "packed"     ? replayed->packed
                       : options.steps == "improved" ? replayed->improved
                                                     : replayed->planned;
  if (Error error = writeFile(options.outputFile, [&](raw_ostream &os) {
        writePlan(graph, chosen, os);
      }))
    return std::move(error);
  return statsOf(graph, "packed", replayed->packed) +
         statsOf(graph, "improved", replayed->improved) +
         statsOf(graph, "planned", replayed->planned);
}

Expected<ExitStatus> runReplay(const SolveOptions &options) {
  Expected<std::unique_ptr<MemoryBuffer>> text = readFile(options.inputFile);
  if (!text)
    return text.takeError();
  std::vector<std::string> warnings;
  Expected<Trace> trace = parseTrace((*text)->getBuffer(), &warnings);
  if (!trace)
    return inFile(options.inputFile, trace.takeError());
  printWarnings(options.inputFile, warnings);
  std::optional<Graph> graph;
  std::optional<GraphIndex> index;
  if (!options.graphFile.empty()) {
    Expected<Graph> read = readGraphFile(options.graphFile);
    if (!read)
      return read.takeError();
    graph = std::move(*read);
    applyCopyOptions(options.plan, *graph);
    index.emplace(*graph);
  }
  Stopwatch stopwatch;
  Expected<TraceBytes> bytes =
      measureTrace(*trace, index ? &*index : nullptr, options.plan);
  if (!bytes)
    return inFile(options.inputFile, bytes.takeError());
  if (!ProgressLine::isQuiet()) {
    errs() << (trace->program.empty() ? "trace" : trace->program) << ": "
           << trace->steps.size() << " steps\n";
    printBytes(*bytes);
  }
  std::string stats = statsOf(*bytes);
  if (graph) {
    Expected<std::string> plans = writePlans(options, *graph, *trace);
    if (!plans)
      return plans.takeError();
    stats += *plans;
  }
  if (Error error =
          writeStats(options.statsFile, "replay", stopwatch.seconds(), stats))
    return std::move(error);
  return exitPlan;
}

} // namespace memplan

//===- DtrCommand.cpp - DTR simulated at the budget itself ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrCommand.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/JsonWriter.h"
#include "memplan/Support/OutputFile.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace memplan {

static const char *endName(DtrEnd end) {
  return end == DtrEnd::Done          ? "done"
         : end == DtrEnd::OutOfMemory ? "out_of_memory"
                                      : "thrashing";
}

static void printRun(const Graph &graph, const PlanOptions &options,
                     const DtrRun &run) {
  errs() << "simulated " << options.limits.heuristic << ": ";
  if (run.end != DtrEnd::Done)
    errs() << describeEnd(graph, run);
  else
    errs() << format("cost %.6g", run.clock - 1);
  const double once = graph.totalCost();
  if (once > 0 && run.end == DtrEnd::Done)
    errs() << format(" (%+.2f%%)", 100 * run.recomputationCost / once);
  errs() << ", " << run.evictions << " evictions, " << run.recomputations
         << " recomputations, peak " << describeByteSize(run.peakBytes);
  if (run.highWaterBytes > 0)
    errs() << ", pool " << describeByteSize(run.highWaterBytes) << ", "
           << run.compactions << " compactions";
  errs() << '\n';
}

static std::string statsOf(const DtrRun &run) {
  std::string text;
  raw_string_ostream os(text);
  os << ", \"simulated\": {\"end\": \"" << endName(run.end)
     << "\", \"clock\": " << printNumber(run.clock)
     << ", \"recompute_cost\": " << printNumber(run.recomputationCost)
     << ", \"evictions\": " << run.evictions
     << ", \"recomputations\": " << run.recomputations
     << ", \"peak_bytes\": " << run.peakBytes
     << ", \"high_water_bytes\": " << run.highWaterBytes
     << ", \"compactions\": " << run.compactions << '}';
  return text;
}

Expected<std::string> simulateRun(const SolveOptions &options,
                                  const Graph &graph) {
  const std::string &heuristic = options.plan.limits.heuristic;
  if (options.plan.remat != "dtr" ||
      heuristic == PlanOptions().limits.heuristic) {
    if (!options.traceFile.empty())
      return createStringError("--trace records what an online policy does; "
                               "give --solver=dtr and --heuristic=NAME");
    return "";
  }
  if (Error error = graph.check())
    return std::move(error);
  Expected<DtrPolicy> policy = DtrPolicy::parse(heuristic);
  if (!policy)
    return policy.takeError();
  const GraphIndex index(graph);
  PlanOptions resolved = options.plan;
  resolveBudget(index, resolved);
  Expected<DtrRun> run = simulateDtr(index, *policy, resolved.budgetBytes);
  if (!run)
    return run.takeError();
  printRun(graph, options.plan, *run);
  if (!options.traceFile.empty())
    if (Error error = writeFile(options.traceFile, [&](raw_ostream &os) {
          writeTrace(makeTrace(index, *run), os);
        }))
      return std::move(error);
  return statsOf(*run);
}

} // namespace memplan

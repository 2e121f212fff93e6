//===- CheckCommand.cpp - memplan-solve check and check-offsets -----------===//
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
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Support/ByteSize.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;

namespace memplan {

/// Says what is wrong, as the result of the command rather than as a failure of
/// it.
static ExitStatus reject(Error violation) {
  outs() << "violation: " << toString(std::move(violation)) << '\n';
  return exitInfeasible;
}

Expected<ExitStatus> runCheck(const SolveOptions &options) {
  Expected<Graph> graph = readGraphFile(options.inputFile);
  if (!graph)
    return graph.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> text = readFile(options.planFile);
  if (!text)
    return text.takeError();
  std::vector<std::string> warnings;
  Expected<Plan> plan = parsePlan(*graph, (*text)->getBuffer(), &warnings);
  if (!plan)
    return inFile(options.planFile, plan.takeError());
  printWarnings(options.planFile, warnings);
  applyCopyOptions(options.plan, *graph);
  GraphIndex index(*graph);
  PlanOptions checked = options.plan;
  resolveBudget(index, checked);
  if (Error violation = verifyPlan(index, *plan, checked.budgetBytes,
                                   firstRunsAskedFor(checked)))
    return reject(std::move(violation));
  if (options.isUseful)
    if (Error violation =
            verifyUseful(index, *plan, firstRunsAskedFor(checked)))
      return reject(std::move(violation));
  const std::string status =
      describeStatus(statusName(plan->status), plan->boundSpace);
  if (plan->steps.empty()) {
    outs() << "ok status=" << status << " without steps\n";
    return exitPlan;
  }
  Expected<Replay> replay = replayPlan(index, *plan);
  if (!replay)
    return replay.takeError();
  outs() << "ok status=" << status << format(" cost=%g", replay->cost)
         << " peak_bytes=" << replay->peakBytes
         << " computes=" << llvm::sum_of(replay->runsOfNode)
         << format(" time=%g", replay->time) << '\n';
  return exitPlan;
}

/// Pairs of ids, each in order.
static std::set<std::pair<StringRef, StringRef>>
conflictIds(const BufferTable &table) {
  std::set<std::pair<StringRef, StringRef>> pairs;
  for (auto [first, second] : table.conflicts) {
    StringRef a = table.buffers[first].id, b = table.buffers[second].id;
    pairs.insert({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

/// A table that is to repeat another must have the same rows, in any order.
static Error compareTables(const BufferTable &original,
                           const BufferTable &table) {
  if (original.buffers.size() != table.buffers.size())
    return createStringError(Twine(table.buffers.size()) +
                             " buffers, but the input has " +
                             Twine(original.buffers.size()));
  std::map<StringRef, const ArenaBuffer *> byId;
  for (const ArenaBuffer &buffer : table.buffers)
    byId[buffer.id] = &buffer;
  for (const ArenaBuffer &wanted : original.buffers) {
    auto found = byId.find(wanted.id);
    if (found == byId.end())
      return createStringError("buffer '" + wanted.id +
                               "' of the input is missing");
    const ArenaBuffer &buffer = *found->second;
    bool isSame = buffer.begin == wanted.begin && buffer.end == wanted.end &&
                  buffer.bytes == wanted.bytes &&
                  buffer.alignmentBytes == wanted.alignmentBytes &&
                  buffer.fixedOffset == wanted.fixedOffset &&
                  buffer.gaps == wanted.gaps && buffer.space == wanted.space;
    if (!isSame)
      return createStringError("buffer '" + wanted.id +
                               "' differs from the input");
  }
  if (conflictIds(original) != conflictIds(table))
    return createStringError("the conflicts differ from those of the input");
  return Error::success();
}

static Expected<BufferTable> readTable(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> text = readFile(path);
  if (!text)
    return text.takeError();
  Expected<BufferTable> table = parseBuffers((*text)->getBuffer());
  if (!table)
    return inFile(path, table.takeError());
  return table;
}

/// The sum over spaces of the highest end; 0 where that does not fit in 64
/// bits, which verify() says.
static int64_t findHeight(const ArenaProblem &problem,
                          ArrayRef<int64_t> offsets) {
  int64_t total = 0;
  for (const auto &[space, height] : heightsBySpace(problem, offsets))
    if (__builtin_add_overflow(total, height, &total))
      return 0;
  return total;
}

Expected<ExitStatus> runCheckOffsets(const SolveOptions &options) {
  Expected<BufferTable> table = readTable(options.inputFile);
  if (!table)
    return table.takeError();
  if (!table->offsets)
    return inFile(options.inputFile,
                  createStringError("column 'offset' is missing"));
  Expected<ArenaProblem> made =
      makeArenaProblem(*table, options.spaces, options.plan.alignmentBytes,
                       options.capacityBytes);
  if (!made)
    return inFile(options.inputFile, made.takeError());
  const ArenaProblem &problem = *made;
  if (Error error = problem.check())
    return inFile(options.inputFile, std::move(error));
  if (!options.originalFile.empty()) {
    Expected<BufferTable> original = readTable(options.originalFile);
    if (!original)
      return original.takeError();
    if (Error violation = compareTables(*original, *table))
      return reject(std::move(violation));
  }
  ArenaPlan plan;
  plan.offsets = *table->offsets;
  plan.peakBytes = findHeight(problem, plan.offsets);
  plan.report.status = SolveStatus::Feasible;
  if (Error violation = problem.verify(plan))
    return reject(std::move(violation));
  outs() << "ok buffers=" << problem.buffers.size()
         << " lower_bound=" << problem.lowerBoundBytes()
         << " height=" << plan.peakBytes << '\n';
  return exitPlan;
}

} // namespace memplan

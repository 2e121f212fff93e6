//===- core.cpp - The planners from C++, one problem at a time ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a graph, plans it, replays the plan with code that shares nothing with
// the planners, and compares the packers on its buffers.
//
//===----------------------------------------------------------------------===//

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <memplan/Graph/GraphJson.h>
#include <memplan/Planner/Arena/ArenaProblem.h>
#include <memplan/Planner/Step/PlanStep.h>

static llvm::Error planFile(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  llvm::Expected<memplan::Graph> graph =
      memplan::parseGraph((*file)->getBuffer());
  if (!graph)
    return graph.takeError();
  memplan::GraphIndex index(*graph);

  memplan::PlanOptions options;
  if (llvm::Error error = memplan::setOption(options, "budget", "90%"))
    return error;
  memplan::resolveBudget(index, options);
  llvm::Expected<memplan::Plan> plan = memplan::planStep(*graph, options);
  if (!plan)
    return plan.takeError();
  llvm::Expected<memplan::Replay> replay = memplan::replayPlan(index, *plan);
  if (!replay)
    return replay.takeError();
  llvm::outs() << memplan::statusName(plan->status) << ": cost " << replay->cost
               << ", peak " << replay->peakBytes << " of "
               << *options.budgetBytes << " bytes\n";

  // The same buffers again, by every packer.
  memplan::ArenaProblem problem;
  for (const memplan::Placement &place : plan->arenas[0].placements)
    if (place.kind == memplan::PlacementKind::Tensor)
      problem.buffers.push_back({.id = std::to_string(problem.buffers.size()),
                                 .bytes = (*graph)[place.tensor].bytes,
                                 .begin = place.stepBegin,
                                 .end = place.stepEnd});
  memplan::SolveLimits limits;
  limits.effort = 1000;
  for (const memplan::ArenaSolver &solver : memplan::arenaSolvers())
    if (auto packed = memplan::solve(problem, solver, limits))
      llvm::outs() << solver.name << ": " << packed->peakBytes
                   << " bytes, at least " << problem.lowerBoundBytes() << "\n";
    else
      return packed.takeError();
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::Error error = argc == 2
                          ? planFile(argv[1])
                          : llvm::createStringError("usage: core-cpp GRAPH");
  if (!error)
    return 0;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

//===- ArenaProblem.cpp - Byte offsets in one arena -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "GreedyArena.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

const ArenaSpace *ArenaProblem::findSpace(llvm::StringRef name) const {
  auto found = llvm::find_if(
      spaces, [&](const ArenaSpace &space) { return space.name == name; });
  return found == spaces.end() ? nullptr : &*found;
}

std::optional<int64_t> ArenaProblem::budgetOf(llvm::StringRef name) const {
  const ArenaSpace *space = findSpace(name);
  return space && space->budgetBytes ? space->budgetBytes : budgetBytes;
}

static const ArenaSolver solverTable[] = {
    {"auto",
     "'search' and 'exact', each with little work, until the bound is reached",
     {.family = SolverFamily::Search, .anytime = true, .obeysEffort = true},
     solveAutoArena},
    {"exact",
     "a search that leaves nothing out: proves that a plan is the lowest, or "
     "that a budget cannot hold",
     {.family = SolverFamily::Search,
      .exact = true,
      .anytime = true,
      .obeysEffort = true},
     solveExactArena},
    {"search",
     "the lowest valley first by several orders, merged buffers, first fit, "
     "and orders that are improved by what ends too high",
     {.family = SolverFamily::Search, .anytime = true, .obeysEffort = true},
     solveSearchArena},
    {"best-fit",
     "buffers by first step, each into the tightest gap between those placed "
     "before",
     {},
     solveBestFit},
    {"greedy-by-size",
     "buffers by size, largest first, each into the tightest gap between those "
     "placed before",
     {},
     solveGreedyBySize},
    {"greedy-by-breadth",
     "steps by live bytes, most first; the buffers of each by size, into the "
     "tightest gap",
     {},
     solveGreedyByBreadth},
    {"xla",
     "buffers by size, largest first, the longer lived of equals, each into "
     "the "
     "tightest gap",
     {},
     solveXlaArena},
    {"hill-climb",
     "first fit by size, improved by 500 swaps, as in TVM",
     {.anytime = true, .obeysEffort = true},
     solveHillClimbArena},
};

std::span<const ArenaSolver> memplan::arenaSolvers() { return solverTable; }

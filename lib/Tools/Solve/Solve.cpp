//===- Solve.cpp - Dispatch of memplan-solve ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/Solve.h"
#include "Commands.h"
#include "Files.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Swap/SwapProblem.h"
#include "memplan/Tools/StopSignals.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memplan {

template <typename Table>
static void listTable(StringRef problem, const Table &table) {
  outs() << problem << ":\n";
  for (const auto &solver : table)
    outs() << "  " << left_justify(StringRef(solver.name), 18) << ' '
           << StringRef(solver.summary) << '\n';
}

Expected<ExitStatus> runListSolvers() {
  listTable("remat", rematSolvers());
  listTable("order", orderSolvers());
  listTable("swap", swapSolvers());
  listTable("sharing", sharingSolvers());
  listTable("arena", arenaSolvers());
  return exitPlan;
}

static Expected<ExitStatus> runCommand(int argc, char **argv) {
  Expected<SolveOptions> options = parseSolveOptions(argc, argv);
  if (!options)
    return options.takeError();
  for (StringRef path :
       {options->outputFile, options->statsFile, options->traceFile})
    if (Error error = checkWritable(path))
      return std::move(error);
  switch (options->command) {
  case SolveCommand::Remat:
    return runRemat(*options);
  case SolveCommand::Arena:
    return runArena(*options);
  case SolveCommand::Check:
    return runCheck(*options);
  case SolveCommand::CheckOffsets:
    return runCheckOffsets(*options);
  case SolveCommand::Replay:
    return runReplay(*options);
  case SolveCommand::ListSolvers:
  case SolveCommand::None:
    break;
  }
  return runListSolvers();
}

int solveMain(int argc, char **argv) {
  InitLLVM init(argc, argv);
  StopSignals signals;
  Expected<ExitStatus> status = runCommand(argc, argv);
  if (status)
    return *status;
  WithColor::error(errs(), "memplan-solve")
      << toString(status.takeError()) << '\n';
  return exitBadInput;
}

} // namespace memplan

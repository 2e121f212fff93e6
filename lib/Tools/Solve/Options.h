//===- Options.h - Command line of memplan-solve ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H
#define MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H

#include "memplan/Planner/Problem.h"
#include <optional>
#include <string>

namespace memplan {

enum class SolveCommand {
  None,
  ListSolvers,
  Remat,
  Arena,
  Check,
  CheckOffsets
};

/// What the user asked for; only the fields of the command are meaningful.
/// Sizes are text, because a percentage can only be understood with the graph
/// at hand.
struct SolveOptions {
  SolveCommand command = SolveCommand::None;
  std::string inputFile;
  std::string planFile;     ///< check
  std::string originalFile; ///< check-offsets
  std::string outputFile = "-";
  std::string statsFile;
  std::string solver;
  std::string order = "source";
  std::string sharing;
  std::string arena;
  std::string budget;
  std::string capacity;
  std::string alignment;
  bool inPlace = true;
  int64_t effort = 0;
  double timeLimitSeconds = 0; ///< 0: none
  int threads = 1;
};

/// Reads the command line. Fails with the usage where it makes no sense; --help
/// and --version print and exit.
llvm::Expected<SolveOptions> parseSolveOptions(int argc, char **argv);

/// Limits that the options ask for; Ctrl-C sets their `stop`, a second one ends
/// the program. Progress goes to the terminal, if there is one.
SolveLimits makeLimits(const SolveOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H

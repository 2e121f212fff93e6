//===- Options.h - Command line of memplan-solve ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H
#define MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H

#include "memplan/Planner/Arena/ArenaProblem.h"
#include "memplan/Planner/Options.h"
#include "memplan/Tools/ReportFiles.h"
#include <optional>
#include <string>

namespace memplan {

enum class SolveCommand {
  None,
  ListSolvers,
  Remat,
  Arena,
  Check,
  CheckOffsets,
  Replay
};

/// What the command line asks for, as text where the input decides its meaning.
struct SolveOptions {
  SolveCommand command = SolveCommand::None;
  std::string inputFile;
  std::string planFile;     ///< check
  bool isUseful = false;    ///< check: nothing may run in vain.
  std::string originalFile; ///< check-offsets
  std::string outputFile = "-";
  std::string statsFile;
  std::string emit = "plan"; ///< remat: or "report-data", "milp", "matrices".
  ReportFiles report;        ///< remat
  std::string traceFile;     ///< remat: where what was simulated goes.
  std::string graphFile;     ///< replay
  std::string steps = "planned"; ///< replay: which of its plans is written.
  PlanOptions plan;              ///< What the table has; stop is set.
  std::optional<int64_t> capacityBytes;
  std::vector<ArenaSpace> spaces; ///< arena, check-offsets
};

llvm::Expected<SolveOptions> parseSolveOptions(int argc, char **argv);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_OPTIONS_H

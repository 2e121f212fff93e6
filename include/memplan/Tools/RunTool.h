//===- RunTool.h - The body of memplan-run ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_RUNTOOL_H
#define MEMPLAN_TOOLS_RUNTOOL_H

#include "memplan/Runtime/Data/Feed.h"
#include "memplan/Runtime/Dynamic/Engine.h"
#include "memplan/Runtime/Execute/StepLibrary.h"
#include "memplan/Runtime/Program/Program.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// What --dynamic and its flags ask for.
struct DynamicFlags {
  std::string policy; ///< "dtr", or "": none
  std::string budget; ///< a size or a share of the unplanned peak
  std::string hostBudget;
  std::string threshold;
  std::string traceFile;
  std::string planFile; ///< the first path that steps follow
  bool replay = false;
  runtime::DynamicOptions options;
};

/// What the command line asks for.
struct RunOptions {
  std::string file;
  std::string unplannedFile; ///< --unplanned: the other program of --check
  std::string backend = "cpu";
  int32_t device = 0;
  int32_t threads = 1;
  int64_t steps = 1;
  bool check = false;
  bool poison = false;
  bool measure = false;
  bool checkRaces = false;
  bool eager = false;
  bool externalArenas = false; ///< taken here and lent to the program
  /// Bytes a microsecond to the device and back, microseconds a copy.
  std::optional<std::array<double, 3>> bandwidth;
  bool dump = false;
  std::string deviceFile; ///< where a description of the device goes
  bool quiet = false;
  /// Bytes that may be taken for scratch beyond the plan.
  std::optional<int64_t> scratchLimit;
  std::string profileFile;
  std::string measurementsFile;
  std::string reportFile;
  /// Whether every run and copy is timed, for one of these files.
  bool isTimed() const { return !profileFile.empty() || isMeasured(); }
  /// Whether the step's times and bytes are wanted beside its plan.
  bool isMeasured() const {
    return !measurementsFile.empty() || !reportFile.empty();
  }
  std::string saveParams;
  DynamicFlags dynamic;
  runtime::FeedOptions feed;
  /// Flags that the source of the programs gets too.
  std::vector<std::string> sharedFlags;
  /// Flags that are none of the above, for the source of the programs.
  std::vector<std::string> sourceFlags;
};

/// The program to run, and for --check the same step without a plan.
struct RunPrograms {
  /// With --dynamic the unplanned program, unless its --plan is followed.
  runtime::Program planned;
  std::optional<runtime::Program> unplanned;
  /// The step as it was before a codec was put into it, where one was.
  std::optional<runtime::Program> lossless;
  /// By node, in microseconds: what --cost-model says. Empty: nothing.
  std::vector<double> nodeCosts;
  /// Code made from `planned`, which runs follow instead of the table.
  runtime::StepFunction step = nullptr;
  std::shared_ptr<void> code; ///< keeps `step` loaded
  /// Draws the page of --report with the text of a *.measured.json. Empty
  /// where the plan is not known.
  std::function<runtime::Status(const std::string &measured)> drawReport;
};

/// Makes the programs of an input that is neither an .mpp file nor a step
/// library. No programs: the flags asked for something else, which is done.
using ProgramSource = std::function<runtime::Result<std::optional<RunPrograms>>(
    const RunOptions &)>;

/// Parses the arguments after the program's name. Unknown flags are an error
/// unless `keepUnknown`.
runtime::Result<RunOptions>
parseRunOptions(const std::vector<std::string> &arguments, bool keepUnknown);

/// What --help prints.
std::string runHelp();

/// Runs the programs as the options say and prints losses and findings to
/// stdout.
runtime::Status runPrograms(const RunOptions &options, RunPrograms programs);

/// The whole tool. `source` may be empty: then only .mpp files are taken. Exit
/// status: 0. 1 when a check found something. 2 for bad input. 3 when the
/// backend is missing. 128 + N when signal N ended the run after a step.
int runToolMain(int argc, char **argv, const ProgramSource &source,
                const std::string &sourceHelp = "");

} // namespace memplan

#endif // MEMPLAN_TOOLS_RUNTOOL_H

//===- ReportFiles.h - What a tool says of a plan ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_REPORTFILES_H
#define MEMPLAN_TOOLS_REPORTFILES_H

#include "memplan/Plan/Plan.h"
#include "memplan/Report/ReportData.h"
#include "llvm/Support/CommandLine.h"

namespace memplan {

enum class SummaryForm { Line, Full, Json };

/// What is written of a plan beside the plan itself, by a tool's flags.
struct ReportFiles {
  std::string data;     ///< *.report.json; "": none
  std::string perfetto; ///< --perfetto=FILE
  std::string page;     ///< --report=FILE.html
  /// Text of a *.measured.json, which the page shows beside the plan; "": none
  std::string measured;
  SummaryForm summary = SummaryForm::Line;
  std::optional<ChosenBatch>
      batch; ///< The plan's batch, if it was searched for.

  /// Whether anything beyond the summary's line is asked for.
  bool isAnything() const {
    return !data.empty() || !perfetto.empty() || !page.empty() ||
           summary != SummaryForm::Line;
  }
  /// Says which file cannot be written, and where a page cannot be drawn,
  /// before the work.
  llvm::Error check() const;
  /// Replays the plan and writes all of it; a summary that is no line goes to
  /// `os`. `sources` says of each node where it stands, or is empty. The page
  /// is drawn by the command `memplan report` of the Python package.
  llvm::Error write(const Graph &graph, const Plan &plan, llvm::raw_ostream &os,
                    std::vector<std::string> sources = {}) const;
};

/// --report, --perfetto and --summary on a command line.
class ReportFlags {
public:
  explicit ReportFlags(
      llvm::cl::OptionCategory &category,
      llvm::cl::SubCommand &command = llvm::cl::SubCommand::getTopLevel());
  bool isGiven() const;
  ReportFiles files() const;

private:
  llvm::cl::opt<std::string> page, perfetto;
  llvm::cl::opt<SummaryForm> summary;
};

} // namespace memplan

#endif // MEMPLAN_TOOLS_REPORTFILES_H

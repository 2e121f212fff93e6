//===- PlanningFlags.h - Planning options on a command line -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_PLANNINGFLAGS_H
#define MEMPLAN_TOOLS_PLANNINGFLAGS_H

#include "memplan/Planner/Options.h"
#include "memplan/Tools/ProgressLine.h"
#include "llvm/Support/CommandLine.h"
#include <memory>

namespace memplan {

/// A flag for each option of the table that is made for one user.
class PlanningFlags {
public:
  PlanningFlags(
      OptionUser user, llvm::cl::OptionCategory &category,
      llvm::cl::SubCommand &command = llvm::cl::SubCommand::getTopLevel(),
      PlanOptions defaults = {},
      std::span<const PlanningOption> table = planningOptions());

  /// Names of the flags that were given, in the order of the table.
  std::vector<llvm::StringRef> given() const;
  bool isGiven(llvm::StringRef name) const;
  /// The defaults and what was given. Errors begin with the flag: "--budget: ".
  llvm::Expected<PlanOptions> options() const;

private:
  struct Flag {
    const PlanningOption *option;
    std::string help;
    std::unique_ptr<llvm::cl::opt<std::string>> text;
  };
  std::vector<Flag> flags;
  PlanOptions defaults;
};

/// Says on the line what solvers tell; empty where no line is drawn.
std::function<void(const Progress &)> progressOn(ProgressLine &line);

} // namespace memplan

#endif // MEMPLAN_TOOLS_PLANNINGFLAGS_H

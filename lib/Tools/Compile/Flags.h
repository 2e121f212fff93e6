//===- Flags.h - What to compile and how ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_COMPILE_FLAGS_H
#define MEMPLAN_LIB_TOOLS_COMPILE_FLAGS_H

#include "memplan/Planner/Options.h"
#include "memplan/Runtime/Support/Status.h"
#include <optional>

namespace memplan {

/// The flags of memplan-run that concern .mlir files.
struct CompileFlags {
  PlanOptions plan;
  std::optional<Percentage> budgetOfDevice; ///< --budget=device:80%
  std::string function;
  bool jit = false;
  std::string irFile;               ///< --emit-ir
  std::string planFile;             ///< --emit-plan
  std::string programFile;          ///< --emit-program
  std::string unplannedProgramFile; ///< --emit-unplanned
  std::string libraryFile;          ///< --emit-library
  bool emitsOnly() const {
    return !planFile.empty() || !programFile.empty() ||
           !unplannedProgramFile.empty() || !libraryFile.empty();
  }
};

runtime::Result<CompileFlags>
parseCompileFlags(const std::vector<std::string> &flags);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_COMPILE_FLAGS_H

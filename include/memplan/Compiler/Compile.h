//===- Compile.h - From MLIR files to running programs ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_COMPILE_H
#define MEMPLAN_COMPILER_COMPILE_H

#include "memplan/Tools/RunTool.h"

namespace memplan {

/// Reads the .mlir file that memplan-run was given, plans its step for the
/// backend, and makes the programs. Diagnostics go to stderr.
runtime::Result<std::optional<RunPrograms>>
compilePrograms(const RunOptions &options);

/// The flags of compilePrograms(), for --help.
std::string compileHelp();

} // namespace memplan

#endif // MEMPLAN_COMPILER_COMPILE_H

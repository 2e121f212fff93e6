//===- CompileTool.h - .mlir files for memplan-run --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMPILETOOL_H
#define MEMPLAN_TOOLS_COMPILETOOL_H

#include "memplan/Tools/RunTool.h"

namespace memplan {

/// Compiles the .mlir file that memplan-run was given, and writes the files
/// that were asked for. Says on stderr what was planned and what is wrong.
runtime::Result<std::optional<RunPrograms>>
compilePrograms(const RunOptions &options);

/// The flags of compilePrograms(), for --help.
std::string compileHelp();

} // namespace memplan

#endif // MEMPLAN_TOOLS_COMPILETOOL_H

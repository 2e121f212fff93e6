//===- DynamicRun.h - memplan-run --dynamic ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_RUN_DYNAMICRUN_H
#define MEMPLAN_LIB_TOOLS_RUN_DYNAMICRUN_H

#include "memplan/Tools/RunTool.h"

namespace memplan {

/// Runs the program as runPrograms() does, with addresses from a pool.
runtime::Status runDynamic(const RunOptions &options, RunPrograms programs);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_RUN_DYNAMICRUN_H

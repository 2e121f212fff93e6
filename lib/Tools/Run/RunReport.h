//===- RunReport.h - What memplan-run prints --------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_RUN_RUNREPORT_H
#define MEMPLAN_LIB_TOOLS_RUN_RUNREPORT_H

#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Observe/Observers.h"

namespace memplan {

/// The step's losses, with all digits that tell two floats apart.
runtime::Status printLosses(const runtime::Runnable &runnable, int64_t step);
/// Bytes planned, handed out to launches and touched by them, apart.
void printUse(const runtime::Executable &executable,
              const runtime::StepUse &use);
/// Time and allocations.
void printSteps(const std::vector<runtime::StepStats> &steps);
/// A warning where the program was planned for another device.
void printPlannedFor(const runtime::Program &program,
                     const runtime::Device &device);
/// Kernels that run with scratch beyond the plan, or slower for want of it.
void printScratch(const runtime::Executable &executable);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_RUN_RUNREPORT_H

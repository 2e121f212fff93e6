//===- Measurements.h - What a step really took -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_RUN_MEASUREMENTS_H
#define MEMPLAN_LIB_TOOLS_RUN_MEASUREMENTS_H

#include "memplan/Runtime/Observe/Observers.h"

namespace memplan {

/// Text of a `*.measured.json` (docs/Formats.md): bytes of each arena as
/// planned and as handed out, and the median time of every run and copy, for
/// reports that show a run beside its plan. `profile` has timed the step.
std::string measurementsText(const runtime::Executable &executable,
                             const runtime::ProfileObserver &profile,
                             const runtime::StepUse &use);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_RUN_MEASUREMENTS_H

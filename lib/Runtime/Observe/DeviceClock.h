//===- DeviceClock.h - Times by the clock of a device -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_OBSERVE_DEVICECLOCK_H
#define MEMPLAN_LIB_RUNTIME_OBSERVE_DEVICECLOCK_H

#include "memplan/Runtime/Execute/Executor.h"

#include <string>
#include <vector>

namespace memplan::runtime {

inline bool hasClock(const Device &device) {
  return device.backend().time_launches;
}

/// Microseconds of one launch of an instruction that has just run: the mean of
/// `count` in a row. 0 asks for a count, by which all take about a millisecond.
/// What the launches write over their own inputs is put back.
Result<double> timeLaunches(const Executable &executable, size_t instruction,
                            int32_t &count);

struct VariantTime {
  std::string name;
  int64_t workspaceBytes = 0;
  double micros = 0;
};

/// Every variant of the instruction but its own, in scratch of its own and on
/// what lies at the operands. Without those whose scratch the device has not.
Result<std::vector<VariantTime>> timeVariants(const Executable &executable,
                                              size_t instruction);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_OBSERVE_DEVICECLOCK_H

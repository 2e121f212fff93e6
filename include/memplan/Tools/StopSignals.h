//===- StopSignals.h - Ctrl-C and SIGTERM -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_STOPSIGNALS_H
#define MEMPLAN_TOOLS_STOPSIGNALS_H

#include <atomic>

namespace memplan {

/// While the object lives, the first SIGINT or SIGTERM asks the process to end
/// what it does well. The second one ends it at once. One at a time.
class StopSignals {
public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;

  /// The signal that came, or 0.
  static int received();
  /// "SIGINT" or "SIGTERM", which came; null: none.
  static const char *name();
  /// Whether one came: for solvers, which then return their best plan.
  static const std::atomic<bool> &asked();
  /// Goes on after a Ctrl-C that was meant for what is done now. SIGTERM stays.
  static void forgetInterrupt();
};

} // namespace memplan

#endif // MEMPLAN_TOOLS_STOPSIGNALS_H

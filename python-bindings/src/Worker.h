//===- Worker.h - Long calls: threads, progress, Ctrl-C ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PYTHON_WORKER_H
#define MEMPLAN_PYTHON_WORKER_H

#include "Errors.h"
#include "memplan-c/Planner.h"
#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace memplan::python {

/// What people give to several plannings to stop them.
struct Cancel {
  std::atomic<bool> cancelled = false;
};

struct Progress {
  std::string solver;
  std::optional<double> incumbent, bound;
  double seconds = 0;
};

/// One long call of the C API, on a thread of its own without the interpreter's
/// lock, so that the thread that asked for it hears signals and tokens.
class Worker {
public:
  /// `options` are those that the call plans with. `progress` may be None, and
  /// `cancel` null.
  Worker(memplan_options_t *options, nb::object progress, const Cancel *cancel)
      : options(options), progress(std::move(progress)), cancel(cancel) {}
  Worker(const Worker &) = delete;

  /// Calls `body` and waits for it. Raises what its status stands for, unless
  /// this thread has an exception to raise: see interruption.
  void run(const std::function<memplan_status_t()> &body);
  /// Raised by a signal handler or by the progress callback meanwhile.
  std::optional<nb::python_error> interruption;

private:
  static int32_t report(void *user, const memplan_progress_t *said);

  memplan_options_t *options;
  nb::object progress;
  const Cancel *cancel;
};

} // namespace memplan::python

#endif // MEMPLAN_PYTHON_WORKER_H

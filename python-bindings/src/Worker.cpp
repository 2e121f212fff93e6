//===- Worker.cpp - Long calls: threads, progress, Ctrl-C -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace memplan::python;

static std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

int32_t Worker::report(void *user, const memplan_progress_t *said) {
  auto *self = static_cast<Worker *>(user);
  const nb::gil_scoped_acquire lock;
  if (self->interruption)
    return 1;
  try {
    const nb::object answer =
        self->progress(nb::cast(Progress{said->solver, known(said->incumbent),
                                         known(said->bound), said->seconds}));
    return PyObject_IsTrue(answer.ptr()) != 0;
  } catch (nb::python_error &raised) {
    self->interruption.emplace(raised);
    return 1;
  }
}

void Worker::run(const std::function<memplan_status_t()> &body) {
  using namespace std::chrono_literals;
  if (!progress.is_none())
    check(memplan_options_set_progress(options, report, this));
  std::mutex mutex;
  std::condition_variable finished;
  bool isFinished = false;
  memplan_status_t status = MEMPLAN_OK;
  std::string error; // memplan_last_error() is of the thread.
  std::thread thread([&] {
    const memplan_status_t came = body();
    const std::lock_guard lock(mutex);
    status = came;
    if (came != MEMPLAN_OK)
      error = memplan_last_error();
    isFinished = true;
    finished.notify_one();
  });
  auto isOver = [&] {
    const nb::gil_scoped_release unlocked;
    std::unique_lock lock(mutex);
    return finished.wait_for(lock, 20ms, [&] { return isFinished; });
  };
  while (!isOver()) {
    if (!interruption && PyErr_CheckSignals() != 0)
      interruption.emplace();
    if (interruption || (cancel && cancel->cancelled))
      memplan_options_cancel(options, 1);
  }
  thread.join();
  check(memplan_options_set_progress(options, nullptr, nullptr));
  if (!interruption)
    check(status, error);
}

//===- WalkBeside.cpp - A walk on a thread of its own ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkBeside.h"
#include <system_error>
#include <utility>

using namespace memplan;

WalkBeside::WalkBeside(const StepContext &like)
    : like(like), options(like.options), own{.index = like.index,
                                             .options = options,
                                             .solvers = like.solvers,
                                             .source = like.source} {}

WalkBeside::~WalkBeside() { cut(); }

void WalkBeside::start(SpaceWalk &walk, int64_t budget, int lastDepth) {
  if (isRunning())
    finish(); // An error left it behind.
  isCut = isDone = false;
  options.limits.stop = &isCut;
  options.limits.progress = nullptr;
  auto run = [this, &walk, budget, lastDepth] {
    try {
      // The caller meets an error again.
      llvm::consumeError(walk.plansFor(budget, lastDepth).takeError());
    } catch (...) { // Memory was short.
      thrown = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex);
      isDone = true;
    }
    done.notify_one();
  };
  try {
    thread = std::thread(run);
  } catch (const std::system_error &) {
    join(); // No thread is to be had: the caller walks alone.
  }
}

/// From here on the caller's thread goes on with the walk.
void WalkBeside::join() {
  if (isRunning())
    thread.join();
  options.limits.stop = like.options.limits.stop;
  options.limits.progress = like.options.limits.progress;
}

void WalkBeside::finish() {
  {
    std::unique_lock lock(mutex);
    while (
        !done.wait_for(lock, tuning::betweenLooks, [this] { return isDone; }))
      if (like.isStopped())
        isCut = true;
  }
  join();
  if (thrown)
    std::rethrow_exception(std::exchange(thrown, nullptr));
}

bool WalkBeside::cut() {
  if (!isRunning())
    return true;
  isCut = true;
  join();
  thrown = nullptr;
  return false;
}

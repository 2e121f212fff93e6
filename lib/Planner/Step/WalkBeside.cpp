//===- WalkBeside.cpp - A walk on a thread of its own ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkBeside.h"
#include <cassert>
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
  assert(!isRunning());
  isCut = isDone = false;
  options.limits.stop = &isCut;
  if (like.options.limits.progress)
    options.limits.progress = [this](const Progress &said) {
      const std::lock_guard lock(mutex);
      news = said;
    };
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

/// False once the walk has ended.
bool WalkBeside::waitAWhile() {
  std::optional<Progress> said;
  bool hasEnded = false;
  {
    std::unique_lock lock(mutex);
    hasEnded =
        done.wait_for(lock, tuning::betweenLooks, [this] { return isDone; });
    said = std::exchange(news, std::nullopt);
  }
  if (said && !like.isStopped())
    like.options.limits.progress(*said);
  return !hasEnded;
}

void WalkBeside::finish() {
  while (waitAWhile())
    if (like.isStopped())
      isCut = true;
  join();
  if (thrown)
    std::rethrow_exception(std::exchange(thrown, nullptr));
}

bool WalkBeside::cut() {
  if (!isRunning())
    return true;
  {
    const std::lock_guard lock(mutex);
    isCut = !isDone;
  }
  join();
  return !isCut && !std::exchange(thrown, nullptr);
}

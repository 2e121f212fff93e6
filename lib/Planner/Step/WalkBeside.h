//===- WalkBeside.h - A walk on a thread of its own -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk keeps its searches. So a second thread walks ahead, and who asks that
// walk for the same budget afterwards finds them made. The plan is the one that
// a single thread finds: no walk looks at another.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_WALKBESIDE_H
#define MEMPLAN_LIB_PLANNER_STEP_WALKBESIDE_H

#include "PlanSpace.h"
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace memplan {

/// Nothing of the caller's is called on the other thread: what is reported
/// there is handed on where the caller waits.
class WalkBeside {
public:
  /// `like` is kept by reference.
  explicit WalkBeside(const StepContext &like);
  ~WalkBeside();
  WalkBeside(const WalkBeside &) = delete;
  WalkBeside &operator=(const WalkBeside &) = delete;

  /// As `like`, without its starts; of the one walk that runs here, and of no
  /// other.
  const StepContext &context() const { return own; }
  /// Begins the walk to a budget. One at a time.
  void start(SpaceWalk &walk, int64_t budget, int lastDepth);
  bool isRunning() const { return thread.joinable(); }
  /// Waits for the end, or until the caller's limits stop both, and reports
  /// progress meanwhile. Throws what was thrown there.
  void finish();
  /// Ends the walk where it is. False if it now lacks searches, so that it has
  /// to be made anew.
  bool cut();

private:
  void join();
  bool waitAWhile();

  const StepContext &like;
  PlanOptions options;
  std::atomic<bool> isCut = false;
  StepContext own;
  std::thread thread;
  std::mutex mutex; ///< Guards `isDone` and `news`.
  std::condition_variable done;
  bool isDone = false;
  std::optional<Progress> news; ///< The last report that is not handed on yet.
  std::exception_ptr thrown;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_WALKBESIDE_H

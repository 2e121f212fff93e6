//===- CopyQueue.h - Actions, and their bytes and time ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_COPYQUEUE_H
#define MEMPLAN_LIB_PLANNER_SWAP_COPYQUEUE_H

#include "memplan/Planner/Swap/SwapProblem.h"
#include <deque>
#include <utility>

namespace memplan {

/// Appends actions to one stream and two copy engines, and follows their bytes
/// and their time. The caller gives the order of all of them: no list is
/// scheduled here. What is said of bytes and time guides decisions only:
/// figures of a plan are those of the replay.
class CopyQueue {
public:
  explicit CopyQueue(const SwapProblem &problem);

  std::vector<PlanAction> actions;

  /// A run, which takes storage of that size for what it makes.
  void compute(PlanAction action, int64_t madeBytes);
  void free(TensorId base);
  /// False, and nothing happens, where the host has no room. Nothing reads the
  /// tensor after the run `lastUse` until it is back.
  bool evict(TensorId tensor, int32_t lastUse);
  /// After the evict, which is waited for if need be.
  void fetch(TensorId tensor);
  void waitForFetch(TensorId tensor);
  void dropHost(TensorId tensor);
  /// Gives back what has left, as far as no run up to `run` reads it.
  void giveBackWhatIsOver(int32_t run);
  /// Waits for what is leaving until so many more bytes keep the budget.
  void makeRoom(int64_t bytes, int32_t run);

  /// A base lies in storage of so many bytes from now on; 0: nowhere.
  void hold(TensorId base, int64_t bytes) { held[base.index] = bytes; }
  int64_t bytesOf(TensorId base) const { return held[base.index]; }
  /// What has been given back since the last call: its views are invalid.
  std::vector<TensorId> takeFreed() { return std::exchange(freed, {}); }

private:
  struct Leaving {
    TensorId tensor;
    int64_t event = 0;
    double end = 0;
    int32_t lastUse = 0;
  };
  struct Coming {
    int64_t event = 0;
    double end = 0;
  };

  void giveBack(size_t which);
  void wait(int64_t event, double end);

  const Graph &graph;
  int64_t budget, hostBudget;
  Bandwidth bandwidth;
  int64_t live, hostLive = 0;
  std::vector<int64_t> held; ///< By base.
  std::vector<TensorId> freed;
  std::deque<Leaving> leaving; ///< In the order of the engine.
  std::vector<Coming> coming;  ///< By tensor.
  int64_t events = 0;
  double now = 0, outIsFree = 0, inIsFree = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_COPYQUEUE_H

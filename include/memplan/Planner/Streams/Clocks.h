//===- Clocks.h - What has happened before what -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STREAMS_CLOCKS_H
#define MEMPLAN_PLANNER_STREAMS_CLOCKS_H

#include "memplan/Plan/Plan.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace memplan {

inline bool isJob(const PlanAction &action) {
  return action.action == ActionKind::Compute ||
         action.action == ActionKind::Evict ||
         action.action == ActionKind::Fetch;
}

/// Vector clocks of the jobs of a list, its runs and copies, while they are put
/// on their queues. Jobs are named by their place in the list.
class Clocks {
public:
  explicit Clocks(size_t actions) : clockOf(actions) {}

  /// By queue, how many of its jobs have ended.
  using Clock = llvm::SmallVector<int32_t, 6>;

  /// Has the job ended before what is put on the stream now?
  bool covers(int32_t stream, int32_t job) {
    return includes(now(streamQueue(stream)), job);
  }
  /// As coversRun() for a copy on its engine, issued from the stream.
  bool coversCopy(int32_t stream, ActionKind kind, int32_t job) {
    return covers(stream, job) || includes(now(engine(kind)), job);
  }
  void wait(int32_t stream, int32_t job) {
    join(now(streamQueue(stream)), clockOf[job].clock);
  }
  void put(const PlanAction &action, int32_t job) {
    const int32_t stream = streamQueue(action.stream);
    int32_t queue = stream;
    if (action.action != ActionKind::Compute) {
      queue = engine(action.action);
      join(now(queue), Clock(now(stream)));
    }
    Clock &clock = now(queue);
    if (clock.size() <= size_t(queue))
      clock.resize(queue + 1);
    ++clock[queue];
    clockOf[job] = {queue, clock};
  }
  /// True if `a` happens before `b`; both are put.
  bool precedes(int32_t a, int32_t b) const {
    return includes(clockOf[b].clock, a);
  }

private:
  struct Job {
    int32_t queue = -1;
    Clock clock; ///< At its end.
  };

  static int32_t engine(ActionKind kind) {
    return kind == ActionKind::Fetch ? 1 : 0;
  }
  int32_t streamQueue(int32_t stream) {
    auto [found, isNew] =
        queues.try_emplace(stream, static_cast<int32_t>(queues.size()) + 2);
    return found->second;
  }
  Clock &now(int32_t queue) {
    if (ends.size() <= size_t(queue))
      ends.resize(queue + 1);
    return ends[queue];
  }
  bool includes(const Clock &clock, int32_t job) const {
    auto queue = static_cast<size_t>(clockOf[job].queue);
    return queue < clock.size() && clockOf[job].clock[queue] <= clock[queue];
  }
  static void join(Clock &into, const Clock &from) {
    if (into.size() < from.size())
      into.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i)
      into[i] = std::max(into[i], from[i]);
  }

  std::map<int32_t, int32_t> queues; ///< By stream.
  std::vector<Clock> ends;           ///< By queue.
  std::vector<Job> clockOf;          ///< By job.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_STREAMS_CLOCKS_H

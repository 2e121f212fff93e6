//===- ListScheduler.h - Jobs on streams, one by one ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_LISTSCHEDULER_H
#define MEMPLAN_LIB_PLANNER_STREAMS_LISTSCHEDULER_H

#include "JobGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

namespace memplan {

/// A job graph in one piece, its jobs numbered from 0 in the order of the list.
struct FlatJobs {
  explicit FlatJobs(const JobGraph &jobs);

  struct Job {
    double time = 0, path = 0;
    int64_t takes = 0;
    int32_t firstBefore = 0, firstLater = 0, firstStorage = 0;
    int8_t engine = -1; ///< For copies: 0 to the host, 1 to the device.
    bool keepsPlace = false;
    bool communicates = false;
  };
  llvm::ArrayRef<int32_t> before(int32_t job) const {
    return slice(allBefore, &Job::firstBefore, job);
  }
  llvm::ArrayRef<int32_t> later(int32_t job) const {
    return slice(allLater, &Job::firstLater, job);
  }
  llvm::ArrayRef<int32_t> storages(int32_t job) const {
    return slice(allStorages, &Job::firstStorage, job);
  }
  bool communicate() const {
    return llvm::any_of(all, [](const Job &job) { return job.communicates; });
  }
  int32_t count() const { return static_cast<int32_t>(all.size()) - 1; }

  std::vector<Job> all; ///< And one more, for the ends.
  std::vector<int32_t> allBefore, allLater, allStorages;
  std::vector<int64_t> storageBytes; ///< 0 where they are never given back.
  std::vector<int32_t> users;        ///< By storage.
  int64_t initialBytes = 0;

private:
  llvm::ArrayRef<int32_t> slice(const std::vector<int32_t> &of,
                                int32_t Job::*first, int32_t job) const {
    return llvm::ArrayRef(of).slice(all[job].*first,
                                    all[job + 1].*first - all[job].*first);
  }
};

enum class StartRule : uint8_t {
  /// No job starts before the one that was started before it, so that live
  /// bytes are known at every start.
  InOrder,
  /// A job waits for its stream, its engine and what it needs only; live bytes
  /// are not counted.
  PerQueue,
};

/// Starts jobs on N streams, one more for those that communicate, and two copy
/// engines, each as soon as what it needs has ended, a queue is idle and its
/// bytes fit. The caller chooses the next job: by a list, by a search, by the
/// longest path to the end of the step, or by live bytes.
class ListScheduler {
public:
  static constexpr int64_t noLimit = std::numeric_limits<int64_t>::max();

  ListScheduler(const FlatJobs &jobs, int32_t streams, StartRule rule,
                int64_t liveLimit = noLimit);

  /// What is known after some jobs have started.
  struct State {
    double now = 0;  ///< When the last job started, or later.
    double time = 0; ///< When all that has started ends.
    int64_t live = 0;
    int64_t excess = 0; ///< Most above the limit.
    /// By stream: those that compute, then the one that communicates.
    llvm::SmallVector<double, 8> streamEnds;
    llvm::SmallVector<int32_t, 8> lastOn; ///< By stream: its last run.
    double engineEnds[2] = {0, 0};
    /// What has not ended, by end, the first one last.
    llvm::SmallVector<std::pair<double, int32_t>, 10> running;
    std::vector<int32_t> usersLeft; ///< By storage.
  };
  State begin() const;

  /// Starts the job, as soon as it can; all ends that has by then.
  void start(State &state, int32_t job);
  /// The job that ends first ends: what has no further user is freed.
  int32_t endFirst(State &state) const;
  /// What is live after the job, less what is before: at once, if it is the
  /// only one that runs.
  int64_t growth(const State &state, int32_t job) const;
  /// Some queue is idle on which the job may start now.
  bool isQueueIdle(const State &state, int32_t job) const;

  /// By job: when it started and ended last, and on which stream.
  std::vector<double> begins, ends;
  std::vector<int32_t> streamOf;

private:
  double whenStreamIsIdle(const State &state, const FlatJobs::Job &job) const;
  double startOf(State &state, int32_t job) const;
  int32_t streamFor(const State &state, int32_t job, double start) const;

  const FlatJobs &jobs;
  const int32_t streams;
  const StartRule rule;
  const int64_t limit;
};

/// The list by when its jobs start, with what is given back in between. `order`
/// has the jobs by when the schedule starts them.
StreamList listByStart(const JobGraph &graph, const FlatJobs &jobs,
                       const ListScheduler &schedule,
                       llvm::ArrayRef<int32_t> order);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STREAMS_LISTSCHEDULER_H

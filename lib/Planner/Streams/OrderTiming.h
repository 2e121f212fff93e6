//===- OrderTiming.h - When jobs start in a given order ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H
#define MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H

#include "JobGraph.h"

namespace memplan {

/// A job graph in one piece, its jobs numbered from 0 in the order of the list.
struct FlatJobs {
  explicit FlatJobs(const JobGraph &jobs);

  struct Job {
    double time = 0, path = 0;
    int64_t takes = 0;
    int32_t firstBefore = 0, firstLater = 0, firstStorage = 0;
    int8_t engine = -1; ///< Of copies: 0 to the host, 1 to the device.
    bool keepsPlace = false;
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

/// Starts jobs in an order of their own, each as soon as what it needs has
/// ended, a queue is idle and its bytes are there. Keeps what is known of the
/// order in hand, so that another one is timed from where they differ.
class OrderTiming {
public:
  OrderTiming(const FlatJobs &jobs, int32_t streams, int64_t limit);

  /// Times an order that is the one in hand before place `from`. False as soon
  /// as it is known to end after `most`.
  bool pass(const std::vector<int32_t> &order, int32_t from, double most);
  /// The order of the last pass, which came to its end, is the one in hand.
  void keep(const std::vector<int32_t> &order, int32_t from);
  /// The order in hand stays; `order` is that of the last pass.
  void leave(const std::vector<int32_t> &order, int32_t from);

  /// Of the last pass.
  double time() const { return last.time; }
  int64_t excess() const { return last.excess; } ///< Most above the limit.
  const std::vector<double> &startsByJob() const { return begins; }
  const std::vector<double> &endsByJob() const { return ends; }
  const std::vector<int32_t> &streamByJob() const { return streamOf; }

private:
  /// What is known where a pass has come to.
  struct Moment {
    double now = 0;  ///< When the last job started.
    double time = 0; ///< When all that has started ends.
    int64_t live = 0;
    int64_t excess = 0;
    llvm::SmallVector<double, 8> streamEnds;
    llvm::SmallVector<int32_t, 8> lastOn; ///< By stream: its last run.
    double engineEnds[2] = {0, 0};
    /// What has not ended, by end, the first one last.
    llvm::SmallVector<std::pair<double, int32_t>, 10> running;
    std::vector<int32_t> usersLeft; ///< By storage.
  };
  static constexpr int32_t stride = 32;

  double startOf(Moment &moment, int32_t job) const;
  int32_t streamFor(const Moment &moment, int32_t job, double start) const;
  void startNext(Moment &moment, int32_t job);
  void endFirst(Moment &moment) const;

  const FlatJobs &jobs;
  const int32_t streams;
  const int64_t limit;
  /// Before every so many jobs of the order in hand, and of the last pass.
  std::vector<Moment> moments, newMoments;
  Moment last; ///< After all of them.
  std::vector<double> begins, ends;
  std::vector<int32_t> streamOf;
  std::vector<double> keptEnds; ///< Of the order in hand.
  int32_t passed = 0;           ///< One past the last place of the pass.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H

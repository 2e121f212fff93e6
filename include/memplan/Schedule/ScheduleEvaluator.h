//===- ScheduleEvaluator.h - Measures many schedules ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_SCHEDULEEVALUATOR_H
#define MEMPLAN_SCHEDULE_SCHEDULEEVALUATOR_H

#include "memplan/Schedule/Liveness.h"
#include <memory>

namespace memplan {

class ScheduleChecker;

/// Measures schedules of one graph, reusing its buffers: the inner loop of a
/// local search. O(runs * arity) a call, without allocation once warm. Not for
/// use by several threads at once.
class ScheduleEvaluator {
public:
  explicit ScheduleEvaluator(const GraphIndex &index);
  ~ScheduleEvaluator();

  /// As verifySchedule(), without saying why.
  bool isValid(llvm::ArrayRef<NodeId> runs);
  /// As memplan::computeLiveRanges(). The list is good until the next call.
  const std::vector<LiveRange> &computeLiveRanges(llvm::ArrayRef<NodeId> runs);
  /// As measureSchedule(); `inPlace` may be shorter than the runs.
  ScheduleMetrics
  measure(llvm::ArrayRef<NodeId> runs,
          llvm::ArrayRef<std::vector<InPlacePair>> inPlace = {});

  /// Of the last measure(): bytes while each run executes, workspace and
  /// discarded outputs included.
  llvm::ArrayRef<int64_t> bytesAtRun() const { return bytes; }
  /// Of the last measure() or computeLiveRanges().
  const std::vector<LiveRange> &liveRanges() const { return list; }
  /// Of the last measure(): bytes of the storage that each live range uses
  /// (more than its own where it took over a larger one in place).
  llvm::ArrayRef<int64_t> storageBytes() const { return storages; }

private:
  void applyInPlace(llvm::ArrayRef<std::vector<InPlacePair>> inPlace);

  const GraphIndex *index;
  std::unique_ptr<ScheduleChecker> checker; ///< Made by the first isValid().
  std::vector<TensorId> keptBases;
  std::vector<LiveRange> list;
  std::vector<int32_t>
      current; ///< By base: index of its latest live range in `list`, or -1.
  std::vector<uint8_t> hasRun;    ///< By node.
  std::vector<int32_t> firstMade; ///< By run: index in `list` of the first
                                  ///< live range that begins there.
  std::vector<int64_t> bytes;
  std::vector<int64_t> storages;
  std::vector<uint8_t> takenOver; ///< By live range: 1 gives its storage away,
                                  ///< 2 begins on another's, 3 both.
};

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_SCHEDULEEVALUATOR_H

//===- BuildActions.cpp - From a schedule to plan actions -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/BuildActions.h"
#include "memplan/Schedule/Liveness.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

namespace {
/// Writes the steps of a schedule, run by run.
class ActionWriter {
public:
  ActionWriter(const GraphIndex &index, const Schedule &schedule,
               ArrayRef<LiveRange> liveRanges)
      : index(index), schedule(schedule), liveRanges(liveRanges),
        endings(schedule.runs.size() + 1), checker(index) {
    for (const LiveRange &range : liveRanges) {
      if (range.begin < 0) // The caller's own, which no action takes.
        ++nextLiveRange;
      // What is taken over lives on under the output that took it, and what is
      // discarded was never there.
      if (static_cast<size_t>(range.end) < endings.size() && !range.discarded &&
          !range.takenOver)
        endings[range.end].push_back(range.tensor);
    }
    for (std::vector<TensorId> &ending : endings)
      llvm::sort(ending);
  }

  std::vector<PlanAction> write(const InPlaceChoice &inPlace);

private:
  /// Outputs of the run that nothing wants: scratch, and views that are live
  /// already.
  std::vector<TensorId> findDiscards(int32_t run);

  const GraphIndex &index;
  const Schedule &schedule;
  ArrayRef<LiveRange> liveRanges;
  /// What is freed when that many runs are over: donated inputs that none reads
  /// before the first.
  std::vector<std::vector<TensorId>> endings;
  ScheduleChecker checker;
  size_t nextLiveRange = 0;
};
} // namespace

std::vector<TensorId> ActionWriter::findDiscards(int32_t run) {
  NodeId node = schedule.runs[run];
  std::vector<TensorId> discards;
  for (; nextLiveRange < liveRanges.size() &&
         liveRanges[nextLiveRange].begin == run;
       ++nextLiveRange)
    if (liveRanges[nextLiveRange].discarded)
      discards.push_back(liveRanges[nextLiveRange].tensor);
  size_t discardedBases = discards.size();
  for (TensorId output : index.graph()[node].outputs) {
    TensorId base = index.base(output);
    if (base == output)
      continue;
    bool isMadeHere = index.producer(base) == node;
    bool isGone =
        isMadeHere &&
        llvm::is_contained(
            ArrayRef<TensorId>(discards).take_front(discardedBases), base);
    // A view of a base that was not recomputed since is still good.
    bool isThere = !isMadeHere && checker.isReadable(output);
    if (isGone || isThere)
      discards.push_back(output);
  }
  llvm::sort(discards);
  return discards;
}

std::vector<PlanAction> ActionWriter::write(const InPlaceChoice &inPlace) {
  std::vector<PlanAction> steps;
  auto freeAfter = [&](size_t runs) {
    if (!endings[runs].empty())
      steps.push_back(PlanAction::free(std::move(endings[runs])));
  };
  freeAfter(0);
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    PlanAction step = PlanAction::compute(schedule.runs[run]);
    step.discard = findDiscards(static_cast<int32_t>(run));
    if (!schedule.variants.empty())
      step.variant = schedule.variants[run];
    if (run < inPlace.size())
      step.inPlace = inPlace[run];
    checker.run(schedule.runs[run]);
    steps.push_back(std::move(step));
    freeAfter(run + 1);
  }
  return steps;
}

std::vector<PlanAction> buildActions(const GraphIndex &index,
                                     const Schedule &schedule,
                                     const InPlaceChoice &inPlace,
                                     const std::vector<LiveRange> &liveRanges) {
  return ActionWriter(index, schedule, liveRanges).write(inPlace);
}

std::vector<PlanAction> buildActions(const GraphIndex &index,
                                     const Schedule &schedule,
                                     const InPlaceChoice &inPlace) {
  return buildActions(index, schedule, inPlace,
                      computeLiveRanges(index, schedule, inPlace));
}

} // namespace memplan

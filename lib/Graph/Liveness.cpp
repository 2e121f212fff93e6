//===- Liveness.cpp - Residences and steps of a schedule ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/Liveness.h"
#include "ScheduleChecker.h"
#include "memplan/Graph/ScheduleEvaluator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace memplan {

std::vector<Residence> computeResidences(const GraphIndex &index,
                                         const Schedule &schedule) {
  ScheduleEvaluator evaluator(index);
  return evaluator.computeResidences(schedule.runs);
}

ScheduleMetrics measureSchedule(const GraphIndex &index,
                                const Schedule &schedule,
                                const InPlaceChoice &inPlace) {
  ScheduleEvaluator evaluator(index);
  return evaluator.measure(schedule.runs, inPlace);
}

Error verifySchedule(const GraphIndex &index, const Schedule &schedule) {
  ScheduleChecker checker(index);
  if (std::optional<ScheduleViolation> violation = checker.check(schedule.runs))
    return toError(index.graph(), *violation);
  return Error::success();
}

namespace {
/// Writes the steps of a schedule, run by run.
class StepWriter {
public:
  StepWriter(const GraphIndex &index, const Schedule &schedule)
      : index(index), schedule(schedule),
        residences(computeResidences(index, schedule)),
        endings(schedule.runs.size()), checker(index) {
    for (const Residence &residence : residences)
      if (static_cast<size_t>(residence.last) < endings.size() &&
          !residence.discarded)
        endings[residence.last].push_back(residence.tensor);
    for (std::vector<TensorId> &ending : endings)
      llvm::sort(ending);
  }

  std::vector<PlanStep> write(const InPlaceChoice &inPlace);

private:
  /// Outputs of the run that nobody wants: scratch, and views that are there
  /// already.
  std::vector<TensorId> findDiscards(int32_t run);

  const GraphIndex &index;
  const Schedule &schedule;
  std::vector<Residence> residences;
  std::vector<std::vector<TensorId>>
      endings; ///< By run: bases read there for the last time.
  ScheduleChecker checker;
  size_t nextResidence = 0;
};
} // namespace

std::vector<TensorId> StepWriter::findDiscards(int32_t run) {
  NodeId node = schedule.runs[run];
  std::vector<TensorId> discards;
  for (; nextResidence < residences.size() &&
         residences[nextResidence].begin == run;
       ++nextResidence)
    if (residences[nextResidence].discarded)
      discards.push_back(residences[nextResidence].tensor);
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
    // A view of a base that was not made again since is still good.
    bool isThere = !isMadeHere && checker.isReadable(output);
    if (isGone || isThere)
      discards.push_back(output);
  }
  llvm::sort(discards);
  return discards;
}

std::vector<PlanStep> StepWriter::write(const InPlaceChoice &inPlace) {
  std::vector<PlanStep> steps;
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    PlanStep step = PlanStep::compute(schedule.runs[run]);
    step.discard = findDiscards(static_cast<int32_t>(run));
    if (run < inPlace.size())
      step.inPlace = inPlace[run];
    checker.run(schedule.runs[run]);
    std::vector<TensorId> &freed = endings[run];
    // Storage that an output took over lives on under that output.
    for (const InPlacePair &pair : step.inPlace)
      llvm::erase(freed, index.base(pair.input));
    steps.push_back(std::move(step));
    if (!freed.empty())
      steps.push_back(PlanStep::free(freed));
  }
  return steps;
}

std::vector<PlanStep> buildSteps(const GraphIndex &index,
                                 const Schedule &schedule,
                                 const InPlaceChoice &inPlace) {
  return StepWriter(index, schedule).write(inPlace);
}

} // namespace memplan

//===- RandomActions.h - Random lists of actions with copies ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies to the host and back are put where they might do no harm; what the
// replay refuses is taken back. Nothing here knows which lists are right.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_RANDOMACTIONS_H
#define MEMPLAN_TEST_UNIT_PLANNER_RANDOMACTIONS_H

#include "../RandomGraph.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"

namespace memplan {

/// Takes a tensor away after one of its uses and back before the next.
inline std::vector<PlanAction> insertCopy(const GraphIndex &index,
                                          std::vector<PlanAction> actions,
                                          TensorId tensor, int64_t event,
                                          Dice &dice) {
  std::vector<int64_t> uses; // Places right after an action that uses it.
  for (size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].action != ActionKind::Compute)
      continue;
    NodeId node = actions[i].node;
    if (llvm::is_contained(index.usedBases(node), tensor) ||
        llvm::is_contained(index.madeBases(node), tensor))
      uses.push_back(static_cast<int64_t>(i) + 1);
  }
  if (!index.producer(tensor))
    uses.insert(uses.begin(), 0);
  if (uses.empty())
    return actions;
  const auto which = dice.roll(static_cast<int64_t>(uses.size()));
  const int64_t begin = uses[which];
  // Before the next use, or at the end of the list.
  const int64_t end = which + 1 < static_cast<int64_t>(uses.size())
                          ? uses[which + 1] - 1
                          : static_cast<int64_t>(actions.size());
  int64_t at[4];
  for (int64_t &each : at)
    each = begin + dice.roll(std::max<int64_t>(end - begin, 0) + 1);
  llvm::sort(at);
  PlanAction steps[] = {
      PlanAction::evict(tensor, event), PlanAction::wait(event),
      PlanAction::fetch(tensor, event + 1), PlanAction::wait(event + 1)};
  for (int i = 3; i >= 0; --i)
    actions.insert(actions.begin() + at[i], steps[i]);
  if (dice.chance(50)) // Once it is back, the copy is of no more use.
    actions.insert(actions.begin() + at[3] + 4, PlanAction::dropHost(tensor));
  return actions;
}

/// A valid list with recomputations, in-place chains, discards, variants as the
/// node has them and up to `tries` copies.
inline std::vector<PlanAction> makeRandomActions(const GraphIndex &index,
                                                 uint64_t seed, int tries) {
  Dice dice(seed * 7919);
  Schedule schedule = makeRandomSchedule(index, seed);
  Plan plan;
  plan.steps =
      buildActions(index, schedule, makeRandomInPlace(index, schedule, seed));
  int64_t event = 0;
  for (int i = 0; i < tries; ++i, event += 2) {
    TensorId tensor(static_cast<int32_t>(
        dice.roll(static_cast<int64_t>(index.graph().tensors.size()))));
    Plan next = plan;
    next.steps = insertCopy(index, std::move(next.steps), tensor, event, dice);
    if (llvm::Expected<Replay> replay = replayPlan(index, next))
      plan = std::move(next);
    else
      llvm::consumeError(replay.takeError());
  }
  return std::move(plan.steps);
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_RANDOMACTIONS_H

//===- Waits.cpp - The events that a list on several streams needs --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: walk the list with vector clocks. What an action must come after, and
// its queue does not yet, is waited for, the latest in the list first: an
// earlier job never happens after a later one, so that none of the waits of one
// action covers another of them, and what any of them covers is left out. This
// is a transitive reduction against queues, issue and all waits before.
// Guaranteed: without any of the waits it breaks an order that data, bytes or a
// copy asks for. O(actions * (arity + queues)).
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "memplan/Planner/Streams/Streams.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace memplan;

namespace {
class WaitAdder {
public:
  WaitAdder(const GraphIndex &index, const std::vector<PlanAction> &actions,
            const ReuseDependencies &reuse);
  std::vector<PlanAction> add();

private:
  void visit(int32_t at);
  void job(int32_t at);
  void giveBack(int32_t at);
  void drop(bool mustGo);
  void wait(int32_t stream, int32_t job);
  int32_t streamThatNeeds(int32_t job, int32_t from) const;
  /// What a free or the end must not find still being copied.
  void waitForCopy(int32_t job);
  void numberEvents();

  const std::vector<PlanAction> &actions;
  std::vector<llvm::SmallVector<int32_t, 4>> needed; ///< By action; ascending.
  std::vector<int32_t> jobOf; ///< By wait: what it waits for.
  std::vector<llvm::SmallVector<int32_t, 1>>
      arriving;               ///< By action that frees: the fetch of it.
  std::vector<int32_t> drops; ///< Drops that are still to be listed.
  std::set<int32_t> streams;
  Clocks clocks;
  std::vector<PlanAction> result; ///< Events are jobs for the time being.
  std::vector<bool> isWaitedFor;  ///< By job.
};
} // namespace

WaitAdder::WaitAdder(const GraphIndex &index,
                     const std::vector<PlanAction> &actions,
                     const ReuseDependencies &reuse)
    : actions(actions), jobOf(actions.size(), -1), arriving(actions.size()),
      clocks(actions.size()), isWaitedFor(actions.size()) {
  ActionStorages storages = findStorages(index, actions);
  needed = std::move(storages.after);
  for (size_t i = 0; i < reuse.size(); ++i) {
    needed[i].append(reuse[i].begin(), reuse[i].end());
    llvm::sort(needed[i]);
    needed[i].erase(llvm::unique(needed[i]), needed[i].end());
  }
  std::map<int64_t, int32_t> signals;
  for (size_t i = 0; i < actions.size(); ++i) {
    const PlanAction &action = actions[i];
    if (action.action == ActionKind::Wait)
      jobOf[i] = signals.at(*action.event);
    else if (action.event)
      signals[*action.event] = static_cast<int32_t>(i);
  }
  for (const PlanAction &action : actions)
    if (action.action != ActionKind::Free)
      streams.insert(action.stream);
  for (const ActionStorage &storage : storages.all) {
    const Placement &placement = storage.placement;
    if (placement.stepEnd < static_cast<int32_t>(actions.size()) &&
        actions[placement.stepBegin].action == ActionKind::Fetch &&
        actions[placement.stepEnd].action == ActionKind::Free)
      arriving[placement.stepEnd].push_back(placement.stepBegin);
  }
}

void WaitAdder::wait(int32_t stream, int32_t job) {
  clocks.wait(stream, job);
  isWaitedFor[job] = true;
  result.push_back(PlanAction::wait(job, stream));
}

void WaitAdder::job(int32_t at) {
  const PlanAction &action = actions[at];
  const bool isCopy = action.action != ActionKind::Compute;
  for (int32_t earlier : llvm::reverse(needed[at]))
    if (isCopy ? !clocks.coversCopy(action.stream, action.action, earlier)
               : !clocks.covers(action.stream, earlier))
      wait(action.stream, earlier);
  clocks.put(action, at);
  result.push_back(action);
  result.back().event = at;
}

/// The stream of the first action from there on that has to wait for the job
/// anyway; else of the next one.
int32_t WaitAdder::streamThatNeeds(int32_t job, int32_t from) const {
  std::optional<int32_t> next;
  for (size_t i = from; i < actions.size(); ++i) {
    if (!isJob(actions[i]))
      continue;
    if (llvm::is_contained(needed[i], job))
      return actions[i].stream;
    if (!next)
      next = actions[i].stream;
  }
  return next.value_or(0);
}

/// The first wait for an evict gives bytes back. A fetch is waited for by those
/// who read what it brings.
void WaitAdder::giveBack(int32_t at) {
  const int32_t job = jobOf[at];
  if (actions[job].action == ActionKind::Evict && !isWaitedFor[job])
    wait(streamThatNeeds(job, at), job);
}

void WaitAdder::waitForCopy(int32_t job) {
  if (!isWaitedFor[job])
    wait(actions[job].stream, job);
}

/// Lets each drop follow on a stream that has come after all copies anyway; if
/// they must go now, on the one that has to wait least.
void WaitAdder::drop(bool mustGo) {
  for (size_t i = 0; i < drops.size();) {
    const auto &copies = needed[drops[i]];
    auto missing = [&](int32_t stream) {
      return llvm::count_if(
          copies, [&](int32_t copy) { return !clocks.covers(stream, copy); });
    };
    int32_t best = 0;
    for (int32_t stream : streams)
      if (missing(stream) < missing(best))
        best = stream;
    if (missing(best) > 0 && !mustGo) {
      ++i;
      continue;
    }
    const int32_t at = drops[i];
    drops.erase(drops.begin() + int64_t(i));
    for (int32_t copy : llvm::reverse(needed[at]))
      if (!clocks.covers(best, copy))
        wait(best, copy);
    result.push_back(actions[at]);
    result.back().stream = best;
  }
}

void WaitAdder::visit(int32_t at) {
  switch (actions[at].action) {
  case ActionKind::Compute:
  case ActionKind::Fetch:
    return job(at);
  case ActionKind::Evict:
    // It may take the bytes on the host of what is dropped.
    drop(/*mustGo=*/true);
    return job(at);
  case ActionKind::Wait:
    return giveBack(at);
  case ActionKind::DropHost:
    drops.push_back(at);
    return;
  case ActionKind::Free:
    for (int32_t copy : arriving[at])
      waitForCopy(copy);
    result.push_back(actions[at]);
    return;
  }
}

/// Copies always have an event, runs where an action waits for it.
void WaitAdder::numberEvents() {
  int64_t next = 0;
  std::vector<int64_t> number(actions.size(), -1);
  for (PlanAction &action : result) {
    if (isJob(action)) {
      const int64_t job = *action.event;
      action.event.reset();
      if (action.action != ActionKind::Compute || isWaitedFor[job])
        action.event = number[job] = next++;
    } else if (action.action == ActionKind::Wait) {
      action.event = number[*action.event];
    }
  }
}

std::vector<PlanAction> WaitAdder::add() {
  const auto count = static_cast<int32_t>(actions.size());
  for (int32_t at = 0; at < count; ++at) {
    visit(at);
    drop(/*mustGo=*/false);
  }
  drop(/*mustGo=*/true);
  for (int32_t at = 0; at < count; ++at)
    if (actions[at].action == ActionKind::Evict ||
        actions[at].action == ActionKind::Fetch)
      waitForCopy(at);
  numberEvents();
  return std::move(result);
}

std::vector<PlanAction>
memplan::addWaits(const GraphIndex &index,
                  const std::vector<PlanAction> &actions,
                  const ReuseDependencies &reuse) {
  return WaitAdder(index, actions, reuse).add();
}

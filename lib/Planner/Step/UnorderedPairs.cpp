//===- UnorderedPairs.cpp - Who may not share bytes on streams ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnorderedPairs.h"
#include "memplan/Planner/Streams/Clocks.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace memplan;

namespace {
/// A storage that is given back, and that some queue has not caught up with.
struct Freed {
  int32_t storage;
  llvm::SmallVector<int32_t, 4> users; ///< The last on each queue.
};
} // namespace

/// The clocks of an issued list.
static Clocks runClocks(const std::vector<PlanAction> &actions) {
  Clocks clocks(actions.size());
  std::map<int64_t, int32_t> signals;
  for (size_t i = 0; i < actions.size(); ++i) {
    const PlanAction &action = actions[i];
    const auto at = static_cast<int32_t>(i);
    if (action.action == ActionKind::Wait)
      clocks.wait(action.stream, signals.at(*action.event));
    if (!isJob(action))
      continue;
    clocks.put(action, at);
    if (action.event)
      signals[*action.event] = at;
  }
  return clocks;
}

UnorderedPairs
memplan::findUnorderedPairs(const std::vector<PlanAction> &actions,
                            const ActionStorages &storages, size_t mostPairs) {
  UnorderedPairs found;
  found.lastTaken.assign(storages.all.size(), -1);
  if (llvm::all_of(actions, [](const PlanAction &action) {
        return action.stream == 0 || action.action == ActionKind::Free;
      }))
    return found;
  const Clocks clocks = runClocks(actions);
  const auto &all = storages.all;
  std::vector<int32_t> byEnd(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    byEnd[i] = static_cast<int32_t>(i);
  auto endOf = [&](int32_t storage) {
    const Placement &placement = all[storage].placement;
    return std::max(placement.stepEnd, placement.stepBegin + 1);
  };
  llvm::sort(byEnd, [&](int32_t a, int32_t b) {
    return std::pair(endOf(a), a) < std::pair(endOf(b), b);
  });
  std::vector<Freed> freed;
  size_t next = 0;
  // In the order in which they are taken.
  for (size_t i = 0; i < all.size(); ++i) {
    const ActionStorage &taken = all[i];
    for (;
         next < byEnd.size() && endOf(byEnd[next]) <= taken.placement.stepBegin;
         ++next) {
      Freed &each = freed.emplace_back();
      each.storage = byEnd[next];
      for (int32_t user : llvm::reverse(all[byEnd[next]].users))
        if (llvm::none_of(each.users, [&](int32_t last) {
              return clocks.precedes(user, last);
            }))
          each.users.push_back(user);
    }
    if (taken.isInitial || taken.users.empty())
      continue;
    for (const Freed &each : freed) {
      if (all[each.storage].space != taken.space ||
          llvm::all_of(each.users, [&](int32_t user) {
            return clocks.precedes(user, taken.users.front());
          }))
        continue;
      found.lastTaken[each.storage] = taken.placement.stepBegin;
      if (found.pairs.size() == mostPairs)
        found.isTooMany = true;
      else if (!found.isTooMany)
        found.pairs.push_back({each.storage, static_cast<int32_t>(i)});
    }
  }
  if (found.isTooMany)
    found.pairs.clear();
  return found;
}

//===- ListByStart.cpp - Jobs by when they start --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <map>
#include <tuple>

using namespace memplan;

namespace {
class Lister {
public:
  Lister(const std::vector<PlanAction> &actions, const ActionStorages &storages,
         const std::vector<double> &begins, const std::vector<double> &ends,
         const std::vector<int32_t> &streamOf)
      : actions(actions), storages(storages), begins(begins), ends(ends),
        streamOf(streamOf), lastUsers(actions.size()),
        usersLeft(storages.all.size()) {}
  std::vector<PlanAction> list(const std::vector<int32_t> &order);
  /// Jobs done by each action of the list made.
  std::vector<int32_t> doneBy() const;
  std::vector<int32_t> from() const;

private:
  void giveBackLater(size_t storage);
  void giveBack(double until);

  const std::vector<PlanAction> &actions;
  const ActionStorages &storages;
  const std::vector<double> &begins, &ends;
  const std::vector<int32_t> &streamOf;
  std::vector<std::vector<size_t>> lastUsers; ///< By job: storages it uses.
  std::vector<size_t> usersLeft;              ///< By storage.
  /// (time, waits before frees, number, action).
  using Key = std::tuple<double, int, size_t>;
  std::map<Key, PlanAction> pending;
  size_t count = 0;
  std::vector<PlanAction> result;
  std::vector<std::pair<int32_t, int32_t>> listed; ///< (place, job).
};
} // namespace

/// Notes when a storage is given back, once its last user is listed.
void Lister::giveBackLater(size_t number) {
  const ActionStorage &storage = storages.all[number];
  const int32_t at = storage.placement.stepEnd;
  if (at >= static_cast<int32_t>(actions.size()) ||
      storage.placement.kind != PlacementKind::Tensor)
    return;
  double end = 0;
  for (int32_t user : storage.users)
    end = std::max(end, ends[user]);
  PlanAction action = actions[at];
  if (action.action == ActionKind::Free)
    action = PlanAction::free({storage.last});
  pending[{end, action.action != ActionKind::Wait, count++}] = action;
}

void Lister::giveBack(double until) {
  while (!pending.empty() && std::get<0>(pending.begin()->first) <= until) {
    result.push_back(std::move(pending.begin()->second));
    pending.erase(pending.begin());
  }
}

std::vector<PlanAction> Lister::list(const std::vector<int32_t> &order) {
  for (size_t i = 0; i < storages.all.size(); ++i) {
    usersLeft[i] = storages.all[i].users.size();
    for (int32_t user : storages.all[i].users)
      lastUsers[user].push_back(i);
    if (usersLeft[i] == 0)
      giveBackLater(i);
  }
  for (int32_t job : order) {
    giveBack(begins[job]);
    PlanAction action = actions[job];
    action.stream = streamOf[job];
    listed.push_back({static_cast<int32_t>(result.size()), job});
    result.push_back(action);
    if (action.action == ActionKind::Fetch)
      pending[{ends[job], 0, count++}] = PlanAction::wait(*action.event);
    for (size_t storage : lastUsers[job])
      if (--usersLeft[storage] == 0)
        giveBackLater(storage);
  }
  giveBack(std::numeric_limits<double>::infinity());
  return result;
}

std::vector<int32_t> Lister::doneBy() const {
  std::vector<int32_t> done(result.size());
  for (auto [place, job] : listed) {
    auto next = llvm::partition_point(
        listed, [&, end = ends[job]](std::pair<int32_t, int32_t> other) {
          return begins[other.second] < end;
        });
    const auto end = next == listed.end() ? static_cast<int32_t>(result.size())
                                          : next->first;
    done[place] = std::max(end, place + 1);
  }
  return done;
}

std::vector<int32_t> Lister::from() const {
  std::vector<int32_t> places(result.size(), -1);
  for (auto [place, job] : listed)
    places[place] = job;
  return places;
}

StreamList memplan::listByStart(const JobGraph &graph, const FlatJobs &jobs,
                                const ListScheduler &schedule,
                                llvm::ArrayRef<int32_t> order) {
  auto byPlace = [&](const auto &values) {
    std::decay_t<decltype(values)> result(graph.actions.size());
    for (int32_t job = 0; job < jobs.count(); ++job)
      result[graph.jobs[job]] = values[job];
    return result;
  };
  const std::vector<double> begins = byPlace(schedule.begins);
  const std::vector<double> ends = byPlace(schedule.ends);
  const std::vector<int32_t> streamOf = byPlace(schedule.streamOf);
  std::vector<int32_t> places;
  StreamList list;
  for (int32_t job : order) {
    places.push_back(graph.jobs[job]);
    list.time = std::max(list.time, schedule.ends[job]);
  }
  Lister lister(graph.actions, graph.storages, begins, ends, streamOf);
  list.actions = lister.list(places);
  list.doneBy = lister.doneBy();
  list.from = lister.from();
  return list;
}

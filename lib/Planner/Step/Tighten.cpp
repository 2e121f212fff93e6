//===- Tighten.cpp - Small changes that pack better -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tighten.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Support/Random.h"
#include <algorithm>

using namespace memplan;

namespace {
/// A schedule, and which of its runs take no pair in place although they could.
struct Draft {
  Schedule schedule;
  std::vector<bool> gaveUp;
};

class Tightener {
public:
  Tightener(const GraphIndex &index, bool inPlace, PackedStep packed,
            int64_t targetBytes, const PackPlan &pack)
      : index(index), inPlace(inPlace), best(std::move(packed)),
        targetBytes(targetBytes), pack(pack) {
    draft.schedule = best.remat.schedule;
    mostLive = std::max(targetBytes, best.remat.peakBytes);
    const InPlaceChoice all = chooseAll(draft.schedule);
    for (size_t run = 0; run < all.size(); ++run)
      draft.gaveUp.push_back(all[run].size() > best.remat.inPlace[run].size());
    lookAtTop();
  }

  llvm::Error run(int tries);
  PackedStep take() { return std::move(best); }

private:
  InPlaceChoice chooseAll(const Schedule &schedule) const {
    return inPlace ? chooseInPlace(InPlaceProblem{&index, &schedule})
                   : InPlaceChoice(schedule.runs.size());
  }
  void lookAtTop();
  llvm::Expected<bool> tryOut(Draft next);
  bool change(Draft &next);
  bool shift(Draft &next, int32_t run);
  std::pair<int32_t, int32_t> roomOf(const Schedule &schedule,
                                     int32_t run) const;
  std::optional<RematPlan> planOf(const Draft &next) const;

  const GraphIndex &index;
  bool inPlace;
  PackedStep best;
  int64_t targetBytes, mostLive;
  const PackPlan &pack;
  Random random{1};
  Draft draft;
  /// Runs during which a buffer sticks out, or begins or ends beside one.
  std::vector<int32_t> nearTop;
};
} // namespace

/// Lists the runs around the buffers that end above the target.
void Tightener::lookAtTop() {
  const PlanArena &arena = best.plan.arenas.front();
  const Graph &graph = index.graph();
  const int64_t top = arena.bytes - (best.deviceBytes - targetBytes);
  std::vector<bool> isNear(best.plan.steps.size(), false);
  for (const Placement &placement : arena.placements) {
    const int64_t bytes = placement.kind == PlacementKind::Workspace
                              ? graph[placement.node].workspaceBytes
                              : graph[placement.tensor].bytes;
    if (placement.offset + bytes <= top)
      continue;
    for (int32_t end : {placement.stepBegin, placement.stepEnd - 1})
      for (int32_t step = std::max(0, end - 12);
           step < std::min<int32_t>(end + 12, int32_t(isNear.size())); ++step)
        isNear[step] = true;
  }
  nearTop.clear();
  int32_t run = 0;
  for (size_t step = 0; step < isNear.size(); ++step) {
    if (best.plan.steps[step].action != ActionKind::Compute)
      continue;
    if (isNear[step])
      nearTop.push_back(run);
    ++run;
  }
}

/// Positions [first, last] at which the run finds its operands and comes before
/// its readers.
std::pair<int32_t, int32_t> Tightener::roomOf(const Schedule &schedule,
                                              int32_t run) const {
  const Graph &graph = index.graph();
  const NodeId node = schedule.runs[run];
  auto uses = [&](NodeId reader, llvm::ArrayRef<TensorId> bases) {
    return llvm::any_of(bases, [&](TensorId base) {
      return llvm::is_contained(index.usedBases(reader), base);
    });
  };
  auto makes = [&](NodeId maker) {
    return llvm::any_of(graph[node].inputs, [&](TensorId input) {
      return llvm::is_contained(graph[maker].outputs, input);
    });
  };
  int32_t first = run, last = run;
  const auto end = static_cast<int32_t>(schedule.runs.size());
  while (first > 0) {
    const NodeId before = schedule.runs[first - 1];
    if (before == node || makes(before) ||
        uses(before, index.madeBases(node)) || !graph[before].writes.empty())
      break;
    --first;
  }
  while (last + 1 < end) {
    const NodeId after = schedule.runs[last + 1];
    if (after == node || uses(after, index.madeBases(node)) ||
        !graph[after].writes.empty())
      break;
    ++last;
  }
  return {first, last};
}

/// Moves a recomputation within its room.
bool Tightener::shift(Draft &next, int32_t run) {
  std::vector<NodeId> &runs = next.schedule.runs;
  const bool isRerun = std::find(runs.begin(), runs.begin() + run, runs[run]) !=
                       runs.begin() + run;
  if (!isRerun || index.madeBases(runs[run]).empty())
    return false;
  auto [first, last] = roomOf(next.schedule, run);
  if (first == last)
    return false;
  int32_t to = random.chance(0.3)   ? last
               : random.chance(0.3) ? first
                                    : first + random.below(last - first + 1);
  if (to == run)
    to = run == last ? first : last;
  auto move = [&](auto &list) {
    auto from = list.begin() + run;
    if (to > run)
      std::rotate(from, from + 1, list.begin() + to + 1);
    else
      std::rotate(list.begin() + to, from, from + 1);
  };
  move(runs);
  move(next.gaveUp);
  return true;
}

bool Tightener::change(Draft &next) {
  if (nearTop.empty())
    return false;
  const int32_t run = nearTop[random.below(int32_t(nearTop.size()))];
  if (random.chance(0.7))
    return shift(next, run);
  if (index.graph()[next.schedule.runs[run]].inPlace.empty() || !inPlace)
    return false;
  next.gaveUp[run] = !next.gaveUp[run];
  return true;
}

std::optional<RematPlan> Tightener::planOf(const Draft &next) const {
  if (llvm::Error error = verifySchedule(index, next.schedule)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  RematPlan plan = best.remat;
  plan.schedule = next.schedule;
  plan.inPlace = chooseAll(next.schedule);
  for (size_t run = 0; run < next.gaveUp.size(); ++run)
    if (next.gaveUp[run])
      plan.inPlace[run].clear();
  ScheduleMetrics metrics = measureSchedule(index, plan.schedule, plan.inPlace);
  if (metrics.peakBytes > mostLive)
    return std::nullopt;
  plan.peakBytes = metrics.peakBytes;
  return plan;
}

/// Takes the draft if it packs no worse; says whether it was packed at all.
llvm::Expected<bool> Tightener::tryOut(Draft next) {
  std::optional<RematPlan> plan = planOf(next);
  if (!plan)
    return false;
  llvm::Expected<PackedStep> packed = pack(std::move(*plan));
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes <= best.deviceBytes) {
    best = std::move(*packed);
    draft = std::move(next);
    lookAtTop();
  }
  return true;
}

llvm::Error Tightener::run(int tries) {
  // Never worse than without any pair.
  Draft apart = draft;
  apart.gaveUp.assign(apart.gaveUp.size(), true);
  if (inPlace)
    if (auto packed = tryOut(std::move(apart)); !packed)
      return packed.takeError();
  // Most changes do not apply, which costs next to nothing.
  for (int drafts = 20 * tries; tries > 0 && drafts > 0; --drafts) {
    if (best.deviceBytes <= targetBytes)
      break;
    Draft next = draft;
    if (!change(next))
      continue;
    llvm::Expected<bool> packed = tryOut(std::move(next));
    if (!packed)
      return packed.takeError();
    tries -= *packed;
  }
  return llvm::Error::success();
}

llvm::Expected<PackedStep> memplan::tighten(const GraphIndex &index,
                                            bool inPlace, PackedStep packed,
                                            int64_t targetBytes, int tries,
                                            const PackPlan &pack) {
  // Variants were chosen for the bytes that live beside their runs.
  if (packed.deviceBytes <= targetBytes || packed.remat.schedule.runs.empty() ||
      !packed.remat.schedule.variants.empty())
    return packed;
  Tightener tightener(index, inPlace, std::move(packed), targetBytes, pack);
  if (llvm::Error error = tightener.run(tries))
    return error;
  return tightener.take();
}

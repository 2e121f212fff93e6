//===- Tighten.cpp - Small changes that pack better -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tighten.h"
#include "Tuning.h"
#include "memplan/Planner/InPlace/InPlaceCandidates.h"
#include "memplan/Planner/InPlace/WeighInPlace.h"
#include "memplan/Support/Random.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
/// Pairs that a run is to take, where its node still may; unset: all whose
/// sizes are equal.
using WishedPairs = std::optional<std::vector<InPlacePair>>;

/// A schedule and the wishes of its runs.
struct Draft {
  Schedule schedule;
  std::vector<WishedPairs> wishes;
};

class Tightener {
public:
  Tightener(const GraphIndex &index, bool inPlace, PackedPlan packed,
            int64_t targetBytes, const PackPlan &pack)
      : index(index), inPlace(inPlace), best(std::move(packed)),
        shape(rematPlanOf(best.plan)), targetBytes(targetBytes), pack(pack) {
    mostLive = std::max(targetBytes, shape.peakBytes);
  }

  llvm::Error weighPairs(int tries);
  llvm::Error moveRuns(int tries);
  PackedPlan take() { return std::move(best); }

private:
  void startFromBest();
  void setBest(PackedPlan packed) {
    best = std::move(packed);
    shape = rematPlanOf(best.plan);
  }
  std::vector<int32_t> runsNearTop(const PackedPlan &packed) const;
  std::optional<RematPlan> planOf(const Schedule &schedule,
                                  InPlaceChoice choice) const;
  llvm::Expected<bool> tryOut(Draft next);
  bool change(Draft &next);
  bool shift(Draft &next, int32_t run);
  std::pair<int32_t, int32_t> roomOf(const Schedule &schedule,
                                     int32_t run) const;
  InPlaceChoice choiceOf(const Draft &next) const;

  const GraphIndex &index;
  bool inPlace;
  PackedPlan best;
  RematPlan shape; ///< Runs of `best`.
  int64_t targetBytes, mostLive;
  const PackPlan &pack;
  Random random{1};
  Draft draft;
  std::vector<int32_t> nearTop;
};
} // namespace

/// Around the beginnings and ends of the buffers that end above the target.
std::vector<int32_t> Tightener::runsNearTop(const PackedPlan &packed) const {
  const PlanArena &arena = packed.plan.arenas.front();
  const Graph &graph = index.graph();
  const int64_t top = arena.bytes - (packed.deviceBytes - targetBytes);
  std::vector<bool> isNear(packed.plan.steps.size(), false);
  for (const Placement &placement : arena.placements) {
    const int64_t bytes = placement.kind == PlacementKind::Workspace
                              ? graph[placement.node].workspaceBytes
                              : graph[placement.tensor].bytes;
    if (placement.offset + bytes <= top)
      continue;
    for (int32_t end : {placement.stepBegin, placement.stepEnd - 1})
      for (int32_t step = std::max(0, end - tuning::actionsNearTop);
           step < std::min<int32_t>(end + tuning::actionsNearTop,
                                    int32_t(isNear.size()));
           ++step)
        isNear[step] = true;
  }
  std::vector<int32_t> found;
  int32_t run = 0;
  for (size_t step = 0; step < isNear.size(); ++step) {
    if (packed.plan.steps[step].action != ActionKind::Compute)
      continue;
    if (isNear[step])
      found.push_back(run);
    ++run;
  }
  return found;
}

/// Wishes what the best step does where that is not what others would take.
void Tightener::startFromBest() {
  draft.schedule = shape.schedule;
  draft.wishes.assign(draft.schedule.runs.size(), std::nullopt);
  const InPlaceChoice all =
      chooseInPlace(InPlaceProblem{&index, &draft.schedule});
  for (size_t run = 0; run < all.size(); ++run)
    if (!inPlace || shape.inPlace[run] != all[run])
      draft.wishes[run] = shape.inPlace[run];
  nearTop = runsNearTop(best);
}

/// Positions [first, last] at which the run finds its operands and comes before
/// its users.
std::pair<int32_t, int32_t> Tightener::roomOf(const Schedule &schedule,
                                              int32_t run) const {
  const Graph &graph = index.graph();
  const NodeId node = schedule.runs[run];
  auto uses = [&](NodeId user, llvm::ArrayRef<TensorId> bases) {
    return llvm::any_of(bases, [&](TensorId base) {
      return llvm::is_contained(index.usedBases(user), base);
    });
  };
  auto makes = [&](NodeId producer) {
    return llvm::any_of(graph[node].inputs, [&](TensorId input) {
      return llvm::is_contained(graph[producer].outputs, input);
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
  const bool isRecomputation = std::find(runs.begin(), runs.begin() + run,
                                         runs[run]) != runs.begin() + run;
  if (!isRecomputation || index.madeBases(runs[run]).empty())
    return false;
  auto [first, last] = roomOf(next.schedule, run);
  if (first == last)
    return false;
  int32_t to = random.chance(tuning::chanceToEnd) ? last
               : random.chance(tuning::chanceToStart)
                   ? first
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
  move(next.wishes);
  return true;
}

bool Tightener::change(Draft &next) {
  if (nearTop.empty())
    return false;
  const int32_t run = nearTop[random.below(int32_t(nearTop.size()))];
  if (random.chance(tuning::chanceOfMove))
    return shift(next, run);
  if (index.graph()[next.schedule.runs[run]].inPlace.empty() || !inPlace)
    return false;
  if (next.wishes[run])
    next.wishes[run] = std::nullopt;
  else
    next.wishes[run].emplace();
  return true;
}

/// What the wishes come to in the schedule.
InPlaceChoice Tightener::choiceOf(const Draft &next) const {
  const InPlaceCandidates candidates(InPlaceProblem{&index, &next.schedule});
  InPlaceCandidates::Taken taken = candidates.takeEqual();
  for (size_t i = 0; i < taken.size(); ++i) {
    const auto &candidate = candidates.all()[i];
    if (const WishedPairs &wished = next.wishes[candidate.run])
      taken[i] = llvm::is_contained(*wished, candidate.pair);
  }
  candidates.makeLegal(taken);
  return candidates.choiceOf(taken);
}

/// Nothing if too much is live.
std::optional<RematPlan> Tightener::planOf(const Schedule &schedule,
                                           InPlaceChoice choice) const {
  RematPlan plan = shape;
  plan.schedule = schedule;
  plan.inPlace = std::move(choice);
  plan.peakBytes =
      measureSchedule(index, plan.schedule, plan.inPlace).peakBytes;
  if (plan.peakBytes > mostLive)
    return std::nullopt;
  return plan;
}

/// Takes the draft if it packs no worse; says whether it was packed at all.
llvm::Expected<bool> Tightener::tryOut(Draft next) {
  if (llvm::errorToBool(verifySchedule(index, next.schedule)))
    return false;
  std::optional<RematPlan> plan = planOf(next.schedule, choiceOf(next));
  if (!plan)
    return false;
  llvm::Expected<PackedPlan> packed = pack(std::move(*plan));
  if (!packed)
    return packed.takeError();
  if (packed->deviceBytes <= best.deviceBytes) {
    setBest(std::move(*packed));
    // Packing leaves out what a move has made a run in vain.
    if (shape.schedule.runs != next.schedule.runs) {
      startFromBest();
      return true;
    }
    draft = std::move(next);
    nearTop = runsNearTop(best);
  }
  return true;
}

llvm::Error Tightener::weighPairs(int tries) {
  if (!inPlace)
    return llvm::Error::success();
  // What the step takes beside its arena does not depend on the choice.
  const int64_t beside = best.deviceBytes - best.plan.arenas.front().bytes;
  const Schedule schedule = shape.schedule;
  auto weigh =
      [&](const InPlaceChoice &choice) -> llvm::Expected<WeighedArena> {
    std::optional<RematPlan> plan = planOf(schedule, choice);
    if (!plan)
      return WeighedArena{std::numeric_limits<int64_t>::max(), {}};
    llvm::Expected<PackedPlan> packed = pack(std::move(*plan));
    if (!packed)
      return packed.takeError();
    WeighedArena weighed{packed->deviceBytes - beside, runsNearTop(*packed)};
    if (packed->deviceBytes <= best.deviceBytes)
      setBest(std::move(*packed));
    return weighed;
  };
  const InPlaceProblem problem{&index, &schedule};
  return weighInPlace(problem, InPlaceChoice(shape.inPlace),
                      {best.deviceBytes - beside, runsNearTop(best)},
                      targetBytes - beside, tries, weigh)
      .takeError();
}

llvm::Error Tightener::moveRuns(int tries) {
  startFromBest();
  // Most changes do not apply, which costs next to nothing.
  for (int drafts = tuning::draftsOfPacking * tries; tries > 0 && drafts > 0;
       --drafts) {
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

int64_t memplan::leastDeviceBytes(const GraphIndex &index, bool inPlace,
                                  const PackedPlan &packed) {
  if (!inPlace)
    return packed.boundBytes;
  const Schedule schedule = scheduleOf(packed.plan.steps);
  const InPlaceProblem problem{&index, &schedule};
  const int64_t beside = packed.deviceBytes - packed.plan.arenas.front().bytes;
  return std::min(packed.boundBytes,
                  beside + InPlaceCandidates(problem).leastLiveBytes());
}

llvm::Expected<PackedPlan> memplan::tighten(const GraphIndex &index,
                                            bool inPlace, PackedPlan packed,
                                            int64_t targetBytes, int tries,
                                            const PackPlan &pack) {
  if (packed.deviceBytes <= targetBytes || packed.plan.steps.empty())
    return packed;
  // Variants were chosen for the bytes that live beside their runs.
  const bool mayMove = scheduleOf(packed.plan.steps).variants.empty();
  Tightener tightener(index, inPlace, std::move(packed), targetBytes, pack);
  if (llvm::Error error = tightener.weighPairs(mayMove ? tries / 2 : tries))
    return error;
  if (mayMove)
    if (llvm::Error error = tightener.moveRuns(tries - tries / 2))
      return error;
  return tightener.take();
}

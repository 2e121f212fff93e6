//===- Repeats.cpp - Segments of a step that repeat -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Repeats.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

namespace {
/// Looks for the distance at which most ops are like others.
class RepeatFinder {
public:
  explicit RepeatFinder(const SearchStep &step) : step(step) {}
  std::optional<SearchStep::Repeat> find();
  /// With a backward pass.
  std::optional<SearchStep::Repeat> findLayers();

private:
  /// Ops that are like those at a distance from them: [first, last).
  struct Segment {
    int32_t first = 0, last = 0, distance = 1;
    int32_t turns() const { return (last - first) / distance; }
    int64_t saved() const { return int64_t(turns()) * distance; }
  };

  void hashOps();
  bool isLike(int32_t op, int32_t distance) const;
  bool isLikeOp(int32_t op, int32_t other, int32_t distance) const;
  bool isLikeValue(int32_t value, int32_t other, int32_t distance) const;
  bool areLike(llvm::ArrayRef<int32_t> ops, llvm::ArrayRef<int32_t> others,
               int32_t distance) const;
  Segment segmentAt(int32_t op, int32_t distance) const;
  Segment longestAround(llvm::ArrayRef<int32_t> ops, int64_t enough) const;
  int32_t turnMostRead(const Segment &backward) const;

  const SearchStep &step;
  int32_t numOps = 0; ///< Without end and begin.
  std::vector<uint64_t> hashes;
  /// While a backward pass is looked for: its ops may also read what the other
  /// turn of these makes.
  Segment forward{0, 0, 0};
};
} // namespace

static uint64_t mix(uint64_t hash, uint64_t with) {
  hash = (hash ^ with) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

/// Hashes each op with the ones after it: layers of one kind look alike for a
/// while.
void RepeatFinder::hashOps() {
  constexpr int32_t context = searchTuning::opsOfContext;
  std::vector<uint64_t> own(size_t(numOps), 0);
  for (int32_t op = 0; op < numOps; ++op) {
    uint64_t hash = step.runsOnce(op);
    for (const SearchStep::Variant &variant : step.variants(op))
      hash = mix(mix(hash, uint64_t(variant.cost)),
                 uint64_t(variant.workspaceBytes));
    for (int32_t value : step.outputs(op))
      hash = mix(hash, uint64_t(step.bytes(value)));
    own[op] = mix(hash, step.inputs(op).size());
  }
  hashes.assign(size_t(numOps), 0);
  for (int32_t op = 0; op < numOps; ++op)
    for (int32_t i = op; i < std::min(op + context, numOps); ++i)
      hashes[op] = mix(hashes[op], own[i]);
}

/// The same op, or the one in the other turn.
bool RepeatFinder::isLikeOp(int32_t op, int32_t other, int32_t distance) const {
  auto isForward = [&](int32_t its) {
    return its >= forward.first && its < forward.last + forward.distance;
  };
  if (op == other)
    return true;
  if (isForward(op) || isForward(other))
    return isForward(op) && isForward(other) && op - forward.distance == other;
  return op + distance == other;
}

bool RepeatFinder::isLikeValue(int32_t value, int32_t other,
                               int32_t distance) const {
  return value == other ||
         (step.producer(value) != step.producer(other) &&
          isLikeOp(step.producer(value), step.producer(other), distance) &&
          step.producer(value) != step.begin() &&
          step.place(other) == step.place(value));
}

bool RepeatFinder::areLike(llvm::ArrayRef<int32_t> ops,
                           llvm::ArrayRef<int32_t> others,
                           int32_t distance) const {
  return std::equal(
      ops.begin(), ops.end(), others.begin(), others.end(),
      [&](int32_t op, int32_t other) { return isLikeOp(op, other, distance); });
}

bool RepeatFinder::isLike(int32_t op, int32_t distance) const {
  const int32_t other = op + distance;
  if (op < 0 || other >= numOps || step.runsOnce(op) != step.runsOnce(other))
    return false;
  auto sameValue = [&](int32_t a, int32_t b) {
    return isLikeValue(a, b, distance);
  };
  auto sameBytes = [&](int32_t a, int32_t b) {
    return step.bytes(a) == step.bytes(b);
  };
  auto sameVariant = [](const SearchStep::Variant &a,
                        const SearchStep::Variant &b) {
    return a.cost == b.cost && a.workspaceBytes == b.workspaceBytes;
  };
  auto samePair = [&](const SearchStep::Pair &a, const SearchStep::Pair &b) {
    return a.place == b.place && sameValue(a.value, b.value);
  };
  auto same = [](auto a, auto b, auto isSame) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), isSame);
  };
  return same(step.variants(op), step.variants(other), sameVariant) &&
         same(step.outputs(op), step.outputs(other), sameBytes) &&
         same(step.inputs(op), step.inputs(other), sameValue) &&
         same(step.pairs(op), step.pairs(other), samePair) &&
         areLike(step.before(op), step.before(other), distance) &&
         areLike(step.after(op), step.after(other), distance);
}

RepeatFinder::Segment RepeatFinder::segmentAt(int32_t op,
                                              int32_t distance) const {
  Segment found{op, op, distance};
  while (isLike(found.last, distance))
    ++found.last;
  while (found.first > forward.last + forward.distance &&
         isLike(found.first - 1, distance))
    --found.first;
  return found;
}

/// The segment that begins at one of the ops and saves most; `enough` is
/// enough.
RepeatFinder::Segment RepeatFinder::longestAround(llvm::ArrayRef<int32_t> ops,
                                                  int64_t enough) const {
  Segment best;
  for (int32_t op : ops)
    for (int32_t other = op + 1; other < numOps && best.saved() < enough;
         ++other)
      if (hashes[other] == hashes[op])
        if (const Segment found = segmentAt(op, other - op);
            found.saved() > best.saved())
          best = found;
  return best;
}

/// Where ops to look from lie, in eighths of the step.
static llvm::SmallVector<int32_t, 8> placesIn(int32_t first, int32_t end,
                                              llvm::ArrayRef<int> eighths) {
  llvm::SmallVector<int32_t, 8> places;
  for (int eighth : eighths)
    places.push_back(first + int32_t(int64_t(end - first) * eighth / 8));
  return places;
}

std::optional<SearchStep::Repeat> RepeatFinder::find() {
  numOps = step.end();
  hashOps();
  const Segment best = longestAround(
      placesIn(0, numOps, searchTuning::placesOfTurns), numOps / 2);
  if (double(best.saved()) < searchTuning::leastRepeated * numOps)
    return std::nullopt;
  return SearchStep::Repeat{best.first, best.distance, best.turns() + 1};
}

/// Turn that the first one of a backward pass reads most; -1: none.
int32_t RepeatFinder::turnMostRead(const Segment &backward) const {
  std::vector<int> reads(size_t(forward.turns()) + 2, 0);
  for (int32_t op = backward.first; op < backward.first + backward.distance;
       ++op)
    for (int32_t value : step.inputs(op))
      if (const int32_t behind = step.producer(value) - forward.first;
          behind >= 0 && step.producer(value) < forward.last + forward.distance)
        ++reads[behind / forward.distance];
  const auto most = llvm::max_element(reads);
  return *most == 0 ? -1 : int32_t(most - reads.begin());
}

std::optional<SearchStep::Repeat> RepeatFinder::findLayers() {
  using searchTuning::fewestTurns, searchTuning::keptTurns;
  numOps = step.end();
  hashOps();
  const Segment found = longestAround(
      placesIn(0, numOps, searchTuning::placesOfLayers), numOps / 2);
  if (found.turns() + 1 < fewestTurns)
    return std::nullopt;
  forward = found;
  const Segment backward =
      longestAround(placesIn(found.last + found.distance, numOps,
                             searchTuning::placesOfTurns),
                    numOps);
  const int32_t last = turnMostRead(backward);
  if (backward.turns() + 1 < fewestTurns || last < 0)
    return std::nullopt;
  // Turns that both parts have.
  const int32_t top = std::min(last, forward.turns()),
                bottom = std::max(0, last - backward.turns());
  if (top - bottom + 1 < fewestTurns)
    return std::nullopt;
  return SearchStep::Repeat{forward.first + bottom * forward.distance,
                            forward.distance,
                            top - bottom + 1,
                            backward.first + (last - top) * backward.distance,
                            backward.distance,
                            keptTurns / 2,
                            keptTurns / 2};
}

std::optional<SearchStep::Repeat> memplan::findRepeat(const SearchStep &step) {
  return RepeatFinder(step).find();
}

std::optional<StepRepeat> memplan::findRepeat(const ContractedStep &step) {
  if (step.numOps() < largeStep)
    return std::nullopt;
  return findRepeat(SearchStep(step));
}

std::optional<SearchStep::Repeat> memplan::findLayers(const SearchStep &step) {
  return RepeatFinder(step).findLayers();
}

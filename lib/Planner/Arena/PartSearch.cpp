//===- PartSearch.cpp - Better and better packings of a part --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blame is "squeaky wheel" optimisation: Joslin and Clements, JAIR 10, 1999.
//
//===----------------------------------------------------------------------===//

#include "PartSearch.h"
#include "Tuning.h"
#include <algorithm>
#include <cmath>
#include <iterator>

using namespace memplan;

std::span<const Rectangle> PartSearch::itemsOf(Method method) const {
  return method == Method::MergedDive ? std::span(merger->merged())
                                      : packer.rectangles();
}

const std::vector<int64_t> &PartSearch::offsetsOf(Method method) const {
  return method == Method::MergedDive ? mergedDive->offsets()
                                      : packer.offsets();
}

int64_t PartSearch::work() const {
  return packer.work() + (mergedDive ? mergedDive->work() : 0);
}

bool PartSearch::isDone(const PartSearchLimits &limits) const {
  return tried > 0 &&
         (bestHeight <= limits.targetBytes || tried >= limits.orders ||
          tried - 2 * triedAtBest >= limits.patience || work() >= limits.work ||
          (limits.isStopped && limits.isStopped()));
}

/// Returns the height, and keeps the best.
int64_t PartSearch::pack(Method method, std::span<const int32_t> order) {
  ++tried;
  const int64_t height = method == Method::Dive ? *packer.dive(order)
                         : method == Method::MergedDive
                             ? *mergedDive->run(order)
                             : *packer.firstFit(order);
  if (!bestOffsets.empty() && height >= bestHeight)
    return height;
  triedAtBest = tried;
  bestOffsets = method == Method::MergedDive ? merger->expand(offsetsOf(method))
                                             : offsetsOf(method);
  bestHeight = part.heightOf(bestOffsets); // Merged items are padded.
  return height;
}

void PartSearch::start(Method method, std::string_view letters,
                       const PartSearchLimits &limits) {
  if (isDone(limits))
    return;
  Start start = {method,
                 0,
                 method == Method::MergedDive ? mergedRanked->by(letters)
                                              : packer.orderBy(letters),
                 {}};
  start.height = pack(method, start.order);
  if (limits.report)
    limits.report();
  start.places.resize(start.order.size());
  for (std::size_t place = 0; place < start.order.size(); ++place)
    start.places[start.order[place]] = double(place + 1);
  starts.push_back(std::move(start));
}

/// Moves what ends above the target to the front, by so much that what is
/// blamed again and again gets there.
void PartSearch::blame(Start &start, int rounds,
                       const PartSearchLimits &limits) {
  for (int round = 0; round < rounds && !isDone(limits); ++round) {
    if (round == 0)
      pack(start.method, start.order); // Offsets are those of another start.
    const std::vector<int64_t> &offsets = offsetsOf(start.method);
    const std::span<const Rectangle> items = itemsOf(start.method);
    // Far above the target all would be to blame: then what is in the upper
    // half, in every second round.
    const int64_t excess = start.height - limits.targetBytes;
    const bool isFar = excess > limits.targetBytes / tuning::farPart;
    const int64_t above =
        limits.targetBytes + (isFar && round % 2 == 1 ? excess / 2 : 0);
    for (std::size_t i = 0; i < items.size(); ++i)
      if (offsets[i] + items[i].bytes > above)
        start.places[i] *= tuning::blamedPlace;
    std::sort(
        start.order.begin(), start.order.end(), [&](int32_t a, int32_t b) {
          return std::pair(start.places[a], a) < std::pair(start.places[b], b);
        });
    start.height = pack(start.method, start.order);
    if (limits.report)
      limits.report();
  }
}

/// Weights of a list, then others: near the best so far, or anywhere.
OrderWeights PartSearch::nextWeights() {
  if (weighed < std::size(tuning::goodWeights))
    return tuning::goodWeights[weighed];
  // About as a normal distribution has it, but for the tails.
  auto spread = [&] {
    return 2 * (random.unit() + random.unit() + random.unit() -
                tuning::meanOfThree);
  };
  OrderWeights weights;
  double *ratios[] = {&weights.mostBytes, &weights.steps, &weights.bytes};
  double *places[] = {&weights.first, &weights.last};
  if (random.chance(tuning::oddsOfNearWeights)) {
    weights = bestWeights;
    auto change = [&](double &weight) {
      if (weight != 0 || random.chance(tuning::oddsOfNewWeight))
        weight += tuning::changeOfWeight * spread();
    };
    for (double *weight : ratios)
      change(*weight);
    for (double *weight : places)
      change(*weight);
    return weights;
  }
  for (double *weight : ratios)
    if (!random.chance(tuning::oddsOfNoWeight))
      *weight = std::abs(spread());
  for (double *weight : places)
    if (!random.chance(tuning::oddsOfNoWeight))
      *weight = spread() / 2;
  return weights;
}

/// A dive by a weighted sum of what the letters stand for.
void PartSearch::weigh(const PartSearchLimits &limits) {
  const OrderWeights weights = nextWeights();
  ++weighed;
  const int64_t height = pack(Method::Dive, packer.orderBy(weights));
  if (weighed == 1 || height < bestWeighed) {
    bestWeighed = height;
    bestWeights = weights;
  }
  if (limits.report)
    limits.report();
}

void PartSearch::merge() {
  merger.emplace(packer.rectangles(), part.sections);
  mergedRanked.emplace(merger->merged(), part.sections);
  mergedDive.emplace(merger->merged(), part.sections);
}

static bool isMergeable(const PartPacker &packer) {
  const std::span<const Rectangle> items = packer.rectangles();
  return packer.isPlain() &&
         std::all_of(items.begin(), items.end(), [&](const Rectangle &item) {
           return item.alignment == items.front().alignment;
         });
}

/// The lowest first.
void PartSearch::blameAll(int rounds, const PartSearchLimits &limits) {
  std::vector<std::pair<int64_t, size_t>> byHeight;
  for (const Start &start : starts)
    byHeight.push_back({start.height, byHeight.size()});
  std::sort(byHeight.begin(), byHeight.end());
  for (auto [height, place] : byHeight)
    blame(starts[place], rounds, limits);
}

void PartSearch::startMerged(const PartSearchLimits &limits) {
  if (isDone(limits) || merger || !isMergeable(packer))
    return;
  merge();
  for (std::string_view letters : {"TWA", "TAW", "ZTW"})
    start(Method::MergedDive, letters, limits);
  // Few items are packed in no time.
  if (merger->merged().size() > packer.rectangles().size() / tuning::fewMerged)
    return;
  for (Start &start : starts)
    if (start.method == Method::MergedDive)
      blame(start, tuning::roundsOfMerged, limits);
}

void PartSearch::run(const PartSearchLimits &limits) {
  start(Method::Dive, "TWA", limits);
  // Blame finds little among many items, and more than weights among few.
  if (packer.rectangles().size() > tuning::manyItems) {
    while (!isDone(limits))
      weigh(limits);
    return;
  }
  // So far above, other orders alone do not help.
  if (bestHeight > limits.targetBytes + limits.targetBytes / tuning::farPart)
    startMerged(limits);
  for (std::string_view letters : {"TAW", "WAT", "TCA", "TZW"})
    start(Method::Dive, letters, limits);
  int rounds = tuning::firstRounds;
  if (!isDone(limits))
    blameAll(rounds, limits);
  startMerged(limits);
  for (std::string_view letters : {"PZ", "TW", "Z"})
    start(Method::FirstFit, letters, limits);
  for (; !isDone(limits); rounds *= 2)
    blameAll(rounds, limits);
}

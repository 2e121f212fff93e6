//===- RunTotals.cpp - Sums over the runs of a plan, and lists ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/RunTotals.h"

using namespace memplan;

void RunTotals::clear() {
  sumCost = sumCopies = sumHost = 0;
  for (std::vector<int32_t> &one : lists)
    one.clear();
  places.clear();
}

void RunTotals::addSums(int32_t op, int32_t variant, double sign) {
  sumCost += sign * step.variants(op)[variant].cost;
  if (!step.isCopy(op))
    return;
  sumCopies += sign * step.copyTime(op);
  if (step.isEvict(op) && !step.mustLeave(step.copiedValue(op)))
    sumHost += sign * step.bytes(step.copiedValue(op));
}

void RunTotals::add(int32_t run, int32_t op, int32_t variant, bool isSource) {
  addSums(op, variant, 1);
  if (size_t(run) >= places.size())
    places.resize(size_t(run) + 1 + size_t(run) / 2);
  const List which = step.isCopy(op) ? step.isFetch(op) ? Fetches : Evicts
                     : isSource      ? NoList
                                     : Recomputations;
  places[run] = {which, -1};
  if (which == NoList)
    return;
  places[run].at = static_cast<int32_t>(lists[which].size());
  lists[which].push_back(run);
}

void RunTotals::remove(int32_t run, int32_t op, int32_t variant) {
  addSums(op, variant, -1);
  const Place place = places[run];
  if (place.list == NoList)
    return;
  std::vector<int32_t> &list = lists[place.list];
  const int32_t moved = list.back();
  list[place.at] = moved;
  places[moved].at = place.at;
  list.pop_back();
}

void RunTotals::changeVariant(int32_t op, int32_t before, int32_t now) {
  sumCost += step.variants(op)[now].cost - step.variants(op)[before].cost;
}

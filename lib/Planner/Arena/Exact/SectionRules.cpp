//===- SectionRules.cpp - Floors and waste of sections --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the rule of the waste is "not first" of disjunctive scheduling
// (Carlier and Pinson, 1989).
// Idea: in a section with the total t of what is left, nothing is left where
// the lowest of its items and t exceed the capacity; and below an item at x,
// the bytes that no other can fill are at most capacity - t, since all others
// go above it or end by x. What is placed takes part in neither: were it left,
// it could only fill bytes below. So a reason names only why items that are
// left go no lower.
// Complexity: O(m^2) for a section of m items, in vectors of the machine.
//
//===----------------------------------------------------------------------===//

#include "PartialPacking.h"
#include <utility>

using namespace memplan;

template <typename Unit> void PartialPacking<Unit>::forgetChangedSections() {
  for (int32_t section : dirty)
    isDirty[section] = 0;
  dirty.clear();
}

/// Gathers why the bytes below an item cannot be filled before `offset`: those
/// that do not end by where it could go do not go lower.
template <typename Unit>
void PartialPacking<Unit>::explainWaste(int32_t section, int32_t member,
                                        Unit offset, Unit floor) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  why.clear();
  why.addReasonOf(owner[member]);
  for (int32_t b = 0; b < counts[section]; ++b) {
    if (b == member || std::max(scratchOffset[b], floor) + scratchSize[b] <=
                           scratchOffset[member])
      continue;
    // Only the floor is in its way, which rests on everything.
    if (scratchOffset[b] < floor && scratchOffset[b] + scratchSize[b] < offset)
      return why.addAllPlaced();
    why.addReasonOf(owner[b]);
  }
}

template <typename Unit>
bool PartialPacking<Unit>::raiseByWaste(int32_t section, Unit floor) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  const int32_t number = counts[section];
  const Unit most = capacity - totals[section];
  for (int32_t a = 0; a < number; ++a) {
    scratchSize[a] = sizes[owner[a]];
    scratchEnd[a] = std::max(scratchOffset[a], floor) + scratchSize[a];
  }
  // What ends by an offset also ends by higher ones, so that what holds at one
  // holds up to where that much less would be filled: most items need no look.
  Unit holdsFrom = 0, holdsTo = most;
  for (int32_t a = 0; a < number; ++a) {
    Unit offset = scratchOffset[a];
    if (offset <= most || (holdsFrom <= offset && offset <= holdsTo))
      continue;
    const Unit end = std::exchange(scratchEnd[a], unknown);
    while (true) {
      Unit filled = 0;
      numLooks += number;
      for (int32_t b = 0; b < number; ++b)
        filled += scratchSize[b] & -Unit(scratchEnd[b] <= offset);
      if (offset - filled <= most) {
        holdsFrom = offset;
        holdsTo = most + filled;
        break;
      }
      Unit next = unknown;
      for (int32_t b = 0; b < number; ++b)
        if (scratchEnd[b] > offset)
          next = std::min(next, scratchEnd[b]);
      offset = next;
      if (next == unknown)
        break;
    }
    scratchEnd[a] = end;
    if (offset == scratchOffset[a])
      continue;
    explainWaste(section, a, offset, floor);
    if (offset == unknown) {
      weights[owner[a]] += weightStep;
      return false;
    }
    if (!raise(owner[a], offset))
      return false;
    holdsFrom = unknown;
    scratchOffset[a] = earliest[owner[a]];
    scratchEnd[a] = scratchOffset[a] + scratchSize[a];
  }
  return true;
}

/// Gathers why the section has no room: the lowest of its items and what is
/// left of them exceed the capacity.
template <typename Unit>
void PartialPacking<Unit>::explainSection(int32_t section) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  const Unit most = capacity - totals[section];
  why.clear();
  for (int32_t a = 0; a < counts[section]; ++a) {
    if (earliest[owner[a]] <= most)
      return why.addAllPlaced(); // The floor is all that is in its way.
    why.addReasonOf(owner[a]);
  }
}

template <typename Unit>
bool PartialPacking<Unit>::tightenSection(int32_t section, Unit floor) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  const int32_t number = counts[section];
  if (number == 0)
    return true;
  Unit lowest = unknown, highest = 0;
  for (int32_t a = 0; a < number; ++a) {
    const Unit offset = scratchOffset[a] = earliest[owner[a]];
    lowest = std::min(lowest, offset);
    highest = std::max(highest, offset);
  }
  if (std::max(lowest, floor) > capacity - totals[section]) {
    for (int32_t a = 0; a < number; ++a)
      weights[owner[a]] += weightStep / number;
    explainSection(section);
    return false;
  }
  return highest <= capacity - totals[section] || raiseByWaste(section, floor);
}

template <typename Unit>
bool PartialPacking<Unit>::holdsFloor(int32_t section, Unit floor) {
  if (counts[section] == 0)
    return true;
  const int32_t *owner = owners.data() + sectionBegins[section];
  Unit lowest = unknown;
  for (int32_t a = 0; a < counts[section]; ++a)
    lowest = std::min(lowest, earliest[owner[a]]);
  if (std::max(lowest, floor) <= capacity - totals[section])
    return true;
  explainSection(section);
  return false;
}

/// Once through the sections that changed, and a look at the floors of those
/// that change through that: going on costs more than it finds.
template <typename Unit> bool PartialPacking<Unit>::propagate(Unit floor) {
  dirtyNow.swap(dirty);
  dirty.clear();
  for (int32_t section : dirtyNow)
    isDirty[section] = 0;
  bool holds = true;
  for (size_t i = 0; holds && i < dirtyNow.size(); ++i)
    holds = tightenSection(dirtyNow[i], floor);
  for (size_t i = 0; holds && i < dirty.size(); ++i)
    holds = holdsFloor(dirty[i], floor);
  forgetChangedSections();
  return holds;
}

template void PartialPacking<int32_t>::forgetChangedSections();
template void PartialPacking<int32_t>::explainWaste(int32_t, int32_t, int32_t,
                                                    int32_t);
template bool PartialPacking<int32_t>::raiseByWaste(int32_t, int32_t);
template void PartialPacking<int32_t>::explainSection(int32_t);
template bool PartialPacking<int32_t>::tightenSection(int32_t, int32_t);
template bool PartialPacking<int32_t>::holdsFloor(int32_t, int32_t);
template bool PartialPacking<int32_t>::propagate(int32_t);
template void PartialPacking<int64_t>::forgetChangedSections();
template void PartialPacking<int64_t>::explainWaste(int32_t, int32_t, int64_t,
                                                    int64_t);
template bool PartialPacking<int64_t>::raiseByWaste(int32_t, int64_t);
template void PartialPacking<int64_t>::explainSection(int32_t);
template bool PartialPacking<int64_t>::tightenSection(int32_t, int64_t);
template bool PartialPacking<int64_t>::holdsFloor(int32_t, int64_t);
template bool PartialPacking<int64_t>::propagate(int64_t);

//===- BlockedSearch.cpp - Sits here, or something goes below it ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the canonical packings and sections of Moffitt, "MiniMalloc", ASPLOS
// 2023; the rule of the waste is "not first" of disjunctive scheduling (Carlier
// and Pinson, 1989); the rest is memplan's own.
// Idea: in a packing where nothing can sink, take the buffer that could go
// lowest. Either it sits there, or it is blocked: something that is not placed
// yet goes below it and lifts it. Both are worked out for all buffers of the
// sections that change:
// - what must be lifted goes no lower than the lowest top of what can lift it;
// - at an offset in a section with the total t of what is not placed, the bytes
//   below the offset that nothing can fill are at most capacity - t;
// - a branch ends where a section's floor and total exceed the capacity.
// Where nothing lives across two sections any more, both sides are packed
// alone. A search that takes long begins anew with other ranks: a rank decides
// who goes first among equals, and buffers at which branches ended go first
// more and more.
// Complexity: exponential; memory O(n + entries of sections and conflicts), and
// a list of the buffers that are left for each split.
// Guaranteed: a packing within the capacity, or a proof that there is none,
// unless it is stopped.
//
//===----------------------------------------------------------------------===//

#include "BlockedSearch.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

using namespace memplan;

template <typename Unit>
static constexpr Unit unknown = std::numeric_limits<Unit>::max();

template <typename Unit>
BlockedSearch<Unit>::BlockedSearch(const ScaledPart &part)
    : part(part), count(part.count), sections(part.sections) {
  for (int32_t i = 0; i < count; ++i) {
    sizes.push_back(static_cast<Unit>(part.sizes[i]));
    alignments.push_back(static_cast<Unit>(part.alignments[i]));
    hasAlignments |= part.alignments[i] > 1 || part.allocation > 0;
    lives.push_back(double(part.steps[i]));
    areas.push_back(lives.back() * double(part.sizes[i]));
  }
  memberCounts.assign(sections, 0);
  for (int32_t section : part.sectionsOf.numbers)
    ++memberCounts[section];
  sectionBegins.assign(1, 0);
  size_t largest = 0;
  for (int32_t each : memberCounts) {
    sectionBegins.push_back(sectionBegins.back() + each);
    largest = std::max(largest, size_t(each));
  }
  members.resize(part.sectionsOf.numbers.size());
  memberPlaces.resize(members.size());
  std::vector<int32_t> next(sectionBegins.begin(), sectionBegins.end() - 1);
  for (int32_t i = 0; i < count; ++i)
    for (int32_t at = part.sectionsOf.begins[i];
         at < part.sectionsOf.begins[i + 1]; ++at) {
      memberPlaces[at] = next[part.sectionsOf.numbers[at]]++;
      members[memberPlaces[at]] = at;
    }
  owners.resize(members.size());
  for (int32_t i = 0; i < count; ++i)
    for (int32_t at = part.sectionsOf.begins[i];
         at < part.sectionsOf.begins[i + 1]; ++at)
      owners[memberPlaces[at]] = i;
  scratchOffset.resize(largest);
  scratchEnd.resize(largest);
  scratchSize.resize(largest);
  noise.assign(count, 1);
  weights.assign(count, 0);
  solution.assign(count, 0);
  keys.resize(count);
}

/// False if a look shows that there is no room.
template <typename Unit> bool BlockedSearch<Unit>::reset(int64_t heightBytes) {
  capacity = static_cast<Unit>(part.capacity(heightBytes));
  latest.clear();
  for (int64_t offset : part.latestOffsets(heightBytes))
    latest.push_back(static_cast<Unit>(offset));
  earliest.assign(count, 0);
  support.assign(count, 0);
  isPlaced.assign(count, 0);
  lifters.assign(count, 0);
  hasLifter.assign(count, 0);
  totals.assign(sections, 0);
  isDirty.assign(sections, 0);
  crossings.assign(sections, 0);
  dirty.clear();
  for (int32_t i = 0; i < count; ++i) {
    if (part.fixed[i] >= 0)
      earliest[i] = support[i] = static_cast<Unit>(part.fixed[i]);
    if (earliest[i] > latest[i])
      return false;
    for (int32_t section : part.sectionsOf.of(i))
      totals[section] += sizes[i];
    for (int32_t k = part.hulls[i].begin; k + 1 < part.hulls[i].end; ++k)
      ++crossings[k];
  }
  return std::all_of(totals.begin(), totals.end(),
                     [&](Unit total) { return total <= capacity; });
}

//===----------------------------------------------------------------------===//
// What follows from what is placed
//===----------------------------------------------------------------------===//

template <typename Unit>
Unit BlockedSearch<Unit>::nextOffset(int32_t item, Unit offset) const {
  if (!hasAlignments)
    return offset;
  const Unit step = alignments[item];
  offset = (offset + step - 1) / step * step;
  const auto allocation = static_cast<Unit>(part.allocation);
  if (allocation > 0 && offset % allocation > allocation - sizes[item])
    offset = (offset / allocation + 1) * allocation;
  return offset;
}

/// False where the item has no room any more.
template <typename Unit>
bool BlockedSearch<Unit>::raise(int32_t item, Unit offset) {
  offset = nextOffset(item, offset);
  if (offset <= earliest[item])
    return true;
  if (offset > latest[item]) {
    weights[item] += weightStep;
    return false;
  }
  change(earliest[item], offset);
  for (int32_t section : part.sectionsOf.of(item))
    if (!isDirty[section]) {
      isDirty[section] = 1;
      dirty.push_back(section);
    }
  return true;
}

template <typename Unit> void BlockedSearch<Unit>::forgetDirty() {
  for (int32_t section : dirty)
    isDirty[section] = 0;
  dirty.clear();
}

/// Below an item at x, the bytes that no other of the section can fill are at
/// most capacity - total, since all others go above it or end by x.
template <typename Unit>
bool BlockedSearch<Unit>::raiseByWaste(int32_t section, Unit lowest) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  const int32_t number = memberCounts[section];
  const Unit most = capacity - totals[section];
  for (int32_t a = 0; a < number; ++a) {
    scratchSize[a] = sizes[owner[a]];
    scratchEnd[a] = std::max(scratchOffset[a], lowest) + scratchSize[a];
  }
  for (int32_t a = 0; a < number; ++a) {
    Unit offset = scratchOffset[a];
    if (offset <= most)
      continue;
    const Unit end = std::exchange(scratchEnd[a], unknown<Unit>);
    while (true) {
      Unit filled = 0;
      for (int32_t b = 0; b < number; ++b)
        filled += scratchSize[b] & -Unit(scratchEnd[b] <= offset);
      if (offset - filled <= most)
        break;
      Unit next = unknown<Unit>;
      for (int32_t b = 0; b < number; ++b)
        if (scratchEnd[b] > offset)
          next = std::min(next, scratchEnd[b]);
      if (next == unknown<Unit>) {
        weights[owner[a]] += weightStep;
        return false;
      }
      offset = next;
    }
    scratchEnd[a] = end;
    if (offset == scratchOffset[a])
      continue;
    if (!raise(owner[a], offset))
      return false;
    scratchOffset[a] = earliest[owner[a]];
    scratchEnd[a] = scratchOffset[a] + scratchSize[a];
  }
  return true;
}

template <typename Unit>
bool BlockedSearch<Unit>::tightenSection(int32_t section, Unit lowest) {
  const int32_t *owner = owners.data() + sectionBegins[section];
  const int32_t number = memberCounts[section];
  if (number == 0)
    return true;
  Unit floor = unknown<Unit>, highest = 0;
  for (int32_t a = 0; a < number; ++a) {
    const Unit offset = scratchOffset[a] = earliest[owner[a]];
    floor = std::min(floor, offset);
    highest = std::max(highest, offset);
  }
  if (std::max(floor, lowest) > capacity - totals[section]) {
    for (int32_t a = 0; a < number; ++a)
      weights[owner[a]] += weightStep / number;
    return false;
  }
  return highest <= capacity - totals[section] || raiseByWaste(section, lowest);
}

/// Once through the sections that changed, and a look at the floors of those
/// that change through that: going on costs more than it finds.
template <typename Unit> bool BlockedSearch<Unit>::propagate(Unit lowest) {
  dirtyNow.swap(dirty);
  dirty.clear();
  for (int32_t section : dirtyNow)
    isDirty[section] = 0;
  bool holds = true;
  for (int32_t section : dirtyNow)
    if (!(holds = tightenSection(section, lowest)))
      break;
  for (size_t i = 0; holds && i < dirty.size(); ++i) {
    Unit floor = unknown<Unit>;
    const int32_t *owner = owners.data() + sectionBegins[dirty[i]];
    for (int32_t a = 0; a < memberCounts[dirty[i]]; ++a)
      floor = std::min(floor, earliest[owner[a]]);
    holds = memberCounts[dirty[i]] == 0 ||
            std::max(floor, lowest) <= capacity - totals[dirty[i]];
  }
  forgetDirty();
  return holds;
}

/// The lowest top of what can go below a blocked item.
template <typename Unit>
std::optional<Unit> BlockedSearch<Unit>::findLifted(int32_t item, Unit lowest) {
  const Unit limit = support[item] + sizes[item];
  std::optional<Unit> top;
  for (int32_t other : part.conflicts.of(item)) {
    if (isPlaced[other])
      continue;
    const Unit offset = std::max(earliest[other], lowest);
    if (offset >= limit || (top && offset + sizes[other] >= *top))
      continue;
    top = offset + sizes[other];
    lifters[item] = other;
    if (*top <= earliest[item])
      break;
  }
  return top;
}

/// An item above its support is blocked.
template <typename Unit>
bool BlockedSearch<Unit>::tightenLifted(int32_t item, Unit lowest) {
  const int32_t lifter = lifters[item];
  const Unit offset = std::max(earliest[lifter], lowest);
  // The last one found, as long as it does.
  if (hasLifter[item] && !isPlaced[lifter] &&
      offset < support[item] + sizes[item] &&
      offset + sizes[lifter] <= earliest[item])
    return true;
  const std::optional<Unit> top = findLifted(item, lowest);
  hasLifter[item] = top.has_value();
  return top && raise(item, *top);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

template <typename Unit>
void BlockedSearch<Unit>::removeFromSections(int32_t item) {
  for (int32_t at = part.sectionsOf.begins[item];
       at < part.sectionsOf.begins[item + 1]; ++at) {
    const int32_t section = part.sectionsOf.numbers[at];
    totals[section] -= sizes[item];
    const int32_t last = sectionBegins[section] + --memberCounts[section];
    const int32_t place = memberPlaces[at];
    const int32_t moved = members[last];
    std::swap(members[place], members[last]);
    std::swap(owners[place], owners[last]);
    memberPlaces[moved] = place;
    memberPlaces[at] = last;
  }
  isPlaced[item] = 1;
}

template <typename Unit>
void BlockedSearch<Unit>::returnToSections(int32_t item) {
  for (int32_t section : part.sectionsOf.of(item)) {
    totals[section] += sizes[item];
    ++memberCounts[section];
  }
  isPlaced[item] = 0;
}

template <typename Unit>
void BlockedSearch<Unit>::openFrame(int32_t listBegin, int32_t listEnd,
                                    int32_t firstSection, int32_t endSection,
                                    Unit lowest) {
  Frame frame = {};
  frame.trail = trail.size();
  frame.lists = lists.size();
  frame.components = components.size();
  frame.firstSection = firstSection;
  frame.endSection = endSection;
  frame.item = -1;
  frame.lowest = lowest;
  // A list of its own where a quarter of the old one is placed.
  const auto left = static_cast<int32_t>(
      std::count_if(lists.begin() + listBegin, lists.begin() + listEnd,
                    [&](int32_t item) { return !isPlaced[item]; }));
  if (4 * left < 3 * (listEnd - listBegin)) {
    const auto begin = static_cast<int32_t>(lists.size());
    for (int32_t i = listBegin; i < listEnd; ++i)
      if (const int32_t item = lists[i]; !isPlaced[item])
        lists.push_back(item);
    listBegin = begin;
    listEnd = static_cast<int32_t>(lists.size());
  }
  frame.listBegin = listBegin;
  frame.listEnd = listEnd;
  frames.push_back(frame);
}

template <typename Unit> void BlockedSearch<Unit>::closeFrame() {
  const Frame &frame = frames.back();
  undo(frame.trail);
  lists.resize(frame.lists);
  components.resize(frame.components);
  frames.pop_back();
}

/// The first in rank of those that could go lowest; false where nothing can
/// come of it.
template <typename Unit>
bool BlockedSearch<Unit>::choose(Frame &frame, Unit &offset, bool &isDone) {
  for (bool isRepeated = false;; isRepeated = true) {
    Unit openEnd = unknown<Unit>;
    offset = unknown<Unit>;
    isDone = true;
    frame.item = -1;
    for (int32_t i = frame.listBegin; i < frame.listEnd; ++i) {
      const int32_t item = lists[i];
      if (isPlaced[item])
        continue;
      isDone = false;
      openEnd = std::min(openEnd, support[item] + sizes[item]);
      if (support[item] < earliest[item]) {
        if (prunes && !isRepeated && !tightenLifted(item, frame.lowest))
          return false;
      } else if (earliest[item] < offset) {
        offset = earliest[item];
        frame.item = item;
      }
    }
    if (isDone)
      return true;
    // An item that fits below all that is left would not have to be lifted.
    if (frame.item < 0 || offset >= openEnd)
      return false;
    if (dirty.empty())
      break;
    if (!propagate(frame.lowest))
      return false;
  }
  frame.lowest = std::max(frame.lowest, offset);
  Unit total = 0;
  for (int32_t k = frame.firstSection; k < frame.endSection; ++k)
    total = std::max(total, totals[k]);
  return offset <= capacity - total;
}

/// Puts frame.item there.
template <typename Unit>
bool BlockedSearch<Unit>::place(Frame &frame, Unit offset) {
  const int32_t item = frame.item;
  frame.trailAtItem = trail.size();
  frame.isBlocking = false;
  solution[item] = offset;
  removeFromSections(item);
  isParted = false;
  const SectionSpan hull = part.hulls[item];
  for (int32_t k = hull.begin; k + 1 < hull.end; ++k)
    isParted |= --crossings[k] == 0;
  const Unit top = offset + sizes[item];
  for (int32_t other : part.conflicts.of(item)) {
    if (isPlaced[other] || support[other] >= top)
      continue;
    frame.isBlocking = true;
    change(support[other], nextOffset(other, top));
    if (!raise(other, support[other]))
      return false;
  }
  for (int32_t section : part.sectionsOf.of(item))
    if (!isDirty[section]) {
      isDirty[section] = 1;
      dirty.push_back(section);
    }
  return !prunes || propagate(offset);
}

template <typename Unit> void BlockedSearch<Unit>::takeBack(Frame &frame) {
  forgetDirty();
  undo(frame.trailAtItem);
  returnToSections(frame.item);
  const SectionSpan hull = part.hulls[frame.item];
  for (int32_t k = hull.begin; k + 1 < hull.end; ++k)
    ++crossings[k];
}

/// Says that the item does not sit where it could. False where it must.
template <typename Unit> bool BlockedSearch<Unit>::blockItem(Frame &frame) {
  if (!frame.isBlocking || part.fixed[frame.item] >= 0)
    return false;
  const std::optional<Unit> top = findLifted(frame.item, frame.lowest);
  hasLifter[frame.item] = false;
  return top && raise(frame.item, *top) && (!prunes || propagate(frame.lowest));
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// What is left of the frame's list, by the sections that hulls hold together,
/// the tightest first.
template <typename Unit>
void BlockedSearch<Unit>::openComponents(const Frame &frame) {
  Frame opened = frame;
  opened.trail = opened.trailAtItem = trail.size();
  opened.lists = lists.size();
  opened.components = components.size();
  opened.isComponents = true;
  opened.item = -1;
  for (int32_t first = frame.firstSection; first < frame.endSection;) {
    Component component = {first, first, 0, 0, unknown<Unit>};
    bool isEmpty = true;
    for (bool goesOn = true; goesOn; ++component.endSection) {
      const int32_t k = component.endSection;
      goesOn = k + 1 < frame.endSection && crossings[k] > 0;
      isEmpty &= memberCounts[k] == 0;
      component.slack = std::min<Unit>(component.slack, capacity - totals[k]);
    }
    first = component.endSection;
    if (!isEmpty)
      components.push_back(component);
  }
  // By the section in which an item begins to live.
  for (size_t c = opened.components; c < components.size(); ++c) {
    Component &component = components[c];
    component.listBegin = static_cast<int32_t>(lists.size());
    for (int32_t i = frame.listBegin; i < frame.listEnd; ++i) {
      const int32_t item = lists[i];
      const int32_t first = part.sectionsOf.of(item).front();
      if (!isPlaced[item] && component.firstSection <= first &&
          first < component.endSection)
        lists.push_back(item);
    }
    component.listEnd = static_cast<int32_t>(lists.size());
    sortByRank(component.listBegin, component.listEnd);
  }
  // The last one goes first.
  std::sort(components.begin() + std::ptrdiff_t(opened.components),
            components.end(), [](const Component &a, const Component &b) {
              return std::pair(a.slack, a.firstSection) >
                     std::pair(b.slack, b.firstSection);
            });
  frames.push_back(opened);
}

/// False where none is left.
template <typename Unit> bool BlockedSearch<Unit>::openNextComponent() {
  const Frame &frame = frames.back();
  if (components.size() == frame.components)
    return false;
  const Component next = components.back();
  components.pop_back();
  openFrame(next.listBegin, next.listEnd, next.firstSection, next.endSection,
            frame.lowest);
  return true;
}

//===----------------------------------------------------------------------===//
// Ranks and restarts
//===----------------------------------------------------------------------===//

/// Smaller goes first.
template <typename Unit>
typename BlockedSearch<Unit>::RankKey
BlockedSearch<Unit>::keyOf(int32_t item) const {
  Unit most = 0;
  for (int32_t section : part.sectionsOf.of(item))
    most = std::max(most, totals[section]);
  const double life = -lives[item] * noise[item];
  const double area = -areas[item] * noise[item];
  switch (rank) {
  case 0:
    return {-double(most), life, area};
  case 1:
    return {-weights[item], -double(most), life};
  case 2:
    return {-double(most), area, life};
  default:
    return {life, -weights[item], area};
  }
}

template <typename Unit>
void BlockedSearch<Unit>::sortByRank(int32_t listBegin, int32_t listEnd) {
  for (int32_t i = listBegin; i < listEnd; ++i)
    keys[lists[i]] = keyOf(lists[i]);
  std::sort(lists.begin() + listBegin, lists.begin() + listEnd,
            [&](int32_t a, int32_t b) {
              auto key = [&](int32_t i) {
                return std::tuple(keys[i].first, keys[i].second, keys[i].third,
                                  -sizes[i], i);
              };
              return key(a) < key(b);
            });
}

/// Factors between 2/3 and 3/2, about.
template <typename Unit> void BlockedSearch<Unit>::drawNoise() {
  for (double &each : noise)
    each = 0.65 + 0.85 * random.unit();
}

/// Luby, Sinclair and Zuckerman, 1993: 1 1 2 1 1 2 4 ...
static int64_t lubyOf(int64_t number) {
  while (true) {
    int64_t power = 1;
    while (power - 1 < number)
      power *= 2;
    if (power - 1 == number)
      return power / 2;
    number -= power / 2 - 1;
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Opens what is left after a choice of the last frame, or goes on with it.
template <typename Unit>
typename BlockedSearch<Unit>::Step BlockedSearch<Unit>::advance() {
  if (frames.back().isComponents)
    return openNextComponent() ? Step::Descend : Step::Solved;
  while (true) {
    Unit offset = 0;
    bool isDone = false;
    const bool holds = choose(frames.back(), offset, isDone);
    forgetDirty();
    if (!holds)
      return Step::Failed;
    if (isDone)
      return Step::Solved;
    ++trials;
    Frame &frame = frames.back();
    if (place(frame, offset)) {
      const Frame parent = frame;
      if (isParted)
        openComponents(parent);
      else
        openFrame(parent.listBegin, parent.listEnd, parent.firstSection,
                  parent.endSection, offset);
      return Step::Descend;
    }
    takeBack(frame);
    if (!blockItem(frame))
      return Step::Failed;
  }
}

/// Closes frames up to one in which there is something left to try.
template <typename Unit> bool BlockedSearch<Unit>::backtrack() {
  while (true) {
    forgetDirty();
    closeFrame();
    if (frames.empty())
      return false;
    Frame &frame = frames.back();
    if (frame.isComponents)
      continue;
    takeBack(frame);
    if (blockItem(frame))
      return true;
  }
}

/// Closes frames up to one with components that are left.
template <typename Unit> bool BlockedSearch<Unit>::finishComponent() {
  while (true) {
    closeFrame();
    if (frames.empty())
      return false;
    if (frames.back().isComponents)
      return true;
    takeBack(frames.back());
  }
}

template <typename Unit>
SearchAnswer
BlockedSearch<Unit>::restart(int64_t most,
                             const std::function<bool()> &isStopped) {
  frames.clear();
  trail.clear();
  components.clear();
  lists.resize(count);
  std::iota(lists.begin(), lists.end(), 0);
  sortByRank(0, count);
  openFrame(0, count, 0, sections, 0);
  const int64_t begin = trials;
  while (true) {
    const Step step = advance();
    if (step == Step::Solved && !finishComponent())
      return SearchAnswer::Packed;
    if (step == Step::Failed && !backtrack())
      return SearchAnswer::NoRoom;
    if (trials - begin >= most || ((trials & 255) == 0 && isStopped()))
      break;
  }
  while (!frames.empty()) {
    closeFrame();
    if (!frames.empty() && !frames.back().isComponents)
      takeBack(frames.back());
  }
  return SearchAnswer::Stopped;
}

template <typename Unit>
SearchAnswer
BlockedSearch<Unit>::search(int64_t heightBytes, int64_t most,
                            const std::function<bool()> &isStopped) {
  if (!reset(heightBytes))
    return SearchAnswer::NoRoom;
  constexpr int32_t ranks = 4;
  const int64_t begin = trials;
  for (int64_t number = 0;; ++number) {
    const int64_t left = begin + most - trials;
    if (left <= 0 || isStopped())
      return SearchAnswer::Stopped;
    rank = static_cast<int32_t>(number % ranks);
    if (number >= ranks)
      drawNoise();
    if ((weightStep *= 1.3) > 1e50) {
      for (double &weight : weights)
        weight /= weightStep;
      weightStep = 1;
    }
    const SearchAnswer answer = restart(
        std::min(left, 2 * count * lubyOf(number / ranks + 1)), isStopped);
    if (answer != SearchAnswer::Stopped)
      return answer;
  }
}

template class memplan::BlockedSearch<int32_t>;
template class memplan::BlockedSearch<int64_t>;

//===- BlockedSearch.cpp - Sits here, or something goes below it ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: the canonical packings and sections of Moffitt, "MiniMalloc", ASPLOS
// 2023; jumps are conflict-directed backjumping (Prosser, 1993); the rest is
// memplan's own.
// Idea: in a packing where nothing can sink, take the buffer that could go
// lowest. Either it sits there, or it is blocked: something that is not placed
// yet goes below it and lifts it. PartialPacking draws conclusions from both,
// and knows on which placements each rests. Where a branch ends for reasons
// that the last placement is not among, going back to it would end the same
// way: the search jumps back to the last one that is.
// Where nothing lives across two sections any more, both sides are packed
// alone. A search that takes long begins anew with another order: buffers at
// which branches ended go first more and more.
// Complexity: exponential; memory O(n + entries of sections and conflicts), a
// list of the buffers that are left for each split, and n^2 / 8 bytes of
// reasons for up to 4096 buffers, more of which jump over nothing.
// Guaranteed: a packing within the capacity, or a proof that there is none,
// unless it is stopped.
//
//===----------------------------------------------------------------------===//

#include "BlockedSearch.h"
#include "../Tuning.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace memplan;

template <typename Unit>
BlockedSearch<Unit>::BlockedSearch(const ScaledPart &part, bool prunes)
    : part(part), prunes(prunes), packing(part), order(part),
      solution(part.count) {
  packing.jumps = prunes;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

template <typename Unit>
void BlockedSearch<Unit>::openFrame(int32_t listBegin, int32_t listEnd,
                                    int32_t firstSection, int32_t endSection,
                                    Unit lowest) {
  Frame frame = {};
  frame.changes = packing.changes();
  frame.lists = lists.size();
  frame.components = components.size();
  frame.firstSection = firstSection;
  frame.endSection = endSection;
  frame.item = -1;
  frame.lowest = lowest;
  // A list of its own where enough of the old one is placed.
  const auto left = static_cast<int32_t>(
      std::count_if(lists.begin() + listBegin, lists.begin() + listEnd,
                    [&](int32_t item) { return !packing.isPlaced(item); }));
  if (4 * left < tuning::quartersKept * (listEnd - listBegin)) {
    const auto begin = static_cast<int32_t>(lists.size());
    for (int32_t i = listBegin; i < listEnd; ++i)
      if (const int32_t item = lists[i]; !packing.isPlaced(item))
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
  packing.undo(frame.changes);
  lists.resize(frame.lists);
  components.resize(frame.components);
  frames.pop_back();
}

/// Finds frame.item, the first in rank of those that could go lowest. False
/// where a conclusion on the way says that nothing can come of it.
template <typename Unit>
bool BlockedSearch<Unit>::look(Frame &frame, bool tightens, Look &found) {
  constexpr Unit unknown = PartialPacking<Unit>::unknown;
  found = {unknown, unknown, -1, true};
  frame.item = -1;
  for (int32_t i = frame.listBegin; i < frame.listEnd; ++i) {
    const int32_t item = lists[i];
    if (packing.isPlaced(item))
      continue;
    found.isDone = false;
    if (const Unit end = packing.supportOf(item) + packing.sizeOf(item);
        end < found.openEnd) {
      found.openEnd = end;
      found.ofEnd = item;
    }
    if (packing.isBlocked(item)) {
      if (tightens && !packing.tightenBlocked(item, frame.lowest))
        return false;
    } else if (packing.earliestOf(item) < found.offset) {
      found.offset = packing.earliestOf(item);
      frame.item = item;
    }
  }
  return true;
}

/// True where an item can be placed, or all are; false where nothing can come
/// of it.
template <typename Unit>
bool BlockedSearch<Unit>::choose(Frame &frame, Look &found) {
  for (bool isFirst = true;; isFirst = false) {
    if (!look(frame, prunes && isFirst, found))
      return false;
    if (found.isDone)
      return true;
    // An item that fits below all that is left would not have to be lifted.
    if (frame.item < 0 || found.offset >= found.openEnd) {
      packing.explainUnlifted(frame.item < 0 ? -1 : found.ofEnd);
      return false;
    }
    if (!packing.hasChangedSections())
      break;
    if (!packing.propagate(frame.lowest))
      return false;
  }
  frame.lowest = std::max(frame.lowest, found.offset);
  return holdsTotals(frame);
}

/// What is left of each section fits above the lowest offset.
template <typename Unit>
bool BlockedSearch<Unit>::holdsTotals(const Frame &frame) {
  int32_t tightest = frame.firstSection;
  for (int32_t k = frame.firstSection; k < frame.endSection; ++k)
    if (packing.totalOf(tightest) < packing.totalOf(k))
      tightest = k;
  if (frame.lowest <= packing.capacityUnits() - packing.totalOf(tightest))
    return true;
  packing.explainSection(tightest);
  return false;
}

/// Says that the item does not sit where it could, for which the reason was
/// gathered. False where it must, or where that has nothing to do with it.
template <typename Unit> bool BlockedSearch<Unit>::blockItem(Frame &frame) {
  if (!packing.reasons().takeOut(frame.item) || part.fixed[frame.item] >= 0)
    return false;
  return packing.block(frame.item, frame.lowest) &&
         (!prunes || packing.propagate(frame.lowest));
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// By the section in which an item begins to live.
template <typename Unit>
void BlockedSearch<Unit>::listComponent(const Frame &frame,
                                        Component &component) {
  component.listBegin = static_cast<int32_t>(lists.size());
  for (int32_t i = frame.listBegin; i < frame.listEnd; ++i) {
    const int32_t item = lists[i];
    const int32_t first = part.sectionsOf.of(item).front();
    if (!packing.isPlaced(item) && component.firstSection <= first &&
        first < component.endSection)
      lists.push_back(item);
  }
  component.listEnd = static_cast<int32_t>(lists.size());
  order.sort(std::span(lists).subspan(component.listBegin), packing);
}

/// What is left of the frame's list, by the sections that hulls hold together,
/// the tightest first.
template <typename Unit>
void BlockedSearch<Unit>::openComponents(const Frame &frame) {
  Frame opened = frame;
  opened.changes = opened.changesAtItem = packing.changes();
  opened.lists = lists.size();
  opened.components = components.size();
  opened.isComponents = true;
  opened.item = -1;
  for (int32_t first = frame.firstSection; first < frame.endSection;) {
    Component component = {first, first, 0, 0, PartialPacking<Unit>::unknown};
    bool isEmpty = true;
    for (bool goesOn = true; goesOn; ++component.endSection) {
      const int32_t k = component.endSection;
      goesOn = k + 1 < frame.endSection && packing.crossingsOf(k) > 0;
      isEmpty &= packing.countOf(k) == 0;
      component.slack = std::min<Unit>(
          component.slack, packing.capacityUnits() - packing.totalOf(k));
    }
    first = component.endSection;
    if (!isEmpty)
      components.push_back(component);
  }
  const auto begin =
      components.begin() + static_cast<std::ptrdiff_t>(opened.components);
  for (auto component = begin; component != components.end(); ++component)
    listComponent(frame, *component);
  // The last one goes first.
  std::sort(begin, components.end(),
            [](const Component &a, const Component &b) {
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
// The search
//===----------------------------------------------------------------------===//

/// Opens what is left after a choice of the last frame, or goes on with it.
template <typename Unit>
typename BlockedSearch<Unit>::Step BlockedSearch<Unit>::advance() {
  if (frames.back().isComponents)
    return openNextComponent() ? Step::Descend : Step::Solved;
  while (true) {
    Look found = {};
    const bool holds = choose(frames.back(), found);
    packing.forgetChangedSections();
    if (!holds)
      return Step::Failed;
    if (found.isDone)
      return Step::Solved;
    ++trials;
    Frame &frame = frames.back();
    frame.changesAtItem = packing.changes();
    solution[frame.item] = found.offset;
    if (packing.place(frame.item, found.offset, prunes, isParted)) {
      const Frame parent = frame;
      if (isParted)
        openComponents(parent);
      else
        openFrame(parent.listBegin, parent.listEnd, parent.firstSection,
                  parent.endSection, found.offset);
      return Step::Descend;
    }
    packing.takeBack(frame.item, frame.changesAtItem);
    if (!blockItem(frame))
      return Step::Failed;
  }
}

/// Closes frames up to one in which there is something left to try.
template <typename Unit> bool BlockedSearch<Unit>::backtrack() {
  while (true) {
    packing.forgetChangedSections();
    closeFrame();
    if (frames.empty())
      return false;
    Frame &frame = frames.back();
    if (frame.isComponents)
      continue;
    packing.takeBack(frame.item, frame.changesAtItem);
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
    const Frame &frame = frames.back();
    if (frame.isComponents)
      return true;
    packing.takeBack(frame.item, frame.changesAtItem);
  }
}

template <typename Unit>
SearchAnswer
BlockedSearch<Unit>::restart(int64_t most,
                             const std::function<bool()> &isStopped) {
  frames.clear();
  components.clear();
  lists.resize(part.count);
  std::iota(lists.begin(), lists.end(), 0);
  order.sort(lists, packing);
  openFrame(0, part.count, 0, part.sections, 0);
  const int64_t begin = tried();
  while (true) {
    const Step step = advance();
    if (step == Step::Solved && !finishComponent())
      return SearchAnswer::Packed;
    if (step == Step::Failed && !backtrack())
      return SearchAnswer::NoRoom;
    if (tried() - begin >= most ||
        ((trials & tuning::trialsOfLook) == 0 && isStopped()))
      break;
  }
  while (finishComponent()) {
  }
  return SearchAnswer::Stopped;
}

template <typename Unit>
SearchAnswer
BlockedSearch<Unit>::search(int64_t heightBytes, int64_t most,
                            const std::function<bool()> &isStopped) {
  if (!packing.reset(heightBytes))
    return SearchAnswer::NoRoom;
  const int64_t begin = tried();
  for (int64_t number = 0;; ++number) {
    const int64_t left = begin + most - tried();
    if (left <= 0 || isStopped())
      return SearchAnswer::Stopped;
    order.startSearch(number);
    packing.ageBlames();
    const SearchAnswer answer =
        restart(std::min(left, 2 * part.count * lubyLength(number)), isStopped);
    if (answer != SearchAnswer::Stopped)
      return answer;
  }
}

template class memplan::BlockedSearch<int32_t>;
template class memplan::BlockedSearch<int64_t>;

//===- PartialPacking.cpp - What is placed, and what follows --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placements, and the rule of what is blocked: an item that does not sit where
// it could is lifted by one that is left, so that it goes no lower than the
// lowest top of those that can lift it. SectionRules.cpp has the other rules.
//
//===----------------------------------------------------------------------===//

#include "PartialPacking.h"
#include "../Tuning.h"
#include <utility>

using namespace memplan;

template <typename Unit>
PartialPacking<Unit>::PartialPacking(const ScaledPart &part)
    : part(part), count(part.count), sections(part.sections) {
  for (int32_t i = 0; i < count; ++i) {
    sizes.push_back(static_cast<Unit>(part.sizes[i]));
    alignments.push_back(static_cast<Unit>(part.alignments[i]));
    hasAlignments |= part.alignments[i] > 1 || part.allocation > 0;
  }
  weights.assign(count, 0);
  listMembers();
}

template <typename Unit> void PartialPacking<Unit>::listMembers() {
  counts.assign(sections, 0);
  for (int32_t section : part.sectionsOf.numbers)
    ++counts[section];
  sectionBegins.assign(1, 0);
  size_t largest = 0;
  for (int32_t each : counts) {
    sectionBegins.push_back(sectionBegins.back() + each);
    largest = std::max(largest, size_t(each));
  }
  members.resize(part.sectionsOf.numbers.size());
  memberPlaces.resize(members.size());
  owners.resize(members.size());
  std::vector<int32_t> next(sectionBegins.begin(), sectionBegins.end() - 1);
  for (int32_t i = 0; i < count; ++i)
    for (int32_t at = part.sectionsOf.begins[i];
         at < part.sectionsOf.begins[i + 1]; ++at) {
      const int32_t place = next[part.sectionsOf.numbers[at]]++;
      memberPlaces[at] = place;
      members[place] = at;
      owners[place] = i;
    }
  scratchOffset.resize(largest);
  scratchEnd.resize(largest);
  scratchSize.resize(largest);
}

template <typename Unit> bool PartialPacking<Unit>::reset(int64_t heightBytes) {
  capacity = static_cast<Unit>(part.capacity(heightBytes));
  latest.clear();
  for (int64_t offset : part.latestOffsets(heightBytes))
    latest.push_back(static_cast<Unit>(offset));
  earliest.assign(count, 0);
  support.assign(count, 0);
  placed.assign(count, 0);
  lifters.assign(count, 0);
  hasLifter.assign(count, 0);
  totals.assign(sections, 0);
  isDirty.assign(sections, 0);
  crossings.assign(sections, 0);
  dirty.clear();
  trail.clear();
  why.reset(count, jumps && count <= Reasons::mostItems);
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

template <typename Unit> void PartialPacking<Unit>::ageBlames() {
  if ((weightStep *= tuning::growthOfBlame) <= tuning::mostBlame)
    return;
  for (double &weight : weights)
    weight /= weightStep;
  weightStep = 1;
}

template <typename Unit> void PartialPacking<Unit>::undo(size_t changesBefore) {
  for (; trail.size() > changesBefore; trail.pop_back()) {
    *trail.back().place = trail.back().value;
    if (trail.back().item >= 0)
      why.restore(trail.back().item);
  }
}

//===----------------------------------------------------------------------===//
// What goes no lower
//===----------------------------------------------------------------------===//

template <typename Unit>
Unit PartialPacking<Unit>::nextOffset(int32_t item, Unit offset) const {
  if (!hasAlignments)
    return offset;
  const Unit step = alignments[item];
  offset = (offset + step - 1) / step * step;
  const auto allocation = static_cast<Unit>(part.allocation);
  if (allocation > 0 && offset % allocation > allocation - sizes[item])
    offset = (offset / allocation + 1) * allocation;
  return offset;
}

template <typename Unit>
void PartialPacking<Unit>::touchSections(int32_t item) {
  for (int32_t section : part.sectionsOf.of(item))
    if (!isDirty[section]) {
      isDirty[section] = 1;
      dirty.push_back(section);
    }
}

/// For the reason that was gathered.
template <typename Unit>
bool PartialPacking<Unit>::raise(int32_t item, Unit offset) {
  offset = nextOffset(item, offset);
  if (offset <= earliest[item])
    return true;
  if (offset > latest[item]) {
    weights[item] += weightStep;
    return false;
  }
  trail.push_back({&earliest[item], earliest[item], item});
  earliest[item] = offset;
  why.keep(item);
  touchSections(item);
  return true;
}

/// The lowest top of what can go below a blocked item.
template <typename Unit>
std::optional<Unit> PartialPacking<Unit>::findLifted(int32_t item, Unit floor) {
  const Unit limit = support[item] + sizes[item];
  std::optional<Unit> top;
  for (int32_t other : part.conflicts.of(item)) {
    if (placed[other])
      continue;
    const Unit offset = std::max(earliest[other], floor);
    if (offset >= limit || (top && offset + sizes[other] >= *top))
      continue;
    top = offset + sizes[other];
    lifters[item] = other;
    if (*top <= earliest[item])
      break;
  }
  return top;
}

/// Adds why nothing that is left lifts the item by less. An item of so many
/// bytes could not, placed or not.
template <typename Unit>
void PartialPacking<Unit>::explainLifted(int32_t item, Unit top) {
  const Unit limit = support[item] + sizes[item];
  for (int32_t other : part.conflicts.of(item)) {
    if (sizes[other] >= top)
      continue;
    if (placed[other]) {
      why.addItem(other);
      continue;
    }
    // Only the floor is in its way, which rests on everything.
    if (earliest[other] < limit && earliest[other] + sizes[other] < top)
      return why.addAllPlaced();
    why.addReasonOf(other);
  }
}

template <typename Unit>
bool PartialPacking<Unit>::block(int32_t item, Unit floor) {
  const std::optional<Unit> top = findLifted(item, floor);
  hasLifter[item] = false;
  why.addReasonOf(item);
  explainLifted(item, top.value_or(unknown));
  return top && raise(item, *top);
}

template <typename Unit>
bool PartialPacking<Unit>::tightenBlocked(int32_t item, Unit floor) {
  const int32_t lifter = lifters[item];
  const Unit offset = std::max(earliest[lifter], floor);
  // The last one found, as long as it does.
  if (hasLifter[item] && !placed[lifter] &&
      offset < support[item] + sizes[item] &&
      offset + sizes[lifter] <= earliest[item])
    return true;
  const std::optional<Unit> top = findLifted(item, floor);
  hasLifter[item] = top.has_value();
  if (top && nextOffset(item, *top) <= earliest[item])
    return true;
  why.clear();
  why.addReasonOf(item);
  explainLifted(item, top.value_or(unknown));
  return top && raise(item, *top);
}

template <typename Unit>
void PartialPacking<Unit>::explainUnlifted(int32_t item) {
  why.clear();
  if (item < 0)
    return why.addAllPlaced();
  why.addReasonOf(item);
  explainLifted(item, unknown);
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

template <typename Unit>
void PartialPacking<Unit>::removeFromSections(int32_t item) {
  for (int32_t at = part.sectionsOf.begins[item];
       at < part.sectionsOf.begins[item + 1]; ++at) {
    const int32_t section = part.sectionsOf.numbers[at];
    totals[section] -= sizes[item];
    const int32_t last = sectionBegins[section] + --counts[section];
    const int32_t place = memberPlaces[at];
    const int32_t moved = members[last];
    std::swap(members[place], members[last]);
    std::swap(owners[place], owners[last]);
    memberPlaces[moved] = place;
    memberPlaces[at] = last;
  }
  placed[item] = 1;
  why.setPlaced(item, true);
}

template <typename Unit>
void PartialPacking<Unit>::returnToSections(int32_t item) {
  for (int32_t section : part.sectionsOf.of(item)) {
    totals[section] += sizes[item];
    ++counts[section];
  }
  placed[item] = 0;
  why.setPlaced(item, false);
}

template <typename Unit>
bool PartialPacking<Unit>::place(int32_t item, Unit offset, bool follows,
                                 bool &isParted) {
  removeFromSections(item);
  isParted = false;
  const SectionSpan hull = part.hulls[item];
  for (int32_t k = hull.begin; k + 1 < hull.end; ++k)
    isParted |= --crossings[k] == 0;
  const Unit top = offset + sizes[item];
  for (int32_t other : part.conflicts.of(item)) {
    if (placed[other] || support[other] >= top)
      continue;
    change(support[other], nextOffset(other, top));
    if (support[other] <= earliest[other])
      continue;
    // It goes above, as it does not fit below, or does not go that low.
    why.clear();
    why.addItem(item);
    if (earliest[other] + sizes[other] <= offset)
      why.addAllPlaced();
    else if (sizes[other] <= offset)
      why.addReasonOf(other);
    if (!raise(other, support[other]))
      return false;
  }
  touchSections(item);
  return !follows || propagate(offset);
}

template <typename Unit>
void PartialPacking<Unit>::takeBack(int32_t item, size_t changesAtItem) {
  forgetChangedSections();
  undo(changesAtItem);
  returnToSections(item);
  const SectionSpan hull = part.hulls[item];
  for (int32_t k = hull.begin; k + 1 < hull.end; ++k)
    ++crossings[k];
}

template class memplan::PartialPacking<int32_t>;
template class memplan::PartialPacking<int64_t>;

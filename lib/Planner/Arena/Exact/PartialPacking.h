//===- PartialPacking.h - What is placed, and what follows ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a search that places items by ascending offset: some items are
// placed, of the others it is known below which offset they do not go, and on
// which placements that rests. docs/Planner/Arena/Proofs.md proves the rules.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTIALPACKING_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTIALPACKING_H

#include "Reasons.h"
#include "ScaledPart.h"
#include <limits>
#include <optional>

namespace memplan {

/// `Unit` is signed and holds twice the capacity. Whatever returns false has
/// found that the placed items cannot be completed, and leaves the reason in
/// reasons(). `floor` is an offset that no item left goes below.
template <typename Unit> class PartialPacking {
public:
  static constexpr Unit unknown = std::numeric_limits<Unit>::max();

  explicit PartialPacking(const ScaledPart &part);

  /// Nothing placed. False if a look shows that there is no room.
  bool reset(int64_t heightBytes);

  bool isPlaced(int32_t item) const { return placed[item]; }
  Unit sizeOf(int32_t item) const { return sizes[item]; }
  /// Lowest place of an item that is left.
  Unit earliestOf(int32_t item) const { return earliest[item]; }
  /// Where the item could go as far as placed ones tell.
  Unit supportOf(int32_t item) const { return support[item]; }
  bool isBlocked(int32_t item) const { return support[item] < earliest[item]; }
  /// Bytes of the items of a section that are left.
  Unit totalOf(int32_t section) const { return totals[section]; }
  int32_t countOf(int32_t section) const { return counts[section]; }
  /// Number of items that are left and hold the section and the next together.
  int32_t crossingsOf(int32_t section) const { return crossings[section]; }
  Unit capacityUnits() const { return capacity; }

  /// Puts the item there. `isParted` says whether it was the last to hold two
  /// sections together.
  bool place(int32_t item, Unit offset, bool follows, bool &isParted);
  /// Changes are undone to a state with as many of them.
  size_t changes() const { return trail.size(); }
  void takeBack(int32_t item, size_t changesAtItem);
  void undo(size_t changesBefore);

  /// After reasons() has why the item does not sit where it could: it does not.
  bool block(int32_t item, Unit floor);
  /// Draws conclusions for an item above its support.
  bool tightenBlocked(int32_t item, Unit floor);
  /// The same for all sections that have changed.
  bool propagate(Unit floor);
  bool hasChangedSections() const { return !dirty.empty(); }
  void forgetChangedSections();

  /// Gather why nothing that is left lifts a blocked item (-1: any), and why
  /// what is left of a section does not fit.
  void explainUnlifted(int32_t item);
  void explainSection(int32_t section);

  /// At items, by the rule of the waste, which takes most of the time.
  int64_t looks() const { return numLooks; }

  Reasons &reasons() { return why; }
  /// By item: how often it ended a branch, the last times counting most.
  const std::vector<double> &blames() const { return weights; }
  void ageBlames();

  /// For tests: without jumps over placements that a failure does not rest on.
  bool jumps = true;

private:
  struct Change {
    Unit *place;
    Unit value;
    int32_t item; ///< Item whose reason changed as well, or -1.
  };

  void change(Unit &place, Unit value) {
    trail.push_back({&place, place, -1});
    place = value;
  }
  void listMembers();
  void touchSections(int32_t item);
  Unit nextOffset(int32_t item, Unit offset) const;
  bool raise(int32_t item, Unit offset);
  bool tightenSection(int32_t section, Unit floor);
  bool raiseByWaste(int32_t section, Unit floor);
  void explainWaste(int32_t section, int32_t member, Unit offset, Unit floor);
  bool holdsFloor(int32_t section, Unit floor);
  std::optional<Unit> findLifted(int32_t item, Unit floor);
  void explainLifted(int32_t item, Unit top);
  void removeFromSections(int32_t item);
  void returnToSections(int32_t item);

  const ScaledPart &part;
  int32_t count, sections;
  Unit capacity = 0;
  // By item.
  std::vector<Unit> sizes, alignments, latest, earliest, support;
  std::vector<char> placed;
  std::vector<int32_t> lifters; ///< Last found to go below it.
  std::vector<char> hasLifter;
  std::vector<double> weights;
  // By section.
  std::vector<Unit> totals;
  std::vector<int32_t> counts; ///< Number of members that are not placed.
  std::vector<int32_t> sectionBegins; ///< Places in `members`.
  /// Entries of part.sectionsOf, section after section, and whose they are.
  std::vector<int32_t> members, owners;
  std::vector<int32_t> crossings;
  std::vector<int32_t> memberPlaces; ///< By entry: its place in members.
  std::vector<char> isDirty;
  std::vector<int32_t> dirty, dirtyNow;
  std::vector<Unit> scratchOffset, scratchEnd, scratchSize; ///< By member.

  Reasons why;
  std::vector<Change> trail;
  double weightStep = 1;
  int64_t numLooks = 0;
  bool hasAlignments = false;
};

extern template class PartialPacking<int32_t>;
extern template class PartialPacking<int64_t>;

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_PARTIALPACKING_H

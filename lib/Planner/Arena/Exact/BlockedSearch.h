//===- BlockedSearch.h - Sits here, or something goes below it --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs one part within a capacity, or shows that it cannot be done. See
// BlockedSearch.cpp for the idea, docs/Planner/Arena.md for the proof.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H

#include "ScaledPart.h"
#include "memplan/Support/Random.h"
#include <functional>

namespace memplan {

enum class SearchAnswer {
  Packed,  ///< offsets() is a packing within the capacity.
  NoRoom,  ///< There is none.
  Stopped, ///< Nobody knows.
};

/// `Unit` is signed and holds twice the capacity.
template <typename Unit> class BlockedSearch {
public:
  explicit BlockedSearch(const ScaledPart &part);

  /// Ends after `most` placements that were tried, or soon after isStopped().
  SearchAnswer search(int64_t heightBytes, int64_t most,
                      const std::function<bool()> &isStopped);

  /// By item, in units.
  const std::vector<Unit> &offsets() const { return solution; }
  /// Placements that were tried so far.
  int64_t tried() const { return trials; }

  /// For tests: without the rules that cut branches off.
  bool prunes = true;

private:
  /// A choice that is open: where one item of a list goes, or, while `item` is
  /// -1, how to pack components one after the other.
  struct Frame {
    int32_t listBegin, listEnd;       ///< Of `lists`.
    int32_t firstSection, endSection; ///< Nothing of the list lives beyond.
    size_t trail, lists, components;  ///< Sizes before its first change.
    size_t trailAtItem;               ///< Before `item` was placed.
    int32_t item;                     ///< Placed last.
    bool isComponents;
    bool isBlocking; ///< Something lay in the item's way.
    Unit lowest;     ///< No item of the list goes below.
  };
  struct Component {
    int32_t firstSection, endSection, listBegin, listEnd;
    Unit slack;
  };
  struct Change {
    Unit *place;
    Unit value;
  };
  struct RankKey {
    double first, second, third;
  };
  enum class Step { Descend, Solved, Failed };

  SearchAnswer restart(int64_t most, const std::function<bool()> &isStopped);
  bool reset(int64_t heightBytes);
  void drawNoise();
  RankKey keyOf(int32_t item) const;
  void sortByRank(int32_t listBegin, int32_t listEnd);
  void openFrame(int32_t listBegin, int32_t listEnd, int32_t firstSection,
                 int32_t endSection, Unit lowest);
  void closeFrame();
  bool choose(Frame &frame, Unit &offset, bool &isDone);
  bool place(Frame &frame, Unit offset);
  void takeBack(Frame &frame);
  bool blockItem(Frame &frame);
  void openComponents(const Frame &frame);
  bool openNextComponent();
  Step advance();
  bool backtrack();
  bool finishComponent();

  void change(Unit &place, Unit value) {
    trail.push_back({&place, place});
    place = value;
  }
  void undo(size_t size) {
    for (; trail.size() > size; trail.pop_back())
      *trail.back().place = trail.back().value;
  }
  Unit nextOffset(int32_t item, Unit offset) const;
  bool raise(int32_t item, Unit offset);
  bool propagate(Unit lowest);
  bool tightenSection(int32_t section, Unit lowest);
  bool raiseByWaste(int32_t section, Unit lowest);
  std::optional<Unit> findLifted(int32_t item, Unit lowest);
  bool tightenLifted(int32_t item, Unit lowest);
  void forgetDirty();
  void removeFromSections(int32_t item);
  void returnToSections(int32_t item);

  const ScaledPart &part;
  int32_t count, sections;
  Unit capacity = 0;
  // By item.
  std::vector<Unit> sizes, alignments, latest;
  std::vector<Unit> earliest; ///< It goes no lower.
  std::vector<Unit> support;  ///< It could go there as far as placed ones tell.
  std::vector<Unit> solution;
  std::vector<char> isPlaced;
  std::vector<int32_t> lifters; ///< Last found to go below it.
  std::vector<char> hasLifter;
  std::vector<double> noise, weights, lives, areas;
  // By section.
  std::vector<Unit> totals;           ///< Of items that are not placed.
  std::vector<int32_t> sectionBegins; ///< Of `members`.
  std::vector<int32_t> memberCounts;  ///< Those that are not placed.
  /// Entries of part.sectionsOf, section after section, and whose they are.
  std::vector<int32_t> members, owners;
  std::vector<int32_t> crossings;    ///< Hulls that go on to the next.
  std::vector<int32_t> memberPlaces; ///< By entry: its place in members.
  std::vector<char> isDirty;
  std::vector<int32_t> dirty, dirtyNow;
  std::vector<Unit> scratchOffset, scratchEnd, scratchSize; ///< By member.

  std::vector<Frame> frames;
  std::vector<int32_t> lists;
  std::vector<Component> components;
  std::vector<Change> trail;
  std::vector<RankKey> keys;
  int32_t rank = 0;
  double weightStep = 1;
  bool hasAlignments = false;
  bool isParted = false; ///< By the item that was placed last.
  int64_t trials = 0;
  Random random{1};
};

extern template class BlockedSearch<int32_t>;
extern template class BlockedSearch<int64_t>;

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H

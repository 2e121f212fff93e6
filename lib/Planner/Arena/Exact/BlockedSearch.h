//===- BlockedSearch.h - Sits here, or something goes below it --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs one part within a capacity, or shows that it cannot be done. See
// BlockedSearch.cpp for the idea, docs/Planner/Arena/Proofs.md for the proof.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H

#include "../Tuning.h"
#include "BranchOrder.h"
#include <functional>

namespace memplan {

enum class SearchAnswer {
  Packed,  ///< offsets() is a packing within the capacity.
  NoRoom,  ///< There is none.
  Stopped, ///< Not known.
};

/// `Unit` is signed and holds twice the capacity.
template <typename Unit> class BlockedSearch {
public:
  /// Without `prunes`, which is for tests: no rules cut branches off.
  explicit BlockedSearch(const ScaledPart &part, bool prunes = true);

  /// Ends after `most` placements that were tried, of which those that take
  /// long count as several, or soon after isStopped().
  SearchAnswer search(int64_t heightBytes, int64_t most,
                      const std::function<bool()> &isStopped);

  /// By item, in units.
  const std::vector<Unit> &offsets() const { return solution; }
  /// Placements that were tried so far.
  int64_t tried() const {
    return trials + packing.looks() / tuning::looksOfTrial;
  }

private:
  /// A choice that is open: where one item of a list goes, or, while `item` is
  /// -1, how to pack components one after the other.
  struct Frame {
    int32_t listBegin, listEnd;        ///< Part of `lists`.
    int32_t firstSection, endSection;  ///< Nothing of the list lives beyond.
    size_t changes, lists, components; ///< Sizes before its first change.
    size_t changesAtItem;              ///< Before `item` was placed.
    int32_t item;                      ///< Placed last.
    bool isComponents;
    Unit lowest; ///< No item of the list goes below.
  };
  struct Component {
    int32_t firstSection, endSection, listBegin, listEnd;
    Unit slack;
  };
  /// What a look at a frame's list finds.
  struct Look {
    Unit offset;  ///< The lowest that an item could take: frame.item.
    Unit openEnd; ///< The lowest end of any, if it sat where it could.
    int32_t ofEnd;
    bool isDone;
  };
  enum class Step { Descend, Solved, Failed };

  SearchAnswer restart(int64_t most, const std::function<bool()> &isStopped);
  void openFrame(int32_t listBegin, int32_t listEnd, int32_t firstSection,
                 int32_t endSection, Unit lowest);
  void closeFrame();
  bool look(Frame &frame, bool tightens, Look &found);
  bool choose(Frame &frame, Look &found);
  bool holdsTotals(const Frame &frame);
  bool blockItem(Frame &frame);
  void openComponents(const Frame &frame);
  void listComponent(const Frame &frame, Component &component);
  bool openNextComponent();
  Step advance();
  bool backtrack();
  bool finishComponent();

  const ScaledPart &part;
  const bool prunes;
  PartialPacking<Unit> packing;
  BranchOrder order;
  std::vector<Unit> solution; ///< By item.
  std::vector<Frame> frames;
  std::vector<int32_t> lists;
  std::vector<Component> components;
  bool isParted = false; ///< By the item that was placed last.
  int64_t trials = 0;
};

extern template class BlockedSearch<int32_t>;
extern template class BlockedSearch<int64_t>;

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_BLOCKEDSEARCH_H

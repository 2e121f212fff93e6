//===- RepeatSearch.h - A search with some of a step's turns ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Micro-batches and layers repeat. What a search finds for a few of them counts
// for all, and little is left to be found.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_REPEATSEARCH_H
#define MEMPLAN_LIB_PLANNER_SEARCH_REPEATSEARCH_H

#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/RunSequence.h"
#include "memplan/Planner/Search/SearchRules.h"
#include <optional>

namespace memplan {

/// Searches with some turns of a large step and writes what is found out for
/// all of them. Plans keep source order, and about the limit on live bytes.
class RepeatSearch {
public:
  RepeatSearch(const SearchStep &step, SearchRules rules, Effort &effort);

  /// Nothing repeats.
  bool isEmpty() const { return !repeat; }
  /// With a share of the moves that are left. Empty: nothing was found.
  std::optional<std::vector<PlannedRun>> search(double limitBytes);

private:
  double limitOfPart(const SearchStep &part, double limitBytes);
  std::optional<std::vector<PlannedRun>>
  planOf(const SearchStep &part, double limitBytes, int64_t moves);

  const SearchStep &step;
  const SearchRules rules;
  Effort &effort;
  std::optional<SearchStep::Repeat> repeat;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_REPEATSEARCH_H

//===- SearchRules.h - What plans of a search may do ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_SEARCHRULES_H
#define MEMPLAN_PLANNER_SEARCH_SEARCHRULES_H

namespace memplan {

/// What plans may do to free bytes.
struct SearchRules {
  bool mayRecompute = true;
  bool mayCopy = false;
  /// First evaluations may leave source order.
  bool mayReorder = false;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_SEARCHRULES_H

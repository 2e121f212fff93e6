//===- BudgetWalk.h - Plans on the way to a budget --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More budget must never cost more, although each run knows its own budget
// only. So a walk halves what lies between the least that a step can need and
// the most that is of use, time and again, towards the half that the budget is
// in; at each middle plans are searched for, which go on from those of both
// ends. The budget gets the fastest plan met that keeps it.
//
// Two budgets walk together until a middle lies between them and a plan is
// known within it; where none is known, both go on above. What the smaller one
// meets from there on counts only where it takes no less than the fastest plan
// within that middle, which the larger one has too. So the larger one gets
// nothing slower. The smallest plan is on the way to the least budget, and on
// that of every budget from its bytes on.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_BUDGETWALK_H
#define MEMPLAN_LIB_PLANNER_STEP_BUDGETWALK_H

#include "ParetoFront.h"
#include "Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include <functional>
#include <limits>
#include <memory>

namespace memplan {

/// Walks to several budgets share what they have in common.
template <typename Packed> class BudgetWalk {
public:
  /// Place of a search on the walk.
  struct Place {
    int64_t bytes = 0; ///< Bytes of plans that are searched for.
    int depth = 0;     ///< 0 is the top.
    /// The fastest plans known within the bytes and above them; null if there
    /// is none.
    const Packed *below = nullptr, *above = nullptr;
    double leastTime = 0; ///< Faster ones do not count.
    int64_t moves = 0;    ///< Moves of the searches on the way that count.
  };
  /// What a search finds; nothing where it is stopped.
  struct Found {
    Found(std::vector<Packed> plans, int64_t moves = 0)
        : plans(std::move(plans)), moves(moves) {}

    std::vector<Packed> plans;
    int64_t moves = 0; ///< Moves that count against those of the walk.
  };
  using Search = std::function<llvm::Expected<Found>(const Place &)>;

  BudgetWalk(int64_t lowestBytes, int64_t highestBytes, int depth,
             Search search)
      : lowestBytes(lowestBytes), highestBytes(highestBytes), depth(depth),
        search(std::move(search)) {}

  /// A plan that follows from the graph and the options, not from a budget.
  void add(Packed plan) { given.add(std::move(plan)); }
  /// All plans that count for the budget; where none keeps it, those on the way
  /// to the smallest one. No further down than `lastDepth`.
  llvm::Expected<FrontOf<Packed>>
  walkTo(int64_t budget, int lastDepth = std::numeric_limits<int>::max());

private:
  struct Node {
    std::optional<Found> found;
    std::unique_ptr<Node> lower, upper;
  };
  /// Ends of what is left, and what is known on the way.
  struct Segment {
    int64_t low = 0, high = 0;
    double leastTime = 0;
    int64_t moves = 0; ///< Moves of the searches so far that count.
    FrontOf<Packed> plans;

    bool isKnown(int64_t bytes) const { return plans.fastestWithin(bytes); }
    void lower(int64_t bytes) {
      high = bytes;
      leastTime = plans.fastestWithin(bytes)->plan.makespan();
    }
    /// Nothing that counts is faster than what the low end has.
    bool isClosed() const {
      const Packed *known = plans.fastestWithin(low);
      return high - low <= 1 ||
             (known &&
              known->plan.makespan() <= leastTime * (1 + tuning::closedWalk));
    }
  };

  static Node &childOf(std::unique_ptr<Node> &child) {
    if (!child)
      child = std::make_unique<Node>();
    return *child;
  }

  llvm::Error visit(Node &node, Segment &segment, Place place);

  const int64_t lowestBytes, highestBytes;
  const int depth;
  const Search search;
  FrontOf<Packed> given;
  Node top;
};

/// Searches unless an earlier walk has, and adds what counts.
template <typename Packed>
llvm::Error BudgetWalk<Packed>::visit(Node &node, Segment &segment,
                                      Place place) {
  if (!node.found) {
    place.below = segment.plans.fastestWithin(place.bytes);
    place.above = segment.plans.fastestWithin(segment.high);
    place.leastTime = segment.leastTime;
    place.moves = segment.moves;
    llvm::Expected<Found> found = search(place);
    if (!found)
      return found.takeError();
    node.found = std::move(*found);
  }
  segment.moves += node.found->moves;
  for (const Packed &plan : node.found->plans)
    if (plan.plan.makespan() >= segment.leastTime)
      segment.plans.add(plan);
  return llvm::Error::success();
}

template <typename Packed>
llvm::Expected<FrontOf<Packed>> BudgetWalk<Packed>::walkTo(int64_t budget,
                                                           int lastDepth) {
  Segment segment{lowestBytes, highestBytes, 0, 0, given};
  if (llvm::Error error = visit(top, segment, {highestBytes}))
    return std::move(error);
  if (!segment.isKnown(highestBytes) || budget >= highestBytes)
    return std::move(segment.plans);
  segment.lower(highestBytes);
  Node *node = &childOf(top.lower);
  for (int at = 1; at <= std::min(depth, lastDepth) && !segment.isClosed();
       ++at) {
    const int64_t middle = segment.low + (segment.high - segment.low) / 2;
    if (llvm::Error error = visit(*node, segment, {middle, at}))
      return std::move(error);
    const bool isLower = budget < middle && segment.isKnown(middle);
    node = &childOf(isLower ? node->lower : node->upper);
    if (isLower)
      segment.lower(middle);
    else
      segment.low = middle;
  }
  if (lastDepth > depth && !segment.isClosed() && segment.isKnown(segment.low))
    if (llvm::Error error = visit(*node, segment, {segment.low, depth + 1}))
      return std::move(error);
  return std::move(segment.plans);
}

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_BUDGETWALK_H

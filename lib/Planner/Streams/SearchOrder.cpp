//===- SearchOrder.cpp - The order in which jobs start, searched ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: schedules made from a list of priorities, and annealing over such
// lists, as for projects of limited resources (Kolisch and Hartmann). Idea: a
// list in which jobs start one after the other, each as soon as it can, stands
// for a schedule that keeps the limit on bytes. A move takes one job elsewhere,
// with those in between that have to stay before it or behind it. It is timed
// from the first job that moves, until the longest path to the end says that
// it is refused. Guaranteed: no slower than the order that it begins with, with
// jobs on streams as they are chosen here.
//
//===----------------------------------------------------------------------===//

#include "OrderTiming.h"
#include "Tuning.h"
#include "memplan/Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace memplan;

namespace {
class OrderSearch {
public:
  OrderSearch(const JobGraph &graph, const ScheduleOptions &options,
              std::vector<int32_t> start);
  void run(int64_t moves, double firstHeat, const SolveLimits &limits);
  StreamList list();

private:
  bool tryMove(double slack);
  bool pull(int32_t at, int32_t to);
  bool push(int32_t at, int32_t to);
  bool reorder(int32_t from, llvm::ArrayRef<int32_t> first,
               llvm::ArrayRef<int32_t> second);
  /// Time of the pass; bytes above the limit are worse than any.
  double valueOfPass() const {
    return timing.time() + tuning::excessWeight * serialTime *
                               double(timing.excess()) /
                               std::max(1.0, double(limit));
  }

  const JobGraph &graph;
  const FlatJobs jobs;
  const int64_t limit;
  OrderTiming timing;
  Random random{1};
  double serialTime = 0;
  std::vector<int32_t> order, bestOrder; ///< Jobs as they start.
  double value = 0, best = 0;
  // Of the move at hand.
  std::vector<int32_t> saved, moved, rest;
  std::vector<bool> marked;
};
} // namespace

OrderSearch::OrderSearch(const JobGraph &graph, const ScheduleOptions &options,
                         std::vector<int32_t> start)
    : graph(graph), jobs(graph),
      limit(options.liveBytes.value_or(std::numeric_limits<int64_t>::max())),
      timing(jobs, options.streams, limit), order(std::move(start)),
      marked(jobs.count()) {
  for (const FlatJobs::Job &job : jobs.all)
    serialTime += job.time;
  timing.pass(order, 0, std::numeric_limits<double>::infinity());
  timing.keep(order, 0);
  best = value = valueOfPass();
  bestOrder = order;
}

/// Puts the jobs of both parts from that place on; false if nothing changes.
bool OrderSearch::reorder(int32_t from, llvm::ArrayRef<int32_t> first,
                          llvm::ArrayRef<int32_t> second) {
  if (first.empty() || second.empty())
    return false;
  const auto begin = order.begin() + from;
  saved.assign(begin, begin + int32_t(first.size() + second.size()));
  llvm::copy(second, llvm::copy(first, begin));
  return true;
}

/// The job to an earlier place, with all between that have to be before it.
bool OrderSearch::pull(int32_t at, int32_t to) {
  moved.clear();
  rest.clear();
  for (int32_t place = at; place >= to; --place) {
    const int32_t job = order[place];
    if (place < at && !marked[job]) {
      rest.push_back(job);
      continue;
    }
    moved.push_back(job);
    for (int32_t before : jobs.before(job))
      marked[before] = true;
  }
  for (int32_t job : moved)
    for (int32_t before : jobs.before(job))
      marked[before] = false;
  std::reverse(moved.begin(), moved.end());
  std::reverse(rest.begin(), rest.end());
  return reorder(to, moved, rest);
}

/// The job to a later place, with all between that have to be behind it.
bool OrderSearch::push(int32_t at, int32_t to) {
  moved.clear();
  rest.clear();
  for (int32_t place = at; place <= to; ++place) {
    const int32_t job = order[place];
    if (place > at && !marked[job]) {
      rest.push_back(job);
      continue;
    }
    moved.push_back(job);
    for (int32_t later : jobs.later(job))
      marked[later] = true;
  }
  for (int32_t job : moved)
    for (int32_t later : jobs.later(job))
      marked[later] = false;
  return reorder(at, rest, moved);
}

bool OrderSearch::tryMove(double slack) {
  const int32_t count = jobs.count();
  int32_t reach = std::max(tuning::leastReach, count / tuning::reachShare);
  while (reach > tuning::leastReach && random.chance(tuning::nearerBy))
    reach /= 2;
  const int32_t at = random.below(count), far = 1 + random.below(reach);
  const bool isPull = random.chance(0.5);
  const int32_t to =
      isPull ? std::max(0, at - far) : std::min(count - 1, at + far);
  if (at == to || !(isPull ? pull(at, to) : push(at, to)))
    return false;
  const int32_t from = std::min(at, to);
  if (timing.pass(order, from, value + slack) &&
      valueOfPass() <= value + slack) {
    timing.keep(order, from);
    value = valueOfPass();
    return true;
  }
  timing.leave(order, from);
  llvm::copy(saved, order.begin() + from);
  return false;
}

void OrderSearch::run(int64_t moves, double firstHeat,
                      const SolveLimits &limits) {
  const SolveClock clock(limits);
  for (int64_t move = 0; move < moves && jobs.count() > 1; ++move) {
    if (move % tuning::movesOfLook == 0 && clock.isStopped())
      return;
    const double heat = firstHeat * best * (1 - double(move) / double(moves));
    if (tryMove(heat * random.exponential()) && value < best) {
      best = value;
      bestOrder = order;
    }
  }
}

StreamList OrderSearch::list() {
  timing.pass(bestOrder, 0, std::numeric_limits<double>::infinity());
  return listByStart(graph, jobs, timing.schedule(), bestOrder);
}

StreamList memplan::searchOrder(const GraphIndex &index,
                                const std::vector<PlanAction> &actions,
                                const ScheduleOptions &options,
                                llvm::ArrayRef<int32_t> start, int64_t moves,
                                const SolveLimits &limits) {
  const JobGraph graph(index, actions, {});
  std::vector<int32_t> number(actions.size(), -1), order;
  for (size_t i = 0; i < graph.jobs.size(); ++i)
    number[graph.jobs[i]] = static_cast<int32_t>(i);
  for (int32_t place : start.empty() ? llvm::ArrayRef(graph.jobs) : start)
    if (place >= 0)
      order.push_back(number[place]);
  OrderSearch search(graph, options, std::move(order));
  // An order that was searched for is only to be improved.
  search.run(moves, start.empty() ? tuning::firstHeat : tuning::heatOfStart,
             limits);
  return search.list();
}

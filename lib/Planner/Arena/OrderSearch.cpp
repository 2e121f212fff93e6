//===- OrderSearch.cpp - Search for a good packing order ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own; moves in an order as in TVM's hill climbing, accepted
// as in Burke and Bykov, "The late acceptance hill-climbing heuristic", 2017.
// Idea: each buffer goes into the lowest gap that holds it, so that an order
//   decides everything, and some order gives the lowest arena there is. Start
//   from the best of some fixed orders. Whatever reaches the top, or holds up
//   what does, goes before a buffer that stood in its way.
// Complexity: a packing looks at each pair of buffers that live together once;
//   one that grows too high is abandoned at that buffer, and what stands before
//   the move in the order stays. The work is a number of such pairs.
// Guaranteed: a valid packing, no higher than those of the fixed orders.
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;

/// Pairs of buffers that live together, above which only the plain heuristics
/// run.
static constexpr int64_t mostPairs = 4'000'000;

OrderSearch::OrderSearch(const ArenaProblem &problem,
                         std::vector<int32_t> spaceMembers,
                         int64_t lowerBoundBytes)
    : problem(problem), members(std::move(spaceMembers)),
      lowerBound(lowerBoundBytes) {
  if (!members.empty())
    if (const ArenaSpace *space =
            problem.findSpace(problem.buffers[members.front()].space))
      allocationBytes = space->allocationBytes;
  for (int32_t member : members) {
    const ArenaBuffer &buffer = problem.buffers[member];
    items.push_back({buffer.bytes, buffer.begin, buffer.end,
                     std::lcm(problem.alignmentBytes, buffer.alignmentBytes), 0,
                     buffer.fixedOffset});
  }
}

/// Both lists of gaps ascend; the buffers meet where both are live.
static bool liveTogether(const ArenaBuffer &a, const ArenaBuffer &b) {
  int64_t time = std::max(a.begin, b.begin);
  const int64_t end = std::min(a.end, b.end);
  size_t i = 0, j = 0;
  while (time < end) {
    while (i < a.gaps.size() && a.gaps[i].second <= time)
      ++i;
    while (j < b.gaps.size() && b.gaps[j].second <= time)
      ++j;
    if (i < a.gaps.size() && a.gaps[i].first <= time)
      time = a.gaps[i].second;
    else if (j < b.gaps.size() && b.gaps[j].first <= time)
      time = b.gaps[j].second;
    else
      return true;
  }
  return false;
}

/// False where there are too many of them.
bool OrderSearch::findConflicts() {
  conflicts.assign(items.size(), {});
  std::vector<int32_t> byBegin(items.size()), live;
  std::iota(byBegin.begin(), byBegin.end(), 0);
  std::sort(byBegin.begin(), byBegin.end(), [&](int32_t a, int32_t b) {
    return std::pair(items[a].begin, a) < std::pair(items[b].begin, b);
  });
  int64_t pairs = 0;
  for (int32_t item : byBegin) {
    if (items[item].bytes == 0)
      continue;
    std::erase_if(live, [&](int32_t other) {
      return items[other].end <= items[item].begin;
    });
    if ((pairs += static_cast<int64_t>(live.size())) > mostPairs)
      return false;
    for (int32_t other : live)
      if (liveTogether(problem.buffers[members[item]],
                       problem.buffers[members[other]])) {
        conflicts[item].push_back(other);
        conflicts[other].push_back(item);
      }
    live.push_back(item);
  }
  return (pairs += addFurtherConflicts()) <= mostPairs;
}

/// Those that the problem lists. Returns how many.
int64_t OrderSearch::addFurtherConflicts() {
  std::vector<int32_t> itemOf(problem.buffers.size(), -1);
  for (size_t i = 0; i < members.size(); ++i)
    itemOf[members[i]] = static_cast<int32_t>(i);
  int64_t count = 0;
  for (auto [first, second] : problem.conflicts) {
    const int32_t a = itemOf[first], b = itemOf[second];
    if (a < 0 || b < 0 || items[a].bytes == 0 || items[b].bytes == 0)
      continue;
    conflicts[a].push_back(b);
    conflicts[b].push_back(a);
    ++count;
  }
  return count;
}

int64_t OrderSearch::nextOffset(int32_t item, int64_t offset) const {
  const int64_t alignment = items[item].alignment;
  offset = (offset + alignment - 1) / alignment * alignment;
  if (allocationBytes &&
      offset % *allocationBytes > *allocationBytes - items[item].bytes)
    offset = (offset / *allocationBytes + 1) * *allocationBytes;
  return offset;
}

/// The load changes where a buffer begins, so that the begins met during a life
/// are all the steps to look at.
void OrderSearch::measureLoads() {
  for (size_t i = 0; i < items.size(); ++i) {
    int64_t load = items[i].bytes;
    for (int32_t other : conflicts[i])
      if (items[other].begin <= items[i].begin)
        load += items[other].bytes;
    items[i].most = load;
  }
  std::vector<int64_t> atBegin(items.size());
  for (size_t i = 0; i < items.size(); ++i)
    atBegin[i] = items[i].most;
  for (size_t i = 0; i < items.size(); ++i)
    for (int32_t other : conflicts[i])
      if (items[other].begin >= items[i].begin)
        items[i].most = std::max(items[i].most, atBegin[other]);
}

std::vector<OrderSearch::Order> OrderSearch::fixedOrders() const {
  Order all;
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].bytes > 0 && !items[i].fixed)
      all.push_back(static_cast<int32_t>(i));
  std::vector<Order> orders;
  auto sorted = [&](auto key) {
    Order order = all;
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::pair(key(items[a]), a) < std::pair(key(items[b]), b);
    });
    orders.push_back(std::move(order));
  };
  auto life = [](const Item &item) { return item.end - item.begin; };
  auto area = [&](const Item &item) {
    return double(life(item)) * double(item.bytes);
  };
  using Keys = std::tuple<double, double, double>;
  sorted([&](const Item &item) {
    return Keys(-double(item.most), -double(life(item)), -area(item));
  });
  sorted([&](const Item &item) {
    return Keys(-double(item.bytes), item.begin, 0);
  });
  sorted([&](const Item &item) { return Keys(-area(item), 0, 0); });
  sorted([&](const Item &item) {
    return Keys(-double(life(item)), -double(item.bytes), 0);
  });
  sorted([&](const Item &item) {
    return Keys(item.begin, -double(item.end), -double(item.bytes));
  });
  sorted([&](const Item &item) {
    return Keys(-double(item.end), item.begin, -double(item.bytes));
  });
  return orders;
}

int64_t OrderSearch::lowestGap(int32_t item) {
  taken.clear();
  for (int32_t other : conflicts[item])
    if (placed[other] >= 0)
      taken.push_back({placed[other], placed[other] + items[other].bytes});
  spent += static_cast<int64_t>(conflicts[item].size() + taken.size());
  std::sort(taken.begin(), taken.end());
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + items[item].bytes <= begin)
      break;
    offset = std::max(offset, nextOffset(item, end));
  }
  return offset;
}

/// Places order[from..] anew; gives up at the first that ends above `most`.
bool OrderSearch::place(const Order &order, size_t from, int64_t most) {
  for (size_t i = from; i < order.size(); ++i)
    placed[order[i]] = -1;
  spent += static_cast<int64_t>(order.size() - from);
  for (size_t i = from; i < order.size(); ++i) {
    const int64_t offset = lowestGap(order[i]);
    if (offset + items[order[i]].bytes > most)
      return false;
    placed[order[i]] = offset;
  }
  return true;
}

int64_t OrderSearch::heightOf(const Order &order) const {
  int64_t height = 0;
  for (int32_t item : order)
    height = std::max(height, placed[item] + items[item].bytes);
  for (const Item &item : items)
    if (item.fixed && item.bytes > 0)
      height = std::max(height, *item.fixed + item.bytes);
  return height;
}

void OrderSearch::keepIfBest(int64_t height) {
  if (!bestOffsets.empty() && height >= bestHeight)
    return;
  bestHeight = height;
  bestOffsets.assign(items.size(), 0);
  for (size_t i = 0; i < items.size(); ++i)
    bestOffsets[i] = std::max<int64_t>(placed[i], items[i].fixed.value_or(0));
}

/// Puts a buffer at the top, or one that holds it up, before one that stands in
/// its way, or swaps the two.
bool OrderSearch::propose(Order &order, size_t &from, int64_t height) {
  auto pick = [&](auto candidates, auto holds) {
    // One of those that hold, all alike.
    int32_t found = -1, seen = 0;
    for (int32_t item : candidates)
      if (holds(item) && random.below(++seen) == 0)
        found = item;
    spent += static_cast<int64_t>(candidates.size()) / 4;
    return found;
  };
  int32_t item = pick(std::span<const int32_t>(order), [&](int32_t each) {
    return placed[each] + items[each].bytes == height;
  });
  while (item >= 0 && random.chance(0.7)) {
    int32_t below =
        pick(std::span<const int32_t>(conflicts[item]), [&](int32_t each) {
          const int64_t end = placed[each] + items[each].bytes;
          return !items[each].fixed && nextOffset(item, end) == placed[item];
        });
    if (below < 0)
      break;
    item = below;
  }
  if (item < 0)
    return false;
  const int32_t before =
      pick(std::span<const int32_t>(conflicts[item]), [&](int32_t each) {
        return !items[each].fixed && positions[each] < positions[item];
      });
  if (before < 0)
    return false;
  from = positions[before];
  const size_t at = positions[item];
  if (random.chance(0.5))
    std::swap(order[from], order[at]);
  else
    std::rotate(order.begin() + from, order.begin() + at,
                order.begin() + at + 1);
  return true;
}

/// Looks after so much work that asking costs nothing beside it, and so little
/// that nobody waits.
bool OrderSearch::isInterrupted(const SearchLimits &limits) {
  constexpr int64_t workBetweenChecks = 1 << 16;
  if (spent < nextCheck)
    return false;
  nextCheck = spent + workBetweenChecks;
  if (limits.report)
    limits.report(bestHeight);
  return limits.isStopped && limits.isStopped();
}

/// From `order`, accepts what is no higher than now or than some moves ago.
void OrderSearch::improve(Order order, int64_t work, int64_t moves,
                          const SearchLimits &limits) {
  place(order, 0, std::numeric_limits<int64_t>::max());
  int64_t height = heightOf(order);
  std::vector<int64_t> past(40, height);
  std::vector<int64_t> accepted = placed;
  positions.assign(items.size(), -1);
  auto number = [&](size_t from) {
    for (size_t i = from; i < order.size(); ++i)
      positions[order[i]] = static_cast<int32_t>(i);
  };
  number(0);
  Order next = order;
  const int64_t begin = spent;
  for (int64_t move = 0; move < moves && spent - begin < work; ++move) {
    if (bestHeight <= lowerBound || isInterrupted(limits))
      return;
    ++spent;
    ++moved;
    size_t from = 0;
    if (!propose(next, from, height))
      continue;
    int64_t &before = past[size_t(move) % past.size()];
    const bool fits = place(next, from, std::max(height, before));
    if (fits) {
      height = heightOf(next);
      keepIfBest(height);
      std::copy(next.begin() + from, next.end(), order.begin() + from);
      number(from);
      for (size_t i = from; i < order.size(); ++i)
        accepted[order[i]] = placed[order[i]];
    } else {
      std::copy(order.begin() + from, order.end(), next.begin() + from);
      for (size_t i = from; i < order.size(); ++i)
        placed[order[i]] = accepted[order[i]];
    }
    before = height;
  }
}

bool OrderSearch::run(const SearchLimits &limits) {
  if (!findConflicts())
    return false;
  measureLoads();
  placed.assign(items.size(), -1);
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].fixed && items[i].bytes > 0)
      placed[i] = *items[i].fixed;
  std::vector<std::pair<int64_t, Order>> starts;
  for (Order &order : fixedOrders()) {
    place(order, 0, std::numeric_limits<int64_t>::max());
    starts.push_back({heightOf(order), std::move(order)});
    keepIfBest(starts.back().first);
  }
  std::sort(starts.begin(), starts.end());
  constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
  constexpr int64_t searches = 3;
  for (int64_t i = 0; i < searches; ++i) {
    // What one search leaves over goes to those after it.
    const int64_t left = limits.moves ? *limits.moves - moved : unlimited;
    const int64_t share = left / (searches - i) + (left % (searches - i) != 0);
    improve(starts[i].second,
            limits.moves ? unlimited : workFor(limits.work) / searches,
            limits.moves ? share : unlimited, limits);
  }
  return true;
}

/// Small problems show soon what a search can do.
int64_t OrderSearch::workFor(int64_t most) const {
  int64_t packing = static_cast<int64_t>(items.size());
  for (const std::vector<int32_t> &others : conflicts)
    packing += 2 * static_cast<int64_t>(others.size());
  return std::min(most, (100 + 10 * int64_t(items.size())) * packing);
}

//===- ItemMerger.cpp - Items that fit together as one --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ItemMerger.h"
#include "Tuning.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>

using namespace memplan;

/// The state while items are merged.
class ItemMerger::Merging {
public:
  Merging(std::vector<Node> &nodes, int32_t points)
      : nodes(nodes), gone(nodes.size()), boundaries(points + 1) {
    for (const Node &node : nodes)
      grain = std::gcd(grain, node.rectangle.bytes);
  }

  void run();
  bool isRoot(std::size_t node) const { return !gone[node]; }

private:
  /// What ends and what begins between two points; the lists may also hold what
  /// is gone, the counts do not.
  struct Boundary {
    std::vector<int32_t> ending, beginning;
    int32_t endings = 0, beginnings = 0;
    bool isChanged = false;
  };
  /// The likelier that it fits by chance, the later.
  struct Pair {
    double chance;
    int32_t boundary; ///< -1: the two live at the same points.
    int32_t first, second;

    bool operator<(const Pair &other) const { // Last in the queue.
      return std::tuple(chance, boundary, first, second) >
             std::tuple(other.chance, other.boundary, other.first,
                        other.second);
    }
  };

  static uint64_t lifeOf(const Rectangle &item) {
    return uint64_t(uint32_t(item.first)) << 32 | uint32_t(item.last);
  }
  void enter(int32_t node);
  void leave(int32_t node);
  void change(int32_t boundary);
  void merge(int32_t below, int32_t above, bool isStack);
  void forget(std::vector<int32_t> &list) const;
  void findPairs(int32_t boundary);
  void take(const Pair &pair);
  double chanceAt(int32_t boundary, int64_t bytes) const;

  std::vector<Node> &nodes;
  std::vector<bool> gone;
  std::vector<Boundary> boundaries;
  llvm::DenseMap<uint64_t, int32_t> lastOfLife;
  std::vector<int32_t> changed; ///< Boundaries.
  std::priority_queue<Pair> pairs;
  int64_t grain = 0; ///< All sizes are multiples of it.
};

void ItemMerger::Merging::change(int32_t boundary) {
  if (boundaries[boundary].isChanged)
    return;
  boundaries[boundary].isChanged = true;
  changed.push_back(boundary);
}

void ItemMerger::Merging::enter(int32_t node) {
  const Rectangle &item = nodes[node].rectangle;
  auto [known, isFirst] = lastOfLife.try_emplace(lifeOf(item), node);
  if (!isFirst && !gone[known->second])
    pairs.push({tuning::oddsOfLife / double(item.last - item.first), -1,
                known->second, node});
  known->second = node;
  Boundary &end = boundaries[item.last], &begin = boundaries[item.first];
  end.ending.push_back(node);
  ++end.endings;
  begin.beginning.push_back(node);
  ++begin.beginnings;
  change(item.last);
  change(item.first);
}

void ItemMerger::Merging::leave(int32_t node) {
  const Rectangle &item = nodes[node].rectangle;
  gone[node] = true;
  --boundaries[item.last].endings;
  --boundaries[item.first].beginnings;
  change(item.last);
  change(item.first);
}

void ItemMerger::Merging::merge(int32_t below, int32_t above, bool isStack) {
  leave(below);
  leave(above);
  const Rectangle a = nodes[below].rectangle, b = nodes[above].rectangle;
  const Rectangle both = {a.first, b.last,
                          isStack ? a.bytes + b.bytes : a.bytes, a.alignment,
                          isStack ? a.steps : a.steps + b.steps};
  nodes.push_back({both, below, above, isStack});
  gone.push_back(false);
  enter(static_cast<int32_t>(nodes.size() - 1));
}

void ItemMerger::Merging::forget(std::vector<int32_t> &list) const {
  std::erase_if(list, [&](int32_t node) { return gone[node]; });
}

/// About how many pairs of these bytes fit by chance. None where one ends and
/// one begins: it must be the pair.
double ItemMerger::Merging::chanceAt(int32_t boundary, int64_t bytes) const {
  const Boundary &here = boundaries[boundary];
  if (here.endings == 1 && here.beginnings == 1)
    return 0;
  return double(here.endings) * double(here.beginnings) /
         (double(bytes) / double(grain));
}

/// The pair that is least likely by chance, of those whose bytes no other item
/// here has.
void ItemMerger::Merging::findPairs(int32_t boundary) {
  Boundary &here = boundaries[boundary];
  here.isChanged = false;
  if (here.endings == 0 || here.beginnings == 0 ||
      std::max(here.endings, here.beginnings) > tuning::mostPairsByChance)
    return;
  forget(here.ending);
  forget(here.beginning);
  auto bytesOf = [&](int32_t node) { return nodes[node].rectangle.bytes; };
  auto countOf = [&](const std::vector<int32_t> &list, int64_t bytes) {
    return std::count_if(list.begin(), list.end(),
                         [&](int32_t node) { return bytesOf(node) == bytes; });
  };
  std::optional<Pair> best;
  for (int32_t ending : here.ending) {
    const int64_t bytes = bytesOf(ending);
    if (countOf(here.ending, bytes) != 1 || countOf(here.beginning, bytes) != 1)
      continue;
    auto beginning =
        std::find_if(here.beginning.begin(), here.beginning.end(),
                     [&](int32_t node) { return bytesOf(node) == bytes; });
    Pair pair = {chanceAt(boundary, bytes), boundary, ending, *beginning};
    if (!best || *best < pair)
      best = pair;
  }
  if (best)
    pairs.push(*best);
}

void ItemMerger::Merging::take(const Pair &pair) {
  const bool isFirstGone = gone[pair.first], isSecondGone = gone[pair.second];
  if (!isFirstGone && !isSecondGone) {
    // What has become less likely by chance was found again, and comes first.
    if (pair.boundary < 0)
      merge(pair.first, pair.second, /*isStack=*/true);
    else if (chanceAt(pair.boundary, nodes[pair.first].rectangle.bytes) >=
             pair.chance)
      merge(pair.first, pair.second, /*isStack=*/false);
    return;
  }
  if (pair.boundary >= 0 || (isFirstGone && isSecondGone))
    return;
  // The one that is left may go with another.
  const int32_t left = isFirstGone ? pair.second : pair.first;
  const int32_t other = lastOfLife.lookup(lifeOf(nodes[left].rectangle));
  if (other != left && !gone[other])
    pairs.push({pair.chance, -1, left, other});
}

void ItemMerger::Merging::run() {
  for (std::size_t node = 0, count = nodes.size(); node < count; ++node)
    enter(static_cast<int32_t>(node));
  while (true) {
    for (int32_t boundary : changed)
      findPairs(boundary);
    changed.clear();
    if (pairs.empty())
      return;
    const Pair pair = pairs.top();
    pairs.pop();
    take(pair);
  }
}

ItemMerger::ItemMerger(std::span<const Rectangle> items, int32_t points)
    : count(items.size()) {
  nodes.reserve(2 * count);
  for (Rectangle item : items) {
    item.bytes = alignUp(item.bytes, item.alignment);
    nodes.push_back({item});
  }
  Merging merging(nodes, points);
  merging.run();
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!merging.isRoot(node))
      continue;
    rootNode.push_back(static_cast<int32_t>(node));
    roots.push_back(nodes[node].rectangle);
  }
}

std::vector<int64_t>
ItemMerger::expand(std::span<const int64_t> offsetsOfMerged) const {
  std::vector<int64_t> offsets(nodes.size());
  for (std::size_t i = 0; i < rootNode.size(); ++i)
    offsets[rootNode[i]] = offsetsOfMerged[i];
  for (std::size_t i = nodes.size(); i-- > count;) {
    const Node &node = nodes[i];
    offsets[node.below] = offsets[i];
    offsets[node.above] =
        offsets[i] + (node.isStack ? nodes[node.below].rectangle.bytes : 0);
  }
  offsets.resize(count);
  return offsets;
}

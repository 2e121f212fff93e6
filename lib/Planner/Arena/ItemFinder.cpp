//===- ItemFinder.cpp - The best item that fits into a span ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ItemFinder.h"
#include <algorithm>
#include <bit>
#include <numeric>

using namespace memplan;

/// Level of the lowest tree node that contains both points.
static int commonLevel(int32_t first, int32_t last) {
  return std::bit_width(static_cast<uint32_t>(first ^ last));
}

ItemFinder::ItemFinder(std::span<const Rectangle> items, int32_t points)
    : items(items) {
  const int32_t highest = std::max(points, 1) - 1;
  const int levels = commonLevel(0, highest) + 1;
  std::size_t count = 0;
  for (int level = 0; level < levels; ++level) {
    levelBegin.push_back(count);
    count += static_cast<std::size_t>(highest >> level) + 1;
  }
  nodes.resize(count);
  assignSlots();
}

/// Items of one node get neighbouring slots, in the order of their begins in
/// one table and of their ends in the other.
void ItemFinder::assignSlots() {
  const std::size_t count = items.size();
  nodeOf.resize(count);
  slotByFirst.resize(count);
  slotByLast.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Rectangle &item = items[i];
    nodeOf[i] = nodeAt(commonLevel(item.first, item.last - 1), item.first);
    ++nodes[nodeOf[i]].count;
  }
  int32_t slot = 0;
  for (Node &node : nodes) {
    node.slot = slot;
    slot += node.count;
  }
  firsts.resize(count);
  lasts.resize(count);
  lastByFirst.resize(count);
  std::vector<int32_t> order(count);
  auto assign = [&](auto before, std::vector<int32_t> &slots) {
    std::vector<int32_t> filled(nodes.size());
    for (std::size_t i = 0; i < count; ++i)
      order[nodes[nodeOf[i]].slot + filled[nodeOf[i]]++] =
          static_cast<int32_t>(i);
    for (const Node &node : nodes)
      if (node.count > 1)
        std::sort(order.begin() + node.slot,
                  order.begin() + node.slot + node.count, before);
    for (std::size_t at = 0; at < count; ++at)
      slots[order[at]] = static_cast<int32_t>(at);
  };
  assign(
      [&](int32_t a, int32_t b) {
        return std::pair(items[a].last, a) < std::pair(items[b].last, b);
      },
      slotByLast);
  for (std::size_t at = 0; at < count; ++at)
    lasts[at] = items[order[at]].last;
  assign(
      [&](int32_t a, int32_t b) {
        return std::pair(items[a].first, a) < std::pair(items[b].first, b);
      },
      slotByFirst);
  earliestLast.resize(2 * count);
  for (std::size_t at = 0; at < count; ++at) {
    firsts[at] = items[order[at]].first;
    lastByFirst[at] = items[order[at]].last;
  }
  for (const Node &node : nodes) {
    int32_t *tree = &earliestLast[0] + 2 * std::size_t(node.slot);
    for (int32_t k = 0; k < node.count; ++k)
      tree[node.count + k] = lastByFirst[node.slot + k];
    for (int32_t k = node.count - 1; k > 0; --k)
      tree[k] = std::min(tree[2 * k], tree[2 * k + 1]);
  }
}

void ItemFinder::reset(std::span<const int32_t> ranks) {
  rankByFirst.resize(2 * items.size());
  rankByLast.resize(2 * items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Node &node = nodes[nodeOf[i]];
    rankByFirst[std::size_t(node.slot) + node.count + slotByFirst[i]] =
        ranks[i];
    rankByLast[std::size_t(node.slot) + node.count + slotByLast[i]] = ranks[i];
  }
  for (Node &node : nodes) {
    node.own = node.subtree = none;
    if (node.count == 0)
      continue;
    for (std::vector<int32_t> *ranksOf : {&rankByFirst, &rankByLast}) {
      int32_t *tree = &(*ranksOf)[2 * std::size_t(node.slot)];
      for (int32_t k = node.count - 1; k > 0; --k)
        tree[k] = std::min(tree[2 * k], tree[2 * k + 1]);
    }
    node.own = node.subtree = rankByFirst[2 * std::size_t(node.slot) + 1];
  }
  for (std::size_t level = 1; level < levelBegin.size(); ++level)
    for (std::size_t i = levelBegin[level - 1]; i < levelBegin[level]; ++i) {
      Node &parent =
          nodes[levelBegin[level] + ((i - levelBegin[level - 1]) >> 1)];
      parent.subtree = std::min(parent.subtree, nodes[i].subtree);
    }
}

void ItemFinder::remove(int32_t item) {
  const std::size_t at = nodeOf[item];
  Node &node = nodes[at];
  auto clear = [&](std::vector<int32_t> &ranks, int32_t slot) {
    int32_t *tree = &ranks[2 * std::size_t(node.slot)];
    int32_t k = node.count + slot - node.slot;
    tree[k] = none;
    for (k >>= 1; k > 0; k >>= 1) {
      const int32_t better = std::min(tree[2 * k], tree[2 * k + 1]);
      if (tree[k] == better)
        break;
      tree[k] = better;
    }
    return tree[1];
  };
  node.own = clear(rankByFirst, slotByFirst[item]);
  clear(rankByLast, slotByLast[item]);
  const int32_t point = items[item].first;
  for (std::size_t level = commonLevel(point, items[item].last - 1);
       level < levelBegin.size(); ++level) {
    const std::size_t here = nodeAt(int(level), point);
    int32_t better = nodes[here].own;
    if (level > 0) {
      const std::size_t left =
          levelBegin[level - 1] + 2 * (here - levelBegin[level]);
      better = std::min(better, nodes[left].subtree);
      if (left + 1 < levelBegin[level])
        better = std::min(better, nodes[left + 1].subtree);
    }
    if (nodes[here].subtree == better)
      break;
    nodes[here].subtree = better;
  }
}

/// Best of the tree's leaves [low, high).
static int32_t bestOfRange(const int32_t *tree, int32_t count, int32_t low,
                           int32_t high) {
  int32_t best = ItemFinder::none;
  for (low += count, high += count; low < high; low >>= 1, high >>= 1) {
    if (low & 1)
      best = std::min(best, tree[low++]);
    if (high & 1)
      best = std::min(best, tree[--high]);
  }
  return best;
}

int32_t ItemFinder::bestBeginningFrom(const Node &node, int32_t first) const {
  auto begin = firsts.begin() + node.slot;
  const auto from = static_cast<int32_t>(
      std::lower_bound(begin, begin + node.count, first) - begin);
  return bestOfRange(&rankByFirst[2 * std::size_t(node.slot)], node.count, from,
                     node.count);
}

int32_t ItemFinder::bestEndingBy(const Node &node, int32_t last) const {
  auto begin = lasts.begin() + node.slot;
  const auto to = static_cast<int32_t>(
      std::upper_bound(begin, begin + node.count, last) - begin);
  return bestOfRange(&rankByLast[2 * std::size_t(node.slot)], node.count, 0,
                     to);
}

/// Best of those below `root` of the node's tree that end by `last` and are
/// better than `known`; the better half first.
int32_t ItemFinder::bestBelow(const Node &node, std::size_t root, int32_t last,
                              int32_t known) const {
  const int32_t *ranks = &rankByFirst[2 * std::size_t(node.slot)];
  const int32_t *ends = &earliestLast[2 * std::size_t(node.slot)];
  if (ranks[root] >= known || ends[root] > last)
    return known;
  if (root >= std::size_t(node.count))
    return ranks[root];
  const std::size_t better =
      ranks[2 * root] <= ranks[2 * root + 1] ? 2 * root : 2 * root + 1;
  known = bestBelow(node, better, last, known);
  return bestBelow(node, better ^ 1, last, known);
}

int32_t ItemFinder::bestInside(const Node &node, int32_t first,
                               int32_t last) const {
  auto begin = firsts.begin() + node.slot;
  std::size_t low =
      node.count + (std::lower_bound(begin, begin + node.count, first) - begin);
  int32_t best = none;
  for (std::size_t high = 2 * std::size_t(node.count); low < high;
       low >>= 1, high >>= 1) {
    if (low & 1)
      best = bestBelow(node, low++, last, best);
    if (high & 1)
      best = bestBelow(node, --high, last, best);
  }
  return best;
}

/// Best item of the nodes from `level` down that contain point `first`: what
/// begins there or later.
int32_t ItemFinder::bestRightOf(int32_t first, int level, int32_t known) const {
  for (; level >= 0; --level) {
    const std::size_t at = nodeAt(level, first);
    if (nodes[at].subtree >= known)
      return known;
    if ((first & ((1 << level) - 1)) == 0)
      return nodes[at].subtree;
    if (first >> (level - 1) & 1)
      continue; // In the right half: all of the node's items begin before.
    if (nodes[at].own < known)
      known = std::min(known, bestBeginningFrom(nodes[at], first));
    known = std::min(known, nodes[nodeAt(level - 1, first) + 1].subtree);
  }
  return known;
}

/// Best item of the nodes from `level` down that contain point `last` - 1: what
/// ends by `last`.
int32_t ItemFinder::bestLeftOf(int32_t last, int level, int32_t known) const {
  const int32_t point = last - 1;
  for (; level >= 0; --level) {
    const std::size_t at = nodeAt(level, point);
    if (nodes[at].subtree >= known)
      return known;
    if ((last & ((1 << level) - 1)) == 0)
      return nodes[at].subtree;
    if (!(point >> (level - 1) & 1))
      continue; // In the left half: all of the node's items end after it.
    if (nodes[at].own < known)
      known = std::min(known, bestEndingBy(nodes[at], last));
    known = std::min(known, nodes[nodeAt(level - 1, point) - 1].subtree);
  }
  return known;
}

int32_t ItemFinder::best(int32_t first, int32_t last) const {
  const int level = commonLevel(first, last - 1);
  const Node &node = nodes[nodeAt(level, first)];
  if (level == 0)
    return node.own;
  int32_t best = bestRightOf(first, level - 1, none);
  best = bestLeftOf(last, level - 1, best);
  if (node.own < best)
    best = std::min(best, bestInside(node, first, last));
  return best;
}

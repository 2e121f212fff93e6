//===- Antichain.cpp - Heaviest set of which none precedes another --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Dilworth, "A decomposition theorem for partially ordered sets", 1950,
// in its weighted form; Dinitz's algorithm for the flow.
// Idea: cover the ranges by chains, each range as often as it weighs. A chain
// that goes on from one range to a later one saves one; the most that can be
// saved is a flow from ranges as predecessors to ranges as successors, and
// chains may pass through a range, which makes the order transitive. What is
// left is the least cover, and as heavy as the heaviest antichain.
// The successors of a range are all that begin after its end, without a few:
// runs of the list sorted by begin, each reached through the O(log n) nodes of
// a tree over it.
// Complexity: O((ranges + open) log ranges) arcs; a flow visits each of them a
// few dozen times in practice.
// Guaranteed: exact, or nothing where the work exceeds a fixed count.
//
//===----------------------------------------------------------------------===//

#include "Antichain.h"
#include "Tuning.h"
#include "memplan/Support/MaxFlow.h"
#include <algorithm>
#include <tuple>
#include <vector>

using namespace memplan;

namespace {
/// Builds the flow of the header's comment.
class ChainCover {
public:
  explicit ChainCover(std::span<const WeightedRange> ranges)
      : sorted(ranges.begin(), ranges.end()) {
    std::sort(sorted.begin(), sorted.end(),
              [](const WeightedRange &a, const WeightedRange &b) {
                return std::tuple(a.begin, a.end, a.owner) <
                       std::tuple(b.begin, b.end, b.owner);
              });
    for (leaves = 1; leaves < sorted.size();)
      leaves *= 2;
    for (size_t i = 0; i < 2 * leaves + sorted.size(); ++i)
      flow.addVertex();
  }

  std::optional<int64_t>
  heaviest(std::span<const std::pair<int32_t, int32_t>> open) &&;

private:
  /// Node of the tree whose leaves are the ranges as successors.
  int32_t treeNode(size_t node) const { return int32_t(2 + node); }
  int32_t successor(size_t i) const { return treeNode(leaves + i); }
  int32_t predecessor(size_t i) const { return treeNode(2 * leaves + i); }
  void findOpen(std::span<const std::pair<int32_t, int32_t>> open);
  void connect(size_t i);
  void connectRun(size_t i, size_t first, size_t last);

  std::vector<WeightedRange> sorted;        ///< By begin.
  std::vector<std::vector<int32_t>> openTo; ///< By owner: places in `sorted`.
  size_t leaves = 1;
  MaxFlow flow;
};
} // namespace

void ChainCover::findOpen(std::span<const std::pair<int32_t, int32_t>> open) {
  int32_t owners = 0;
  for (const WeightedRange &range : sorted)
    owners = std::max(owners, range.owner + 1);
  std::vector<std::vector<int32_t>> places(owners);
  for (size_t i = 0; i < sorted.size(); ++i)
    places[sorted[i].owner].push_back(static_cast<int32_t>(i));
  openTo.resize(owners);
  auto add = [&](int32_t a, int32_t b) {
    openTo[a].insert(openTo[a].end(), places[b].begin(), places[b].end());
  };
  for (auto [a, b] : open)
    if (a < owners && b < owners) {
      add(a, b);
      add(b, a);
    }
  for (std::vector<int32_t> &list : openTo)
    std::sort(list.begin(), list.end());
}

/// Lets chains go on from range i to those at [first, last) of the list.
void ChainCover::connectRun(size_t i, size_t first, size_t last) {
  for (first += leaves, last += leaves; first < last; first /= 2, last /= 2) {
    if (first % 2)
      flow.connect(predecessor(i), treeNode(first++), MaxFlow::unlimited);
    if (last % 2)
      flow.connect(predecessor(i), treeNode(--last), MaxFlow::unlimited);
  }
}

void ChainCover::connect(size_t i) {
  auto after = std::partition_point(
      sorted.begin(), sorted.end(),
      [&](const WeightedRange &range) { return range.begin < sorted[i].end; });
  auto first = static_cast<size_t>(after - sorted.begin());
  for (int32_t place : openTo[sorted[i].owner]) {
    if (static_cast<size_t>(place) < first)
      continue;
    connectRun(i, first, place);
    first = static_cast<size_t>(place) + 1;
  }
  connectRun(i, first, sorted.size());
}

std::optional<int64_t>
ChainCover::heaviest(std::span<const std::pair<int32_t, int32_t>> open) && {
  findOpen(open);
  int64_t total = 0;
  for (size_t node = 1; node < leaves; ++node)
    for (size_t child : {2 * node, 2 * node + 1})
      flow.connect(treeNode(node), treeNode(child), MaxFlow::unlimited);
  for (size_t i = 0; i < sorted.size(); ++i) {
    total += sorted[i].weight;
    flow.connect(MaxFlow::source, predecessor(i), sorted[i].weight);
    flow.connect(successor(i), MaxFlow::sink, sorted[i].weight);
    flow.connect(successor(i), predecessor(i), MaxFlow::unlimited);
    connect(i);
    if (flow.numConnections() > tuning::mostArcs)
      return std::nullopt;
  }
  const std::optional<int64_t> saved = flow.runWithin(tuning::mostVisits);
  if (!saved)
    return std::nullopt;
  return total - *saved;
}

std::optional<int64_t>
memplan::heaviestAntichain(std::span<const WeightedRange> ranges,
                           std::span<const std::pair<int32_t, int32_t>> open) {
  if (ranges.empty())
    return 0;
  return ChainCover(ranges).heaviest(open);
}

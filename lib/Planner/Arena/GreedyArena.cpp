//===- GreedyArena.cpp - Offsets one buffer after another -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources:
// - best-fit: the layout of IREE's slices (LayoutSlices), in program order
// - greedy-by-size, greedy-by-breadth: Pisarchyk and Lee, "Efficient Memory
//   Management for Deep Neural Net Inference", 2020, section 5, as in
//   TensorFlow Lite
// - xla: GlobalDecreasingSizeBestFitHeap of XLA's heap simulator, by the
//   spatial comparison
// Idea: take the buffers in a fixed order. Of the gaps that buffers placed
// before leave during the buffer's life, take the one with the fewest bytes to
// spare; if none is large enough, go on top of them.
// Complexity: O(n (log n + r log r)) where r is the number of separate byte
// ranges that are taken during a buffer's life (few, since neighbours merge).
// Guaranteed: a valid plan. No order has a constant ratio to the optimum.
//
//===----------------------------------------------------------------------===//

#include "GreedyArena.h"
#include "FirstFit.h"
#include "OffsetCollector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace memplan;

namespace {
/// What orders look at: smaller goes first, and then what stands first.
using Key = std::tuple<int64_t, int64_t, int64_t>;
} // namespace

/// Places the fixed buffers, then the others by their keys.
static ArenaPlan
placeByKey(const ArenaProblem &problem,
           llvm::function_ref<std::vector<Key>(const PackPart &)> keysOf) {
  const PackParts all = makePackParts(problem);
  OffsetCollector packed(problem, all);
  for (const PackPart &part : all.parts) {
    const std::vector<Key> keys = keysOf(part);
    std::vector<int32_t> order(part.items.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::tie(keys[a], a) < std::tie(keys[b], b);
    });
    FirstFit packer(part, GapRule::Tightest);
    (void)packer.run(order, std::numeric_limits<int64_t>::max());
    packed.add(part, packer.offsets());
  }
  return packed.finish();
}

/// Places items by a key of each item alone.
static ArenaPlan placeByKeyOfItem(
    const ArenaProblem &problem,
    llvm::function_ref<Key(const PackItem &, const ArenaBuffer &)> keyOf) {
  return placeByKey(problem, [&](const PackPart &part) {
    std::vector<Key> keys;
    for (const PackItem &item : part.items)
      keys.push_back(keyOf(item, problem.buffers[item.buffer]));
    return keys;
  });
}

llvm::Expected<ArenaPlan> memplan::solveBestFit(const ArenaProblem &problem,
                                                const SolveLimits &) {
  return placeByKeyOfItem(problem,
                          [](const PackItem &, const ArenaBuffer &buffer) {
                            return Key(buffer.begin, 0, 0);
                          });
}

llvm::Expected<ArenaPlan>
memplan::solveGreedyBySize(const ArenaProblem &problem, const SolveLimits &) {
  return placeByKeyOfItem(problem,
                          [](const PackItem &, const ArenaBuffer &buffer) {
                            return Key(-buffer.bytes, buffer.begin, 0);
                          });
}

llvm::Expected<ArenaPlan> memplan::solveXlaArena(const ArenaProblem &problem,
                                                 const SolveLimits &) {
  return placeByKeyOfItem(problem,
                          [](const PackItem &item, const ArenaBuffer &buffer) {
                            return Key(-buffer.bytes, -item.steps, 0);
                          });
}

/// The widest operation first, the earlier of equals; its buffers by size. An
/// operation is a section: all that live in it live at its widest step.
static std::vector<Key> keysByBreadth(const PackPart &part) {
  std::vector<int64_t> breadth(part.sections + 1);
  for (const PackItem &item : part.items)
    for (SectionSpan span : part.spansOf(item)) {
      breadth[span.begin] += item.bytes;
      breadth[span.end] -= item.bytes;
    }
  std::partial_sum(breadth.begin(), breadth.end(), breadth.begin());
  std::vector<int32_t> byBreadth(part.sections);
  std::iota(byBreadth.begin(), byBreadth.end(), 0);
  std::sort(byBreadth.begin(), byBreadth.end(), [&](int32_t a, int32_t b) {
    return std::pair(-breadth[a], a) < std::pair(-breadth[b], b);
  });
  // Sections of a binary tree, so that the place of an item's widest one is
  // found among all that it lives in.
  const size_t leaves = breadth.size();
  std::vector<int64_t> first(2 * leaves, part.sections);
  for (int32_t place = 0; place < part.sections; ++place)
    first[leaves + byBreadth[place]] = place;
  for (size_t i = leaves - 1; i > 0; --i)
    first[i] = std::min(first[2 * i], first[2 * i + 1]);
  std::vector<Key> keys;
  for (const PackItem &item : part.items) {
    int64_t place = part.sections;
    for (SectionSpan span : part.spansOf(item))
      for (size_t low = leaves + span.begin, high = leaves + span.end;
           low < high; low >>= 1, high >>= 1) {
        if (low & 1)
          place = std::min(place, first[low++]);
        if (high & 1)
          place = std::min(place, first[--high]);
      }
    keys.push_back({place, -item.bytes, 0});
  }
  return keys;
}

llvm::Expected<ArenaPlan>
memplan::solveGreedyByBreadth(const ArenaProblem &problem,
                              const SolveLimits &) {
  return placeByKey(problem, keysByBreadth);
}

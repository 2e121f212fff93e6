//===- ValueCut.cpp - What a first run leaves no room for -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: maximum flow by levels (Dinic, 1970), vertices split in two.
// Cost: O(edges) a level; the levels are few where what is kept lies close to
//   what needs it.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Bounds/ValueCut.h"
#include "Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
/// The flow from values that later ops read to those that nothing makes again.
class CutFlow {
public:
  CutFlow(const OrderRows &rows, int32_t op)
      : rows(rows), step(rows.step()), op(op),
        vertexOf(size_t(step.numValues()), -1) {
    arcsOf.resize(2);
    for (int32_t value = 0; value < step.numValues(); ++value) {
      if (step.values()[value].producer >= op)
        break;
      if (rows.lastUser(value) > op)
        need(source, value);
    }
  }

  int64_t run() {
    int64_t sum = 0;
    while (findLevels()) {
      next.assign(arcsOf.size(), 0);
      while (int64_t pushed = push())
        sum += pushed;
    }
    return sum;
  }

  /// Values whose bytes are all taken, between what is reached and what is not.
  std::vector<int32_t> cut() const {
    std::vector<int32_t> values;
    for (int32_t value = 0; value < step.numValues(); ++value)
      if (const int32_t vertex = vertexOf[value];
          vertex >= 0 && levels[vertex] >= 0 && levels[vertex + 1] < 0)
        values.push_back(value);
    return values;
  }

private:
  static constexpr int32_t source = 0, sink = 1;
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max() / 4;
  struct Arc {
    int32_t to;
    int64_t left;
  };

  void connect(int32_t from, int32_t to, int64_t capacity) {
    arcsOf[from].push_back(static_cast<int32_t>(arcs.size()));
    arcs.push_back({to, capacity});
    arcsOf[to].push_back(static_cast<int32_t>(arcs.size()));
    arcs.push_back({from, 0});
  }

  bool isTouched(int32_t value) const {
    return llvm::is_contained(rows.inputs(op), value);
  }

  /// Walks to what a value is made of, without recursion: chains are long.
  void need(int32_t by, int32_t first) {
    std::vector<std::pair<int32_t, int32_t>> open{{by, first}};
    while (!open.empty()) {
      const auto [from, value] = open.back();
      open.pop_back();
      if (isTouched(value))
        continue;
      int32_t &vertex = vertexOf[value];
      const bool isNew = vertex < 0;
      if (isNew) {
        vertex = static_cast<int32_t>(arcsOf.size());
        arcsOf.resize(arcsOf.size() + 2);
      }
      connect(from, vertex, unlimited);
      if (!isNew)
        continue;
      const int32_t behind = vertex + 1;
      const StepValue &made = step.values()[value];
      connect(vertex, behind, made.bytes);
      // After a write a run of the producer brings nothing back.
      const int32_t writer = rows.firstWriter(value);
      if (rows.runsOnce(made.producer) || (writer >= 0 && writer <= op))
        connect(behind, sink, unlimited);
      else
        for (int32_t input : rows.inputs(made.producer))
          open.push_back({behind, input});
    }
  }

  bool findLevels() {
    levels.assign(arcsOf.size(), -1);
    levels[source] = 0;
    std::vector<int32_t> queue{source};
    for (size_t i = 0; i < queue.size(); ++i)
      for (int32_t arc : arcsOf[queue[i]])
        if (arcs[arc].left > 0 && levels[arcs[arc].to] < 0) {
          levels[arcs[arc].to] = levels[queue[i]] + 1;
          queue.push_back(arcs[arc].to);
        }
    return levels[sink] >= 0;
  }

  /// Along one path from level to level; 0 where none is left.
  int64_t push() {
    std::vector<int32_t> path;
    int32_t at = source;
    while (at != sink) {
      size_t &place = next[at];
      while (place < arcsOf[at].size() && !leads(at, arcsOf[at][place]))
        ++place;
      if (place < arcsOf[at].size()) {
        path.push_back(arcsOf[at][place]);
        at = arcs[path.back()].to;
      } else if (path.empty()) {
        return 0;
      } else {
        at = arcs[path.back() ^ 1].to;
        ++next[at];
        path.pop_back();
      }
    }
    int64_t amount = unlimited;
    for (int32_t arc : path)
      amount = std::min(amount, arcs[arc].left);
    for (int32_t arc : path) {
      arcs[arc].left -= amount;
      arcs[arc ^ 1].left += amount;
    }
    return amount;
  }
  bool leads(int32_t from, int32_t arc) const {
    return arcs[arc].left > 0 && levels[arcs[arc].to] == levels[from] + 1;
  }

  const OrderRows &rows;
  const ContractedStep &step;
  const int32_t op;
  std::vector<int32_t> vertexOf; ///< By value, where it is read; one more
                                 ///< stands behind it.
  std::vector<Arc> arcs;         ///< Each followed by its reverse.
  std::vector<std::vector<int32_t>> arcsOf;
  std::vector<int32_t> levels;
  std::vector<size_t> next;
};
} // namespace

ValueCut memplan::cutAt(const OrderRows &rows, int32_t op) {
  CutFlow flow(rows, op);
  const int64_t kept = flow.run();
  return {op, rows.ownBytes(op) + rows.donatedBytes(op) + kept, flow.cut()};
}

/// Bytes at first runs where all values stay.
static std::vector<int64_t> bytesOfAll(const OrderRows &rows) {
  std::vector<int64_t> bytes(size_t(rows.numRows()) + 1, 0);
  for (const ValueGap &gap : rows.gaps()) {
    bytes[gap.begin + 1] += rows.step().values()[gap.value].bytes;
    bytes[gap.end] -= rows.step().values()[gap.value].bytes;
  }
  int64_t open = 0;
  for (int32_t op = 0; op < rows.numRows(); ++op) {
    open += bytes[op];
    bytes[op] = open + rows.bytesAt(op);
  }
  bytes.pop_back();
  return bytes;
}

ValueCut memplan::largestCut(const OrderRows &rows) {
  const std::vector<int64_t> bytes = bytesOfAll(rows);
  std::vector<int32_t> order(bytes.size());
  for (int32_t op = 0; op < rows.numRows(); ++op)
    order[op] = op;
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
  });
  ValueCut largest;
  std::vector<int32_t> tried;
  for (int32_t op : order) {
    auto isNear = [&](int32_t other) {
      return std::abs(other - op) < rows.numRows() / tuning::cutsApart;
    };
    if (rows.numRows() > smallStep &&
        (static_cast<int32_t>(tried.size()) >= tuning::mostCuts ||
         llvm::any_of(tried, isNear)))
      continue;
    if (bytes[op] <= largest.bytes)
      break;
    tried.push_back(op);
    ValueCut cut = cutAt(rows, op);
    if (cut.bytes > largest.bytes)
      largest = std::move(cut);
  }
  return largest;
}

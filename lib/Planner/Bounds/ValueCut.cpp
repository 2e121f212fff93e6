//===- ValueCut.cpp - What a first run leaves no room for -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A least cut, vertices split in two. What is kept lies close to what needs it.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Bounds/ValueCut.h"
#include "Tuning.h"
#include "memplan/Planner/Model/MaxFlow.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

namespace {
/// The flow from values that later ops read to those that nothing makes again.
class CutFlow {
public:
  CutFlow(const OrderRows &rows, int32_t op)
      : rows(rows), step(rows.step()), op(op),
        vertexOf(size_t(step.numValues()), -1) {
    for (int32_t value = 0; value < step.numValues(); ++value) {
      if (step.values()[value].producer >= op)
        break;
      if (rows.lastUser(value) > op)
        need(MaxFlow::source, value);
    }
  }

  int64_t run() { return flow.run(); }

  /// Values whose bytes are all taken, between what is reached and what is not.
  std::vector<int32_t> cut() const {
    std::vector<int32_t> values;
    for (int32_t value = 0; value < step.numValues(); ++value)
      if (const int32_t vertex = vertexOf[value];
          vertex >= 0 && flow.isReached(vertex) && !flow.isReached(vertex + 1))
        values.push_back(value);
    return values;
  }

private:
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
        vertex = flow.addVertex();
        flow.addVertex();
      }
      flow.connect(from, vertex, MaxFlow::unlimited);
      if (!isNew)
        continue;
      const int32_t behind = vertex + 1;
      const StepValue &made = step.values()[value];
      flow.connect(vertex, behind, made.bytes);
      // After a write a run of the producer brings nothing back.
      const int32_t writer = rows.firstWriter(value);
      if (rows.runsOnce(made.producer) || (writer >= 0 && writer <= op))
        flow.connect(behind, MaxFlow::sink, MaxFlow::unlimited);
      else
        for (int32_t input : rows.inputs(made.producer))
          open.push_back({behind, input});
    }
  }

  const OrderRows &rows;
  const ContractedStep &step;
  const int32_t op;
  std::vector<int32_t> vertexOf; ///< By value, where it is read; one more
                                 ///< stands behind it.
  MaxFlow flow;
};
} // namespace

ValueCut memplan::cutAt(const OrderRows &rows, int32_t op) {
  CutFlow flow(rows, op);
  const int64_t kept = flow.run();
  return {op, rows.ownBytes(op) + rows.donatedBytes(op) + kept, flow.cut()};
}

std::vector<int64_t> memplan::bytesOfAll(const OrderRows &rows) {
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

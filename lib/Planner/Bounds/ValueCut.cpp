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
#include "CutFlow.h"
#include "Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

ValueCut memplan::cutAt(const OrderRows &rows, int32_t op) {
  CutFlow flow(
      rows, op,
      [&](int32_t value) { return rows.step().values()[value].bytes; },
      [](int32_t) { return int64_t(0); });
  const int64_t kept = flow.run();
  return {op, rows.ownBytes(op) + rows.donatedBytes(op) + kept, flow.kept()};
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

std::vector<int32_t> memplan::highRows(const OrderRows &rows, size_t most) {
  const std::vector<int64_t> bytes = bytesOfAll(rows);
  std::vector<int32_t> order(bytes.size());
  for (int32_t op = 0; op < rows.numRows(); ++op)
    order[op] = op;
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
  });
  if (rows.numRows() <= smallStep)
    return order;
  std::vector<int32_t> high;
  for (int32_t op : order) {
    auto isNear = [&](int32_t other) {
      return std::abs(other - op) < rows.numRows() / tuning::cutsApart;
    };
    if (high.size() < most && llvm::none_of(high, isNear))
      high.push_back(op);
  }
  return high;
}

ValueCut memplan::largestCut(const OrderRows &rows) {
  const std::vector<int64_t> bytes = bytesOfAll(rows);
  ValueCut largest;
  for (int32_t op : highRows(rows, tuning::mostCuts)) {
    if (bytes[op] <= largest.bytes)
      break;
    ValueCut cut = cutAt(rows, op);
    if (cut.bytes > largest.bytes)
      largest = std::move(cut);
  }
  return largest;
}

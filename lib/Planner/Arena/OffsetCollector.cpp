//===- OffsetCollector.cpp - From packed parts to a plan ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffsetCollector.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace memplan;

OffsetCollector::OffsetCollector(const ArenaProblem &problem,
                                 const PackParts &all)
    : problem(problem), all(all), heights(all.spaces.size()) {
  plan.offsets.reserve(problem.buffers.size());
  // Those without bytes are in no part.
  for (const ArenaBuffer &buffer : problem.buffers)
    plan.offsets.push_back(buffer.fixedOffset.value_or(0));
}

void OffsetCollector::add(const PackPart &part,
                          std::span<const int64_t> offsets) {
  heights[part.space] = std::max(heights[part.space], part.heightOf(offsets));
  for (size_t i = 0; i < offsets.size(); ++i)
    plan.offsets[part.items[i].buffer] = offsets[i];
}

static std::string inSpace(const std::string &name) {
  return name.empty() ? "" : " in space '" + name + "'";
}

/// Where a budget does not hold, says why.
bool OffsetCollector::isRefused(const Bounds &bounds) {
  for (const auto &[name, bytes] : bounds) {
    const std::optional<int64_t> budget = problem.budgetOf(name);
    if (bytes <= budget.value_or(bytes))
      continue;
    plan.report.status = SolveStatus::Infeasible;
    plan.report.note = llvm::formatv(
        "{0} bytes are live at {3}{1}, above the {2} bytes of the budget",
        bytes, inSpace(name), *budget,
        problem.conflicts.empty() ? "one step" : "once");
    return true;
  }
  for (size_t space = 0; space < heights.size(); ++space) {
    const std::string &name = all.spaces[space];
    const std::optional<int64_t> budget = problem.budgetOf(name);
    if (heights[space] <= budget.value_or(heights[space]))
      continue;
    plan.report.status = SolveStatus::NoPlan;
    plan.report.note = llvm::formatv(
        "the best plan found takes {0} bytes{1}, above the {2} bytes of the "
        "budget",
        heights[space], inSpace(name), *budget);
    return true;
  }
  return false;
}

ArenaPlan OffsetCollector::finish() {
  const Bounds bounds = problem.lowerBoundBySpace();
  int64_t bound = 0;
  for (const auto &[name, bytes] : bounds)
    bound += bytes;
  plan.peakBytes = 0;
  for (int64_t height : heights)
    plan.peakBytes += height;
  plan.report.bound = static_cast<double>(bound);
  plan.report.proof = "exact";
  plan.report.status =
      plan.peakBytes == bound ? SolveStatus::Optimal : SolveStatus::Feasible;
  if (isRefused(bounds))
    plan.offsets.clear();
  return std::move(plan);
}

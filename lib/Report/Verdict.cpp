//===- Verdict.cpp - One sentence about a plan ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collect.h"
#include "memplan/Plan/DescribeStatus.h"
#include "memplan/Support/ByteSize.h"
#include "memplan/Support/SortByKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace memplan;

static void describeFailure(const GraphIndex &index, const Plan &plan,
                            llvm::raw_ostream &os) {
  if (plan.status == SolveStatus::Infeasible)
    os << "Does not fit, which is proved";
  else
    os << "No plan was found, which proves nothing";
  if (plan.budgetBytes)
    os << ": budget " << describeByteSize(*plan.budgetBytes);
  if (plan.boundBytes)
    os << "; no budget below " << describeByteSize(*plan.boundBytes)
       << " can work";
  if (plan.minimumBudgetBytes)
    os << "; " << describeByteSize(*plan.minimumBudgetBytes)
       << " is known to work";
  if (plan.witnessNode)
    os << "; " << describe(index.graph(), *plan.witnessNode)
       << " is what does not fit";
}

static const char *describeSpace(llvm::StringRef space) {
  if (space == "staged")
    return "in stages";
  return space == "fixed-order" ? "in this order" : "in any order";
}

static void describeBound(const Plan &plan, llvm::raw_ostream &os) {
  const double time = plan.makespan();
  if (plan.timeBound && *plan.timeBound > 0)
    os << llvm::format("; at most %.2f %% above any ",
                       100 * (time / *plan.timeBound - 1))
       << describeTimeSpace(plan.timeBoundSpace);
  else if (plan.bound && time == plan.cost && time > 0)
    os << llvm::format("; a better plan could save at most %.2f %%",
                       100 * (1 - *plan.bound / time))
       << " (" << describeSpace(plan.boundSpace) << ", "
       << (plan.proof == "solver" ? "by a solver's floating point" : "proved")
       << ")";
  else
    os << "; no bound is known";
}

std::string memplan::describeVerdict(const GraphIndex &index, const Plan &plan,
                                     const ReportData &data) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!hasSteps(plan.status)) {
    describeFailure(index, plan, os);
    return text + ".";
  }
  const std::string bytes = describeByteSize(data.deviceBytes);
  if (!plan.budgetBytes)
    os << "Takes " << bytes << ", without a budget";
  else if (data.deviceBytes <= *plan.budgetBytes)
    os << "Fits: " << bytes << " of " << describeByteSize(*plan.budgetBytes)
       << ", " << describeByteSize(*plan.budgetBytes - data.deviceBytes)
       << " to spare";
  else
    os << "Does not fit: " << bytes << " of "
       << describeByteSize(*plan.budgetBytes) << ", "
       << describeByteSize(data.deviceBytes - *plan.budgetBytes) << " too many";
  const double over = overheadPercent(plan.makespan(), data.unplannedCost);
  os << "; unplanned it takes " << describeByteSize(data.unplannedBytes)
     << llvm::format("; %.2f %% ", std::abs(over))
     << (over < 0 ? "less" : "more") << " time than running every node once";
  describeBound(plan, os);
  return text + ".";
}

std::vector<std::pair<std::string, int64_t>>
memplan::sumCategories(const GraphIndex &index, const ReportData &data) {
  std::map<std::string, int64_t> sums;
  if (index.graph().fixedBytes > 0)
    sums["fixed"] = index.graph().fixedBytes;
  for (int32_t place : data.peak)
    sums[categoryOf(index, data.ranges[place])] += data.ranges[place].bytes;
  std::vector<std::pair<std::string, int64_t>> sorted(sums.begin(), sums.end());
  sortByKey(sorted, [](const auto &sum) { return -sum.second; });
  return sorted;
}

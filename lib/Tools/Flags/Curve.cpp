//===- Curve.cpp - What --pareto prints and writes ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/Curve.h"
#include "memplan/Plan/PlanJson.h"
#include "memplan/Support/OutputFile.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace memplan;

llvm::Error memplan::checkPareto(const PlanOptions &options) {
  if (options.pareto == 0)
    return options.paretoPlans.empty()
               ? llvm::Error::success()
               : llvm::createStringError(
                     "--pareto-plans is for --pareto, which is not given");
  if (options.budgetBytes || options.budgetShare || options.minBudget)
    return llvm::createStringError(
        "--pareto plans for all budgets, so --budget and --min-budget cannot "
        "be given too");
  return llvm::Error::success();
}

void memplan::printCurve(const PlanCurve &curve, llvm::raw_ostream &os) {
  if (curve.plans.empty())
    os << "no plan was found with any budget\n";
  else
    os << "  budget bytes of unplanned   arena bytes         time   overhead  "
          "      bound      gap  proof\n";
  for (const Plan &plan : curve.plans) {
    os << llvm::format("%14lld%11.1f %%",
                       static_cast<long long>(*plan.budgetBytes),
                       100 * double(*plan.budgetBytes) /
                           double(std::max<int64_t>(1, curve.unplannedBytes)))
       << llvm::format("%14lld",
                       static_cast<long long>(PlanCurve::arenaBytesOf(plan)))
       << llvm::format("%13.6g%9.3f %%", plan.makespan(),
                       curve.overheadOf(plan.makespan()))
       << llvm::format("%13.6g%7.3f %%", plan.bound.value_or(0),
                       PlanCurve::gapOf(plan))
       << "  " << plan.proof << ", " << plan.boundSpace << ", by "
       << plan.solver << '\n';
  }
}

llvm::Expected<std::vector<std::string>>
memplan::writePlansOf(const Graph &graph, const PlanCurve &curve,
                      llvm::StringRef folder) {
  std::vector<std::string> files;
  if (folder.empty())
    return files;
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(error, "the folder '" + folder +
                                              "' cannot be made");
  for (const Plan &plan : curve.plans) {
    std::string name;
    llvm::raw_string_ostream(name)
        << llvm::format("%02d.plan.json", int(files.size()) + 1);
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = writeFile(
            path, [&](llvm::raw_ostream &os) { writePlan(graph, plan, os); }))
      return std::move(error);
    files.push_back(std::string(path));
  }
  return files;
}

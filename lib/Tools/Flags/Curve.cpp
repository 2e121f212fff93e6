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
#include "memplan/Tools/PlanningFlags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace memplan;

llvm::Error memplan::checkPareto(const PlanOptions &options) {
  if (options.pareto == 0) {
    const char *given = !options.paretoPlans.empty()        ? "plans"
                        : !options.paretoBandwidths.empty() ? "bandwidths"
                                                            : nullptr;
    return given ? llvm::createStringError(
                       "--pareto-%s is for --pareto, which is not given", given)
                 : llvm::Error::success();
  }
  if (options.budgetBytes || options.budgetShare || options.minBudget)
    return llvm::createStringError(
        "--pareto plans for all budgets, so --budget and --min-budget cannot "
        "be given too");
  if (!options.paretoBandwidths.empty() &&
      (options.swap == PlanOptions().swap || options.bandwidth))
    return llvm::createStringError(
        "--pareto-bandwidths plans copies at several bandwidths, so it needs "
        "--swap, --swap=search for instance, and no --bandwidth");
  return llvm::Error::success();
}

static void printCurve(const PlanCurve &curve, llvm::raw_ostream &os) {
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
       << llvm::format("%13.6g%7.3f %%", curve.boundOf(plan), curve.gapOf(plan))
       << "  " << plan.proof << ", " << curve.boundSpaceOf(plan) << ", by "
       << plan.solver << '\n';
  }
}

llvm::Expected<std::vector<CurveAt>>
memplan::watchedCurves(const Graph &graph, PlanOptions options) {
  ProgressLine line("curve", options.limits.timeLimitSeconds);
  options.limits.progress = progressOn(line);
  // The first parts take longer than the others.
  return planCurves(graph, options, [&](int64_t done, int64_t all) {
    line.count(done, all, /*areEven=*/false);
  });
}

void memplan::printCurves(llvm::ArrayRef<CurveAt> curves,
                          llvm::raw_ostream &os) {
  for (const auto &[graph, curve] : curves) {
    if (curves.size() > 1)
      os << llvm::format("at %.6g to the device, %.6g to the host, latency "
                         "%.6g\n",
                         graph.bandwidth->hostToDevice.value_or(0),
                         graph.bandwidth->deviceToHost.value_or(0),
                         graph.bandwidth->latency);
    printCurve(curve, os);
  }
}

bool memplan::hasPlans(llvm::ArrayRef<CurveAt> curves) {
  return llvm::any_of(
      curves, [](const CurveAt &at) { return !at.curve.plans.empty(); });
}

static llvm::Expected<std::vector<std::string>>
writePlans(const CurveAt &at, llvm::StringRef folder) {
  const auto &[graph, curve] = at;
  std::vector<std::string> files;
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

llvm::Expected<std::vector<std::vector<std::string>>>
memplan::writePlansOf(llvm::ArrayRef<CurveAt> curves, llvm::StringRef folder) {
  std::vector<std::vector<std::string>> files;
  for (size_t i = 0; i < curves.size() && !folder.empty(); ++i) {
    llvm::SmallString<128> path(folder);
    if (curves.size() > 1)
      llvm::sys::path::append(path, llvm::Twine(i + 1));
    llvm::Expected<std::vector<std::string>> written =
        writePlans(curves[i], path);
    if (!written)
      return written.takeError();
    files.push_back(std::move(*written));
  }
  return files;
}

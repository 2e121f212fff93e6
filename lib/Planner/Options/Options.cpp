//===- Options.cpp - Setting planning options -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Options.h"
#include "memplan/Schedule/Liveness.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

std::string PlanningOption::describe(const PlanOptions &defaults) const {
  std::string text = get(defaults);
  if (text.empty() || value.empty())
    return help.str();
  return (help + " (default " + text + ")").str();
}

const PlanningOption *memplan::findOption(llvm::StringRef name) {
  auto found =
      llvm::find_if(planningOptions(), [&](const PlanningOption &option) {
        return option.name == name;
      });
  return found == planningOptions().end() ? nullptr : &*found;
}

llvm::Error memplan::setOption(PlanOptions &options, llvm::StringRef name,
                               llvm::StringRef text) {
  const PlanningOption *option = findOption(name);
  if (!option)
    return llvm::createStringError("unknown planning option '" + name + "'");
  if (llvm::Error error = option->set(options, text))
    return llvm::createStringError(name + ": " +
                                   llvm::toString(std::move(error)));
  return llvm::Error::success();
}

void memplan::resolveBudget(const GraphIndex &index, PlanOptions &options) {
  if (options.budgetShare)
    options.budgetBytes =
        options.budgetShare->ofBytes(measureUnplanned(index).peakBytes);
}

void memplan::applyCopyOptions(const PlanOptions &options, Graph &graph) {
  if (options.bandwidth)
    graph.bandwidth = options.bandwidth;
  if (options.hostBudgetBytes)
    graph.hostBudgetBytes = options.hostBudgetBytes;
}

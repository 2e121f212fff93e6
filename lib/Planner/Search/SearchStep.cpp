//===- SearchStep.cpp - The contracted step in flat arrays ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/SearchStep.h"
#include "StepBuilder.h"
#include <algorithm>

using namespace memplan;

double SearchUnits::limitFor(int64_t budgetBytes) const {
  const int64_t left = budgetBytes - residentBytes;
  return left <= 0 ? 0 : double(left >> shift);
}

double SearchUnits::excessOf(int64_t bytesOver, int64_t budgetBytes) const {
  const double units =
      limitFor(budgetBytes) - limitFor(budgetBytes - bytesOver);
  return bytesOver <= 0 ? units : std::max(1.0, units);
}

SearchStep::SearchStep(const ContractedStep &step) {
  StepBuilder(*this).build(step, nullptr);
}

SearchStep::SearchStep(const ContractedStep &step, const CopyRules &rules) {
  StepBuilder(*this).build(step, &rules);
}

int32_t SearchStep::valueRead(int32_t op, TensorId base) const {
  for (int32_t value : inputLists[op])
    if (tensors[value] == base)
      return value;
  return -1;
}

int32_t SearchStep::valueMade(int32_t op, TensorId base) const {
  for (int32_t value : outputLists[op])
    if (tensors[value] == base)
      return value;
  return -1;
}

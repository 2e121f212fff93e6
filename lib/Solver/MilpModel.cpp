//===- MilpModel.cpp - Linear models --------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Solver/MilpModel.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

int32_t MilpModel::addColumn(double lower, double upper, double cost,
                             bool isInteger) {
  columnLower.push_back(lower);
  columnUpper.push_back(upper);
  columnCost.push_back(cost);
  columnInteger.push_back(isInteger);
  return numColumns() - 1;
}

void MilpModel::addRow(llvm::ArrayRef<MilpTerm> rowTerms, Range range) {
  llvm::SmallVector<MilpTerm, 16> sorted(rowTerms.begin(), rowTerms.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const MilpTerm &a, const MilpTerm &b) {
              return a.column != b.column ? a.column < b.column
                                          : a.coefficient < b.coefficient;
            });
  const size_t begin = terms.size();
  for (const MilpTerm &term : sorted) {
    if (terms.size() > begin && terms.back().column == term.column)
      terms.back().coefficient += term.coefficient;
    else
      terms.push_back(term);
  }
  rowLower.push_back(range.lower);
  rowUpper.push_back(range.upper);
  rowStart.push_back(numTerms());
}

bool MilpModel::isFeasible(llvm::ArrayRef<double> values,
                           double tolerance) const {
  if (values.size() != columnCost.size())
    return false;
  for (size_t c = 0; c < values.size(); ++c) {
    if (values[c] < columnLower[c] - tolerance ||
        values[c] > columnUpper[c] + tolerance)
      return false;
    if (columnInteger[c] &&
        std::abs(values[c] - std::round(values[c])) > tolerance)
      return false;
  }
  for (int32_t r = 0; r < numRows(); ++r) {
    double sum = 0, size = 1;
    for (int64_t i = rowStart[r]; i < rowStart[r + 1]; ++i) {
      sum += terms[i].coefficient * values[terms[i].column];
      size = std::max(size, std::abs(terms[i].coefficient));
    }
    if (sum < rowLower[r] - tolerance * size ||
        sum > rowUpper[r] + tolerance * size)
      return false;
  }
  return true;
}

double MilpModel::objective(llvm::ArrayRef<double> values) const {
  double sum = 0;
  for (size_t c = 0; c < values.size(); ++c)
    sum += columnCost[c] * values[c];
  return sum;
}

llvm::Expected<std::unique_ptr<MilpBackend>>
memplan::createMilpBackend(llvm::StringRef name) {
  std::unique_ptr<MilpBackend> highs = createHighsBackend(),
                               cbc = createCbcBackend();
  if (name == "auto")
    return highs ? std::move(highs) : std::move(cbc);
  if (name == "highs" && highs)
    return std::move(highs);
  if (name == "cbc" && cbc)
    return std::move(cbc);
  return llvm::createStringError("memplan was built without the solver '" +
                                 name + "' of integer programs; there is " +
                                 llvm::StringRef(highs && cbc
                                                     ? "'highs' and 'cbc'"
                                                 : highs ? "'highs'"
                                                 : cbc   ? "'cbc'"
                                                         : "none"));
}

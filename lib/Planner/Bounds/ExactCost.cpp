//===- ExactCost.cpp - Costs as integers ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactCost.h"
#include <cmath>

using namespace memplan;

ExactCost::ExactCost(double totalCost) {
  int magnitude = 0;
  if (totalCost > 0)
    std::frexp(totalCost, &magnitude);
  exponent = magnitude - 80;
}

Int128 ExactCost::floor(double cost) const {
  if (!(cost > 0))
    return 0;
  const double units = std::floor(std::ldexp(cost, -exponent));
  return units < std::ldexp(1.0, 96) ? Int128(units) : Int128(1) << 96;
}

double ExactCost::toDouble(Int128 units) const {
  // The conversion rounds to nearest, by less than one step.
  const double rounded = std::ldexp(double(units), exponent);
  return std::nextafter(rounded, -std::numeric_limits<double>::infinity());
}

std::vector<Int128>
memplan::exactMultipliers(const ExactCost &unit,
                          llvm::ArrayRef<double> multipliers,
                          int64_t allBytes) {
  std::vector<Int128> exact;
  Int128 sum = 0;
  for (double multiplier : multipliers) {
    exact.push_back(unit.floor(multiplier));
    sum += exact.back();
  }
  const Int128 most = (Int128(1) << 96) / std::max<int64_t>(allBytes, 1);
  for (; sum > most; sum >>= 1)
    for (Int128 &multiplier : exact)
      multiplier >>= 1;
  return exact;
}

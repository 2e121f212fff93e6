//===- Front.cpp - Packed plans that no other one beats -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Front.h"

using namespace memplan;

void Front::add(PackedStep plan) {
  const int64_t bytes = plan.deviceBytes;
  const double cost = plan.plan.cost;
  const PackedStep *rival = cheapestWithin(bytes);
  if (rival && rival->plan.cost <= cost)
    return;
  auto next = plans.lower_bound(bytes);
  while (next != plans.end() && next->second.plan.cost >= cost)
    next = plans.erase(next);
  plans.emplace_hint(next, bytes, std::move(plan));
}

const PackedStep *Front::cheapestWithin(int64_t deviceBytes) const {
  auto above = plans.upper_bound(deviceBytes);
  return above == plans.begin() ? nullptr : &std::prev(above)->second;
}

//===- BranchOrder.cpp - Who goes first among equals ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchOrder.h"
#include "../Tuning.h"
#include <tuple>

using namespace memplan;

BranchOrder::BranchOrder(const ScaledPart &part)
    : part(part), noise(part.count, 1), keys(part.count) {}

void BranchOrder::startSearch(int64_t number) {
  if (number > 0)
    for (double &each : noise)
      each = tuning::leastNoise + tuning::noiseRange * random.unit();
}

template <typename Unit>
void BranchOrder::sort(std::span<int32_t> items,
                       const PartialPacking<Unit> &packing) {
  for (int32_t item : items) {
    Unit load = 0;
    for (int32_t section : part.sectionsOf.of(item))
      load = std::max(load, packing.totalOf(section));
    keys[item] = {-packing.blames()[item], -double(load),
                  -double(part.steps[item]) * noise[item]};
  }
  std::sort(items.begin(), items.end(), [&](int32_t a, int32_t b) {
    auto key = [&](int32_t i) {
      return std::tuple(keys[i].blame, keys[i].load, keys[i].life,
                        -part.sizes[i], i);
    };
    return key(a) < key(b);
  });
}

int64_t memplan::lubyLength(int64_t number) {
  for (++number;;) {
    int64_t power = 1;
    while (power - 1 < number)
      power *= 2;
    if (power - 1 == number)
      return power / 2;
    number -= power / 2 - 1;
  }
}

template void BranchOrder::sort(std::span<int32_t>,
                                const PartialPacking<int32_t> &);
template void BranchOrder::sort(std::span<int32_t>,
                                const PartialPacking<int64_t> &);

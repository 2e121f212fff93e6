//===- DtrChoice.cpp - Whom DTR evicts ------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrMachine.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

double DtrMachine::scoreOf(int32_t storage) {
  const eviction::Heuristic &heuristic = *policy.heuristic;
  eviction::Facts facts;
  facts.bytes = graph.bytes[size_t(storage)];
  facts.staleness = result.clock - lastAccess[size_t(storage)];
  facts.recomputations = recomputations[size_t(storage)];
  if (heuristic.neighbours != eviction::Neighbours::None)
    facts.cost = evicted.cost(numberOf[size_t(storage)], heuristic.neighbours);
  if (pool)
    facts.freeBytes = pool->freeBeside(addressOf[size_t(storage)], facts.bytes);
  return heuristic.score(facts, policy.exponents);
}

/// Storages that the policy looks at, in the order in which they came.
std::vector<int32_t> DtrMachine::consider() {
  std::vector<int32_t> found;
  auto look = [&](size_t place) {
    const int32_t storage = candidates[place];
    if (graph.bytes[size_t(storage)] > 0 &&
        graph.bytes[size_t(storage)] >= policy.leastBytes)
      found.push_back(storage);
  };
  if (policy.samples)
    sampler.sample(candidates.size(), look);
  // Where the sample has nothing, something else may still go.
  if (found.empty())
    for (size_t place = 0; place < candidates.size(); ++place)
      look(place);
  if (policy.smallShare == 0)
    return found;
  double sum = 0;
  for (int32_t storage : candidates)
    sum += double(graph.bytes[size_t(storage)]);
  const double least = policy.smallShare * sum / double(candidates.size());
  auto isSmall = [&](int32_t storage) {
    return double(graph.bytes[size_t(storage)]) < least;
  };
  if (!llvm::all_of(found, isSmall))
    llvm::erase_if(found, isSmall);
  return found;
}

int32_t DtrMachine::chooseVictim() {
  int32_t best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int32_t storage : consider()) {
    const double score = scoreOf(storage);
    if (score > least)
      continue;
    least = score; // The last of equals, as in the original, ...
    best = storage;
    if (score == 0) // ... but the first of those that cost nothing.
      break;
  }
  return best;
}

//===- Heuristics.h - Which tensor to evict ---------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the literature gives a resident tensor as a score; the one with the
// least goes. The runtime evicts by it while a step runs, the planner where it
// simulates such runs. This room needs the C++ standard library only.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_EVICTION_HEURISTICS_H
#define MEMPLAN_EVICTION_HEURISTICS_H

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace memplan::eviction {

/// Tensors whose recomputation a heuristic counts beside that of the tensor
/// itself.
enum class Neighbours : uint8_t {
  None,      ///< not even that
  Own,       ///< no other node's
  Ancestors, ///< evicted ones that it is made from
  Exact,     ///< and evicted ones that are made from it
  Components ///< whole components of evicted tensors, by union-find
};

/// What a heuristic looks at.
struct Facts {
  double cost = 0;       ///< of recomputing it, with its neighbours'
  int64_t bytes = 0;     ///< more than 0
  double staleness = 0;  ///< clock now less clock at its last access
  int64_t freeBytes = 0; ///< free on both sides of it
  int32_t recomputations = 0;
};

/// The exponents of the heuristic `megengine`.
struct Exponents {
  double cost = 1, bytes = 1, staleness = 1;
  /// What each recomputation so far multiplies the score with.
  double penalty = 1.0001;
};

struct Heuristic {
  std::string_view name;
  std::string_view summary;
  Neighbours neighbours;
  /// The tensor with the least is evicted; the later one of two equal ones.
  double (*score)(const Facts &facts, const Exponents &exponents);
};

/// h_dtr, e_star, local, msps, lru, size, megengine.
std::span<const Heuristic> heuristics();
/// Null where there is none of that name.
const Heuristic *findHeuristic(std::string_view name);
/// "h_dtr, e_star, ...".
std::string heuristicNames();

/// Candidates of n to look at: one of the first sqrt(n), and each one a stride
/// of 1 to sqrt(n) behind the one before. They are about 2 sqrt(n) in all, so
/// that every candidate has its chance. The same seed gives the same samples.
class Sampler {
public:
  explicit Sampler(uint64_t seed = 0) : random(seed) {}
  /// Calls `look` with the numbers, upwards.
  template <typename Look> void sample(size_t count, Look look) {
    auto most = size_t(1);
    while ((most + 1) * (most + 1) <= count)
      ++most;
    for (size_t i = count < 2 ? 0 : random() % most; i < count;
         i += 1 + random() % most)
      look(i);
  }

private:
  std::mt19937_64 random;
};

} // namespace memplan::eviction

#endif // MEMPLAN_EVICTION_HEURISTICS_H

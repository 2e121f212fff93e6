//===- Heuristics.cpp - Which tensor to evict -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: Kirisame et al., "Dynamic tensor rematerialization", ICLR 2021 (all
//   but the last); MegEngine's articles on DTR (megengine: bytes with the free
//   ones beside them, and a penalty on recomputations).
//
//===----------------------------------------------------------------------===//

#include "memplan/Eviction/Heuristics.h"

#include <cmath>
#include <limits>

namespace memplan::eviction {

/// What costs nothing goes first, whatever stands below the line.
static double ratio(double above, double below) {
  if (below > 0)
    return above / below;
  return above > 0 ? std::numeric_limits<double>::infinity() : 0;
}

static double perByteAndAge(const Facts &facts, const Exponents &) {
  return ratio(facts.cost, double(facts.bytes) * facts.staleness);
}
static double perByte(const Facts &facts, const Exponents &) {
  return ratio(facts.cost, double(facts.bytes));
}
static double oldest(const Facts &facts, const Exponents &) {
  return -facts.staleness;
}
static double largest(const Facts &facts, const Exponents &) {
  return ratio(1, double(facts.bytes));
}
static double megengine(const Facts &facts, const Exponents &exponents) {
  auto power = [](double base, double exponent) {
    return exponent == 1 ? base : std::pow(base, exponent);
  };
  const double mebibytes =
      (double(facts.bytes) + double(facts.freeBytes)) / (1024 * 1024);
  return power(facts.cost + 1e-3, exponents.cost) *
         std::pow(exponents.penalty, facts.recomputations) /
         (power(mebibytes, exponents.bytes) *
          power(facts.staleness + 1e-3, exponents.staleness));
}

static const Heuristic table[] = {
    {"h_dtr",
     "(cost with evicted ancestors and descendants) / (bytes * staleness)",
     Neighbours::Exact, perByteAndAge},
    {"e_star", "h_dtr with components of evicted tensors by union-find",
     Neighbours::Components, perByteAndAge},
    {"local", "(own cost) / (bytes * staleness)", Neighbours::Own,
     perByteAndAge},
    {"msps", "(cost with evicted ancestors) / bytes", Neighbours::Ancestors,
     perByte},
    {"lru", "the one that was not read for longest", Neighbours::None, oldest},
    {"size", "the largest one", Neighbours::None, largest},
    {"megengine",
     "cost with components, bytes with the free ones beside them, staleness "
     "and recomputations so far, with exponents",
     Neighbours::Components, megengine},
};

std::span<const Heuristic> heuristics() { return table; }

const Heuristic *findHeuristic(std::string_view name) {
  for (const Heuristic &heuristic : table)
    if (heuristic.name == name)
      return &heuristic;
  return nullptr;
}

std::string heuristicNames() {
  std::string names;
  for (const Heuristic &heuristic : table)
    names += (names.empty() ? "" : ", ") + std::string(heuristic.name);
  return names;
}

} // namespace memplan::eviction

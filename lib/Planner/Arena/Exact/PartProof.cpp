//===- PartProof.cpp - One part: packed, proved, or shown not to fit ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartProof.h"
#include "../PartSearch.h"
#include "../Tuning.h"
#include "BlockedSearch.h"
#include <algorithm>

using namespace memplan;

static void tryOrders(const PackPart &part, const ProofLimits &limits,
                      PartProof &proof) {
  PartSearch search(part);
  PartSearchLimits orders;
  orders.targetBytes = limits.goalBytes;
  orders.orders = limits.orders;
  orders.patience = limits.patience;
  orders.work = limits.work;
  orders.isStopped = limits.isStopped;
  orders.report = [&] {
    limits.report(std::min(search.heightBytes(), proof.heightBytes
                                                     ? proof.heightBytes
                                                     : search.heightBytes()));
  };
  search.run(orders);
  proof.orders += search.orders();
  if (!proof.offsets.empty() && search.heightBytes() >= proof.heightBytes)
    return;
  proof.heightBytes = search.heightBytes();
  proof.offsets = search.offsets();
}

PartProof memplan::packOnce(const PackPart &part) {
  PartProof proof;
  proof.boundBytes = part.boundBytes;
  ProofLimits once;
  once.orders = 1;
  once.report = [](int64_t) {};
  tryOrders(part, once, proof);
  return proof;
}

namespace {
/// Questions to one search: is there a packing within this height?
template <typename Unit> class Questions {
public:
  Questions(const PackPart &part, const ScaledPart &scaled,
            const ProofLimits &limits, PartProof &proof)
      : part(part), scaled(scaled), limits(limits), proof(proof),
        search(scaled) {}

  void run();

private:
  bool isOpen() const {
    return proof.heightBytes > limits.goalBytes &&
           proof.heightBytes > proof.boundBytes && spent() < limits.trials &&
           !limits.isStopped();
  }
  int64_t spent() const { return search.tried(); }
  /// True if that changed what is known.
  bool ask(int64_t heightBytes, int64_t trials);

  const PackPart &part;
  const ScaledPart &scaled;
  const ProofLimits &limits;
  PartProof &proof;
  BlockedSearch<Unit> search;
};
} // namespace

template <typename Unit>
bool Questions<Unit>::ask(int64_t heightBytes, int64_t trials) {
  const SearchAnswer answer = search.search(
      heightBytes, std::min(trials, limits.trials - spent()), [&] {
        limits.report(proof.heightBytes);
        return limits.isStopped();
      });
  if (answer == SearchAnswer::NoRoom)
    proof.boundBytes = std::max(proof.boundBytes, heightBytes + 1);
  if (answer != SearchAnswer::Packed)
    return answer == SearchAnswer::NoRoom;
  proof.offsets.clear();
  for (Unit offset : search.offsets())
    proof.offsets.push_back(int64_t(offset) * scaled.unitBytes);
  proof.heightBytes = part.heightOf(proof.offsets);
  return true;
}

/// Heights between the goal and the best, each with as much work as the others
/// before any gets more.
template <typename Unit> void Questions<Unit>::run() {
  if (limits.budgetBytes) {
    if (isOpen() && *limits.budgetBytes < proof.heightBytes)
      ask(*limits.budgetBytes, limits.trials);
    return;
  }
  for (int64_t slice = tuning::firstTrialsOfItem * int64_t(part.items.size());
       isOpen(); slice *= 2)
    for (int64_t eighths : tuning::heightsInEighths) {
      if (!isOpen())
        return;
      const int64_t lowest = std::max(proof.boundBytes, limits.goalBytes);
      ask(lowest + (proof.heightBytes - 1 - lowest) / 8 * eighths +
              (proof.heightBytes - 1 - lowest) % 8 * eighths / 8,
          slice);
    }
}

void memplan::improveProof(const PackPart &part, const ProofLimits &limits,
                           PartProof &proof) {
  const auto isDone = [&] {
    return proof.heightBytes <= std::max(limits.goalBytes, proof.boundBytes);
  };
  if (!isDone() && limits.orders > 0)
    tryOrders(part, limits, proof);
  // With less work the search could not even place each item twice.
  if (isDone() || limits.trials < 2 * int64_t(part.items.size()) ||
      limits.isStopped())
    return;
  const std::optional<ScaledPart> scaled = ScaledPart::make(part);
  if (!scaled)
    return;
  const auto ask = [&](auto questions) { questions.run(); };
  if (scaled->capacity(proof.heightBytes) < int64_t(1) << 29)
    ask(Questions<int32_t>(part, *scaled, limits, proof));
  else
    ask(Questions<int64_t>(part, *scaled, limits, proof));
  proof.trials = limits.trials;
}

//===- Stays.cpp - Where a swapped tensor is when -----------------------------
//===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stays.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

/// The runs that read what was never copied.
static int32_t findLastDirectUse(const RunValue &value,
                                 const SwappedValue &swapped) {
  int32_t last = value.producer;
  for (int32_t use : value.uses)
    if (llvm::none_of(swapped.ins, [&](const SwapIn &in) {
          return llvm::is_contained(in.consumers, use);
        }))
      last = std::max(last, use);
  return last;
}

static CopiedValue follow(const RunValue &value, const SwappedValue &swapped) {
  CopiedValue copied;
  copied.value = swapped.value;
  copied.lastBefore = findLastDirectUse(value, swapped);
  for (const SwapIn &in : swapped.ins) {
    const int32_t first = in.consumers.front(), last = in.consumers.back();
    // A level may run in any order, so that a control op of the consumer of
    // least level may come after another consumer.
    const Stay stay{std::min(in.control.value_or(first - 1), first - 1), first,
                    last};
    int32_t &lastSoFar =
        copied.stays.empty() ? copied.lastBefore : copied.stays.back().last;
    if (stay.issueAfter <= lastSoFar)
      lastSoFar = std::max(lastSoFar, last);
    else
      copied.stays.push_back(stay);
  }
  return copied;
}

std::vector<CopiedValue> memplan::findStays(const RunGraph &graph,
                                            const Rewriting &rewriting) {
  std::vector<CopiedValue> result;
  for (const SwappedValue &swapped : rewriting.swapped) {
    CopiedValue copied = follow(graph.values[swapped.value], swapped);
    if (!copied.stays.empty())
      result.push_back(std::move(copied));
  }
  return result;
}

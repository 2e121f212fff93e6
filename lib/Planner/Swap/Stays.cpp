//===- Stays.cpp - Where a swapped tensor is when -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stays.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

/// The runs that read what was never copied.
static int32_t findLastDirectUse(const RunValue &value,
                                 const SwappedValue &swapped) {
  std::vector<int32_t> later = swapped.views;
  for (const SwapIn &in : swapped.ins)
    later.insert(later.end(), in.consumers.begin(), in.consumers.end());
  llvm::sort(later);
  int32_t last = value.producer;
  for (int32_t use : value.uses)
    if (!std::binary_search(later.begin(), later.end(), use))
      last = std::max(last, use);
  return last;
}

/// A run that makes a view comes after the fetch for the view's user.
static void fetchForViews(const std::vector<int32_t> &views,
                          std::vector<Stay> &stays) {
  for (int32_t view : views) {
    Stay *next = nullptr;
    for (Stay &stay : stays)
      if (stay.last > view && (!next || stay.first < next->first))
        next = &stay;
    if (!next) {
      stays.push_back({view - 1, view, view});
    } else if (next->first > view) {
      next->issueAfter = std::min(next->issueAfter, view - 1);
      next->first = view;
    }
  }
}

static CopiedValue follow(const RunValue &value, const SwappedValue &swapped) {
  CopiedValue copied;
  copied.value = swapped.value;
  copied.lastBefore = findLastDirectUse(value, swapped);
  std::vector<Stay> stays;
  for (const SwapIn &in : swapped.ins) {
    const int32_t first = in.consumers.front();
    // A level may run in any order, so that a control op of the consumer of
    // least level may come after another consumer.
    stays.push_back({std::min(in.control.value_or(first - 1), first - 1), first,
                     in.consumers.back()});
  }
  fetchForViews(swapped.views, stays);
  llvm::sort(stays, [](const Stay &a, const Stay &b) {
    return std::pair(a.issueAfter, a.first) < std::pair(b.issueAfter, b.first);
  });
  for (const Stay &stay : stays) {
    const bool isFirst = copied.stays.empty();
    int32_t &last = isFirst ? copied.lastBefore : copied.stays.back().last;
    if (stay.issueAfter > last) {
      copied.stays.push_back(stay);
      continue;
    }
    last = std::max(last, stay.last);
    if (!isFirst)
      copied.stays.back().first =
          std::min(copied.stays.back().first, stay.first);
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

//===- RankedOrders.cpp - Orders by what items are ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankedOrders.h"
#include "Tuning.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

using namespace memplan;

RankedOrders::RankedOrders(std::span<const Rectangle> items, int32_t points)
    : items(items), points(points) {
  measureLoads();
}

void RankedOrders::measureLoads() {
  // A binary tree of the most bytes that are live at the points below.
  const std::size_t leaves = std::bit_ceil(std::size_t(std::max(points, 1)));
  std::vector<int64_t> tree(2 * leaves);
  for (const Rectangle &item : items) {
    tree[leaves + item.first] += item.bytes;
    if (item.last < points)
      tree[leaves + item.last] -= item.bytes;
  }
  for (int32_t point = 1; point < points; ++point)
    tree[leaves + point] += tree[leaves + point - 1];
  peak = static_cast<int32_t>(
      std::max_element(tree.begin() + leaves, tree.begin() + leaves + points) -
      tree.begin() - leaves);
  for (std::size_t i = leaves - 1; i > 0; --i)
    tree[i] = std::max(tree[2 * i], tree[2 * i + 1]);
  mosts.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    int64_t most = 0;
    std::size_t low = leaves + items[i].first, high = leaves + items[i].last;
    for (; low < high; low >>= 1, high >>= 1) {
      if (low & 1)
        most = std::max(most, tree[low++]);
      if (high & 1)
        most = std::max(most, tree[--high]);
    }
    mosts[i] = most;
  }
}

double RankedOrders::measure(char letter, std::size_t i) const {
  const Rectangle &item = items[i];
  switch (letter) {
  case 'T':
    return double(mosts[i]);
  case 'W':
    return double(item.steps);
  case 'C':
    return double(item.last - item.first);
  case 'Z':
    return double(item.bytes);
  case 'A':
    return double(item.bytes) * double(item.steps);
  case 'P':
    return -double(std::max({0, item.first - peak, peak - item.last + 1}));
  }
  assert(false && "no such letter");
  return 0;
}

std::vector<int32_t> RankedOrders::by(std::string_view letters) const {
  struct Key {
    std::array<double, 3> measures;
    int32_t item;
  };
  assert(letters.size() <= 3);
  std::vector<Key> keys(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    keys[i] = {{}, static_cast<int32_t>(i)};
    for (std::size_t k = 0; k < letters.size(); ++k)
      keys[i].measures[k] = -measure(letters[k], i);
  }
  std::sort(keys.begin(), keys.end(), [](const Key &a, const Key &b) {
    return a.measures != b.measures ? a.measures < b.measures : a.item < b.item;
  });
  std::vector<int32_t> order;
  order.reserve(keys.size());
  for (const Key &key : keys)
    order.push_back(key.item);
  return order;
}

/// The logarithm to base two where that is whole, and linear in between, which
/// every machine rounds alike. `x`: positive.
static double log2Linear(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent); // In [0.5, 1).
  return exponent + 2 * fraction;
}

std::vector<int32_t> RankedOrders::by(const OrderWeights &weights) const {
  std::vector<std::pair<double, int32_t>> keys(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Rectangle &item = items[i];
    const double sum =
        weights.mostBytes * tuning::scaleOfMostBytes *
            log2Linear(double(mosts[i])) +
        weights.steps * log2Linear(double(std::max<int64_t>(1, item.steps))) +
        weights.bytes * log2Linear(double(item.bytes)) +
        tuning::scaleOfPlaces / points *
            (weights.first * item.first + weights.last * item.last);
    keys[i] = {-sum, static_cast<int32_t>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> order;
  order.reserve(keys.size());
  for (const auto &[key, item] : keys)
    order.push_back(item);
  return order;
}

//===- IndexCases.cpp - Places along a dimension, line by line ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace memplan::runtime::conformance {

/// Calls f(place of element i of a line) for each line, where
/// place(tensor, i) is the number of its element.
template <typename F>
static void eachLine(const Shape &shape, size_t axis, const F &f) {
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    (d < axis ? outer : d > axis ? inner : outer) *= d == axis ? 1 : shape[d];
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t j = 0; j < inner; ++j)
      f([=](const TestTensor &tensor, int64_t i) {
        return size_t((o * tensor.shape[axis] + i) * inner + j);
      });
}

static Shape resized(Shape shape, size_t axis, int64_t size) {
  shape[axis] = size;
  return shape;
}

static void addTopK(std::vector<Case> &cases, const TestTensor &x, size_t axis,
                    int64_t k, bool smallest) {
  cases.push_back(makeCase(
      "memplan.topk",
      "axis " + std::to_string(axis) + ", k " + std::to_string(k) +
          (smallest ? ", smallest" : ""),
      {x},
      {attribute("axis", int64_t(axis)), attribute("k", k),
       attribute("smallest", int64_t(smallest))},
      [=](const std::vector<TestTensor> &in) {
        const Shape shape = resized(x.shape, axis, k);
        TestTensor values{shape, Values(size_t(count(shape)))};
        TestTensor indices{shape, Values(size_t(count(shape))), DType::I64};
        eachLine(x.shape, axis, [&](auto place) {
          auto key = [&](int64_t i) {
            double v = in[0].values[place(x, i)];
            v = std::isnan(v) ? INFINITY : v;
            return smallest ? v : -v;
          };
          std::vector<int64_t> order(size_t(x.shape[axis]));
          std::iota(order.begin(), order.end(), 0);
          std::sort(order.begin(), order.end(), [&](auto a, auto b) {
            return std::pair(key(a), a) < std::pair(key(b), b);
          });
          for (int64_t i = 0; i < k; ++i) {
            values.values[place(values, i)] =
                in[0].values[place(x, order[size_t(i)])];
            indices.values[place(values, i)] = double(order[size_t(i)]);
          }
        });
        return std::vector<TestTensor>{values, indices};
      }));
}

/// gather, its gradient and scatter of one shape: lines of `length`, of which
/// `chosen` places are named.
static void addPlaces(std::vector<Case> &cases, const Shape &shape, size_t axis,
                      int64_t chosen, uint64_t seed, DType dtype) {
  const int64_t length = shape[axis];
  TestTensor x = random(shape, seed), base = random(shape, seed + 1);
  TestTensor indices =
      randomInts(resized(shape, axis, chosen), seed + 2, length);
  TestTensor source = random(indices.shape, seed + 3);
  if (dtype != DType::F32)
    for (TestTensor *tensor : {&x, &base, &source}) {
      *tensor = randomInts(tensor->shape, seed++, 100);
      tensor->dtype = dtype;
    }
  const std::string variant = typeText(dtype, shape) + ", axis " +
                              std::to_string(axis) + ", " +
                              std::to_string(chosen) + " places";
  const Attribute along = attribute("axis", int64_t(axis));
  cases.push_back(
      makeCase("memplan.gather", variant, {x, indices}, {along},
               [=](const std::vector<TestTensor> &in) {
                 TestTensor y{indices.shape, source.values, dtype};
                 eachLine(shape, axis, [&](auto place) {
                   for (int64_t i = 0; i < chosen; ++i)
                     y.values[place(y, i)] = in[0].values[place(
                         x, int64_t(indices.values[place(indices, i)]))];
                 });
                 return std::vector<TestTensor>{y};
               }));
  auto put = [=](TestTensor y, bool adds) {
    eachLine(shape, axis, [&](auto place) {
      for (int64_t i = 0; i < chosen; ++i) {
        double &to =
            y.values[place(y, int64_t(indices.values[place(indices, i)]))];
        to = (adds ? to : 0) + source.values[place(source, i)];
      }
    });
    return std::vector<TestTensor>{y};
  };
  const std::vector<Attribute> sized{along, attribute("size", length)};
  TestTensor zeros{shape, Values(base.values.size()), dtype};
  if (dtype == DType::F32)
    cases.push_back(makeCase("memplan.gather_grad", variant, {indices, source},
                             sized,
                             [=](const auto &) { return put(zeros, true); }));
  cases.push_back(makeCase("memplan.scatter", variant, {indices, source}, sized,
                           [=](const auto &) { return put(zeros, false); }));
  cases.push_back(makeCase("memplan.scatter", variant + " of a base",
                           {indices, source, base}, sized,
                           [=](const auto &) { return put(base, false); }));
}

static void addCumSum(std::vector<Case> &cases, const Shape &shape, size_t axis,
                      bool reverse) {
  TestTensor x = random(shape, 8300 + axis);
  cases.push_back(
      makeCase("memplan.cumsum", "axis " + std::to_string(axis), {x},
               {attribute("axis", int64_t(axis)),
                attribute("reverse", int64_t(reverse))},
               [=](const std::vector<TestTensor> &in) {
                 TestTensor y = in[0];
                 const int64_t length = shape[axis];
                 eachLine(shape, axis, [&](auto place) {
                   double sum = 0;
                   for (int64_t i = 0; i < length; ++i) {
                     size_t at = place(y, reverse ? length - 1 - i : i);
                     y.values[at] = sum += in[0].values[at];
                   }
                 });
                 return std::vector<TestTensor>{y};
               }));
}

void addIndexCases(std::vector<Case> &cases) {
  for (bool smallest : {false, true}) {
    addTopK(cases, random({7, 9}, 8200), 1, 3, smallest);
    addTopK(cases, random({4, 9, 5}, 8201), 1, 9, smallest);
    addTopK(cases, random({6, 3}, 8202), 0, 1, smallest);
    // Of equals the first one counts.
    TestTensor equals = randomInts({5, 40}, 8203, 4);
    equals.dtype = DType::F32;
    addTopK(cases, equals, 1, 25, smallest);
    TestTensor missing = random({2, 6}, 8204);
    missing.values[3] = missing.values[7] = NAN;
    addTopK(cases, missing, 1, 6, smallest);
    missing.values[8] = -INFINITY;
    addTopK(cases, missing, 1, 2, smallest);
  }
  addTopK(cases, random({300, 70}, 8205), 1, 8, false);
  addPlaces(cases, {6, 8}, 1, 3, 8210, DType::F32);
  addPlaces(cases, {5, 7, 4}, 1, 12, 8220, DType::F32); // places repeat
  addPlaces(cases, {9, 3}, 0, 2, 8230, DType::F32);
  addPlaces(cases, {4}, 0, 6, 8240, DType::F32);
  addPlaces(cases, {64, 5, 90}, 1, 3, 8250, DType::F32);
  addPlaces(cases, {3, 8}, 1, 5, 8260, DType::I64);
  addPlaces(cases, {3, 8}, 0, 5, 8270, DType::I8);
  addCumSum(cases, {6, 9}, 1, false);
  addCumSum(cases, {3, 7, 5}, 1, true);
  addCumSum(cases, {130, 70}, 0, false);
}

} // namespace memplan::runtime::conformance

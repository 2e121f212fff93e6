//===- SoftmaxCases.cpp - Softmax and mask against their definitions ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

static Formula softmax(size_t axis) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out = in[0];
    int64_t step = 1;
    for (size_t d = axis + 1; d < out.shape.size(); ++d)
      step *= out.shape[d];
    int64_t length = out.shape[axis];
    auto line = [&](size_t i) {
      auto at = int64_t(i);
      return at / (step * length) * step * length + at % step;
    };
    for (size_t i = 0; i < out.values.size(); ++i) {
      double sum = 0;
      for (int64_t k = 0; k < length; ++k)
        sum += std::exp(in[0].values[size_t(line(i) + k * step)] -
                        in[0].values[i]);
      out.values[i] = 1 / sum;
    }
    return std::vector<TestTensor>{out};
  };
}

static void addSoftmax(std::vector<Case> &cases, const Shape &shape,
                       int64_t axis, uint64_t seed) {
  auto normal = size_t(axis < 0 ? axis + int64_t(shape.size()) : axis);
  Formula forward = softmax(normal);
  TestTensor x = random(shape, seed, -8, 8);
  std::string variant = "axis " + std::to_string(axis);
  cases.push_back(makeCase("memplan.softmax", variant, {x},
                           {attribute("axis", axis)}, forward));
  TestTensor dy = random(shape, seed + 1), y = forward({x})[0];
  for (double &value : y.values)
    value = rounded(value);
  if (count(shape) < 500)
    cases.push_back(makeCase("memplan.softmax_grad", variant, {y, dy},
                             {attribute("axis", axis)}, [&](const auto &) {
                               return std::vector<TestTensor>{
                                   numericGradient(forward, {x}, 0, dy)};
                             }));
}

void addSoftmaxCases(std::vector<Case> &cases) {
  addSoftmax(cases, {4, 7}, 1, 4000);
  addSoftmax(cases, {4, 7}, -1, 4010);
  addSoftmax(cases, {2, 5, 3}, 1, 4020);
  addSoftmax(cases, {6}, 0, 4030);
  addSoftmax(cases, {2, 3, 4, 5}, 3, 4040);
  addSoftmax(cases, {60, 200}, 1, 4050);

  // Masked scores are -inf; their weight is 0 and nothing becomes NaN.
  cases.push_back(makeCase(
      "memplan.softmax", "minus infinity", {{{1, 3}, {1, -INFINITY, 1}}},
      {attribute("axis", int64_t(1))}, [](const auto &) {
        return std::vector<TestTensor>{{{1, 3}, {0.5, 0, 0.5}}};
      }));

  for (Shape shape : {Shape{4, 4}, Shape{2, 3, 5, 5}, Shape{2, 3, 5}})
    for (double fill : {-double(INFINITY), 0.0})
      cases.push_back(makeCase(
          "memplan.causal_mask", "fill " + std::to_string(fill),
          {random(shape, 4060)}, {attribute("fill", fill)},
          [&](const auto &in) {
            TestTensor out = in[0];
            int64_t width = shape.back(), height = shape[shape.size() - 2];
            for (int64_t i = 0; i < count(shape); ++i)
              if (i % width > i / width % height)
                out.values[size_t(i)] = fill;
            return std::vector<TestTensor>{out};
          }));
}

} // namespace memplan::runtime::conformance

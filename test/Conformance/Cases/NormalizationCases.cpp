//===- NormalizationCases.cpp - Normalizations against their definitions --===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::conformance {

static constexpr double epsilon = 1e-5;

namespace {
/// Which group of values, and which scale, an element belongs to.
struct Grouping {
  int64_t groups, scales;
  std::function<int64_t(int64_t)> groupOf, scaleOf;
  Shape groupShape;
};
} // namespace

static Grouping byChannel(const Shape &shape) {
  int64_t inner = 1;
  for (size_t d = 2; d < shape.size(); ++d)
    inner *= shape[d];
  auto channel = [=](int64_t i) { return i / inner % shape[1]; };
  return {shape[1], shape[1], channel, channel, {shape[1]}};
}

static Grouping byRow(const Shape &shape) {
  int64_t width = shape.back();
  return {count(shape) / width, width, [=](int64_t i) { return i / width; },
          [=](int64_t i) { return i % width; },
          Shape(shape.begin(), shape.end() - 1)};
}

/// in: x, scale, bias. out: y, mean, inverse deviation, unbiased variance.
static Formula normalize(const Grouping &g, bool withVariance) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor y = in[0];
    TestTensor mean{g.groupShape, Values(size_t(g.groups))};
    TestTensor invstd = mean, variance = mean;
    double size = double(y.values.size()) / double(g.groups);
    for (size_t i = 0; i < y.values.size(); ++i)
      mean.values[size_t(g.groupOf(int64_t(i)))] += y.values[i] / size;
    for (size_t i = 0; i < y.values.size(); ++i) {
      auto group = size_t(g.groupOf(int64_t(i)));
      double d = in[0].values[i] - mean.values[group];
      variance.values[group] += d * d;
    }
    for (size_t group = 0; group < size_t(g.groups); ++group) {
      invstd.values[group] =
          1 / std::sqrt(variance.values[group] / size + epsilon);
      variance.values[group] /= size > 1 ? size - 1 : 1;
    }
    for (size_t i = 0; i < y.values.size(); ++i) {
      auto group = size_t(g.groupOf(int64_t(i)));
      auto scale = size_t(g.scaleOf(int64_t(i)));
      y.values[i] = (in[0].values[i] - mean.values[group]) *
                        invstd.values[group] * in[1].values[scale] +
                    in[2].values[scale];
    }
    std::vector<TestTensor> out{y, mean, invstd};
    if (withVariance)
      out.push_back(variance);
    return out;
  };
}

/// in: dy, x, scale, mean, inverse deviation. out: their gradients of x, scale
/// and bias, as formulas: differences of large tensors take too long.
static Formula normalizeGrad(const Grouping &g) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor dx = in[1], dscale = in[2], dbias = in[2];
    std::fill(dscale.values.begin(), dscale.values.end(), 0.0);
    dbias = dscale;
    Values grads(size_t(g.groups)), products(size_t(g.groups));
    const double size = double(dx.values.size()) / double(g.groups);
    auto at = [&](size_t i, double &h, double &grad) {
      const auto group = size_t(g.groupOf(int64_t(i)));
      h = (in[1].values[i] - in[3].values[group]) * in[4].values[group];
      grad = in[0].values[i] * in[2].values[size_t(g.scaleOf(int64_t(i)))];
      return group;
    };
    double h = 0, grad = 0;
    for (size_t i = 0; i < dx.values.size(); ++i) {
      const size_t group = at(i, h, grad);
      grads[group] += grad / size;
      products[group] += grad * h / size;
      const auto scale = size_t(g.scaleOf(int64_t(i)));
      dscale.values[scale] += in[0].values[i] * h;
      dbias.values[scale] += in[0].values[i];
    }
    for (size_t i = 0; i < dx.values.size(); ++i) {
      const size_t group = at(i, h, grad);
      dx.values[i] =
          in[4].values[group] * (grad - grads[group] - h * products[group]);
    }
    return std::vector<TestTensor>{dx, dscale, dbias};
  };
}

static void addNorm(std::vector<Case> &cases, const std::string &kernel,
                    const std::string &variant, const Shape &shape,
                    const Grouping &g, bool withVariance, uint64_t seed) {
  TestTensor x = random(shape, seed, -1, 3);
  TestTensor scale = random({g.scales}, seed + 1, 0.5, 1.5);
  TestTensor bias = random({g.scales}, seed + 2);
  Formula forward = normalize(g, withVariance);
  cases.push_back(makeCase(kernel, variant, {x, scale, bias},
                           {attribute("epsilon", epsilon)}, forward));
  TestTensor dy = random(shape, seed + 3);
  std::vector<TestTensor> saved = forward({x, scale, bias});
  for (int i : {1, 2})
    for (double &value : saved[size_t(i)].values)
      value = rounded(value);
  const std::vector<TestTensor> operands = {dy, x, scale, saved[1], saved[2]};
  if (count(shape) > 500) {
    cases.push_back(
        makeCase(kernel + "_grad", variant, operands, {}, normalizeGrad(g)));
    // Sums of many terms that cancel.
    cases.back().tolerance = 1e-4;
    return;
  }
  cases.push_back(
      makeCase(kernel + "_grad", variant, operands, {}, [&](const auto &) {
        std::vector<TestTensor> in{x, scale, bias};
        return std::vector<TestTensor>{numericGradient(forward, in, 0, dy),
                                       numericGradient(forward, in, 1, dy),
                                       numericGradient(forward, in, 2, dy)};
      }));
}

void addNormalizationCases(std::vector<Case> &cases) {
  uint64_t seed = 3000;
  for (Shape shape : {Shape{4, 3, 5, 2}, Shape{6, 4}, Shape{2, 1, 7},
                      Shape{3, 2, 1, 1}, Shape{2, 5, 40, 30}, Shape{2, 3, 9, 5},
                      Shape{8, 2, 40, 30}, Shape{600, 70}, Shape{20, 300}})
    addNorm(cases, "memplan.batch_norm", "rank " + std::to_string(shape.size()),
            shape, byChannel(shape), true, seed += 10);
  for (Shape shape : {Shape{6, 8}, Shape{2, 3, 5}, Shape{9}, Shape{3, 70},
                      Shape{70, 300}, Shape{300, 3}})
    addNorm(cases, "memplan.layer_norm",
            "width " + std::to_string(shape.back()), shape, byRow(shape), false,
            seed += 10);
  cases.push_back(
      makeCase("memplan.batch_norm_update_stats", "",
               {random({5}, 1), random({5}, 2), random({5}, 3), random({5}, 4)},
               {attribute("momentum", 0.1)}, [](const auto &in) {
                 std::vector<TestTensor> out{in[0], in[1]};
                 for (size_t which : {0, 1})
                   for (size_t i = 0; i < 5; ++i)
                     out[which].values[i] = 0.9 * in[which].values[i] +
                                            0.1 * in[which + 2].values[i];
                 return out;
               }));
}

} // namespace memplan::runtime::conformance

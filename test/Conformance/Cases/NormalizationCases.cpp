//===- NormalizationCases.cpp - Normalizations against their definitions --===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

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

static void addNorm(std::vector<Case> &cases, const std::string &kernel,
                    const std::string &variant, const Shape &shape,
                    const Grouping &g, bool withVariance, uint64_t seed) {
  TestTensor x = random(shape, seed, -1, 3);
  TestTensor scale = random({g.scales}, seed + 1, 0.5, 1.5);
  TestTensor bias = random({g.scales}, seed + 2);
  Formula forward = normalize(g, withVariance);
  cases.push_back(makeCase(kernel, variant, {x, scale, bias},
                           {attribute("epsilon", epsilon)}, forward));
  if (count(shape) > 500)
    return;
  TestTensor dy = random(shape, seed + 3);
  std::vector<TestTensor> saved = forward({x, scale, bias});
  for (int i : {1, 2})
    for (double &value : saved[size_t(i)].values)
      value = rounded(value);
  cases.push_back(makeCase(
      kernel + "_grad", variant, {dy, x, scale, saved[1], saved[2]}, {},
      [&](const auto &) {
        std::vector<TestTensor> in{x, scale, bias};
        return std::vector<TestTensor>{numericGradient(forward, in, 0, dy),
                                       numericGradient(forward, in, 1, dy),
                                       numericGradient(forward, in, 2, dy)};
      }));
}

void addNormalizationCases(std::vector<Case> &cases) {
  uint64_t seed = 3000;
  for (Shape shape :
       {Shape{4, 3, 5, 2}, Shape{6, 4}, Shape{2, 1, 7}, Shape{3, 2, 1, 1},
        Shape{2, 5, 40, 30}, Shape{2, 3, 9, 5}})
    addNorm(cases, "memplan.batch_norm", "rank " + std::to_string(shape.size()),
            shape, byChannel(shape), true, seed += 10);
  for (Shape shape :
       {Shape{6, 8}, Shape{2, 3, 5}, Shape{9}, Shape{3, 70}, Shape{70, 300}})
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

//===- ReductionCases.cpp - Reductions and repetitions, index by index ----===//
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

using Dims = std::vector<int64_t>;

static bool contains(const Dims &dims, size_t d) {
  return std::find(dims.begin(), dims.end(), int64_t(d)) != dims.end();
}

static Shape without(const Shape &shape, const Dims &dims, bool keep) {
  Shape result;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!contains(dims, d) || keep)
      result.push_back(contains(dims, d) ? 1 : shape[d]);
  return result;
}

/// For each element of `shape`, its element in the shape without `dims`.
static std::vector<size_t> elementWithout(const Shape &shape,
                                          const Dims &dims) {
  std::vector<size_t> result;
  for (int64_t i = 0; i < count(shape); ++i) {
    int64_t rest = i, target = 0, step = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      if (!contains(dims, d)) {
        target += rest % shape[d] * step;
        step *= shape[d];
      }
      rest /= shape[d];
    }
    result.push_back(size_t(target));
  }
  return result;
}

static Formula reduce(Dims dims, bool keep, bool mean) {
  return [=](const std::vector<TestTensor> &in) {
    Shape shape = without(in[0].shape, dims, keep);
    TestTensor out{shape, Values(size_t(count(shape)))};
    std::vector<size_t> target = elementWithout(in[0].shape, dims);
    for (size_t i = 0; i < target.size(); ++i)
      out.values[target[i]] += in[0].values[i];
    double size = double(in[0].values.size()) / double(out.values.size());
    for (double &value : out.values)
      value /= mean ? size : 1;
    return std::vector<TestTensor>{out};
  };
}

static Formula repeat(Shape shape, Dims dims, double factor) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out{shape, Values(size_t(count(shape))), in[0].dtype};
    std::vector<size_t> source = elementWithout(shape, dims);
    for (size_t i = 0; i < source.size(); ++i)
      out.values[i] = in[0].values[source[i]] * factor;
    return std::vector<TestTensor>{out};
  };
}

static void addReduction(std::vector<Case> &cases, const Shape &shape,
                         const Dims &dims, uint64_t seed) {
  Dims sizes;
  double size = 1;
  for (int64_t d : dims) {
    sizes.push_back(shape[size_t(d)]);
    size *= double(shape[size_t(d)]);
  }
  std::string variant = typeText(DType::F32, shape);
  for (bool keep : {false, true}) {
    std::vector<Attribute> attributes{attribute("dims", dims)};
    if (keep)
      attributes.push_back(attribute("keepdims", int64_t(1)));
    TestTensor x = random(shape, seed++);
    cases.push_back(makeCase("memplan.reduce_sum", variant, {x}, attributes,
                             reduce(dims, keep, false)));
    cases.push_back(makeCase("memplan.reduce_mean", variant, {x}, attributes,
                             reduce(dims, keep, true)));
    std::vector<Attribute> grad = attributes;
    grad.push_back(attribute("sizes", sizes));
    TestTensor dy = random(without(shape, dims, keep), seed++);
    cases.push_back(makeCase("memplan.reduce_mean_grad", variant, {dy}, grad,
                             repeat(shape, dims, 1 / size)));
    if (keep)
      continue;
    cases.push_back(makeCase("memplan.broadcast", variant, {dy}, grad,
                             repeat(shape, dims, 1)));
  }
}

static std::vector<TestTensor> normOf(const std::vector<TestTensor> &in) {
  double sum = 0;
  for (const TestTensor &tensor : in)
    for (double value : tensor.values)
      sum += value * value;
  return {{{}, {std::sqrt(sum)}, in[0].dtype}};
}

static void addGlobalNorm(std::vector<Case> &cases,
                          std::initializer_list<Shape> shapes, uint64_t seed) {
  std::vector<TestTensor> inputs;
  std::string variant;
  for (const Shape &shape : shapes) {
    inputs.push_back(random(shape, seed++));
    variant += (variant.empty() ? "" : ", ") + typeText(DType::F32, shape);
  }
  cases.push_back(makeCase("memplan.global_norm", variant, inputs, {}, normOf));
}

/// One number that is not finite, far back, or large ones alone.
static void addNonFinite(std::vector<Case> &cases, double value,
                         double expected) {
  std::vector<TestTensor> inputs{random({63}, 6930), random({}, 6931),
                                 random({129, 64}, 6932)};
  for (double &number : inputs[2].values)
    number *= 1e30;
  inputs[2].values[129 * 64 - 1] = value;
  cases.push_back(makeCase(
      "memplan.non_finite", std::to_string(value), inputs, {},
      [=](const auto &) { return std::vector<TestTensor>{{{}, {expected}}}; }));
}

void addReductionCases(std::vector<Case> &cases) {
  const double infinity = std::numeric_limits<double>::infinity();
  addNonFinite(cases, 3e38, 0);
  addNonFinite(cases, infinity, 1);
  addNonFinite(cases, -infinity, 1);
  addNonFinite(cases, std::numeric_limits<double>::quiet_NaN(), 1);
  addGlobalNorm(cases, {{}}, 6900);
  addGlobalNorm(cases, {{3, 4}}, 6910);
  addGlobalNorm(cases, {{63}, {65}, {}, {2, 3, 5}, {64, 129}}, 6920);
  uint64_t seed = 6000;
  addReduction(cases, {4, 5}, {0}, seed += 10);
  addReduction(cases, {4, 5}, {1}, seed += 10);
  addReduction(cases, {4, 5}, {0, 1}, seed += 10);
  addReduction(cases, {2, 3, 4, 5}, {0, 2, 3}, seed += 10);
  addReduction(cases, {2, 3, 4, 5}, {1, 3}, seed += 10);
  addReduction(cases, {2, 3, 4, 5}, {2, 0}, seed += 10);
  addReduction(cases, {3, 4, 5}, {}, seed += 10);
  addReduction(cases, {}, {}, seed += 10);
  addReduction(cases, {300, 150}, {0}, seed += 10);
  addReduction(cases, {7, 9000}, {1}, seed += 10);
  cases.push_back(
      makeCase("memplan.broadcast", "integers", {randomInts({3}, 1, 9)},
               {attribute("dims", Dims{0}), attribute("sizes", Dims{2})},
               repeat({2, 3}, {0}, 1)));
}

} // namespace memplan::runtime::conformance

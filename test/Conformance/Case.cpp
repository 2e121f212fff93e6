//===- Case.cpp - One call of a kernel and what it must give --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace memplan::runtime::conformance {

int64_t count(const Shape &shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

double rounded(double value) { return double(float(value)); }

double nearest(double value, DType type) {
  if (type == DType::F32)
    return rounded(value);
  if (value == 0 || !std::isfinite(value))
    return value;
  const int digits = type == DType::BF16 ? 8 : 11;
  const int least = type == DType::BF16 ? -126 : -14;
  const int most = type == DType::BF16 ? 128 : 16;
  const int exponent = std::max(std::ilogb(value), least);
  const double unit = std::ldexp(1.0, exponent - digits + 1);
  const double result = std::nearbyint(value / unit) * unit;
  return std::fabs(result) < std::ldexp(1.0, most)
             ? result
             : std::copysign(INFINITY, value);
}

/// SplitMix64.
static uint64_t mix(uint64_t &state) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

TestTensor random(const Shape &shape, uint64_t seed, double low, double high) {
  TestTensor tensor{shape, Values(size_t(count(shape)))};
  for (double &value : tensor.values)
    value = rounded(low + (high - low) * double(mix(seed) >> 11) * 0x1p-53);
  return tensor;
}

TestTensor randomInts(const Shape &shape, uint64_t seed, int64_t high) {
  TestTensor tensor{shape, Values(size_t(count(shape))), DType::I64};
  for (double &value : tensor.values)
    value = double(mix(seed) % uint64_t(high));
  return tensor;
}

Attribute attribute(std::string name, AttributeValue value) {
  return {std::move(name), std::move(value)};
}

/// An image or filter with its channels last; any other tensor as it is.
static TestTensor withChannelsLast(const TestTensor &first) {
  const Shape &s = first.shape;
  if (s.size() != 4)
    return first;
  TestTensor last{{s[0], s[2], s[3], s[1]}, {}, first.dtype};
  for (int64_t n = 0; n < s[0]; ++n)
    for (int64_t p = 0; p < s[2] * s[3]; ++p)
      for (int64_t c = 0; c < s[1]; ++c)
        last.values.push_back(
            first.values[size_t((n * s[1] + c) * s[2] * s[3] + p)]);
  return last;
}

Case withChannelsLast(Case test) {
  test.variant += ", channels last";
  for (std::vector<TestTensor> *operands : {&test.inputs, &test.outputs})
    for (TestTensor &tensor : *operands)
      tensor = withChannelsLast(tensor);
  // First by name.
  test.attributes.insert(test.attributes.begin(),
                         attribute("channels_last", int64_t(1)));
  return test;
}

Case makeCase(std::string kernel, std::string variant,
              std::vector<TestTensor> inputs, std::vector<Attribute> attributes,
              const Formula &formula) {
  std::sort(attributes.begin(), attributes.end(),
            [](const auto &a, const auto &b) { return a.name < b.name; });
  std::vector<TestTensor> outputs = formula(inputs);
  return {std::move(kernel), std::move(variant), std::move(inputs),
          std::move(outputs), std::move(attributes)};
}

TestTensor numericGradient(const Formula &forward,
                           std::vector<TestTensor> inputs, size_t wanted,
                           const TestTensor &outputGrad) {
  constexpr double step = 1e-5;
  auto value = [&] {
    double sum = 0;
    TestTensor output = forward(inputs)[0];
    for (size_t i = 0; i < output.values.size(); ++i)
      sum += output.values[i] * outputGrad.values[i];
    return sum;
  };
  TestTensor gradient = inputs[wanted];
  for (size_t i = 0; i < gradient.values.size(); ++i) {
    double &x = inputs[wanted].values[i];
    double kept = x;
    x = kept + step;
    double above = value();
    x = kept - step;
    double below = value();
    x = kept;
    gradient.values[i] = (above - below) / (2 * step);
  }
  return gradient;
}

std::vector<Case> casesOf(const Device &device) {
  std::set<std::string> kernels;
  const memplan_backend_t &backend = device.backend();
  for (int32_t k = 0; k < backend.kernel_count(device.handle()); ++k)
    kernels.insert(backend.kernel_name(device.handle(), k));
  std::vector<Case> cases;
  for (const Case &test : allCases())
    if (kernels.count(test.kernel))
      cases.push_back(test);
  return cases;
}

const std::vector<Case> &allCases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    addActivationCases(all);
    addArithmeticCases(all);
    addAttentionCases(all);
    addCastCases(all);
    addCodecCases(all);
    addCollectiveCases(all);
    addConvolutionCases(all);
    addEmbeddingCases(all);
    addGeneratorCases(all);
    addIndexCases(all);
    addLossCases(all);
    addMapCases(all);
    addMatmulCases(all);
    addMovementCases(all);
    addNormalizationCases(all);
    addPoolingCases(all);
    addReductionCases(all);
    addSoftmaxCases(all);
    addUpdateCases(all);
    return all;
  }();
  return cases;
}

} // namespace memplan::runtime::conformance

//===- LossCases.cpp - Losses against their definitions -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

static Formula crossEntropy(int64_t ignore, bool isSum) {
  return [=](const std::vector<TestTensor> &in) {
    int64_t rows = in[0].shape[0], width = in[0].shape[1];
    TestTensor loss{{}, {0}}, sums{{rows}, {}};
    double counted = 0;
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t v = 0; v < width; ++v)
        sum += std::exp(in[0].values[size_t(r * width + v)]);
      sums.values.push_back(std::log(sum));
      auto label = int64_t(in[1].values[size_t(r)]);
      if (label == ignore)
        continue;
      counted += 1;
      loss.values[0] += std::log(sum) - in[0].values[size_t(r * width + label)];
    }
    loss.values[0] /= isSum ? 1 : counted;
    return std::vector<TestTensor>{loss, sums};
  };
}

static void addCrossEntropy(std::vector<Case> &cases,
                            const std::string &variant, int64_t rows,
                            int64_t width, int64_t ignore, uint64_t seed,
                            bool isSum = false) {
  TestTensor logits = random({rows, width}, seed, -3, 3);
  TestTensor labels = randomInts({rows}, seed + 1, width);
  if (ignore != -100)
    labels.values[0] = double(ignore);
  TestTensor dloss = random({}, seed + 2, 0.5, 2);
  std::vector<Attribute> attributes{attribute("ignore_index", ignore)};
  if (isSum)
    attributes.push_back(attribute("sum", int64_t(1)));
  Formula forward = crossEntropy(ignore, isSum);
  cases.push_back(makeCase("memplan.cross_entropy", variant, {logits, labels},
                           attributes, forward));
  TestTensor sums = forward({logits, labels})[1];
  for (double &value : sums.values)
    value = rounded(value);
  if (rows * width < 1000)
    cases.push_back(
        makeCase("memplan.cross_entropy_grad", variant,
                 {logits, labels, sums, dloss}, attributes, [&](const auto &) {
                   return std::vector<TestTensor>{
                       numericGradient(forward, {logits, labels}, 0, dloss)};
                 }));
}

static Formula meanOf(double (*f)(double, double)) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor loss{{}, {0}};
    for (size_t i = 0; i < in[0].values.size(); ++i)
      loss.values[0] += f(in[0].values[i], in[1].values[i]);
    loss.values[0] /= double(in[0].values.size());
    return std::vector<TestTensor>{loss};
  };
}

static void addElementLoss(std::vector<Case> &cases, const std::string &kernel,
                           double (*f)(double, double)) {
  uint64_t seed = 9500;
  for (Shape shape : {Shape{7}, Shape{2, 1, 5, 4}, Shape{100000}}) {
    TestTensor x = random(shape, ++seed, -3, 3);
    TestTensor target = random(shape, ++seed, 0, 1);
    TestTensor dloss = random({}, ++seed, 0.5, 2);
    std::string variant = typeText(DType::F32, shape);
    cases.push_back(makeCase(kernel, variant, {x, target}, {}, meanOf(f)));
    if (count(shape) < 1000)
      cases.push_back(makeCase(
          kernel + "_grad", variant, {x, target, dloss}, {}, [&](const auto &) {
            return std::vector<TestTensor>{
                numericGradient(meanOf(f), {x, target}, 0, dloss)};
          }));
  }
}

void addLossCases(std::vector<Case> &cases) {
  addCrossEntropy(cases, "", 5, 7, -100, 9100);
  addCrossEntropy(cases, "one row", 1, 3, -100, 9110);
  addCrossEntropy(cases, "ignored rows", 6, 4, -1, 9120);
  addCrossEntropy(cases, "ignored class", 6, 4, 2, 9130);
  addCrossEntropy(cases, "wide", 3, 99, -100, 9150);
  addCrossEntropy(cases, "large", 100, 1000, -100, 9140);
  addCrossEntropy(cases, "sum", 6, 4, 2, 9160, true);
  addElementLoss(cases, "memplan.mse_loss",
                 [](double p, double t) { return (p - t) * (p - t); });
  addElementLoss(cases, "memplan.bce_with_logits", [](double x, double t) {
    double s = 1 / (1 + std::exp(-x));
    return -(t * std::log(s) + (1 - t) * std::log(1 - s));
  });
}

} // namespace memplan::runtime::conformance

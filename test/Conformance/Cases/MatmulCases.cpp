//===- MatmulCases.cpp - Matrix products against three plain loops --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

namespace {
struct Product {
  const char *variant;
  Shape batch;
  int64_t m, n, k;
  bool transposeLhs = false, transposeRhs = false, sharedRhs = false;
};
} // namespace

static Formula product(const Product &p) {
  return [p](const std::vector<TestTensor> &in) {
    Shape shape = p.batch;
    shape.insert(shape.end(), {p.m, p.n});
    TestTensor out{shape, Values(size_t(count(shape)))};
    for (int64_t b = 0; b < count(p.batch); ++b)
      for (int64_t m = 0; m < p.m; ++m)
        for (int64_t n = 0; n < p.n; ++n) {
          double sum = in.size() == 3 ? in[2].values[size_t(n)] : 0;
          for (int64_t k = 0; k < p.k; ++k) {
            int64_t l =
                b * p.m * p.k + (p.transposeLhs ? k * p.m + m : m * p.k + k);
            int64_t r = (p.sharedRhs ? 0 : b * p.k * p.n) +
                        (p.transposeRhs ? n * p.k + k : k * p.n + n);
            sum += in[0].values[size_t(l)] * in[1].values[size_t(r)];
          }
          out.values[size_t((b * p.m + m) * p.n + n)] = sum;
        }
    return std::vector<TestTensor>{out};
  };
}

static double geluOf(double x) {
  return 0.5 * x *
         (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/// Products with what follows them in a linear layer, and in its gradients.
static void addFusedCases(std::vector<Case> &cases, const Product &p,
                          const std::vector<Attribute> &attributes,
                          const TestTensor &a, const TestTensor &b,
                          uint64_t seed) {
  const TestTensor bias = random({p.n}, seed);
  cases.push_back(makeCase("memplan.matmul_gelu", p.variant, {a, b, bias},
                           attributes, [p](const auto &in) {
                             TestTensor sum = product(p)(in)[0], out = sum;
                             for (double &value : out.values)
                               value = geluOf(value);
                             return std::vector<TestTensor>{sum, out};
                           }));
  Shape shape = p.batch;
  shape.insert(shape.end(), {p.m, p.n});
  const TestTensor before = random(shape, seed + 1, -3, 3);
  // Gradients are small, so that what a sum of rounded ones loses is too.
  TestTensor small = a;
  for (double &value : small.values)
    value /= 16;
  const Formula slope = [](const std::vector<TestTensor> &in) {
    TestTensor out = in[0];
    constexpr double step = 1e-5;
    for (double &x : out.values)
      x = (geluOf(x + step) - geluOf(x - step)) / (2 * step);
    return std::vector<TestTensor>{out};
  };
  cases.push_back(makeCase("memplan.matmul_gelu_grad", p.variant,
                           {small, b, before}, attributes, [=](const auto &in) {
                             TestTensor grad = product(p)({in[0], in[1]})[0];
                             const TestTensor factor = slope({in[2]})[0];
                             TestTensor sums{{p.n}, Values(size_t(p.n))};
                             for (size_t i = 0; i < grad.values.size(); ++i) {
                               grad.values[i] *= factor.values[i];
                               sums.values[i % size_t(p.n)] += grad.values[i];
                             }
                             return std::vector<TestTensor>{grad, sums};
                           }));
  if (!p.batch.empty())
    return;
  for (const bool ofRhs : {false, true}) {
    // Sums over p.k of the left side or of the right one.
    const bool kIsFirst = ofRhs ? !p.transposeRhs : p.transposeLhs;
    const int64_t count = ofRhs ? p.n : p.m;
    std::vector<Attribute> all = attributes;
    if (ofRhs)
      all.push_back(attribute("sum_rhs", int64_t(1)));
    cases.push_back(makeCase(
        "memplan.matmul_bias_grad",
        std::string(p.variant) + (ofRhs ? ", right side" : ""), {a, b}, all,
        [=](const auto &in) {
          TestTensor sums{{count}, Values(size_t(count))};
          for (int64_t i = 0; i < count; ++i)
            for (int64_t k = 0; k < p.k; ++k)
              sums.values[size_t(i)] +=
                  in[size_t(ofRhs)]
                      .values[size_t(kIsFirst ? k * count + i : i * p.k + k)];
          return std::vector<TestTensor>{product(p)(in)[0], sums};
        }));
  }
}

void addMatmulCases(std::vector<Case> &cases) {
  const Product list[] = {
      {"2d", {}, 5, 7, 6},
      {"lhs swapped", {}, 5, 7, 6, true},
      {"rhs swapped", {}, 5, 7, 6, false, true},
      {"both swapped", {}, 5, 7, 6, true, true},
      {"batched", {2, 3}, 4, 5, 6},
      {"batched, rhs swapped", {2, 3}, 4, 5, 6, false, true},
      {"batched, lhs swapped", {2}, 4, 5, 6, true},
      {"shared rhs", {2, 3}, 4, 5, 6, false, false, true},
      {"shared rhs swapped", {2}, 4, 5, 6, false, true, true},
      {"shared rhs, lhs swapped", {3}, 4, 5, 6, true, false, true},
      {"one row", {}, 1, 65, 129},
      {"one column", {}, 33, 1, 40},
      {"several tiles", {}, 70, 130, 300},
      {"several tiles, swapped", {}, 70, 130, 300, true, true},
      {"rows of 16", {}, 6, 16, 8, true},
      {"rows of 16, shared rhs swapped", {2, 3}, 4, 16, 8, false, true, true},
  };
  uint64_t seed = 2000;
  for (const Product &p : list) {
    Shape lhs = p.batch, rhs = p.sharedRhs ? Shape{} : p.batch;
    lhs.insert(lhs.end(), {p.m, p.k});
    rhs.insert(rhs.end(), {p.k, p.n});
    if (p.transposeLhs)
      std::swap(lhs[lhs.size() - 1], lhs[lhs.size() - 2]);
    if (p.transposeRhs)
      std::swap(rhs[rhs.size() - 1], rhs[rhs.size() - 2]);
    std::vector<Attribute> attributes;
    if (p.transposeLhs)
      attributes.push_back(attribute("transpose_lhs", int64_t(1)));
    if (p.transposeRhs)
      attributes.push_back(attribute("transpose_rhs", int64_t(1)));
    TestTensor a = random(lhs, ++seed), b = random(rhs, ++seed);
    TestTensor bias = random({p.n}, ++seed);
    cases.push_back(
        makeCase("memplan.matmul", p.variant, {a, b}, attributes, product(p)));
    cases.push_back(makeCase("memplan.matmul",
                             std::string(p.variant) + ", bias", {a, b, bias},
                             attributes, product(p)));
    if (p.batch.empty() || (p.sharedRhs && !p.transposeLhs))
      addFusedCases(cases, p, attributes, a, b, 100 * seed);
  }
}

} // namespace memplan::runtime::conformance

//===- ActivationCases.cpp - Activations against their definitions --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

static Formula elementwise(double (*f)(double)) {
  return [f](const std::vector<TestTensor> &in) {
    TestTensor out = in[0];
    for (double &value : out.values)
      value = f(value);
    return std::vector<TestTensor>{out};
  };
}

/// Forward and gradient of y = f(x). `readsOutput`: the gradient is given y.
static void addPair(std::vector<Case> &cases, const std::string &name,
                    const std::string &variant,
                    const std::vector<Attribute> &attributes,
                    const Formula &forward, bool readsOutput) {
  uint64_t seed = 11;
  // The long one is cut into several pieces by the parallel loop.
  for (Shape shape : {Shape{3, 5}, Shape{2, 3, 4, 5}, Shape{40003}, Shape{}}) {
    TestTensor x = random(shape, ++seed, -4, 4);
    cases.push_back(
        makeCase("memplan." + name, variant, {x}, attributes, forward));
    if (count(shape) > 1000)
      continue; // a numeric gradient costs the square of the size
    TestTensor dy = random(shape, ++seed);
    TestTensor first = readsOutput ? forward({x})[0] : x;
    for (double &value : first.values)
      value = rounded(value);
    TestTensor expected = numericGradient(forward, {x}, 0, dy);
    cases.push_back(makeCase(
        "memplan." + name + "_grad", variant, {first, dy}, attributes,
        [&](const auto &) { return std::vector<TestTensor>{expected}; }));
  }
}

void addActivationCases(std::vector<Case> &cases) {
  addPair(cases, "relu", "", {},
          elementwise([](double x) { return x > 0 ? x : 0; }), true);
  addPair(cases, "clamp", "relu6-like",
          {attribute("min", 0.0), attribute("max", 2.5)},
          elementwise([](double x) { return x < 0     ? 0
                                            : x > 2.5 ? 2.5
                                                      : x; }),
          true);
  addPair(cases, "sigmoid", "", {},
          elementwise([](double x) { return 1 / (1 + std::exp(-x)); }), true);
  addPair(cases, "tanh", "", {},
          elementwise([](double x) { return std::tanh(x); }), true);
  addPair(cases, "silu", "", {},
          elementwise([](double x) { return x / (1 + std::exp(-x)); }), false);
  addPair(cases, "gelu", "exact", {attribute("approximate", "none")},
          elementwise([](double x) {
            return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
          }),
          false);
  addPair(cases, "gelu", "tanh", {attribute("approximate", "tanh")},
          elementwise([](double x) {
            double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
            return 0.5 * x * (1 + std::tanh(u));
          }),
          false);

  // Infinities and NaN go through as IEEE says.
  TestTensor special{{4}, {INFINITY, -INFINITY, NAN, -0.0}};
  cases.push_back(makeCase(
      "memplan.relu", "special values", {special}, {}, [](const auto &) {
        return std::vector<TestTensor>{{{4}, {INFINITY, 0, NAN, 0}}};
      }));

  // exp is not the C library's everywhere: its whole range, to f32's digits.
  Formula sigmoid =
      elementwise([](double x) { return 1 / (1 + std::exp(-x)); });
  TestTensor wide = random({20001}, 99, -110, 110);
  for (double x : Values{INFINITY, -INFINITY, NAN, 0, 88, -88.8, 1e30})
    wide.values.push_back(rounded(x));
  wide.shape = {int64_t(wide.values.size())};
  cases.push_back(
      makeCase("memplan.sigmoid", "whole range", {wide}, {}, sigmoid));
  cases.back().tolerance = 1.5e-7;

  // Nor are tanh and erf, whose two ranges meet at .625 and .9277.
  Formula tanhOf = elementwise([](double x) { return std::tanh(x); });
  TestTensor both = random({20001}, 98, -12, 12);
  for (double x :
       Values{INFINITY, -INFINITY, NAN, 0, 1e-20, .625, -.9277, 1e30})
    both.values.push_back(rounded(x));
  both.shape = {int64_t(both.values.size())};
  cases.push_back(makeCase("memplan.tanh", "whole range", {both}, {}, tanhOf));
  cases.back().tolerance = 1.5e-7;
  both.values.resize(20001); // x times 0 is no limit at infinity
  both.shape = {20001};
  cases.push_back(makeCase("memplan.gelu", "whole range", {both},
                           {attribute("approximate", "none")},
                           elementwise([](double x) {
                             return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
                           })));
  cases.back().tolerance = 1e-6;
}

} // namespace memplan::runtime::conformance

//===- MapCases.cpp - Expressions, element by element ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

/// A function of up to three elements, each repeated to the shape.
using Function = double (*)(double, double, double);

static Formula elementwise(Shape shape, DType dtype, Function f) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out{shape, Values(size_t(count(shape))), dtype};
    for (size_t i = 0; i < out.values.size(); ++i) {
      double value[3] = {};
      for (size_t k = 0; k < in.size(); ++k) {
        size_t left = i, offset = 0, step = 1;
        for (size_t d = shape.size(), n = in[k].shape.size(); d-- > 0;) {
          size_t index = left % size_t(shape[d]);
          left /= size_t(shape[d]);
          size_t skip = shape.size() - n;
          if (d < skip)
            continue;
          size_t size = size_t(in[k].shape[d - skip]);
          offset += size == 1 ? 0 : index * step;
          step *= size;
        }
        value[k] = in[k].values[offset];
      }
      double result = f(value[0], value[1], value[2]);
      out.values[i] = dtype == DType::F32 ? result : std::trunc(result);
    }
    return std::vector<TestTensor>{out};
  };
}

void addMapCases(std::vector<Case> &cases) {
  auto add = [&](std::string expression, std::string variant,
                 std::vector<TestTensor> inputs, Shape shape, Function f,
                 DType dtype = DType::F32) {
    std::string element = dtype == DType::F32   ? "f32"
                          : dtype == DType::I64 ? "i64"
                                                : "i8";
    cases.push_back(makeCase(
        "memplan.map", expression + variant, std::move(inputs),
        {attribute("expression", expression), attribute("element", element),
         attribute("shape", std::vector<int64_t>())},
        elementwise(shape, dtype, f)));
  };
  const Shape small{3, 5};
  struct Unary {
    const char *expression;
    Function f;
    double low = -3, high = 3;
  };
  const Unary unary[] = {
      {"x0 neg", [](double a, double, double) { return -a; }},
      {"x0 abs", [](double a, double, double) { return std::fabs(a); }},
      {"x0 sign",
       [](double a, double, double) { return double((a > 0) - (a < 0)); }},
      {"x0 floor", [](double a, double, double) { return std::floor(a); }},
      {"x0 ceil", [](double a, double, double) { return std::ceil(a); }},
      {"x0 round", [](double a, double, double) { return std::nearbyint(a); }},
      {"x0 exp", [](double a, double, double) { return std::exp(a); }},
      {"x0 expm1", [](double a, double, double) { return std::expm1(a); }},
      {"x0 sin", [](double a, double, double) { return std::sin(a); }},
      {"x0 cos", [](double a, double, double) { return std::cos(a); }},
      {"x0 tanh", [](double a, double, double) { return std::tanh(a); }},
      {"x0 erf", [](double a, double, double) { return std::erf(a); }},
      {"x0 sigmoid",
       [](double a, double, double) { return 1 / (1 + std::exp(-a)); }},
      {"x0 log", [](double a, double, double) { return std::log(a); }, 0.1, 4},
      {"x0 log1p", [](double a, double, double) { return std::log1p(a); }, 0.1,
       4},
      {"x0 sqrt", [](double a, double, double) { return std::sqrt(a); }, 0.1,
       4},
      {"x0 rsqrt", [](double a, double, double) { return 1 / std::sqrt(a); },
       0.1, 4},
  };
  uint64_t seed = 901;
  for (const Unary &u : unary)
    add(u.expression, "", {random(small, ++seed, u.low, u.high)}, small, u.f);

  struct Binary {
    const char *expression;
    Function f;
  };
  const Binary binary[] = {
      {"x0 x1 add", [](double a, double b, double) { return a + b; }},
      {"x0 x1 sub", [](double a, double b, double) { return a - b; }},
      {"x0 x1 mul", [](double a, double b, double) { return a * b; }},
      {"x0 x1 div", [](double a, double b, double) { return a / b; }},
      {"x0 x1 mod",
       [](double a, double b, double) { return a - b * std::floor(a / b); }},
      {"x0 x1 pow", [](double a, double b, double) { return std::pow(a, b); }},
      {"x0 x1 min", [](double a, double b, double) { return std::min(a, b); }},
      {"x0 x1 max", [](double a, double b, double) { return std::max(a, b); }},
      {"x0 x1 lt", [](double a, double b, double) { return double(a < b); }},
      {"x0 x1 le", [](double a, double b, double) { return double(a <= b); }},
      {"x0 x1 eq", [](double a, double b, double) { return double(a == b); }},
      {"x0 x1 ne", [](double a, double b, double) { return double(a != b); }},
  };
  for (const Binary &b : binary) {
    TestTensor lhs = random(small, ++seed, 0.5, 2);
    TestTensor rhs = random({5}, ++seed, 0.5, 2);
    rhs.values[2] = lhs.values[2];
    add(b.expression, "", {lhs, rhs}, small, b.f);
  }

  auto swish = [](double a, double, double) {
    return a * std::min(std::max(a + 3, 0.0), 6.0) / 6;
  };
  add("x0 3 add; t0 0 max 6 min; x0 t2 mul 6 div", ", long",
      {random({3, 1100}, ++seed, -5, 5)}, {3, 1100}, swish);
  add("x0 3 add; t0 0 max 6 min; x0 t2 mul 6 div", ", one element",
      {random({}, ++seed, -5, 5)}, {}, swish);
  auto product = [](double a, double b, double c) { return a * b + c; };
  add("x0 x1 mul x2 add", ", channels, rows and columns",
      {random({2, 3, 4, 5}, ++seed), random({3, 1, 1}, ++seed),
       random({4, 1}, ++seed)},
      {2, 3, 4, 5}, product);
  add("x0 x1 mul x2 add", ", every input repeated",
      {random({2, 1, 1}, ++seed), random({3, 1}, ++seed), random({4}, ++seed)},
      {2, 3, 4}, product);

  TestTensor mask = randomInts(small, ++seed, 2);
  mask.dtype = DType::I8;
  add("x0 x1 x2 select", ", a choice by bytes",
      {mask, random(small, ++seed), random({}, ++seed)}, small,
      [](double a, double b, double c) { return a != 0 ? b : c; });
  add(
      "x0 0.2 lt", ", a comparison in bytes", {random(small, ++seed)}, small,
      [](double a, double, double) { return double(a < double(0.2f)); },
      DType::I8);
  TestTensor ids = randomInts(small, ++seed, 1000);
  for (double &value : ids.values)
    value += 9007199254000000; // needs more than the 24 bits of an f32
  add(
      "x0 2 sub", ", integers", {ids}, small,
      [](double a, double, double) { return a - 2; }, DType::I64);
  add("x0", ", a cast", {randomInts({5}, ++seed, 100)}, {5},
      [](double a, double, double) { return a; });
  add(
      "x0 10 mul", ", a cast to integers", {random(small, ++seed)}, small,
      [](double a, double, double) { return double(float(a) * 10.0f); },
      DType::I64);
}

} // namespace memplan::runtime::conformance

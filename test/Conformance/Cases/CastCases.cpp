//===- CastCases.cpp - From one real element type to another --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

/// Around the number 1, the largest number and the smallest ones of a type with
/// `digits` bits of significand and exponents from `least` to below `most`.
static Values edgesOf(int digits, int least, int most) {
  const double unit = std::ldexp(1, 1 - digits);
  const double largest = (2 - unit) * std::ldexp(1, most - 1);
  const double smallest = std::ldexp(1, least) * unit;
  Values values = {0.0,
                   -0.0,
                   1 + unit / 2,
                   1 + 3 * unit / 2,
                   1 + unit / 2 + std::ldexp(1, -23),
                   -(1 + unit / 2),
                   2 - unit / 2,
                   2 - std::ldexp(1, -23),
                   largest,
                   -largest,
                   largest + std::ldexp(unit, most - 3),
                   std::ldexp(1, least),
                   std::ldexp(1, least) - smallest / 2,
                   smallest,
                   smallest / 2,
                   3 * smallest / 2,
                   -5 * smallest / 2,
                   std::ldexp(1, -149),
                   INFINITY,
                   -INFINITY,
                   NAN};
  // Halfway to what would be the next number; f32 has none beyond bf16's.
  if (most < 128)
    values.push_back(largest + std::ldexp(unit, most - 2));
  for (double &value : values)
    value = rounded(value);
  return values;
}

static TestTensor inType(TestTensor tensor, DType type) {
  tensor.dtype = type;
  for (double &value : tensor.values)
    value = nearest(value, type);
  return tensor;
}

/// Every number of a type of 16 bits: the values of all patterns.
static TestTensor everyNumber(DType type) {
  const int digits = type == DType::BF16 ? 7 : 10;
  const int exponents = 1 << (15 - digits);
  const int bias = exponents / 2 - 1;
  TestTensor all{{0}, {}, type};
  for (int sign : {1, -1})
    for (int exponent = 0; exponent < exponents; ++exponent)
      for (int part = 0; part < 1 << digits; ++part) {
        const double fraction = std::ldexp(part, -digits);
        double value = exponent == 0
                           ? std::ldexp(fraction, 1 - bias)
                           : std::ldexp(1 + fraction, exponent - bias);
        if (exponent == exponents - 1)
          value = part == 0 ? INFINITY : NAN;
        all.values.push_back(sign * value);
      }
  all.shape[0] = int64_t(all.values.size());
  return all;
}

static void addCast(std::vector<Case> &cases, const std::string &variant,
                    const TestTensor &input, DType type) {
  cases.push_back(makeCase(
      "memplan.cast", variant + " to " + std::string(toString(type)), {input},
      {}, [=](const auto &in) { return std::vector{inType(in[0], type)}; }));
  cases.back().tolerance = 0;
}

void addCastCases(std::vector<Case> &cases) {
  for (DType type : {DType::BF16, DType::F16, DType::F32}) {
    for (const auto &[digits, least, most] :
         {std::tuple(8, -126, 128), std::tuple(11, -14, 16)}) {
      const Values edges = edgesOf(digits, least, most);
      addCast(cases, "edges", {{int64_t(edges.size())}, edges}, type);
    }
    addCast(cases, "several tasks", random({130, 300}, 5300, -70000, 70000),
            type);
    addCast(cases, "small", random({3, 1, 7}, 5301, -1e-6, 1e-6), type);
    addCast(cases, "every bf16", everyNumber(DType::BF16), type);
    addCast(cases, "every f16", everyNumber(DType::F16), type);
  }
}

} // namespace memplan::runtime::conformance

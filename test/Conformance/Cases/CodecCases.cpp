//===- CodecCases.cpp - f32 in the bytes of bfloat16, and back ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <bit>
#include <cmath>

namespace memplan::runtime::conformance {

/// The two bytes of each element, the lower first.
static TestTensor encoded(const TestTensor &plain) {
  TestTensor out{plain.shape, {}, DType::I8};
  out.shape.push_back(2);
  for (double value : plain.values) {
    const uint32_t bits =
        std::bit_cast<uint32_t>(float(nearest(value, DType::BF16)));
    for (int shift : {16, 24})
      out.values.push_back(int8_t(bits >> shift));
  }
  return out;
}

static TestTensor decoded(const TestTensor &plain) {
  TestTensor out = plain;
  for (double &value : out.values)
    value = nearest(value, DType::BF16);
  return out;
}

/// Ties to both sides, what rounds up to a power of two, the largest and the
/// smallest numbers, and what is none.
static TestTensor edges() {
  Values values = {0.0,
                   -0.0,
                   1 + std::ldexp(1, -8),
                   1 + 3 * std::ldexp(1, -8),
                   1 + std::ldexp(1, -8) + std::ldexp(1, -23),
                   -(1 + std::ldexp(1, -8)),
                   2 - std::ldexp(1, -8),
                   2 - std::ldexp(1, -23),
                   std::ldexp(255, 120),
                   std::ldexp(511, 119),
                   std::ldexp(511, 119) * (1 - std::ldexp(1, -15)),
                   -double(std::bit_cast<float>(0x7f7fffffu)),
                   std::ldexp(1, -126),
                   std::ldexp(1, -133),
                   std::ldexp(1, -134),
                   std::ldexp(3, -134),
                   std::ldexp(1, -149),
                   INFINITY,
                   -INFINITY,
                   NAN};
  return {{int64_t(values.size())}, values};
}

void addCodecCases(std::vector<Case> &cases) {
  const std::pair<const char *, TestTensor> inputs[] = {
      {"edges", edges()},
      {"scalar", {{}, {0.7}}},
      {"small", random({3, 1, 7}, 5100)},
      {"several tasks", random({130, 300}, 5101, -1e6, 1e6)}};
  for (const auto &[variant, plain] : inputs) {
    cases.push_back(makeCase("memplan.encode_bf16", variant, {plain}, {},
                             [](const std::vector<TestTensor> &in) {
                               return std::vector{encoded(in[0])};
                             }));
    const TestTensor expected = decoded(plain);
    cases.push_back(
        makeCase("memplan.decode_bf16", variant, {encoded(plain)}, {},
                 [&](const auto &) { return std::vector{expected}; }));
    for (size_t last : {cases.size() - 2, cases.size() - 1})
      cases[last].tolerance = 0;
  }
}

} // namespace memplan::runtime::conformance

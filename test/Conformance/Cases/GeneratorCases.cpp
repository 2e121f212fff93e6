//===- GeneratorCases.cpp - Values without inputs, and dropout ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include "memplan/Kernels/Philox.h"

namespace memplan::runtime::conformance {

using Floats = std::vector<double>;
using Ints = std::vector<int64_t>;

static void addConstant(std::vector<Case> &cases, const std::string &variant,
                        const TestTensor &out, AttributeValue value) {
  Case test = makeCase("memplan.constant", variant, {},
                       {attribute("value", std::move(value))},
                       [&](const auto &) { return std::vector{out}; });
  // One number fills any shape.
  test.anyOutputShape = variant == "number";
  cases.push_back(test);
}

static Formula dropout(double p, int64_t salt) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out = in[0];
    auto seed = uint64_t(int64_t(in[1].values[0]));
    for (size_t i = 0; i < out.values.size(); ++i) {
      uint32_t word = philoxAt(seed, uint64_t(salt), i / 4).word[i % 4];
      bool keep = double(word >> 8) / 16777216.0 >= p;
      out.values[i] = keep ? out.values[i] / (1 - p) : 0;
    }
    return std::vector<TestTensor>{out};
  };
}

void addGeneratorCases(std::vector<Case> &cases) {
  for (int64_t size : {1, 7, 1000})
    cases.push_back(makeCase("memplan.iota", "", {}, {attribute("size", size)},
                             [&](const auto &) {
                               TestTensor out{{size}, {}, DType::I64};
                               for (int64_t i = 0; i < size; ++i)
                                 out.values.push_back(double(i));
                               return std::vector<TestTensor>{out};
                             }));
  addConstant(cases, "number", {{2, 3}, Values(6, 0.5)}, 0.5);
  addConstant(cases, "list", {{3}, {1, 2, 4}}, Floats{1, 2, 4});
  addConstant(cases, "integers", {{2}, {-3, 9}, DType::I64}, Ints{-3, 9});
  addConstant(cases, "bytes", {{2}, {-3, 9}, DType::I8}, Ints{-3, 9});
  addConstant(cases, "scalar list", {{}, {7}}, Floats{7});
  TestTensor blob = random({3, 4}, 1);
  cases.push_back(makeCase("memplan.constant", "from the program", {blob}, {},
                           [&](const auto &) { return std::vector{blob}; }));

  for (double p : {0.0, 0.25, 0.9})
    for (Shape shape : {Shape{5}, Shape{3, 7}, Shape{70000}}) {
      TestTensor seed{{1}, {12345678901.0}, DType::I64};
      cases.push_back(makeCase(
          "memplan.dropout", "p " + std::to_string(p),
          {random(shape, 9000), seed},
          {attribute("p", p), attribute("salt", int64_t(3))}, dropout(p, 3)));
    }
  cases.push_back(makeCase(
      "memplan.dropout", "all dropped",
      {random({9}, 9001), {{1}, {1}, DType::I64}}, {attribute("p", 1.0)},
      [](const auto &) { return std::vector<TestTensor>{{{9}, Values(9)}}; }));
}

} // namespace memplan::runtime::conformance

//===- ArithmeticCases.cpp - Arithmetic, index by index -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

namespace memplan::runtime::conformance {

/// Element of `tensor` for the output index, aligned at the last dimension.
static double elementAt(const TestTensor &tensor, const Shape &index) {
  size_t skip = index.size() - tensor.shape.size();
  int64_t offset = 0;
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    offset =
        offset * tensor.shape[d] + (tensor.shape[d] == 1 ? 0 : index[d + skip]);
  return tensor.values[size_t(offset)];
}

static Formula broadcasting(Shape shape, double (*f)(double, double)) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out{shape, Values(size_t(count(shape)))};
    Shape index(shape.size());
    for (double &value : out.values) {
      value = f(elementAt(in[0], index), elementAt(in[1], index));
      for (size_t d = shape.size(); d-- > 0;) {
        if (++index[d] < shape[d])
          break;
        index[d] = 0;
      }
    }
    return std::vector<TestTensor>{out};
  };
}

void addArithmeticCases(std::vector<Case> &cases) {
  struct Op {
    const char *name;
    double (*f)(double, double);
  };
  const Op ops[] = {
      {"memplan.add", [](double a, double b) { return a + b; }},
      {"memplan.sub", [](double a, double b) { return a - b; }},
      {"memplan.mul", [](double a, double b) { return a * b; }},
      {"memplan.div", [](double a, double b) { return a / b; }},
  };
  struct Shapes {
    const char *variant;
    Shape a, b, out;
  };
  const Shapes shapes[] = {
      {"same shape", {2, 3, 4}, {2, 3, 4}, {2, 3, 4}},
      {"long", {33000}, {33000}, {33000}},
      {"row", {5, 4}, {4}, {5, 4}},
      {"row on the left", {4}, {5, 4}, {5, 4}},
      {"column", {5, 4}, {5, 1}, {5, 4}},
      {"both repeat", {3, 1, 4}, {2, 1}, {3, 2, 4}},
      {"channels", {2, 3, 4, 5}, {3, 1, 1}, {2, 3, 4, 5}},
      {"scalar", {3, 4}, {}, {3, 4}},
      {"scalars", {}, {}, {}},
      {"long rows", {40, 1000}, {1000}, {40, 1000}},
  };
  uint64_t seed = 101;
  for (const Op &op : ops)
    for (const Shapes &s : shapes) {
      uint64_t first = ++seed, second = ++seed;
      cases.push_back(makeCase(
          op.name, s.variant, {random(s.a, first), random(s.b, second, 0.5, 2)},
          {}, broadcasting(s.out, op.f)));
    }
  cases.push_back(makeCase(
      "memplan.accumulate", "", {random({3, 5}, 1), random({3, 5}, 2)}, {},
      broadcasting({3, 5}, [](double a, double b) { return a + b; })));
  cases.push_back(makeCase("memplan.scale", "", {random({3, 5}, 3)},
                           {attribute("factor", -0.25)}, [](const auto &in) {
                             TestTensor out = in[0];
                             for (double &value : out.values)
                               value *= -0.25;
                             return std::vector<TestTensor>{out};
                           }));
}

} // namespace memplan::runtime::conformance

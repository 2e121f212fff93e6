//===- MovementCases.cpp - Copies of parts, element by element ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

namespace memplan::runtime::conformance {

using Dims = std::vector<int64_t>;

static Formula transpose(Dims perm) {
  return [=](const std::vector<TestTensor> &in) {
    const Shape &from = in[0].shape;
    Shape shape;
    for (int64_t p : perm)
      shape.push_back(from[size_t(p)]);
    TestTensor out{shape, Values(in[0].values.size()), in[0].dtype};
    for (int64_t i = 0; i < count(shape); ++i) {
      Shape index(shape.size());
      int64_t rest = i, source = 0;
      for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
        index[size_t(perm[d])] = rest % shape[d];
      for (size_t d = 0; d < from.size(); ++d)
        source = source * from[d] + index[d];
      out.values[size_t(i)] = in[0].values[size_t(source)];
    }
    return std::vector<TestTensor>{out};
  };
}

/// Indices [start, start + size) of `dim`.
static TestTensor part(const TestTensor &whole, size_t dim, int64_t start,
                       int64_t size) {
  TestTensor out{whole.shape, {}, whole.dtype};
  out.shape[dim] = size;
  int64_t inner = 1;
  for (size_t d = dim + 1; d < whole.shape.size(); ++d)
    inner *= whole.shape[d];
  for (int64_t i = 0; i < count(whole.shape); ++i) {
    int64_t at = i / inner % whole.shape[dim];
    if (at >= start && at < start + size)
      out.values.push_back(whole.values[size_t(i)]);
  }
  return out;
}

static void addParts(std::vector<Case> &cases, const TestTensor &whole,
                     int64_t dim, const Dims &sizes) {
  auto d = size_t(dim < 0 ? dim + int64_t(whole.shape.size()) : dim);
  std::vector<TestTensor> parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    parts.push_back(part(whole, d, start, size));
    start += size;
  }
  std::string variant =
      typeText(whole.dtype, whole.shape) + " along " + std::to_string(dim);
  cases.push_back(makeCase("memplan.split", variant, {whole},
                           {attribute("dim", dim), attribute("sizes", sizes)},
                           [&](const auto &) { return parts; }));
  cases.push_back(
      makeCase("memplan.concat", variant, parts, {attribute("dim", dim)},
               [&](const auto &) { return std::vector<TestTensor>{whole}; }));
}

static void addSlice(std::vector<Case> &cases, const TestTensor &whole,
                     int64_t dim, int64_t start, int64_t size) {
  TestTensor taken = part(whole, size_t(dim), start, size);
  std::string variant = typeText(whole.dtype, whole.shape) + " from " +
                        std::to_string(start) + " along " + std::to_string(dim);
  cases.push_back(
      makeCase("memplan.slice", variant, {whole},
               {attribute("dim", dim), attribute("start", start),
                attribute("size", size)},
               [&](const auto &) { return std::vector<TestTensor>{taken}; }));
  // What is left of the whole when everything else is 0.
  TestTensor spread = whole;
  int64_t inner = 1;
  for (size_t d = size_t(dim) + 1; d < whole.shape.size(); ++d)
    inner *= whole.shape[d];
  for (int64_t i = 0; i < count(whole.shape); ++i) {
    int64_t at = i / inner % whole.shape[size_t(dim)];
    if (at < start || at >= start + size)
      spread.values[size_t(i)] = 0;
  }
  cases.push_back(
      makeCase("memplan.slice_grad", variant, {taken},
               {attribute("dim", dim), attribute("start", start),
                attribute("full_size", whole.shape[size_t(dim)])},
               [&](const auto &) { return std::vector<TestTensor>{spread}; }));
}

void addMovementCases(std::vector<Case> &cases) {
  uint64_t seed = 7000;
  struct Permutation {
    Shape shape;
    Dims perm;
  };
  for (const Permutation &p :
       {Permutation{{3, 5}, {1, 0}}, Permutation{{2, 3, 4, 5}, {0, 2, 1, 3}},
        Permutation{{2, 3, 4, 5}, {3, 1, 0, 2}}, Permutation{{4}, {0}},
        Permutation{{2, 5, 3, 4, 6}, {2, 0, 3, 1, 4}},
        Permutation{{2, 33, 1, 18}, {0, 3, 2, 1}}, Permutation{{}, {}},
        Permutation{{2, 3, 4}, {0, 1, 2}}, Permutation{{100, 170}, {1, 0}},
        Permutation{{3, 40, 20, 17}, {0, 2, 3, 1}}}) {
    cases.push_back(makeCase("memplan.transpose", typeText(DType::F32, p.shape),
                             {random(p.shape, ++seed)},
                             {attribute("perm", p.perm)}, transpose(p.perm)));
    cases.push_back(makeCase("memplan.transpose", "integers",
                             {randomInts(p.shape, ++seed, 99)},
                             {attribute("perm", p.perm)}, transpose(p.perm)));
  }
  addParts(cases, random({6, 4}, ++seed), 0, {2, 3, 1});
  addParts(cases, random({2, 7, 3}, ++seed), 1, {4, 3});
  addParts(cases, random({2, 3, 9}, ++seed), -1, {3, 3, 3});
  addParts(cases, randomInts({2, 6}, ++seed, 50), 1, {5, 1});
  addParts(cases, random({3, 400, 60}, ++seed), 1, {150, 250});
  addSlice(cases, random({5, 4}, ++seed), 0, 1, 3);
  addSlice(cases, random({2, 5, 3}, ++seed), 1, 2, 3);
  addSlice(cases, random({2, 5, 3}, ++seed), 2, 0, 1);
  addSlice(cases, randomInts({2, 8}, ++seed, 50), 1, 3, 4);

  auto same = [](Shape shape) {
    return [=](const std::vector<TestTensor> &in) {
      TestTensor out = in[0];
      out.shape = shape;
      return std::vector<TestTensor>{out};
    };
  };
  cases.push_back(makeCase("memplan.reshape", "", {random({4, 6}, ++seed)}, {},
                           same({2, 12})));
  cases.push_back(
      makeCase("memplan.copy", "", {random({4, 6}, ++seed)}, {}, same({4, 6})));
  cases.push_back(makeCase("memplan.copy", "integers",
                           {randomInts({300, 500}, ++seed, 1000)}, {},
                           same({300, 500})));
}

} // namespace memplan::runtime::conformance

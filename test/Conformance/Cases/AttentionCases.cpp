//===- AttentionCases.cpp - Attention against its scores in double --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include "memplan/Kernels/Philox.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::conformance {

namespace {
/// Heads are counted in the leading dimensions.
struct Sizes {
  Shape leading;
  int64_t rows, keys, columns, valueColumns;
  double scale;
  bool causal;
  /// Of a dropout of the softmax, whose seed is input 3; without it the softmax
  /// is kept.
  double p = -1;
  /// Products may be in TF32.
  bool tf32 = false;

  bool drops() const { return p >= 0; }
  size_t mask() const { return drops() ? 4 : 3; }

  Shape with(int64_t a, int64_t b) const {
    Shape shape = leading;
    shape.insert(shape.end(), {a, b});
    return shape;
  }
};
} // namespace

/// The element of a mask, whose dimensions of 1 are repeated, for an index of
/// the scores.
static double maskAt(const TestTensor &mask, const Sizes &s, int64_t head,
                     int64_t row, int64_t key) {
  Shape scores = s.with(s.rows, s.keys);
  std::vector<int64_t> index(scores.size());
  index[scores.size() - 1] = key;
  index[scores.size() - 2] = row;
  for (size_t d = s.leading.size(); d-- > 0; head /= s.leading[d])
    index[d] = head % s.leading[d];
  int64_t at = 0;
  for (size_t d = 0; d < mask.shape.size(); ++d)
    at =
        at * mask.shape[d] +
        (mask.shape[d] == 1 ? 0 : index[scores.size() - mask.shape.size() + d]);
  return mask.values[size_t(at)];
}

/// Elements of an operand by which gradients are found by differences.
static constexpr int64_t fewElements = 300;

/// Salt of all cases with dropout.
static constexpr int64_t salt = 5;

/// What a dropout of the scores multiplies one of them with.
static double kept(const Sizes &s, const TestTensor &seed, int64_t head,
                   int64_t row, int64_t key) {
  const auto i = uint64_t((head * s.rows + row) * s.keys + key);
  const uint32_t word =
      philoxAt(uint64_t(int64_t(seed.values[0])), salt, i / 4).word[i % 4];
  return double(word >> 8) / 16777216.0 >= s.p ? 1 / (1 - s.p) : 0;
}

/// in: query, key, value, seed (of a dropout), mask (optional). out: output,
/// logsumexp. All scores are written out.
static Formula attention(const Sizes &s) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor out{s.with(s.rows, s.valueColumns), {}};
    Shape rowShape = s.leading;
    rowShape.push_back(s.rows);
    TestTensor logsumexp{rowShape, {}};
    for (int64_t head = 0; head < count(s.leading); ++head)
      for (int64_t n = 0; n < s.rows; ++n) {
        Values weights(size_t(s.keys), 0.0);
        double total = 0;
        for (int64_t m = 0; m < s.keys; ++m) {
          if (s.causal && m > n)
            continue;
          double score = 0;
          for (int64_t d = 0; d < s.columns; ++d)
            score += in[0].values[size_t((head * s.rows + n) * s.columns + d)] *
                     in[1].values[size_t((head * s.keys + m) * s.columns + d)];
          score *= s.scale;
          if (in.size() > s.mask())
            score += maskAt(in[s.mask()], s, head, n, m);
          weights[size_t(m)] = std::exp(score);
          total += weights[size_t(m)];
        }
        logsumexp.values.push_back(std::log(total));
        for (int64_t e = 0; e < s.valueColumns; ++e) {
          double sum = 0;
          for (int64_t m = 0; m < s.keys; ++m)
            sum +=
                weights[size_t(m)] *
                (s.drops() ? kept(s, in[3], head, n, m) : 1) *
                in[2].values[size_t((head * s.keys + m) * s.valueColumns + e)];
          out.values.push_back(total == 0 ? 0 : sum / total);
        }
      }
    return std::vector<TestTensor>{out, logsumexp};
  };
}

/// in: outputGrad, query, key, value, output, logsumexp, then as `attention`.
/// The gradients through the whole Jacobian of each softmax, of which neither
/// the output nor logsumexp is a part: for sizes where differences of the
/// forward pass would take too long.
static Formula attentionGrad(const Sizes &s) {
  return [=](const std::vector<TestTensor> &in) {
    const TestTensor &dy = in[0], &q = in[1], &k = in[2], &v = in[3];
    const size_t seed = 6, mask = seed + (s.drops() ? 1 : 0);
    std::vector<TestTensor> grads{q, k, v};
    for (TestTensor &grad : grads)
      std::fill(grad.values.begin(), grad.values.end(), 0.0);
    auto at = [](int64_t row, int64_t width, int64_t column) {
      return size_t(row * width + column);
    };
    for (int64_t head = 0; head < count(s.leading); ++head)
      for (int64_t n = 0; n < s.rows; ++n) {
        const int64_t row = head * s.rows + n;
        Values softmax(size_t(s.keys), 0.0), grad = softmax;
        double total = 0, mean = 0;
        for (int64_t m = 0; m < s.keys; ++m) {
          const int64_t key = head * s.keys + m;
          if (s.causal && m > n)
            continue;
          double score = 0;
          for (int64_t d = 0; d < s.columns; ++d)
            score += q.values[at(row, s.columns, d)] *
                     k.values[at(key, s.columns, d)];
          score *= s.scale;
          if (in.size() > mask)
            score += maskAt(in[mask], s, head, n, m);
          total += softmax[size_t(m)] = std::exp(score);
        }
        for (int64_t m = 0; m < s.keys; ++m) {
          const int64_t key = head * s.keys + m;
          softmax[size_t(m)] = total == 0 ? 0 : softmax[size_t(m)] / total;
          const double factor = s.drops() ? kept(s, in[seed], head, n, m) : 1.0;
          for (int64_t e = 0; e < s.valueColumns; ++e) {
            const double dout = dy.values[at(row, s.valueColumns, e)];
            grad[size_t(m)] +=
                factor * dout * v.values[at(key, s.valueColumns, e)];
            grads[2].values[at(key, s.valueColumns, e)] +=
                factor * softmax[size_t(m)] * dout;
          }
          mean += softmax[size_t(m)] * grad[size_t(m)];
        }
        for (int64_t m = 0; m < s.keys; ++m) {
          const int64_t key = head * s.keys + m;
          const double score =
              s.scale * softmax[size_t(m)] * (grad[size_t(m)] - mean);
          for (int64_t d = 0; d < s.columns; ++d) {
            grads[0].values[at(row, s.columns, d)] +=
                score * k.values[at(key, s.columns, d)];
            grads[1].values[at(key, s.columns, d)] +=
                score * q.values[at(row, s.columns, d)];
          }
        }
      }
    return grads;
  };
}

static void addAttention(std::vector<Case> &cases, const std::string &variant,
                         const Sizes &s, uint64_t seed,
                         const std::vector<TestTensor> &masks = {}) {
  std::vector<TestTensor> in{random(s.with(s.rows, s.columns), seed, -2, 2),
                             random(s.with(s.keys, s.columns), seed + 1, -2, 2),
                             random(s.with(s.keys, s.valueColumns), seed + 2)};
  std::vector<TestTensor> others = masks;
  if (s.drops())
    others.insert(others.begin(), {{1}, {double(seed * 7919)}, DType::I64});
  in.insert(in.end(), others.begin(), others.end());
  std::vector<Attribute> attributes{attribute("scale", s.scale)};
  if (s.drops()) {
    attributes.push_back(attribute("p", s.p));
    attributes.push_back(attribute("salt", salt));
  }
  if (s.causal)
    attributes.push_back(attribute("causal", int64_t(1)));
  Formula forward = attention(s);
  const std::string kernel =
      s.drops() ? "memplan.attention_dropout" : "memplan.attention";
  if (s.tf32)
    attributes.push_back(attribute("tf32", int64_t(1)));
  auto add = [&](Case test) {
    // Operands of two products each are rounded to 11 bits; a sum may cancel.
    if (s.tf32)
      test.tolerance = std::ldexp(1, -8);
    cases.push_back(std::move(test));
  };
  add(makeCase(kernel, variant, in, attributes, forward));
  std::vector<TestTensor> saved = forward(in);
  for (TestTensor &tensor : saved)
    for (double &value : tensor.values)
      value = rounded(value);
  TestTensor dy = random(saved[0].shape, seed + 3);
  std::vector<TestTensor> operands{dy, in[0], in[1], in[2], saved[0], saved[1]};
  operands.insert(operands.end(), others.begin(), others.end());
  Formula written = attentionGrad(s);
  if (count(in[0].shape) > fewElements || count(in[1].shape) > fewElements)
    return add(
        makeCase(kernel + "_grad", variant, operands, attributes, written));
  add(makeCase(kernel + "_grad", variant, operands, attributes,
               [&](const auto &) {
                 std::vector<TestTensor> grads;
                 for (size_t i : {0, 1, 2})
                   grads.push_back(numericGradient(forward, in, i, dy));
                 return grads;
               }));
}

/// Heads of multiples of 8 columns, as a kernel for tensor cores takes them:
/// rows and keys that are no multiples of its tiles, of all three kinds of
/// products.
static void addTiles(std::vector<Case> &cases) {
  uint64_t seed = 5300;
  for (bool tf32 : {false, true})
    for (double p : {-1.0, 0.3}) {
      const std::string in = tf32 ? "tiles in TF32, " : "tiles, ";
      auto add = [&](const std::string &variant, Sizes sizes,
                     const std::vector<TestTensor> &masks = {}) {
        sizes.p = p;
        sizes.tf32 = tf32;
        addAttention(cases, in + variant, sizes, seed += 10, masks);
      };
      add("8 columns", {{2}, 17, 19, 8, 8, 0.5, false});
      add("causal", {{1}, 67, 67, 8, 16, 0.5, true});
      add("64 columns", {{1}, 65, 130, 64, 64, 0.1, false});
      add("64 columns, causal", {{1}, 128, 128, 64, 64, 0.1, true});
      add("causal, fewer keys", {{2}, 133, 37, 16, 40, 0.2, true});
      add("causal, more keys", {{1}, 37, 133, 40, 8, -0.2, true});
      add("80 columns", {{1}, 70, 66, 80, 96, 0.1, false});
      add("128 columns", {{1}, 66, 81, 128, 128, 0.05, true});
      add("128 columns and 24", {{1}, 20, 35, 128, 24, 0.05, false});
      const Sizes masked{{2, 2}, 9, 20, 8, 8, 0.5, false};
      add("mask of keys", masked, {random({2, 1, 1, 20}, 5301)});
      add("mask of heads", masked, {random({2, 9, 20}, 5302)});
      TestTensor none = random({9, 20}, 5303);
      for (size_t key = 0; key < 20; ++key)
        none.values[4 * 20 + key] = -double(INFINITY);
      add("a row without keys", masked, {none});
    }
}

void addAttentionCases(std::vector<Case> &cases) {
  addAttention(cases, "plain", {{2, 2}, 3, 5, 4, 6, 0.5, false}, 5000);
  addAttention(cases, "one head", {{}, 4, 4, 3, 3, -0.7, false}, 5010);
  addAttention(cases, "causal", {{3}, 5, 5, 4, 4, 0.5, true}, 5020);
  addAttention(cases, "causal, fewer keys", {{2}, 6, 4, 2, 3, 1, true}, 5030);
  addAttention(cases, "causal, more keys", {{2}, 3, 7, 2, 3, 1, true}, 5040);
  // Blocks of queries and keys begin in the middle.
  addAttention(cases, "blocks, causal", {{1}, 35, 35, 2, 2, 1, true}, 5050);
  addAttention(cases, "blocks, columns", {{1}, 2, 66, 1, 17, 1, false}, 5060);
  addAttention(cases, "blocks, many columns", {{2}, 70, 150, 40, 64, 0.2, true},
               5070);
  addAttention(cases, "widest", {{1}, 3, 4, 256, 256, 0.1, false}, 5080);

  Sizes small{{2, 3}, 3, 4, 2, 2, 1, false};
  addAttention(cases, "mask of keys", small, 5100, {random({4}, 5101)});
  addAttention(cases, "mask of rows", small, 5110, {random({3, 1}, 5111)});
  addAttention(cases, "mask of samples", small, 5120,
               {random({2, 1, 1, 4}, 5121)});
  addAttention(cases, "mask of heads", small, 5130, {random({3, 3, 4}, 5131)});
  addAttention(cases, "mask of everything", small, 5140,
               {random({2, 3, 3, 4}, 5141)});
  small.causal = true;
  addAttention(cases, "causal and mask", small, 5150, {random({3, 4}, 5151)});

  // A key that is excluded everywhere, and a row that sees none.
  const double none = -double(INFINITY);
  TestTensor mask{{3, 4},
                  {0, none, 0.5, 0, none, none, none, none, 0, none, 0, none}};
  small.causal = false;
  addAttention(cases, "a row without keys", small, 5160, {mask});

  small.p = 0.4;
  addAttention(cases, "a row without keys", small, 5170, {mask});
  addAttention(cases, "mask of heads", small, 5180, {random({3, 3, 4}, 5181)});
  for (double p : {0.0, 0.1, 0.9})
    addAttention(cases, "p " + std::to_string(p),
                 {{2, 2}, 3, 5, 4, 6, 0.5, false, p}, 5190);
  addAttention(cases, "causal", {{3}, 5, 5, 4, 4, 0.5, true, 0.3}, 5200);
  // Rows begin inside of a block of random numbers.
  addAttention(cases, "blocks, causal", {{1}, 35, 35, 2, 2, 1, true, 0.3},
               5210);
  addAttention(cases, "blocks, columns", {{1}, 2, 66, 1, 17, 1, false, 0.3},
               5220);
  addAttention(cases, "blocks, many columns",
               {{2}, 70, 150, 40, 64, 0.2, true, 0.3}, 5230);
  addTiles(cases);
}

} // namespace memplan::runtime::conformance

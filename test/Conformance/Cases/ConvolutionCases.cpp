//===- ConvolutionCases.cpp - Convolutions against seven plain loops ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

namespace memplan::runtime::conformance {

namespace {
struct Conv {
  const char *variant;
  int64_t n, c, h, w, o, kh, kw;
  int64_t sh = 1, sw = 1, ph = 0, pw = 0, dh = 1, dw = 1, groups = 1;

  int64_t ho() const { return (h + 2 * ph - dh * (kh - 1) - 1) / sh + 1; }
  int64_t wo() const { return (w + 2 * pw - dw * (kw - 1) - 1) / sw + 1; }
  /// Rows and columns at the end of the image that no window reaches.
  int64_t restH() const {
    return h + 2 * ph - dh * (kh - 1) - 1 - (ho() - 1) * sh;
  }
  int64_t restW() const {
    return w + 2 * pw - dw * (kw - 1) - 1 - (wo() - 1) * sw;
  }

  std::vector<Attribute> attributes() const {
    using Ints = std::vector<int64_t>;
    return {attribute("strides", Ints{sh, sw}),
            attribute("padding", Ints{ph, pw}),
            attribute("dilation", Ints{dh, dw}), attribute("groups", groups)};
  }
  Shape image() const { return {n, c, h, w}; }
  Shape filter() const { return {o, c / groups, kh, kw}; }
  Shape result() const { return {n, o, ho(), wo()}; }
};
} // namespace

/// Calls f(image, filter, result element) for every product of the convolution.
template <typename F> static void eachProduct(const Conv &k, const F &f) {
  int64_t cg = k.c / k.groups, og = k.o / k.groups;
  for (int64_t n = 0; n < k.n; ++n)
    for (int64_t o = 0; o < k.o; ++o)
      for (int64_t i = 0; i < k.ho(); ++i)
        for (int64_t j = 0; j < k.wo(); ++j)
          for (int64_t c = 0; c < cg; ++c)
            for (int64_t a = 0; a < k.kh; ++a)
              for (int64_t b = 0; b < k.kw; ++b) {
                int64_t y = i * k.sh - k.ph + a * k.dh;
                int64_t x = j * k.sw - k.pw + b * k.dw;
                if (y < 0 || y >= k.h || x < 0 || x >= k.w)
                  continue;
                f(((n * k.c + o / og * cg + c) * k.h + y) * k.w + x,
                  ((o * cg + c) * k.kh + a) * k.kw + b,
                  ((n * k.o + o) * k.ho() + i) * k.wo() + j);
              }
}

static void addBias(TestTensor &out, const std::vector<TestTensor> &in) {
  if (in.size() < 3)
    return;
  int64_t plane = out.shape[2] * out.shape[3];
  for (size_t i = 0; i < out.values.size(); ++i)
    out.values[i] += in[2].values[size_t(int64_t(i) / plane % out.shape[1])];
}

static TestTensor zeros(const Shape &shape) {
  return {shape, Values(size_t(count(shape)))};
}

static Formula forward(const Conv &k) {
  return [k](const std::vector<TestTensor> &in) {
    TestTensor out = zeros(k.result());
    eachProduct(k, [&](int64_t x, int64_t f, int64_t y) {
      out.values[size_t(y)] +=
          in[0].values[size_t(x)] * in[1].values[size_t(f)];
    });
    addBias(out, in);
    return std::vector<TestTensor>{out};
  };
}

/// in: result-shaped, filter, maybe a bias over the image's channels.
static Formula toImage(const Conv &k) {
  return [k](const std::vector<TestTensor> &in) {
    TestTensor out = zeros(k.image());
    eachProduct(k, [&](int64_t x, int64_t f, int64_t y) {
      out.values[size_t(x)] +=
          in[0].values[size_t(y)] * in[1].values[size_t(f)];
    });
    addBias(out, in);
    return std::vector<TestTensor>{out};
  };
}

static Formula toFilter(const Conv &k) {
  return [k](const std::vector<TestTensor> &in) {
    TestTensor out = zeros(k.filter());
    eachProduct(k, [&](int64_t x, int64_t f, int64_t y) {
      out.values[size_t(f)] +=
          in[0].values[size_t(x)] * in[1].values[size_t(y)];
    });
    return std::vector<TestTensor>{out};
  };
}

static void addConvolution(std::vector<Case> &cases, const Conv &k,
                           uint64_t seed) {
  TestTensor x = random(k.image(), seed), f = random(k.filter(), seed + 1);
  TestTensor dy = random(k.result(), seed + 2);
  TestTensor bias = random({k.o}, seed + 3), wide = random({k.c}, seed + 4);
  std::vector<Attribute> plain = k.attributes(), grad = plain, filter = plain;
  grad.push_back(
      attribute("output_padding", std::vector<int64_t>{k.restH(), k.restW()}));
  filter.push_back(attribute("kernel", std::vector<int64_t>{k.kh, k.kw}));
  std::string name = k.variant;
  cases.push_back(makeCase("memplan.conv2d", name, {x, f}, plain, forward(k)));
  cases.push_back(makeCase("memplan.conv2d", name + ", bias", {x, f, bias},
                           plain, forward(k)));
  std::vector<Attribute> relu = plain;
  relu.push_back(attribute("relu", int64_t(1)));
  const Formula positive = [k](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out = forward(k)(in);
    for (double &value : out[0].values)
      value = value < 0 ? 0 : value;
    return out;
  };
  cases.push_back(
      makeCase("memplan.conv2d", name + ", relu", {x, f}, relu, positive));
  cases.push_back(makeCase("memplan.conv2d", name + ", bias and relu",
                           {x, f, bias}, relu, positive));
  cases.push_back(
      makeCase("memplan.conv2d_input_grad", name, {dy, f}, grad, toImage(k)));
  cases.push_back(makeCase("memplan.conv2d_filter_grad", name, {x, dy}, filter,
                           toFilter(k)));
  cases.push_back(
      makeCase("memplan.conv_transpose2d", name, {dy, f}, grad, toImage(k)));
  cases.push_back(makeCase("memplan.conv_transpose2d", name + ", bias",
                           {dy, f, wide}, grad, toImage(k)));
}

/// What layout the operands have changes no value.
static void addChannelsLast(std::vector<Case> &cases, const Conv &k,
                            uint64_t seed) {
  std::vector<Case> made;
  addConvolution(made, k, seed);
  for (Case &test : made)
    cases.push_back(withChannelsLast(std::move(test)));
}

/// The gradients are what numeric differentiation of the forward loops gives:
/// checks the loops above against each other too.
static void addNumeric(std::vector<Case> &cases, const Conv &k) {
  TestTensor x = random(k.image(), 71), f = random(k.filter(), 72);
  TestTensor dy = random(k.result(), 73);
  std::vector<Attribute> grad = k.attributes();
  grad.push_back(
      attribute("output_padding", std::vector<int64_t>{k.restH(), k.restW()}));
  std::vector<Attribute> filter = k.attributes();
  filter.push_back(attribute("kernel", std::vector<int64_t>{k.kh, k.kw}));
  cases.push_back(makeCase("memplan.conv2d_input_grad", "numeric", {dy, f},
                           grad, [&](const auto &) {
                             return std::vector<TestTensor>{
                                 numericGradient(forward(k), {x, f}, 0, dy)};
                           }));
  cases.push_back(makeCase("memplan.conv2d_filter_grad", "numeric", {x, dy},
                           filter, [&](const auto &) {
                             return std::vector<TestTensor>{
                                 numericGradient(forward(k), {x, f}, 1, dy)};
                           }));
}

void addConvolutionCases(std::vector<Case> &cases) {
  const Conv list[] = {
      {"1x1", 2, 3, 5, 5, 4, 1, 1},
      {"3x3 padded", 2, 3, 6, 7, 4, 3, 3, 1, 1, 1, 1},
      {"stride 2", 2, 3, 8, 8, 4, 3, 3, 2, 2, 1, 1},
      {"stride 2, rest", 1, 2, 8, 9, 3, 3, 3, 3, 2, 0, 0},
      {"strides differ", 1, 2, 9, 10, 3, 3, 2, 2, 3, 1, 0},
      {"dilation", 1, 2, 9, 9, 3, 3, 3, 1, 1, 2, 2, 2, 2},
      {"dilation and stride", 1, 2, 11, 10, 3, 3, 2, 2, 1, 1, 1, 2, 3},
      {"groups", 2, 6, 5, 5, 4, 3, 3, 1, 1, 1, 1, 1, 1, 2},
      {"depthwise", 2, 4, 6, 6, 4, 3, 3, 1, 1, 1, 1, 1, 1, 4},
      {"depthwise, stride 2", 1, 4, 7, 7, 4, 3, 3, 2, 2, 1, 1, 1, 1, 4},
      {"depthwise, two filters", 1, 3, 5, 5, 6, 3, 3, 1, 1, 1, 1, 1, 1, 3},
      {"7x7 stem", 1, 3, 16, 16, 8, 7, 7, 2, 2, 3, 3},
      {"wide rows", 1, 2, 3, 300, 2, 3, 3, 1, 1, 1, 1},
      {"kernel covers the image", 2, 3, 4, 4, 5, 4, 4},
      {"much padding", 1, 1, 2, 2, 2, 3, 3, 1, 1, 2, 2},
      {"2x2 upsampling", 1, 4, 8, 6, 3, 2, 2, 2, 2},
      {"patches, rest", 2, 3, 33, 50, 8, 16, 16, 16, 16},
      {"1x1, many pixels", 3, 9, 12, 11, 10, 1, 1},
      {"1x1, few pixels", 2, 17, 6, 6, 20, 1, 1},
  };
  uint64_t seed = 1000;
  for (const Conv &k : list)
    addConvolution(cases, k, seed += 10);
  for (size_t i : {0, 1, 3, 6, 7, 9, 11, 15, 16})
    addChannelsLast(cases, list[i], seed += 10);
  addNumeric(cases, {"numeric", 1, 4, 5, 4, 2, 3, 3, 2, 1, 1, 1, 1, 1, 2});
}

} // namespace memplan::runtime::conformance

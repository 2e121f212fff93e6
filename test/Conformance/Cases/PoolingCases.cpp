//===- PoolingCases.cpp - Pooling against plain windows -------------------===//
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
struct Pool {
  const char *variant;
  int64_t n, c, h, w, kh, kw;
  int64_t sh = 1, sw = 1, ph = 0, pw = 0, dh = 1, dw = 1;

  int64_t ho() const { return (h + 2 * ph - dh * (kh - 1) - 1) / sh + 1; }
  int64_t wo() const { return (w + 2 * pw - dw * (kw - 1) - 1) / sw + 1; }
  Shape image() const { return {n, c, h, w}; }
  Shape pooled() const { return {n, c, ho(), wo()}; }
  std::vector<Attribute> attributes(bool dilated) const {
    using Ints = std::vector<int64_t>;
    std::vector<Attribute> list{attribute("kernel", Ints{kh, kw}),
                                attribute("strides", Ints{sh, sw}),
                                attribute("padding", Ints{ph, pw})};
    if (dilated)
      list.push_back(attribute("dilation", Ints{dh, dw}));
    return list;
  }
  std::vector<Attribute> gradAttributes(bool dilated) const {
    std::vector<Attribute> list = attributes(dilated);
    list.push_back(attribute("input_size", std::vector<int64_t>{h, w}));
    return list;
  }
};
} // namespace

/// Calls f(output element, image element or -1 in the padding, window pixel).
template <typename F> static void eachPixel(const Pool &k, const F &f) {
  for (int64_t p = 0; p < k.n * k.c; ++p)
    for (int64_t i = 0; i < k.ho(); ++i)
      for (int64_t j = 0; j < k.wo(); ++j)
        for (int64_t a = 0; a < k.kh; ++a)
          for (int64_t b = 0; b < k.kw; ++b) {
            int64_t y = i * k.sh - k.ph + a * k.dh;
            int64_t x = j * k.sw - k.pw + b * k.dw;
            bool inside = y >= 0 && y < k.h && x >= 0 && x < k.w;
            f((p * k.ho() + i) * k.wo() + j,
              inside ? (p * k.h + y) * k.w + x : -1, a * k.kw + b);
          }
}

static Formula maxPool(const Pool &k) {
  return [k](const std::vector<TestTensor> &in) {
    TestTensor y{k.pooled(), Values(size_t(count(k.pooled())), -INFINITY)};
    TestTensor index{k.pooled(), Values(y.values.size()), DType::I8};
    eachPixel(k, [&](int64_t out, int64_t from, int64_t pixel) {
      if (from >= 0 && in[0].values[size_t(from)] > y.values[size_t(out)]) {
        y.values[size_t(out)] = in[0].values[size_t(from)];
        index.values[size_t(out)] = double(pixel);
      }
    });
    return std::vector<TestTensor>{y, index};
  };
}

static Formula avgPool(const Pool &k, bool includePadding) {
  return [=](const std::vector<TestTensor> &in) {
    TestTensor y{k.pooled(), Values(size_t(count(k.pooled())))};
    Values pixels(y.values.size());
    eachPixel(k, [&](int64_t out, int64_t from, int64_t) {
      if (from >= 0)
        y.values[size_t(out)] += in[0].values[size_t(from)];
      pixels[size_t(out)] += from >= 0 || includePadding;
    });
    for (size_t i = 0; i < pixels.size(); ++i)
      y.values[i] /= pixels[i];
    return std::vector<TestTensor>{y};
  };
}

static Formula adaptivePool(int64_t ho, int64_t wo) {
  return [=](const std::vector<TestTensor> &in) {
    const Shape &s = in[0].shape;
    TestTensor y{{s[0], s[1], ho, wo}, Values(size_t(s[0] * s[1] * ho * wo))};
    for (int64_t p = 0; p < s[0] * s[1]; ++p)
      for (int64_t i = 0; i < ho; ++i)
        for (int64_t j = 0; j < wo; ++j) {
          auto low = [](int64_t at, int64_t size, int64_t parts) {
            return int64_t(
                std::floor(double(at) * double(size) / double(parts)));
          };
          auto high = [](int64_t at, int64_t size, int64_t parts) {
            return int64_t(
                std::ceil(double(at + 1) * double(size) / double(parts)));
          };
          double sum = 0, pixels = 0;
          for (int64_t a = low(i, s[2], ho); a < high(i, s[2], ho); ++a)
            for (int64_t b = low(j, s[3], wo); b < high(j, s[3], wo); ++b) {
              sum += in[0].values[size_t((p * s[2] + a) * s[3] + b)];
              pixels += 1;
            }
          y.values[size_t((p * ho + i) * wo + j)] = sum / pixels;
        }
    return std::vector<TestTensor>{y};
  };
}

static void addPool(std::vector<Case> &cases, const Pool &k, uint64_t seed) {
  TestTensor x = random(k.image(), seed, -2, 2);
  TestTensor dy = random(k.pooled(), seed + 1);
  auto grad = [&](const Formula &forward) {
    return [&x, &dy, forward](const auto &) {
      return std::vector<TestTensor>{numericGradient(forward, {x}, 0, dy)};
    };
  };
  cases.push_back(makeCase("memplan.max_pool2d", k.variant, {x},
                           k.attributes(true), maxPool(k)));
  cases.push_back(makeCase("memplan.max_pool2d_grad", k.variant,
                           {dy, maxPool(k)({x})[1]}, k.gradAttributes(true),
                           grad(maxPool(k))));
  if (k.dh != 1 || k.dw != 1)
    return;
  for (bool include : {false, true}) {
    std::vector<Attribute> attributes = k.attributes(false);
    std::vector<Attribute> gradAttributes = k.gradAttributes(false);
    if (include) {
      attributes.push_back(attribute("count_include_pad", int64_t(1)));
      gradAttributes.push_back(attribute("count_include_pad", int64_t(1)));
    }
    cases.push_back(makeCase("memplan.avg_pool2d", k.variant, {x}, attributes,
                             avgPool(k, include)));
    cases.push_back(makeCase("memplan.avg_pool2d_grad", k.variant, {dy},
                             gradAttributes, grad(avgPool(k, include))));
  }
}

static void addChannelsFirst(std::vector<Case> &cases) {
  const Pool list[] = {
      {"2x2", 2, 3, 4, 6, 2, 2, 2, 2},
      {"3x3, stride 2, padded", 1, 3, 7, 8, 3, 3, 2, 2, 1, 1},
      {"overlapping", 1, 2, 5, 5, 3, 3},
      {"not square", 1, 2, 6, 5, 3, 2, 2, 1, 1, 0},
      {"dilation", 1, 2, 8, 8, 2, 3, 1, 2, 1, 1, 3, 2},
      {"rest", 1, 1, 7, 7, 2, 2, 2, 2},
      {"whole image", 2, 2, 3, 3, 3, 3},
      {"wide", 1, 1, 4, 60, 2, 2, 2, 2},
      {"wide, padded", 1, 1, 5, 45, 3, 3, 2, 2, 1, 1},
      {"wide, stride 3", 1, 1, 5, 60, 2, 3, 1, 3, 1, 1},
      {"wider than a piece", 1, 1, 2, 300, 2, 2, 1, 1},
      {"more channels than a piece", 1, 150, 3, 4, 2, 2, 1, 1},
  };
  uint64_t seed = 5000;
  for (const Pool &k : list)
    addPool(cases, k, seed += 10);

  // The first of equal pixels wins, so that every backend stores one index.
  cases.push_back(makeCase(
      "memplan.max_pool2d", "equal pixels", {{{1, 1, 2, 2}, {3, 3, 3, 3}}},
      {attribute("kernel", std::vector<int64_t>{2, 2})}, [](const auto &) {
        return std::vector<TestTensor>{{{1, 1, 1, 1}, {3}},
                                       {{1, 1, 1, 1}, {0}, DType::I8}};
      }));

  // A NaN wins, the first of several too, wherever in the row it is.
  TestTensor image = random({1, 1, 2, 80}, seed += 10, 1, 2);
  TestTensor largest{{1, 1, 1, 40}, Values(40)};
  TestTensor pixels{{1, 1, 1, 40}, Values(40), DType::I8};
  for (size_t j = 0; j < 40; ++j) {
    double fill = j % 2 ? NAN : -INFINITY;
    for (size_t pixel : {2 * j, 2 * j + 1, 80 + 2 * j, 80 + 2 * j + 1})
      image.values[pixel] = fill;
    image.values[2 * j] = j % 4 == 1 ? 5 : fill;
    largest.values[j] = fill;
    pixels.values[j] = j % 4 == 1;
  }
  cases.push_back(makeCase(
      "memplan.max_pool2d", "NaN and infinity", {image},
      {attribute("kernel", std::vector<int64_t>{2, 2}),
       attribute("strides", std::vector<int64_t>{2, 2})},
      [&](const auto &) { return std::vector<TestTensor>{largest, pixels}; }));

  struct Adaptive {
    Shape image;
    int64_t ho, wo;
  };
  for (const Adaptive &a :
       {Adaptive{{2, 3, 7, 7}, 1, 1}, Adaptive{{1, 2, 7, 5}, 3, 2},
        Adaptive{{1, 2, 3, 3}, 7, 5}, Adaptive{{2, 1, 4, 4}, 4, 4}}) {
    TestTensor x = random(a.image, seed += 10);
    TestTensor dy = random({a.image[0], a.image[1], a.ho, a.wo}, seed + 1);
    Formula forward = adaptivePool(a.ho, a.wo);
    std::string variant = "to " + std::to_string(a.ho);
    cases.push_back(makeCase(
        "memplan.adaptive_avg_pool2d", variant, {x},
        {attribute("output_size", std::vector<int64_t>{a.ho, a.wo})}, forward));
    cases.push_back(makeCase(
        "memplan.adaptive_avg_pool2d_grad", variant, {dy},
        {attribute("input_size", std::vector<int64_t>{a.image[2], a.image[3]})},
        [&](const auto &) {
          return std::vector<TestTensor>{numericGradient(forward, {x}, 0, dy)};
        }));
  }
}

void addPoolingCases(std::vector<Case> &cases) {
  std::vector<Case> made;
  addChannelsFirst(made);
  for (Case &test : made) {
    cases.push_back(test);
    cases.push_back(withChannelsLast(std::move(test)));
  }
}

} // namespace memplan::runtime::conformance

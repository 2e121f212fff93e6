//===- UpdateCases.cpp - Optimizer updates against their definitions ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

#include <cmath>

namespace memplan::runtime::conformance {

static Formula momentum(double lr, double keep, double decay, bool nesterov) {
  return [=](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out{in[0], in[1]};
    for (size_t i = 0; i < in[0].values.size(); ++i) {
      double d = in[2].values[i] + decay * in[0].values[i];
      double v = keep * in[1].values[i] + d;
      out[1].values[i] = v;
      out[0].values[i] -= lr * (nesterov ? d + keep * v : v);
    }
    return out;
  };
}

static Formula adam(double lr, double decay, bool decoupled) {
  return [=](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out{in[0], in[1], in[2]};
    double step = in[3].values[0];
    for (size_t i = 0; i < in[0].values.size(); ++i) {
      double p = in[0].values[i], d = in[4].values[i];
      if (decoupled)
        p -= lr * decay * p;
      else
        d += decay * p;
      double m = 0.9 * in[1].values[i] + 0.1 * d;
      double v = 0.99 * in[2].values[i] + 0.01 * d * d;
      double mHat = m / (1 - std::pow(0.9, step));
      double vHat = v / (1 - std::pow(0.99, step));
      out[0].values[i] = p - lr * mHat / (std::sqrt(vHat) + 1e-8);
      out[1].values[i] = m;
      out[2].values[i] = v;
    }
    return out;
  };
}

/// in: param, v, [velocity,] grad.
static Formula rmsprop(double lr, double keep, double decay) {
  return [=](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out(in.begin(), in.end() - 1);
    for (size_t i = 0; i < in[0].values.size(); ++i) {
      double d = in.back().values[i] + decay * in[0].values[i];
      double v = 0.95 * in[1].values[i] + 0.05 * d * d;
      double step = d / (std::sqrt(v) + 1e-3);
      out[1].values[i] = v;
      if (in.size() == 4)
        step = out[2].values[i] = keep * in[2].values[i] + step;
      out[0].values[i] -= lr * step;
    }
    return out;
  };
}

static Formula adagrad(double lr, double decay) {
  return [=](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out{in[0], in[1]};
    for (size_t i = 0; i < in[0].values.size(); ++i) {
      double d = in[2].values[i] + decay * in[0].values[i];
      out[1].values[i] += d * d;
      out[0].values[i] -= lr * d / (std::sqrt(out[1].values[i]) + 1e-3);
    }
    return out;
  };
}

static Formula lion(double lr, double decay) {
  return [=](const std::vector<TestTensor> &in) {
    std::vector<TestTensor> out{in[0], in[1]};
    for (size_t i = 0; i < in[0].values.size(); ++i) {
      double g = in[2].values[i], m = in[1].values[i];
      double toward = 0.9 * m + 0.1 * g;
      double sign = toward > 0 ? 1 : toward < 0 ? -1 : 0;
      out[0].values[i] -= lr * (sign + decay * in[0].values[i]);
      out[1].values[i] = 0.99 * m + 0.01 * g;
    }
    return out;
  };
}

/// Every case of an update once more with a scalar that lets it be, and with
/// one that skips it: the outputs are the inputs of their numbers.
static void addSkipping(std::vector<Case> &cases, size_t first) {
  for (size_t i = first, count = cases.size(); i < count; ++i)
    for (double skip : {0.0, 1.0}) {
      Case made = cases[i];
      made.variant += skip != 0 ? " skipped" : " not skipped";
      if (skip != 0)
        for (size_t k = 0; k < made.outputs.size(); ++k)
          made.outputs[k] = made.inputs[k];
      made.inputs.push_back({{}, {skip}});
      cases.push_back(made);
    }
}

/// Every case of an update once more, with a quarter of its learning rate and
/// a scalar that multiplies it by four.
static void addRated(std::vector<Case> &cases, size_t first, size_t last) {
  constexpr double factor = 4;
  for (size_t i = first; i < last; ++i) {
    Case made = cases[i];
    if (made.kernel == "memplan.increment")
      continue;
    for (Attribute &each : made.attributes)
      if (each.name == "lr")
        each.value = std::get<double>(each.value) / factor;
    made.variant += " rated";
    made.inputs.push_back({{}, {0}});
    made.inputs.push_back({{}, {factor}});
    cases.push_back(made);
  }
}

static void addLossScale(std::vector<Case> &cases, double scale, double good,
                         double nonFinite, double newScale, double newGood) {
  cases.push_back(makeCase(
      "memplan.loss_scale_update",
      std::to_string(scale) + ", " + std::to_string(nonFinite),
      {{{}, {scale}}, {{1}, {good}, DType::I64}, {{}, {nonFinite}}},
      {attribute("growth_factor", 4.0), attribute("backoff_factor", 0.25),
       attribute("growth_interval", int64_t(3))},
      [=](const auto &) {
        return std::vector<TestTensor>{{{}, {newScale}},
                                       {{1}, {newGood}, DType::I64}};
      }));
}

void addUpdateCases(std::vector<Case> &cases) {
  addLossScale(cases, 16, 0, 0, 16, 1);
  addLossScale(cases, 32, 2, 0, 128, 0);
  addLossScale(cases, 64, 2, 1, 16, 0);
  // A scale that would be infinite stays.
  addLossScale(cases, 0x1p127, 2, 0, 0x1p127, 0);
  const size_t firstUpdate = cases.size();
  uint64_t seed = 9900;
  for (Shape shape : {Shape{6}, Shape{3, 4}, Shape{20000}}) {
    TestTensor p = random(shape, ++seed), g = random(shape, ++seed);
    TestTensor s = random(shape, ++seed), v = random(shape, ++seed, 0.1, 1);
    std::string variant = typeText(DType::F32, shape);
    for (double decay : {0.0, 0.1}) {
      std::vector<Attribute> sgd{attribute("lr", 0.5),
                                 attribute("weight_decay", decay)};
      cases.push_back(makeCase(
          "memplan.sgd_update", variant, {p, g}, sgd, [&](const auto &in) {
            TestTensor out = in[0];
            for (size_t i = 0; i < out.values.size(); ++i)
              out.values[i] -=
                  0.5 * (in[1].values[i] + decay * in[0].values[i]);
            return std::vector<TestTensor>{out};
          }));
      for (bool nesterov : {false, true}) {
        std::vector<Attribute> attributes = sgd;
        attributes.push_back(attribute("momentum", 0.9));
        attributes.push_back(attribute("nesterov", int64_t(nesterov)));
        cases.push_back(makeCase("memplan.sgd_momentum_update", variant,
                                 {p, s, g}, attributes,
                                 momentum(0.5, 0.9, decay, nesterov)));
      }
      std::vector<Attribute> squares{
          attribute("lr", 0.01), attribute("alpha", 0.95),
          attribute("epsilon", 1e-3), attribute("weight_decay", decay)};
      cases.push_back(makeCase("memplan.rmsprop_update", variant, {p, v, g},
                               squares, rmsprop(0.01, 0, decay)));
      squares.push_back(attribute("momentum", 0.8));
      cases.push_back(makeCase("memplan.rmsprop_momentum_update", variant,
                               {p, v, s, g}, squares,
                               rmsprop(0.01, 0.8, decay)));
      cases.push_back(
          makeCase("memplan.adagrad_update", variant, {p, v, g},
                   {attribute("lr", 0.01), attribute("epsilon", 1e-3),
                    attribute("weight_decay", decay)},
                   adagrad(0.01, decay)));
      cases.push_back(
          makeCase("memplan.lion_update", variant, {p, s, g},
                   {attribute("lr", 0.01), attribute("beta1", 0.9),
                    attribute("beta2", 0.99), attribute("weight_decay", decay)},
                   lion(0.01, decay)));
      std::vector<Attribute> attributes{
          attribute("lr", 0.01), attribute("beta1", 0.9),
          attribute("beta2", 0.99), attribute("epsilon", 1e-8),
          attribute("weight_decay", decay)};
      for (double step : {1.0, 10.0}) {
        TestTensor number{{1}, {step}, DType::I64};
        cases.push_back(makeCase("memplan.adam_update", variant,
                                 {p, s, v, number, g}, attributes,
                                 adam(0.01, decay, false)));
        cases.push_back(makeCase("memplan.adamw_update", variant,
                                 {p, s, v, number, g}, attributes,
                                 adam(0.01, decay, true)));
      }
    }
  }
  // Nothing moves a parameter that has no gradient yet.
  cases.push_back(makeCase(
      "memplan.lion_update", "no gradient",
      {{{2}, {1, -2}}, {{2}, {0, 0}}, {{2}, {0, 0}}},
      {attribute("lr", 0.5), attribute("beta1", 0.9), attribute("beta2", 0.99)},
      lion(0.5, 0)));
  cases.push_back(makeCase("memplan.increment", "",
                           {{{2}, {0, 41}, DType::I64}}, {}, [](const auto &) {
                             return std::vector<TestTensor>{
                                 {{2}, {1, 42}, DType::I64}};
                           }));
  const size_t lastUpdate = cases.size();
  addSkipping(cases, firstUpdate);
  addRated(cases, firstUpdate, lastUpdate);
}

} // namespace memplan::runtime::conformance

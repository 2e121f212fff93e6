//===- HalfTest.cpp - Kernels on elements of 16 bits ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// KernelTest holds the kernels of f32 against formulas in double. These tests
// hold the others against the plain kernels of f32: on the same numbers each
// must give what those give, rounded once.
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;

static const Device &deviceOf(const std::string &backend) {
  static std::map<std::string, Result<Device>> devices;
  registerBuiltInBackends();
  auto found = devices.find(backend);
  if (found == devices.end())
    found = devices.emplace(backend, Device::open(backend, 0, 2)).first;
  return *found->second;
}

/// What stays f32 ('f'), and what may ('p'), of inputs and outputs; 'h' is of
/// 16 bits, the last letter is that of all further operands.
static std::pair<std::string, std::string>
operandsOf(const std::string &kernel) {
  static const std::map<std::string, std::pair<std::string, std::string>>
      others = {{"memplan.attention", {"hhhp", "hf"}},
                {"memplan.attention_grad", {"hhhhhfp", "h"}},
                {"memplan.attention_dropout", {"hhhfp", "hf"}},
                {"memplan.attention_dropout_grad", {"hhhhhffp", "h"}},
                {"memplan.batch_norm", {"hpp", "hf"}},
                {"memplan.batch_norm_grad", {"hhpff", "hpp"}},
                {"memplan.batch_norm_update_stats", {"hhff", "hh"}},
                {"memplan.cross_entropy", {"hf", "pf"}},
                {"memplan.cross_entropy_grad", {"hffp", "h"}},
                {"memplan.global_norm", {"h", "f"}},
                {"memplan.adagrad_update", {"hhhf", "h"}},
                {"memplan.adam_update", {"hhhhhf", "h"}},
                {"memplan.adamw_update", {"hhhhhf", "h"}},
                {"memplan.lion_update", {"hhhf", "h"}},
                {"memplan.rmsprop_momentum_update", {"hhhhf", "h"}},
                {"memplan.rmsprop_update", {"hhhf", "h"}},
                {"memplan.sgd_momentum_update", {"hhhf", "h"}},
                {"memplan.sgd_update", {"hhf", "h"}},
                {"memplan.non_finite", {"h", "f"}},
                {"memplan.layer_norm", {"hpp", "hf"}},
                {"memplan.layer_norm_grad", {"hhpff", "hpp"}}};
  auto found = others.find(kernel);
  return found == others.end() ? std::pair<std::string, std::string>("h", "h")
                               : found->second;
}

namespace {
/// A case in a type, and the same numbers in f32.
struct HalfCase {
  Case half, wide;

  HalfCase(const Case &test, DType type, bool halfParameters)
      : half(test), wide(test) {
    auto [inputs, outputs] = operandsOf(test.kernel);
    auto isHalf = [&](const std::string &letters, size_t operand) {
      const char letter = letters[std::min(operand, letters.size() - 1)];
      return letter == 'h' || (letter == 'p' && halfParameters);
    };
    for (size_t i = 0; i < test.inputs.size(); ++i)
      if (test.inputs[i].dtype == DType::F32 && isHalf(inputs, i)) {
        half.inputs[i].dtype = type;
        for (double &value : half.inputs[i].values)
          value = nearest(value, type);
        wide.inputs[i].values = half.inputs[i].values;
      }
    for (size_t o = 0; o < test.outputs.size(); ++o)
      if (test.outputs[o].dtype == DType::F32 && isHalf(outputs, o))
        half.outputs[o].dtype = type;
  }
};
} // namespace

/// Without cases in f32, or of one type only.
static bool isOfHalves(const Case &test) {
  static const std::set<std::string> others = {
      "memplan.cast",      "memplan.decode_bf16", "memplan.encode_bf16",
      "memplan.increment", "memplan.iota",        "memplan.loss_scale_update"};
  return !others.count(test.kernel);
}

/// A product, the gradient of a GELU and a sum may be three kernels, each of
/// which rounds: the sum is then of rounded numbers.
static double toleranceOf(const Case &test, double tolerance) {
  constexpr double stages = 4;
  return test.kernel == "memplan.matmul_gelu_grad" ? stages * tolerance
                                                   : tolerance;
}

static void expectRounded(const HalfCase &test,
                          const std::vector<std::vector<std::byte>> &found,
                          const std::vector<std::vector<std::byte>> &wide,
                          double tolerance, const std::string &how) {
  for (size_t o = 0; o < found.size(); ++o) {
    const DType type = test.half.outputs[o].dtype;
    const Values values = toValues(found[o], type);
    const Values expected = toValues(wide[o], test.wide.outputs[o].dtype);
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const double wanted =
          isFloat(type) ? nearest(expected[i], type) : expected[i];
      const bool equal =
          values[i] == wanted || (std::isnan(values[i]) && std::isnan(wanted));
      ASSERT_TRUE(equal || std::fabs(values[i] - wanted) <=
                               tolerance * (1 + std::fabs(wanted)))
          << test.half.kernel << " (" << test.half.variant << ") in "
          << toString(type) << how << ": output " << o << " element " << i
          << " is " << values[i] << ", expected " << wanted;
    }
  }
}

static void testOn(const std::string &backend, DType type, double tolerance) {
  for (const Case &test : allCases()) {
    if (!isOfHalves(test))
      continue;
    for (bool halfParameters : {false, true}) {
      const HalfCase cases(test, type, halfParameters);
      auto wide = runCase(deviceOf("reference"), cases.wide);
      ASSERT_TRUE(wide.ok()) << wide.error().message;
      auto found = runCase(deviceOf(backend), cases.half);
      ASSERT_TRUE(found.ok()) << test.kernel << " (" << test.variant
                              << "): " << found.error().message;
      expectRounded(cases, *found, *wide, toleranceOf(test, tolerance), "");
      if (halfParameters &&
          operandsOf(test.kernel).first.find('p') == std::string::npos)
        break;
    }
  }
}

// A kernel that rounds more than once, or adds up in 16 bits, loses most of
// what a sum gathers.
TEST(Halves, plain_kernels_round_what_f32_gives_in_bf16) {
  testOn("reference", DType::BF16, 0);
}
TEST(Halves, plain_kernels_round_what_f32_gives_in_f16) {
  testOn("reference", DType::F16, 0);
}

// oneDNN adds up in another order, so that a result may round to a neighbour;
// a sum may cancel.
TEST(Halves, fast_kernels_give_nearly_the_same) {
  testOn("cpu", DType::BF16, std::ldexp(1, -7));
  testOn("cpu", DType::F16, std::ldexp(1, -10));
}

// On the GPU as on the processor: a kernel of f32 that took 16 bits for 32
// would read beyond its operands.
TEST(Halves, cuda_kernels_give_nearly_the_same) {
  Result<Device> device = Device::open("cuda", 0, 1);
  if (!device.ok())
    GTEST_SKIP() << device.error().message;
  testOn("cuda", DType::BF16, std::ldexp(1, -7));
  testOn("cuda", DType::F16, std::ldexp(1, -10));
}

// Sums in another order where an operand lies between 16 bytes would make the
// planned step differ from the unplanned one.
TEST(Halves, cuda_norms_do_not_depend_on_places) {
  Result<Device> device = Device::open("cuda", 0, 1);
  if (!device.ok())
    GTEST_SKIP() << device.error().message;
  for (const Case &test : allCases()) {
    if (test.kernel.find("_norm") == std::string::npos)
      continue;
    for (DType type : {DType::F32, DType::BF16, DType::F16}) {
      const HalfCase cases(test, type, true);
      auto aligned = runCase(*device, cases.half);
      auto shifted = runCase(*device, cases.half, nullptr, 1);
      ASSERT_TRUE(aligned.ok()) << aligned.error().message;
      ASSERT_TRUE(shifted.ok()) << shifted.error().message;
      EXPECT_EQ(*aligned, *shifted)
          << test.kernel << " (" << test.variant << ") in " << toString(type);
    }
  }
}

// Plans overwrite inputs wherever the table allows it.
TEST(Halves, are_computed_in_place) {
  for (const Case &test : allCases()) {
    if (!isOfHalves(test))
      continue;
    const HalfCase cases(test, DType::BF16, true);
    auto apart = runCase(deviceOf("reference"), cases.half);
    ASSERT_TRUE(apart.ok()) << apart.error().message;
    for (const memplan_kernel_t &kernel : referenceKernels()) {
      if (test.kernel != kernel.name)
        continue;
      for (int32_t k = 0; k < kernel.in_place_count; ++k) {
        const memplan_in_place_t &alias = kernel.in_place[k];
        if (size_t(alias.input) >= test.inputs.size())
          continue;
        const TestTensor &input = cases.half.inputs[size_t(alias.input)];
        const TestTensor &output = cases.half.outputs[size_t(alias.output)];
        if (count(input.shape) != count(output.shape) ||
            input.dtype != output.dtype)
          continue;
        auto over = runCase(deviceOf("reference"), cases.half, &alias);
        ASSERT_TRUE(over.ok()) << over.error().message;
        EXPECT_EQ(*apart, *over) << test.kernel << " (" << test.variant
                                 << ") over input " << alias.input;
      }
    }
  }
}

// A plan made on one machine is compared with a run on another.
TEST(Halves, do_not_depend_on_the_vector_set) {
  VectorSet widest = limitVectorSet(VectorSet::Avx512);
  for (const Case &test : allCases())
    for (DType type : {DType::BF16, DType::F16}) {
      if (!isOfHalves(test))
        continue;
      const HalfCase cases(test, type, false);
      limitVectorSet(widest);
      auto wide = runCase(deviceOf("reference"), cases.half);
      limitVectorSet(VectorSet::Baseline);
      auto narrow = runCase(deviceOf("reference"), cases.half);
      ASSERT_TRUE(wide.ok() && narrow.ok());
      EXPECT_EQ(*wide, *narrow) << test.kernel << " (" << test.variant << ")";
    }
  limitVectorSet(widest);
}

// Operands of two types would be read as garbage.
TEST(Halves, types_that_do_not_go_together_are_refused) {
  Case test;
  test.kernel = "memplan.add";
  test.inputs = {random({4}, 1), random({4}, 2)};
  test.inputs[1].dtype = DType::BF16;
  test.outputs = {random({4}, 3)};
  auto found = runCase(deviceOf("reference"), test);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("input 1 is bf16 where f32 belongs"),
            std::string::npos)
      << found.error().message;
}

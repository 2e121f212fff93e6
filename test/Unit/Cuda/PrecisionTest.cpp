//===- PrecisionTest.cpp - What products multiply -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "HostDeviceTest.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using testing::Contains;
using testing::Each;
using testing::Not;

namespace {
class CudaPrecision : public HostDeviceTest {};
} // namespace

/// Products and convolutions; the gradients of these too.
static std::vector<Case> products() {
  std::vector<Case> found;
  for (const Case &test : allCases())
    if ((test.kernel.find("conv") != std::string::npos ||
         test.kernel == "memplan.matmul") &&
        count(test.outputs[0].shape) > 0)
      found.push_back(test);
  return found;
}

/// The case with elements of a type, and the values that it can hold.
static Case inType(Case test, DType type) {
  for (TestTensor &input : test.inputs) {
    input.dtype = type;
    for (double &value : input.values)
      value = nearest(value, type);
  }
  for (TestTensor &output : test.outputs)
    output.dtype = type;
  return test;
}

static Case allowingTf32(Case test) {
  std::vector<Attribute> &all = test.attributes;
  const Attribute allowed = attribute("tf32", int64_t(1));
  all.insert(
      std::find_if(all.begin(), all.end(),
                   [&](const Attribute &each) { return each.name > "tf32"; }),
      allowed);
  return test;
}

static int64_t scratchOf(const Device &device, const Case &test) {
  Result<int64_t> bytes =
      queryWorkspaceBytes(device, caseProgram(test).instructions[0]);
  EXPECT_TRUE(bytes.ok()) << bytes.error().message;
  return bytes.ok() ? *bytes : -1;
}

// Copies in f32 would take scratch, and products on them no tensor cores.
TEST_F(CudaPrecision, elements_of_16_bits_are_multiplied_as_they_are) {
  for (DType type : {DType::BF16, DType::F16})
    for (const Case &test : products()) {
      const Case half = inType(test, type);
      cudaMock().productTypes.clear();
      auto found = runCase(*device, half);
      ASSERT_TRUE(found.ok()) << found.error().message;
      EXPECT_THAT(cudaMock().productTypes, Not(testing::IsEmpty()));
      EXPECT_THAT(cudaMock().productTypes,
                  Each(type == DType::BF16 ? "bf16" : "f16"))
          << test.kernel << " " << test.variant;
      EXPECT_LE(scratchOf(*device, half), 4 * scratchOf(*device, test))
          << test.kernel << " " << test.variant;
    }
}

// A view of 16 bits that asked for copies in f32 would count their bytes in
// every plan, though it is never launched.
TEST_F(CudaPrecision, what_moves_elements_of_16_bits_takes_no_scratch) {
  std::set<std::string> seen;
  for (const Case &test : allCases()) {
    if (!std::set<std::string>{"memplan.concat", "memplan.reshape",
                               "memplan.slice", "memplan.slice_grad",
                               "memplan.split", "memplan.transpose"}
             .contains(test.kernel) ||
        test.inputs[0].dtype != DType::F32)
      continue;
    seen.insert(test.kernel);
    EXPECT_EQ(scratchOf(*device, inType(test, DType::BF16)), 0)
        << test.kernel << " " << test.variant;
  }
  EXPECT_EQ(seen.size(), 6u);
}

// TF32 that nobody asked for loses 13 of 24 bits; asked for, it is close to
// what it stands for, and not the same.
TEST_F(CudaPrecision, tf32_is_taken_where_it_is_allowed_and_nowhere_else) {
  int different = 0;
  for (const Case &test : products()) {
    cudaMock().productTypes.clear();
    auto exact = runCase(*device, test);
    ASSERT_TRUE(exact.ok()) << exact.error().message;
    EXPECT_THAT(cudaMock().productTypes, Each("f32"));
    cudaMock().productTypes.clear();
    auto found = runCase(*device, allowingTf32(test));
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_THAT(cudaMock().productTypes, Contains("tf32"))
        << test.kernel << " " << test.variant;
    EXPECT_THAT(cudaMock().productTypes, Not(Contains("f32")));
    different += *found != *exact;
    const Values values = toValues((*found)[0], DType::F32);
    // Each of two factors is off by half of 2^-10 at most; sums of numbers
    // around 1 may cancel.
    const double terms = double(count(test.inputs[0].shape)) /
                         std::max(1.0, double(test.outputs[0].values.size()));
    for (size_t i = 0; i < values.size(); ++i) {
      const double wanted = test.outputs[0].values[i];
      ASSERT_NEAR(values[i], wanted,
                  std::ldexp(1, -10) *
                      (1 + std::fabs(wanted) + std::sqrt(1 + terms) * 8))
          << test.kernel << " " << test.variant;
    }
  }
  EXPECT_GT(different, 10);
}

// Tensor cores read 16 bytes at once: a program with an operand elsewhere would
// fail in the middle of its first step.
TEST_F(CudaPrecision, refuses_operands_that_tensor_cores_cannot_read) {
  int refused = 0;
  for (const Case &test : products()) {
    if (test.kernel == "memplan.matmul")
      continue;
    for (int64_t shift : {2, 16}) {
      Program program = caseProgram(inType(test, DType::BF16));
      program.arenas[0].bytes += shift;
      program.instructions[0].outputs[0].byteOffset += shift;
      program.outputs[0].operand.byteOffset += shift;
      ASSERT_TRUE(addWorkspace(*device, program).ok());
      Result<Executable> executable = Executable::compile(*device, program);
      if (shift == 16) {
        ASSERT_TRUE(executable.ok()) << executable.error().message;
        continue;
      }
      ASSERT_FALSE(executable.ok()) << test.kernel << " " << test.variant;
      EXPECT_THAT(executable.error().message,
                  testing::HasSubstr("has output 0 at byte 2, and its kernel "
                                     "on cuda:0, Mock GPU takes multiples of "
                                     "16: plan again"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

//===- DescribedTest.cpp - cuDNN itself, asked without a GPU --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"

#include "memplan/Kernels/Register/BuiltIn.h"

#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using testing::HasSubstr;

namespace {
class CudaDescribed : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    device = planner(std::string(MEMPLAN_CUDA_DEVICES) + "/h200.json");
    if (!device.ok() && device.error().message.find("cuDNN cannot be used") !=
                            std::string::npos)
      GTEST_SKIP() << device.error().message;
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  static Result<Device> planner(const std::string &file) {
    ::setenv("MEMPLAN_CUDA_DEVICE", file.c_str(), 1);
    Result<Device> device = Device::open("cuda", 0, 1);
    ::unsetenv("MEMPLAN_CUDA_DEVICE");
    return device;
  }
  Result<Device> device = Status{};
};

/// A convolution of a network: image, filter and stride.
struct Layer {
  int64_t n, c, h, o, k, stride, groups;
};
} // namespace

static Operand f32(int32_t index, std::vector<int64_t> shape) {
  return {Space::Argument, index, 0, DType::F32, std::move(shape)};
}

/// Forward, input gradient and filter gradient.
static std::vector<Instruction> instructionsOf(const Layer &l) {
  const int64_t padding = l.k / 2;
  const int64_t size = (l.h + 2 * padding - l.k) / l.stride + 1;
  const Operand x = f32(0, {l.n, l.c, l.h, l.h}),
                w = f32(1, {l.o, l.c / l.groups, l.k, l.k}),
                y = f32(2, {l.n, l.o, size, size});
  const std::vector<Attribute> attributes = {
      {"groups", l.groups},
      {"padding", std::vector<int64_t>{padding, padding}},
      {"strides", std::vector<int64_t>{l.stride, l.stride}}};
  std::vector<Instruction> made(3);
  made[0].kernel = "memplan.conv2d";
  made[0].inputs = {x, w};
  made[0].outputs = {y};
  made[1].kernel = "memplan.conv2d_input_grad";
  made[1].inputs = {y, w};
  made[1].outputs = {x};
  made[2].kernel = "memplan.conv2d_filter_grad";
  made[2].inputs = {x, y};
  made[2].outputs = {w};
  const int64_t rest = l.h - ((size - 1) * l.stride + l.k - 2 * padding);
  made[0].attributes = made[1].attributes = made[2].attributes = attributes;
  made[1].attributes.insert(
      made[1].attributes.begin() + 1,
      {"output_padding", std::vector<int64_t>{rest, rest}});
  made[2].attributes.insert(made[2].attributes.begin() + 1,
                            {"kernel", std::vector<int64_t>{l.k, l.k}});
  return made;
}

static std::vector<Instruction> instructions() {
  static constexpr Layer layers[] = {
      {32, 3, 224, 64, 7, 2, 1},   {32, 64, 56, 64, 3, 1, 1},
      {32, 256, 56, 512, 1, 2, 1}, {32, 512, 7, 512, 3, 1, 1},
      {8, 96, 112, 96, 3, 2, 96},  {2, 64, 572, 64, 3, 1, 1}};
  std::vector<Instruction> all;
  for (const Layer &layer : layers)
    for (Instruction &instruction : instructionsOf(layer))
      all.push_back(std::move(instruction));
  return all;
}

// The bias and the ReLU behind a convolution are the engine's own work: cuDNN
// has engines for the three operations that are not compiled when they run.
TEST_F(CudaDescribed, convolutions_take_bias_and_relu) {
  for (Instruction instruction : instructions()) {
    if (instruction.kernel != "memplan.conv2d")
      continue;
    for (DType type : {DType::F32, DType::BF16}) {
      const int64_t channels = instruction.outputs[0].shape[1];
      Instruction fused = instruction;
      fused.inputs.push_back(f32(3, {channels}));
      fused.attributes.insert(fused.attributes.end() - 1, {"relu", int64_t(1)});
      for (auto *operands : {&fused.inputs, &fused.outputs})
        for (Operand &operand : *operands)
          operand.dtype = type;
      auto variants = queryWorkspaceVariants(*device, fused);
      ASSERT_TRUE(variants.ok()) << variants.error().message;
      EXPECT_GE(variants->size(), 2u) << profileKey(fused);
      for (const WorkspaceVariant &variant : *variants) {
        EXPECT_THAT(variant.name, HasSubstr("cudnn:"));
        Instruction named = fused;
        named.variant = variant.name;
        Result<int64_t> bytes = queryWorkspaceBytes(*device, named);
        ASSERT_TRUE(bytes.ok()) << bytes.error().message;
        EXPECT_EQ(*bytes, variant.workspaceBytes) << variant.name;
      }
    }
  }
}

// Promised scratch is what cuDNN asks for: a variant that a launch builds from
// its name takes what the list says, to the byte.
TEST_F(CudaDescribed, takes_the_scratch_that_it_lists) {
  for (const Instruction &instruction : instructions()) {
    auto variants = queryWorkspaceVariants(*device, instruction);
    ASSERT_TRUE(variants.ok()) << variants.error().message;
    EXPECT_GE(variants->size(), 3u) << profileKey(instruction);
    for (const WorkspaceVariant &variant : *variants) {
      Instruction named = instruction;
      named.variant = variant.name;
      Result<int64_t> bytes = queryWorkspaceBytes(*device, named);
      ASSERT_TRUE(bytes.ok()) << bytes.error().message;
      EXPECT_EQ(*bytes, variant.workspaceBytes) << variant.name;
      EXPECT_THAT(variant.name, HasSubstr("cudnn:"));
    }
  }
}

// Every shape of the conformance cases is one that some engine takes, or that
// the older interface or the plugin's own kernels run.
TEST_F(CudaDescribed, plans_every_case) {
  for (const Case &test : casesOf(*device)) {
    auto variants =
        queryWorkspaceVariants(*device, caseProgram(test).instructions[0]);
    EXPECT_TRUE(variants.ok()) << test.kernel << variants.error().message;
  }
}

// The same plan on every day, and one for the device that is described.
TEST_F(CudaDescribed,
       lists_the_same_twice_and_other_engines_for_other_devices) {
  const std::string file = std::string(MEMPLAN_CUDA_DEVICES) + "/h200.json";
  Result<Device> again = planner(file);
  ASSERT_TRUE(again.ok()) << again.error().message;
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::string ampere = text.str();
  ampere.replace(ampere.find("900"), 3, "800");
  const std::string path = testing::TempDir() + "/memplan-ampere.json";
  std::ofstream(path) << ampere;
  Result<Device> other = planner(path);
  ASSERT_TRUE(other.ok()) << other.error().message;
  int different = 0;
  for (const Instruction &instruction : instructions()) {
    auto listed = queryWorkspaceVariants(*device, instruction);
    EXPECT_EQ(*listed, *queryWorkspaceVariants(*again, instruction));
    different += *listed != *queryWorkspaceVariants(*other, instruction);
  }
  EXPECT_GT(different, 0);
}

// A flag that lets go of equal bits must let more engines in, and no flag none.
TEST_F(CudaDescribed, adds_in_no_fixed_order_only_by_a_flag) {
  const Instruction filterGrad = instructions()[5];
  auto strict = queryWorkspaceVariants(*device, filterGrad);
  Result<Device> again =
      planner(std::string(MEMPLAN_CUDA_DEVICES) + "/h200.json");
  ::setenv("MEMPLAN_CUDA_NONDETERMINISTIC", "1", 1);
  auto loose = queryWorkspaceVariants(*again, filterGrad);
  ::unsetenv("MEMPLAN_CUDA_NONDETERMINISTIC");
  EXPECT_GT(loose->size(), strict->size());
}

// A name from another version of cuDNN, or of another shape, is an error.
TEST_F(CudaDescribed, refuses_names_that_it_does_not_know) {
  Instruction instruction = instructions()[3];
  for (const char *name : {"cudnn:9999:", "cudnn:1:2=99999", "engine 1"}) {
    instruction.variant = name;
    Result<int64_t> bytes = queryWorkspaceBytes(*device, instruction);
    ASSERT_FALSE(bytes.ok()) << name << " took " << *bytes;
    EXPECT_THAT(bytes.error().message, HasSubstr(name));
  }
}

static Instruction inType(Instruction instruction, DType type) {
  for (Operand &operand : instruction.inputs)
    operand.dtype = type;
  instruction.outputs[0].dtype = type;
  return instruction;
}

static Instruction allowingTf32(Instruction instruction) {
  std::vector<Attribute> &all = instruction.attributes;
  all.insert(
      std::find_if(all.begin(), all.end(),
                   [](const Attribute &each) { return each.name > "tf32"; }),
      {"tf32", int64_t(1)});
  return instruction;
}

// Elements of 16 bits go to tensor cores as they are, with the scratch that
// cuDNN says; where f32 may be TF32 there are engines that f32 has not.
TEST_F(CudaDescribed, lists_engines_for_tensor_cores) {
  int more = 0;
  for (const Instruction &instruction : instructions()) {
    auto exact = queryWorkspaceVariants(*device, instruction);
    ASSERT_TRUE(exact.ok()) << exact.error().message;
    for (const Instruction &other :
         {inType(instruction, DType::BF16), inType(instruction, DType::F16),
          allowingTf32(instruction)}) {
      auto variants = queryWorkspaceVariants(*device, other);
      ASSERT_TRUE(variants.ok()) << variants.error().message;
      EXPECT_GE(variants->size(), 3u) << profileKey(other);
      for (const WorkspaceVariant &variant : *variants) {
        Instruction named = other;
        named.variant = variant.name;
        Result<int64_t> bytes = queryWorkspaceBytes(*device, named);
        ASSERT_TRUE(bytes.ok()) << bytes.error().message;
        EXPECT_EQ(*bytes, variant.workspaceBytes) << variant.name;
      }
      more += (*variants)[0].name != (*exact)[0].name;
    }
  }
  EXPECT_GT(more, 0);
}

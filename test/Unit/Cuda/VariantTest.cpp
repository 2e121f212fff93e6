//===- VariantTest.cpp - Which engine of cuDNN runs -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "HostDeviceTest.h"

#include "memplan/Kernels/Register/BuiltIn.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <map>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class CudaVariants : public HostDeviceTest {};
} // namespace

static std::vector<const Case *> convolutions() {
  std::vector<const Case *> found;
  for (const Case &test : allCases())
    if (test.kernel.find("conv") != std::string::npos &&
        test.outputs[0].shape.size() == 4 && count(test.outputs[0].shape) > 0)
      found.push_back(&test);
  return found;
}

static Program named(const Case &test, const WorkspaceVariant &variant,
                     int64_t bytes) {
  Program program = caseProgram(test);
  Instruction &instruction = program.instructions[0];
  instruction.variant = variant.name;
  const int64_t begin = (program.arenas[0].bytes + 255) / 256 * 256;
  if (bytes > 0)
    instruction.workspace = Operand{Space::Arena, 0, begin, DType::I8, {bytes}};
  program.arenas[0].bytes = begin + bytes;
  return program;
}

static void expectRight(Executable &executable, const Case &test) {
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    const std::vector<std::byte> bytes = toBytes(test.inputs[i]);
    ASSERT_TRUE(
        executable
            .writeArgument(int32_t(i), bytes.data(), int64_t(bytes.size()))
            .ok());
  }
  ASSERT_TRUE(executable.run().ok());
  for (size_t o = 0; o < test.outputs.size(); ++o) {
    const Values &right = test.outputs[o].values;
    std::vector<std::byte> bytes(right.size() * sizeof(float));
    ASSERT_TRUE(
        executable.readOutput(int32_t(o), bytes.data(), int64_t(bytes.size()))
            .ok());
    const Values found = toValues(bytes, DType::F32);
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], right[i], test.tolerance * (1 + std::abs(right[i])))
          << test.kernel << " " << test.variant << " output " << o;
  }
}

// A planner that chooses among engines must know them all, and none that rounds
// its operands or adds in no fixed order.
TEST_F(CudaVariants, are_the_engines_that_keep_f32_and_its_bits) {
  for (const Case *test : convolutions()) {
    auto variants =
        queryWorkspaceVariants(*device, caseProgram(*test).instructions[0]);
    ASSERT_TRUE(variants.ok()) << variants.error().message;
    ASSERT_EQ(variants->size(), 3u) << test->kernel << " " << test->variant;
    EXPECT_EQ((*variants)[0].name, "cudnn:42:2=1,18=0");
    EXPECT_EQ((*variants)[1].name, "cudnn:42:2=3,18=0");
    EXPECT_EQ((*variants)[2].name, "cudnn:43:");
    EXPECT_EQ((*variants)[0].workspaceBytes, 2 * (*variants)[1].workspaceBytes);
    EXPECT_EQ((*variants)[2].workspaceBytes, 0);
    EXPECT_EQ((*variants)[0].slowdown, 1);
    EXPECT_LT((*variants)[0].slowdown, (*variants)[1].slowdown);
  }
  Instruction simple;
  simple.kernel = "memplan.relu";
  simple.inputs = {Operand{Space::Argument, 0, 0, DType::F32, {4}}};
  simple.outputs = {Operand{Space::Argument, 1, 0, DType::F32, {4}}};
  auto relu = queryWorkspaceVariants(*device, simple);
  ASSERT_TRUE(relu.ok()) << relu.error().message;
  EXPECT_EQ(*relu, std::vector<WorkspaceVariant>{{}});
}

// What was priced is what runs: every convolution, as every variant, with just
// the scratch that was planned, and right.
TEST_F(CudaVariants, run_as_they_were_planned) {
  for (const Case *test : convolutions()) {
    auto variants =
        queryWorkspaceVariants(*device, caseProgram(*test).instructions[0]);
    ASSERT_TRUE(variants.ok()) << variants.error().message;
    for (const WorkspaceVariant &variant : *variants) {
      Program program = named(*test, variant, variant.workspaceBytes);
      Result<Executable> executable =
          Executable::compile(*device, program, {0});
      ASSERT_TRUE(executable.ok()) << executable.error().message;
      cudaMock().engines.clear();
      expectRight(*executable, *test);
      EXPECT_THAT(cudaMock().engines, ElementsAre(variant.name.substr(6)));
    }
  }
}

static bool hasEpilogue(const Case &test) {
  return test.kernel == "memplan.matmul_gelu" ||
         test.kernel == "memplan.matmul_gelu_grad" ||
         test.kernel == "memplan.matmul_bias_grad" ||
         (test.kernel == "memplan.matmul" && test.inputs.size() == 3);
}

static std::vector<std::string> namesOf(const Device &device,
                                        const Case &test) {
  auto variants =
      queryWorkspaceVariants(device, caseProgram(test).instructions[0]);
  EXPECT_TRUE(variants.ok()) << variants.error().message;
  std::vector<std::string> names;
  for (const WorkspaceVariant &variant : *variants)
    names.push_back(variant.name);
  return names;
}

// A product with what follows it is one kernel of cuBLASLt, or the operations
// that it stands for: both are right with just the scratch that was planned.
TEST_F(CudaVariants, of_products_are_one_kernel_or_several) {
  std::map<std::string, int> byLt;
  for (const Case &test : allCases()) {
    if (!hasEpilogue(test))
      continue;
    auto variants =
        queryWorkspaceVariants(*device, caseProgram(test).instructions[0]);
    ASSERT_TRUE(variants.ok()) << variants.error().message;
    for (const WorkspaceVariant &variant : *variants) {
      Program program = named(test, variant, variant.workspaceBytes);
      Result<Executable> executable =
          Executable::compile(*device, program, {0});
      ASSERT_TRUE(executable.ok()) << executable.error().message;
      cudaMock().epilogues = 0;
      expectRight(*executable, test);
      // The product of a GELU has a bias, which is an epilogue too.
      const bool isOne =
          variant.name == "cublaslt" || test.kernel == "memplan.matmul_gelu";
      EXPECT_EQ(cudaMock().epilogues, isOne)
          << test.kernel << " " << test.variant << " " << variant.name;
      byLt[test.kernel] += variant.name == "cublaslt";
    }
  }
  EXPECT_EQ(byLt.size(), 4u);
  for (const auto &[kernel, count] : byLt)
    EXPECT_GT(count, 1) << kernel;
}

// What cuBLASLt does not take is not a variant: rows of a GELU that are no
// multiple of 8, a product of many matrices, and what it refuses itself.
TEST_F(CudaVariants, of_products_are_those_that_cublaslt_takes) {
  using Names = std::vector<std::string>;
  const Names whole = {"cublaslt", "stages"}, only = {""};
  int odd = 0;
  for (const Case &test : allCases()) {
    if (!hasEpilogue(test))
      continue;
    const int64_t n = test.outputs[0].shape.back();
    const bool isGelu = test.kernel.find("gelu") != std::string::npos;
    if (test.kernel != "memplan.matmul")
      EXPECT_EQ(namesOf(*device, test), isGelu && n % 8 ? only : whole)
          << test.kernel << " " << test.variant;
    odd += isGelu && n % 8 != 0;
    if (test.kernel == "memplan.matmul" && test.inputs[1].shape.size() > 2)
      EXPECT_EQ(namesOf(*device, test), only) << test.variant;
    cudaMock().refuseEpilogues = true;
    EXPECT_EQ(namesOf(*device, test), only) << test.kernel;
    cudaMock().epilogues = 0;
    EXPECT_TRUE(runCase(*device, test).ok());
    EXPECT_EQ(cudaMock().epilogues, 0);
    cudaMock().refuseEpilogues = false;
  }
  EXPECT_GT(odd, 0);
}

// What was planned by cuBLASLt and cannot run by it here is an error.
TEST_F(CudaVariants, of_products_are_never_replaced) {
  for (const Case &test : allCases()) {
    if (!hasEpilogue(test) || namesOf(*device, test).size() < 2)
      continue;
    cudaMock().refuseEpilogues = true;
    Result<Executable> refused =
        Executable::compile(*device, named(test, {65536, "cublaslt"}, 65536));
    cudaMock().refuseEpilogues = false;
    ASSERT_FALSE(refused.ok()) << test.kernel;
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("'cublaslt'"), HasSubstr("plan again")));
    Result<Executable> other =
        Executable::compile(*device, named(test, {65536, "another"}, 65536));
    EXPECT_FALSE(other.ok()) << test.kernel;
  }
}

// A plan that gives a variant less than it takes, or names one that is not
// there, must not run as another one.
TEST_F(CudaVariants, are_never_replaced) {
  const Case &test = *convolutions()[0];
  auto variants =
      queryWorkspaceVariants(*device, caseProgram(test).instructions[0]);
  ASSERT_TRUE(variants.ok()) << variants.error().message;
  const WorkspaceVariant &first = variants->front();
  Result<Executable> poor =
      Executable::compile(*device, named(test, first, 16), {0});
  ASSERT_FALSE(poor.ok());
  EXPECT_THAT(poor.error().message,
              AllOf(HasSubstr("needs " + std::to_string(first.workspaceBytes)),
                    HasSubstr("the program gives 16")));
  // Beyond the plan there is room.
  Result<Executable> shared =
      Executable::compile(*device, named(test, first, 16));
  ASSERT_TRUE(shared.ok()) << shared.error().message;
  EXPECT_EQ(shared->sharedScratch().bytes, first.workspaceBytes);
  for (const char *name : {"cudnn:42:2=9,18=0", "cudnn:7:", "cudnn:42", "own",
                           "cudnn:42:2=", "cudnn:99999999999999999999:"}) {
    Result<Executable> other =
        Executable::compile(*device, named(test, {0, name}, 4096));
    ASSERT_FALSE(other.ok()) << name;
    EXPECT_THAT(other.error().message,
                AllOf(HasSubstr("instruction 0"), HasSubstr(name),
                      HasSubstr("cuDNN 9."), HasSubstr("plan again")));
  }
  Case relu = test;
  for (const Case &each : allCases())
    if (each.kernel == "memplan.relu")
      relu = each;
  Result<Executable> none = Executable::compile(*device, named(relu, first, 0));
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, HasSubstr("has the variant 'cudnn:42"));
}

// Values can be checked on a machine without a GPU.
TEST_F(CudaVariants, mean_nothing_to_other_backends) {
  registerBuiltInBackends();
  Result<Device> cpu = Device::open("reference", 0, 1);
  ASSERT_TRUE(cpu.ok()) << cpu.error().message;
  const Case &test = *convolutions()[0];
  Result<Executable> executable =
      Executable::compile(*cpu, named(test, {4096, "cudnn:42:2=1,18=0"}, 4096));
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_TRUE(executable->run().ok());
}

// What the backend interface does not take has an older one, whose algorithms
// have no names; before cuDNN 9.8 that is everything.
TEST_F(CudaVariants, give_way_to_the_older_interface) {
  cudaMock().refuseGraphs = true;
  const Case &test = *convolutions()[0];
  auto refused =
      queryWorkspaceVariants(*device, caseProgram(test).instructions[0]);
  ASSERT_TRUE(refused.ok()) << refused.error().message;
  ASSERT_EQ(refused->size(), 1u);
  EXPECT_EQ(refused->front().name, "");
  EXPECT_GT(refused->front().workspaceBytes, 0);
  ASSERT_TRUE(runCase(*device, test).ok());
  EXPECT_EQ(cudaMock().convolutions, 1);
  EXPECT_TRUE(cudaMock().engines.empty());

  cudaMock().refuseGraphs = false;
  cudaMock().dnnVersion = 90700;
  Result<Device> old = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
  ASSERT_TRUE(old.ok()) << old.error().message;
  ASSERT_TRUE(runCase(*old, test).ok());
  EXPECT_EQ(cudaMock().convolutions, 2);
  EXPECT_TRUE(cudaMock().engines.empty());
  EXPECT_THAT(describeDevice(*old).error().message, HasSubstr("cuDNN 9.8"));
}

static Result<Device> planner(const std::string &path,
                              const std::string &text) {
  std::ofstream(path) << text;
  ::setenv("MEMPLAN_CUDA_DEVICE", path.c_str(), 1);
  Result<Device> device = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
  ::unsetenv("MEMPLAN_CUDA_DEVICE");
  return device;
}

// A device that is described stands for itself where plans are made, and says
// who described it.
TEST_F(CudaVariants, are_those_of_a_device_that_is_described) {
  Result<std::string> text = describeDevice(*device);
  ASSERT_TRUE(text.ok()) << text.error().message;
  const std::string path = testing::TempDir() + "/memplan-cuda-device.json";
  cudaMock().deviceCountError = 100; // no device
  Result<Device> described = planner(path, *text);
  ASSERT_TRUE(described.ok()) << described.error().message;
  EXPECT_EQ(described->name(), "cuda, planning for a mock");
  EXPECT_EQ(described->backend().only_plans(described->handle()), 1);
  EXPECT_EQ(device->backend().only_plans(device->handle()), 0);
  EXPECT_EQ(planner(path, R"({"note": "by hand", "deviceName": "X"})")->name(),
            "cuda, planning for X (by hand)");
  for (const Case *test : convolutions()) {
    const Instruction instruction = caseProgram(*test).instructions[0];
    EXPECT_EQ(*queryWorkspaceVariants(*described, instruction),
              *queryWorkspaceVariants(*device, instruction));
  }
  Result<Device> none = planner(path, "h200");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message,
              AllOf(HasSubstr(path), HasSubstr("refuses the description"),
                    HasSubstr("--emit-device")));
  ::setenv("MEMPLAN_CUDA_DEVICE", "/nowhere/h200.json", 1);
  none = Device::open(MEMPLAN_CUDA_ON_HOST, 0, 1);
  ::unsetenv("MEMPLAN_CUDA_DEVICE");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message,
              AllOf(HasSubstr("/nowhere/h200.json"), HasSubstr("be read")));
}

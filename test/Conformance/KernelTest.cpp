//===- KernelTest.cpp - Every case on every backend -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;

/// The open device of a backend, or why there is none.
static const Result<Device> &deviceOf(const std::string &backend,
                                      int32_t threads = 2) {
  static std::map<std::pair<std::string, int32_t>, Result<Device>> devices;
  auto key = std::pair(backend, threads);
  auto found = devices.find(key);
  if (found == devices.end())
    found = devices.emplace(key, Device::open(backend, 0, threads)).first;
  return found->second;
}

static std::vector<std::string> openBackends() {
  registerBuiltInBackends();
  std::vector<std::string> names;
  for (const std::string &name : backendNames())
    if (deviceOf(name))
      names.push_back(name);
  return names;
}

static void expectOutputs(const Case &test,
                          const std::vector<std::vector<std::byte>> &found,
                          const std::string &how) {
  for (size_t o = 0; o < test.outputs.size(); ++o) {
    Values values = toValues(found[o], test.outputs[o].dtype);
    const Values &expected = test.outputs[o].values;
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i) {
      bool equal = values[i] == expected[i] ||
                   (std::isnan(values[i]) && std::isnan(expected[i]));
      double error =
          std::fabs(values[i] - expected[i]) / (1 + std::fabs(expected[i]));
      ASSERT_TRUE(equal || error <= test.tolerance)
          << test.kernel << " (" << test.variant << ")" << how << ": output "
          << o << " element " << i << " is " << values[i] << ", expected "
          << expected[i];
    }
  }
}

namespace {
struct CaseOn {
  std::string backend;
  size_t number;
};
void PrintTo(const CaseOn &on, std::ostream *stream) {
  *stream << allCases()[on.number].kernel << " ("
          << allCases()[on.number].variant << ") on " << on.backend;
}
class KernelCase : public testing::TestWithParam<CaseOn> {
protected:
  const Case &test() const { return allCases()[GetParam().number]; }
  const Device &device() const { return *deviceOf(GetParam().backend); }
};
} // namespace

static std::vector<CaseOn> casesOnBackends() {
  std::vector<CaseOn> list;
  for (const std::string &backend : openBackends())
    for (size_t i = 0; i < allCases().size(); ++i)
      list.push_back({backend, i});
  return list;
}

static std::string nameOf(const testing::TestParamInfo<CaseOn> &info) {
  std::string text = info.param.backend + "_" +
                     allCases()[info.param.number].kernel.substr(8) + "_" +
                     std::to_string(info.param.number);
  return text;
}

// A kernel that computes something else than its formula would train wrongly.
TEST_P(KernelCase, computes_its_formula) {
  auto found = runCase(device(), test());
  ASSERT_TRUE(found.ok()) << test().kernel << " (" << test().variant
                          << "): " << found.error().message;
  expectOutputs(test(), *found, "");
}

// Plans overwrite inputs wherever the table allows it; a kernel that reads an
// element after writing it would corrupt only planned runs.
TEST_P(KernelCase, computes_in_place) {
  for (const memplan_kernel_t &kernel : referenceKernels()) {
    if (test().kernel != kernel.name)
      continue;
    for (int32_t k = 0; k < kernel.in_place_count; ++k) {
      const memplan_in_place_t &alias = kernel.in_place[k];
      if (size_t(alias.input) >= test().inputs.size())
        continue;
      const TestTensor &input = test().inputs[size_t(alias.input)];
      const TestTensor &output = test().outputs[size_t(alias.output)];
      if (count(input.shape) != count(output.shape) ||
          input.dtype != output.dtype)
        continue; // an operand of other bytes than the output
      auto found = runCase(device(), test(), &alias);
      ASSERT_TRUE(found.ok())
          << test().kernel << " (" << test().variant << ") over input "
          << alias.input << ": " << found.error().message;
      expectOutputs(test(), *found,
                    " over input " + std::to_string(alias.input));
    }
  }
}

// Kernels trust the shapes that were prepared: a wrong one must end there, not
// in memory that belongs to something else.
TEST_P(KernelCase, refuses_a_wrong_output_shape) {
  size_t outputs = test().anyOutputShape ? 0 : test().outputs.size();
  for (size_t o = 0; o < outputs; ++o) {
    Case wrong = test();
    Shape &shape = wrong.outputs[o].shape;
    if (shape.empty())
      shape = {2};
    else
      shape.back() += 1;
    Program program = caseProgram(wrong);
    Result<int64_t> answer =
        queryWorkspaceBytes(device(), program.instructions[0]);
    ASSERT_FALSE(answer.ok())
        << test().kernel << " (" << test().variant << ") took "
        << typeText(DType::F32, shape) << " as output " << o;
    EXPECT_EQ(answer.error().code, MEMPLAN_INVALID_ARGUMENT);
    EXPECT_NE(answer.error().message.find(test().kernel), std::string::npos)
        << answer.error().message;
  }
}

TEST_P(KernelCase, refuses_missing_and_surplus_operands) {
  Case wrong = test();
  wrong.outputs.push_back(wrong.outputs[0]);
  wrong.inputs.insert(wrong.inputs.end(), 9, TestTensor{{3}, Values(3)});
  Program program = caseProgram(wrong);
  Result<int64_t> answer =
      queryWorkspaceBytes(device(), program.instructions[0]);
  ASSERT_FALSE(answer.ok()) << test().kernel;
  EXPECT_EQ(answer.error().code, MEMPLAN_INVALID_ARGUMENT);
  wrong = test();
  wrong.inputs.clear();
  wrong.outputs[0].dtype = DType::I8;
  answer = queryWorkspaceBytes(device(), caseProgram(wrong).instructions[0]);
  if (!test().inputs.empty() && !test().anyOutputShape)
    EXPECT_FALSE(answer.ok()) << test().kernel << " ran without inputs";
}

// A budget is real bytes: what a launch takes from malloc is in no plan. The
// first launch of some kernels makes code, so the second one counts. Without
// AVX-512 the products of oneDNN take their packing buffers so.
TEST_P(KernelCase, takes_no_buffer_inside_a_launch) {
  constexpr int64_t smallObjects = 8 << 10;
  if (allocationCount() < 0)
    GTEST_SKIP() << "nobody counts beside a sanitizer";
  if (test().kernel == "memplan.matmul" && vectorSet() < VectorSet::Avx512)
    return;
  // What stands in for cuDNN computes in vectors of its own; MockTest.cpp
  // counts on the device.
  if (GetParam().backend == "cuda")
    return;
  Program program = caseProgram(test());
  ASSERT_TRUE(addWorkspace(device(), program).ok());
  Result<Executable> executable = Executable::compile(device(), program);
  ASSERT_TRUE(executable.ok()) << executable.error().message;
  for (size_t i = 0; i < test().inputs.size(); ++i) {
    std::vector<std::byte> bytes = toBytes(test().inputs[i]);
    ASSERT_TRUE(
        executable
            ->writeArgument(int32_t(i), bytes.data(), int64_t(bytes.size()))
            .ok());
  }
  for (int step = 0; step < 2; ++step)
    ASSERT_TRUE(executable->run().ok());
  EXPECT_LE(executable->lastStep().allocatedBytes, smallObjects)
      << test().kernel << " (" << test().variant << ")";
}

INSTANTIATE_TEST_SUITE_P(Backends, KernelCase,
                         testing::ValuesIn(casesOnBackends()), nameOf);

// Planned and unplanned runs are compared bit for bit, whatever the threads.
TEST(Kernels, plain_ones_do_not_depend_on_the_thread_count) {
  for (const Case &test : allCases()) {
    auto one = runCase(*deviceOf("reference", 1), test);
    ASSERT_TRUE(one.ok()) << one.error().message;
    for (int32_t threads : {2, 3}) {
      auto more = runCase(*deviceOf("reference", threads), test);
      ASSERT_TRUE(more.ok()) << more.error().message;
      EXPECT_EQ(*one, *more) << test.kernel << " (" << test.variant << ") with "
                             << threads << " threads";
    }
  }
}

// A plan made on one machine is compared with a run on another.
TEST(Kernels, plain_ones_do_not_depend_on_the_vector_set) {
  VectorSet widest = limitVectorSet(VectorSet::Avx512);
  for (const Case &test : allCases()) {
    limitVectorSet(widest);
    auto wide = runCase(*deviceOf("reference"), test);
    ASSERT_TRUE(wide.ok()) << wide.error().message;
    for (VectorSet set : {VectorSet::Baseline, VectorSet::Avx2}) {
      EXPECT_LE(limitVectorSet(set), set);
      auto narrow = runCase(*deviceOf("reference"), test);
      ASSERT_TRUE(narrow.ok()) << narrow.error().message;
      EXPECT_EQ(*wide, *narrow) << test.kernel << " (" << test.variant
                                << ") with vector set " << int(set);
    }
  }
  EXPECT_EQ(limitVectorSet(widest), widest);
}

// A kernel without a case would be tested by nothing.
TEST(Kernels, each_has_a_case) {
  std::set<std::string> covered;
  for (const Case &test : allCases())
    covered.insert(test.kernel);
  for (const std::string &backend : openBackends()) {
    const Device &device = *deviceOf(backend);
    int32_t kernels = device.backend().kernel_count(device.handle());
    EXPECT_GT(kernels, 0);
    for (int32_t k = 0; k < kernels; ++k)
      EXPECT_TRUE(
          covered.count(device.backend().kernel_name(device.handle(), k)))
          << device.backend().kernel_name(device.handle(), k) << " of "
          << backend << " has no case";
  }
}

// What is not run must be said.
TEST(Kernels, ran_on_every_backend) {
  std::string missing;
  for (const std::string &name : backendNames())
    if (!deviceOf(name)) {
      EXPECT_EQ(deviceOf(name).error().code, MEMPLAN_UNAVAILABLE)
          << deviceOf(name).error().message;
      missing += name + ": " + deviceOf(name).error().message + "; ";
    }
  if (!missing.empty())
    GTEST_SKIP() << missing;
}

//===- UpdateTest.cpp - Updates that share a launch -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "HostDeviceTest.h"
#include "RandomProgram.h"

#include "memplan/Kernels/Register/BuiltIn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace memplan::runtime;
using namespace memplan::runtime::conformance;

namespace {
class CudaUpdates : public HostDeviceTest {};

/// Updates in place, one after the other, of parameters of some sizes.
struct Updates {
  std::string kernel;
  int states = 0;
  bool counts = false; ///< reads a step number, one for all
  std::vector<int64_t> sizes = {};
  std::vector<Attribute> attributes = {attribute("lr", 0.125)};
  Program program = {};
  std::vector<std::vector<std::byte>> values = {}; ///< of the arguments

  int32_t add(const TestTensor &tensor) {
    Argument argument;
    argument.name = "a" + std::to_string(values.size());
    argument.dtype = tensor.dtype;
    argument.shape = tensor.shape;
    program.arguments.push_back(argument);
    values.push_back(toBytes(tensor));
    return int32_t(values.size()) - 1;
  }
  Operand operand(int32_t index) const {
    const Argument &argument = program.arguments[size_t(index)];
    return {Space::Argument, index, 0, argument.dtype, argument.shape};
  }
  void update(const std::vector<int32_t> &written, int32_t step, int32_t grad) {
    Instruction instruction;
    instruction.kernel = kernel;
    instruction.node = int32_t(program.instructions.size());
    instruction.attributes = attributes;
    for (int32_t index : written) {
      instruction.inputs.push_back(operand(index));
      instruction.outputs.push_back(operand(index));
      program.outputs.push_back({"o" + std::to_string(program.outputs.size()),
                                 OutputKind::Output, operand(index)});
    }
    if (counts)
      instruction.inputs.push_back(operand(step));
    instruction.inputs.push_back(operand(grad));
    program.instructions.push_back(std::move(instruction));
  }
  /// One of each size.
  void build() {
    uint64_t seed = 1;
    const int32_t step = counts ? add({{1}, {3}, DType::I64}) : int32_t(-1);
    for (int64_t size : sizes) {
      std::vector<int32_t> written;
      for (int k = 0; k <= states; ++k)
        written.push_back(add(random({size}, seed++, 0.25, 1)));
      update(written, step, add(random({size}, seed++)));
    }
    program.arenas.push_back({256, 256, "device"});
  }
};
} // namespace

/// The outputs after one run, and how many kernels it launched.
static std::vector<std::vector<std::byte>>
run(const Device &device, Updates &updates, int64_t &launches) {
  EXPECT_TRUE(addWorkspace(device, updates.program).ok());
  Result<Executable> executable = Executable::compile(device, updates.program);
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  for (size_t i = 0; i < updates.values.size(); ++i)
    EXPECT_TRUE(executable
                    ->writeArgument(int32_t(i), updates.values[i].data(),
                                    int64_t(updates.values[i].size()))
                    .ok());
  const int64_t before = cudaMock().launches;
  const Status status = executable->run();
  EXPECT_TRUE(status.ok()) << status.message;
  launches = cudaMock().launches - before;
  std::vector<std::vector<std::byte>> found;
  for (size_t o = 0; o < updates.program.outputs.size(); ++o) {
    found.emplace_back(size_t(updates.program.outputs[o].operand.bytes()));
    EXPECT_TRUE(executable
                    ->readOutput(int32_t(o), found.back().data(),
                                 int64_t(found.back().size()))
                    .ok());
  }
  return found;
}

static std::vector<Attribute> adamAttributes() {
  return {attribute("beta1", 0.9), attribute("beta2", 0.999),
          attribute("epsilon", 0.001), attribute("lr", 0.125)};
}

static std::vector<Updates> kinds() {
  return {{"memplan.sgd_update", 0, false, {}},
          {"memplan.sgd_momentum_update",
           1,
           false,
           {},
           {attribute("lr", 0.125), attribute("momentum", 0.5)}},
          {"memplan.adam_update", 2, true, {}, adamAttributes()},
          {"memplan.adamw_update", 2, true, {}, adamAttributes()},
          {"memplan.adagrad_update",
           1,
           false,
           {},
           {attribute("epsilon", 0.001), attribute("lr", 0.125)}},
          {"memplan.lion_update",
           1,
           false,
           {},
           {attribute("beta1", 0.9), attribute("beta2", 0.99),
            attribute("lr", 0.125)}},
          {"memplan.rmsprop_update",
           1,
           false,
           {},
           {attribute("alpha", 0.9), attribute("epsilon", 0.001),
            attribute("lr", 0.125)}}};
}

// A launch takes as long as the update of a small parameter. Sizes leave blocks
// with a part of a row, rows without a whole block, and one that is not a
// multiple of four.
TEST_F(CudaUpdates, that_follow_each_other_take_one_launch) {
  for (const Updates &kind : kinds()) {
    Updates all = kind;
    for (int i = 0; i < 40; ++i)
      all.sizes.push_back(i % 5 == 0 ? 1 + i : 4096 * (i % 3) + 3 * i);
    all.build();
    int64_t launches = 0;
    const auto found = run(*device, all, launches);
    // Adam's rates are a launch of their own.
    EXPECT_EQ(launches, kind.counts ? 2 : 1) << kind.kernel;
    const auto per = size_t(kind.states) + 1;
    for (size_t i = 0; i < all.sizes.size(); ++i) {
      // The same update alone, from the same values.
      Updates one = kind;
      one.sizes = {all.sizes[i]};
      one.build();
      const size_t offset = kind.counts ? 1 : 0;
      for (size_t k = 0; k <= per; ++k)
        one.values[offset + k] = all.values[offset + i * (per + 1) + k];
      int64_t own = 0;
      const auto alone = run(*device, one, own);
      for (size_t k = 0; k < per; ++k)
        EXPECT_EQ(found[i * per + k], alone[k])
            << kind.kernel << ", " << all.sizes[i] << " elements";
    }
  }
}

// More than a launch may take along.
TEST_F(CudaUpdates, of_many_parameters_take_few_launches) {
  Updates all{"memplan.adamw_update", 2, true, std::vector<int64_t>(700, 5),
              adamAttributes()};
  all.build();
  int64_t launches = 0;
  run(*device, all, launches);
  EXPECT_GT(launches, 2);
  EXPECT_LE(launches, 9);
}

// What one update writes and the next reads is there.
TEST_F(CudaUpdates, that_depend_on_each_other_stay_apart) {
  Updates twice{"memplan.sgd_update", 0, false, {5}};
  twice.build();
  twice.update({0}, -1, 1);
  int64_t launches = 0;
  const auto found = run(*device, twice, launches);
  EXPECT_EQ(launches, 2);
  const Values param = toValues(twice.values[0], DType::F32);
  const Values grad = toValues(twice.values[1], DType::F32);
  const Values result = toValues(found[1], DType::F32);
  for (size_t i = 0; i < param.size(); ++i)
    EXPECT_EQ(result[i], rounded(rounded(param[i] - rounded(0.125 * grad[i])) -
                                 rounded(0.125 * grad[i])));
}

// Another rate is another step.
TEST_F(CudaUpdates, with_other_settings_stay_apart) {
  Updates two{"memplan.sgd_update", 0, false, {5, 6}};
  two.build();
  two.program.instructions[1].attributes = {attribute("lr", 0.25)};
  int64_t launches = 0;
  run(*device, two, launches);
  EXPECT_EQ(launches, 2);
}

// Other work between updates sees what they wrote, and writes what later ones
// read.
TEST_F(CudaUpdates, are_done_before_what_follows) {
  Updates all{"memplan.sgd_update", 0, false, {5, 5}};
  all.build();
  // The second gradient becomes the first parameter's new value.
  Instruction copy;
  copy.kernel = "memplan.relu";
  copy.node = 2;
  copy.inputs = {all.operand(0)};
  copy.outputs = {all.operand(3)};
  all.program.instructions.insert(all.program.instructions.begin() + 1, copy);
  int64_t launches = 0;
  const auto found = run(*device, all, launches);
  EXPECT_EQ(launches, 3);
  const Values first = toValues(found[0], DType::F32);
  const Values param = toValues(all.values[2], DType::F32);
  const Values result = toValues(found[1], DType::F32);
  for (size_t i = 0; i < param.size(); ++i)
    EXPECT_EQ(result[i],
              rounded(param[i] - rounded(0.125 * std::max(first[i], 0.0))));
}

/// All arenas after a step that knows no streams.
static std::vector<std::byte> inProgramOrder(const Program &program) {
  registerBuiltInBackends();
  Result<Device> reference = Device::open("reference", 0, 1);
  ExecuteOptions options;
  options.allowRaces = true;
  Result<Executable> executable =
      Executable::compile(*reference, program, options);
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  StepObserver idle;
  StepObserver *watch[] = {&idle};
  return test::runFromZeros(*executable, watch);
}

static bool overlap(const Operand &a, const Operand &b) {
  return a.space == b.space && a.index == b.index &&
         a.byteOffset < b.byteOffset + b.bytes() &&
         b.byteOffset < a.byteOffset + a.bytes();
}

// Updates that wait, on three streams among copies and other kernels: whatever
// order the streams have, nothing sees memory that one has yet to write.
TEST_F(CudaUpdates, keep_the_order_of_random_programs) {
  std::mt19937 random(17);
  int64_t instructions = 0, launches = 0;
  for (int round = 0; round < 200; ++round) {
    Program program = test::randomProgram(random, 12 + round % 24);
    for (Instruction &instruction : program.instructions)
      if (instruction.kernel == "memplan.sub" && random() % 3 > 0 &&
          !overlap(instruction.outputs[0], instruction.inputs[1])) {
        instruction.kernel = "memplan.sgd_update";
        instruction.attributes = {attribute("lr", 0.5)};
      }
    const std::vector<std::byte> right = inProgramOrder(program);
    for (bool useGraph : {false, true}) {
      ExecuteOptions options;
      options.allowRaces = true;
      options.useGraph = useGraph;
      Result<Executable> executable =
          Executable::compile(*device, program, options);
      ASSERT_TRUE(executable.ok()) << executable.error().message;
      for (CudaMock::Order order : {CudaMock::AllLate, CudaMock::OneLate,
                                    CudaMock::AnyOrder, CudaMock::AnyOrder}) {
        cudaMock().order = order;
        cudaMock().lateStream = round % 5;
        const int64_t before = cudaMock().launches;
        ASSERT_TRUE(test::runFromZeros(*executable) == right)
            << "round " << round;
        if (!useGraph)
          launches += cudaMock().launches - before;
      }
    }
    for (const Instruction &instruction : program.instructions)
      instructions += instruction.isCopy() ? 0 : 4;
  }
  // Some did share a launch.
  EXPECT_LT(launches, instructions);
}

// Their f32 copies are read back after the update.
TEST_F(CudaUpdates, of_16_bits_are_done_before_they_are_rounded) {
  Updates all{"memplan.sgd_update", 0, false, {5, 6}};
  all.build();
  for (size_t i = 0; i < all.values.size(); ++i) {
    TestTensor tensor = random({i < 2 ? 5 : 6}, i + 1, 0.25, 1);
    tensor.dtype = DType::BF16;
    for (double &value : tensor.values)
      value = nearest(value, DType::BF16);
    all.program.arguments[i].dtype = DType::BF16;
    all.values[i] = toBytes(tensor);
  }
  for (Instruction &instruction : all.program.instructions) {
    instruction.inputs[0].dtype = instruction.inputs[1].dtype = DType::BF16;
    instruction.outputs[0].dtype = DType::BF16;
  }
  for (auto &output : all.program.outputs)
    output.operand.dtype = DType::BF16;
  int64_t launches = 0;
  const auto found = run(*device, all, launches);
  for (size_t u = 0; u < 2; ++u) {
    const Values param = toValues(all.values[2 * u], DType::BF16);
    const Values grad = toValues(all.values[2 * u + 1], DType::BF16);
    const Values result = toValues(found[u], DType::BF16);
    for (size_t i = 0; i < param.size(); ++i)
      EXPECT_EQ(result[i], nearest(rounded(param[i] - rounded(0.125 * grad[i])),
                                   DType::BF16));
  }
}

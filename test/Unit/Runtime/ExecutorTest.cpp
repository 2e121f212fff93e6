//===- ExecutorTest.cpp - Programs, run and watched -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

#include "memplan/Kernels/Cpu/KernelTable.h"
#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Observe/Observers.h"
#include "memplan/Runtime/Program/ByteMap.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <memory>
#include <random>

using namespace memplan::runtime;
using memplan::runtime::test::tinyStep;
using testing::HasSubstr;

namespace {
/// On the plain kernels: the steps are planned by hand, without scratch.
class Executor : public testing::Test {
protected:
  void SetUp() override {
    registerBuiltInBackends();
    device = Device::open("reference", 0, 2);
    ASSERT_TRUE(device.ok()) << device.error().message;
  }
  Result<Executable> compile(Program program) {
    Result<Executable> executable =
        Executable::compile(*device, std::move(program));
    EXPECT_TRUE(executable.ok()) << executable.error().message;
    return executable;
  }
  /// Runs one step under the observers; the error's text, or "".
  std::string errorOf(Program program, std::vector<StepObserver *> observers) {
    if (!program.namesValues())
      EXPECT_EQ(nameValues(program).message, "");
    Result<Executable> executable = compile(program);
    Result<Feed> feed = Feed::create(program, {});
    EXPECT_TRUE(feed->initialize(*executable).ok());
    EXPECT_TRUE(feed->feedStep(*executable, 0).ok());
    return executable->run(observers).message;
  }
  /// What one step of the program does with its bytes.
  Result<StepUse> measure(Program program, StepFunction step = nullptr,
                          ExecuteOptions options = {}) {
    Result<Executable> executable =
        Executable::compile(*device, program, options);
    if (!executable)
      return executable.error();
    executable->followStep(step);
    Result<Feed> feed = Feed::create(program, {});
    EXPECT_TRUE(feed->initialize(*executable).ok());
    EXPECT_TRUE(feed->feedStep(*executable, 0).ok());
    return measureStep(*executable);
  }
  Result<Device> device = Status{};
};
} // namespace

static float lossOf(const Executable &executable) {
  float loss = 0;
  EXPECT_TRUE(executable.readOutput(0, &loss, sizeof(loss)).ok());
  return loss;
}

static std::vector<float> losses(const Device &device, Program program,
                                 int steps, uint64_t seed = 0) {
  Result<Feed> feed = Feed::create(program, {seed, "", {}});
  Result<Executable> executable =
      Executable::compile(device, std::move(program));
  EXPECT_TRUE(executable.ok()) << executable.error().message;
  EXPECT_TRUE(feed->initialize(*executable).ok());
  std::vector<float> result;
  for (int step = 0; step < steps; ++step) {
    // The same data each time, so that the loss must fall.
    EXPECT_TRUE(feed->feedStep(*executable, 0).ok());
    EXPECT_TRUE(executable->run().ok());
    result.push_back(lossOf(*executable));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

// An update that does not feed the next step leaves the loss where it was.
TEST_F(Executor, updates_feed_the_next_step) {
  std::vector<float> found = losses(*device, tinyStep(true), 20);
  EXPECT_LT(found.back(), found.front());
  EXPECT_TRUE(std::is_sorted(found.rbegin(), found.rend()));
  EXPECT_NE(losses(*device, tinyStep(true), 1, 7),
            losses(*device, tinyStep(true), 1));
}

// The promise of a plan: it computes what the unplanned program computes.
TEST_F(Executor, planned_equals_unplanned_bit_for_bit) {
  Program program = tinyStep(true);
  Result<Feed> feed = Feed::create(program, {});
  Result<Executable> planned = compile(program);
  Result<Executable> unplanned = compile(tinyStep(false));
  int64_t seen = 0;
  CompareOptions options{5, {}, [&](int64_t) {
                           ++seen;
                           return Status::success();
                         }};
  Result<CompareReport> report =
      compareRuns(*planned, *unplanned, *feed, options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(report->values, 5);
  EXPECT_EQ(report->bytes, 4 + 64 * 3 * 4 + 64 * 2 * 4 + 24 + 8);
  int64_t count = 0;
  ASSERT_TRUE(planned->readArgument(3, &count, sizeof(count)).ok());
  EXPECT_EQ(count, 5);
}

// A comparison that cannot fail would prove nothing.
TEST_F(Executor, comparison_finds_a_wrong_plan) {
  Program broken = tinyStep(true);
  // The loss gradient reads y after the loss was written over its first bytes.
  broken.instructions[2].outputs[0].byteOffset = 1024;
  broken.outputs[0].operand.byteOffset = 1024;
  Result<Feed> feed = Feed::create(broken, {});
  Result<Executable> planned = compile(broken);
  Result<Executable> unplanned = compile(tinyStep(false));
  Result<CompareReport> report =
      compareRuns(*planned, *unplanned, *feed, {3, {}, {}});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, MEMPLAN_CHECK_FAILED);
  EXPECT_THAT(report.error().message,
              HasSubstr("step 0: output 'loss' differs at element 0: planned"));
}

TEST_F(Executor, comparison_refuses_other_programs) {
  Program other = tinyStep(false);
  other.arguments[2].init = "zeros";
  EXPECT_THAT(checkComparable(tinyStep(true), other).message,
              HasSubstr("argument 2 is 'w'"));
}

// Threads share out fixed pieces; anything else would change the sums.
TEST(ExecutorThreads, do_not_change_the_result) {
  std::vector<float> one;
  for (int32_t threads : {1, 2, 3}) {
    Result<Device> device = Device::open("reference", 0, threads);
    std::vector<float> found = losses(*device, tinyStep(true), 5);
    if (one.empty())
      one = found;
    EXPECT_EQ(std::memcmp(one.data(), found.data(), 5 * sizeof(float)), 0)
        << threads << " threads";
  }
}

// The promise "no allocation inside a step". The counter itself is tested
// first.
TEST_F(Executor, allocates_nothing_inside_a_step) {
  int64_t before = allocationCount();
  if (before < 0)
    GTEST_SKIP() << "a sanitizer's allocator is not counted";
  delete new std::string(1000, 'x');
  EXPECT_GE(allocationCount(), before + 2);
  Result<Executable> executable = compile(tinyStep(true));
  ASSERT_TRUE(executable->run().ok());
  EXPECT_EQ(executable->lastStep().allocations, 0);
  EXPECT_EQ(executable->lastStep().allocatedBytes, 0);
  before = allocationCount();
  Status status = executable->run();
  int64_t after = allocationCount();
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(after, before) << "outside of the launches";
}

namespace {
/// Allocates inside a launch, as a kernel library does for its packing buffers.
struct Hoarder {
  static memplan_status_t prepare(const memplan_launch_t *,
                                  memplan_prepared_t *) {
    return MEMPLAN_OK;
  }
  static memplan_status_t launch(const memplan_launch_t *call) {
    // Two at a time, then one more: the most at a moment is 3 MB, not 4.
    auto touch = [](size_t bytes) {
      auto block = std::make_unique<char[]>(bytes);
      *static_cast<volatile char *>(block.get()) = 1;
      return block;
    };
    {
      auto first = touch(2000000), second = touch(1000000);
    }
    touch(1000000);
    std::memset(call->outputs[0].data, 7, 100);
    return MEMPLAN_OK;
  }
  static constexpr memplan_kernel_t kernel = {"test.hoarder", prepare, launch,
                                              nullptr,        nullptr, 0};
};
} // namespace

// What a kernel library takes beside the plan counts in bytes as well: one
// large block is one call.
TEST_F(Executor, counts_the_bytes_that_a_launch_allocates) {
  if (allocationCount() < 0)
    GTEST_SKIP() << "a sanitizer's allocator is not counted";
  ASSERT_TRUE(registerKernel(Hoarder::kernel).ok());
  Program program;
  program.arenas = {{100, 256, "device"}};
  Instruction call;
  call.kernel = "test.hoarder";
  call.outputs = {{Space::Arena, 0, 0, DType::I8, {100}}};
  program.instructions = {call, call};
  Result<Executable> executable = compile(program);
  ASSERT_TRUE(executable->run().ok());
  EXPECT_EQ(executable->lastStep().allocations, 6);
  EXPECT_GE(executable->lastStep().allocatedBytes, 3000000);
  EXPECT_LT(executable->lastStep().allocatedBytes, 3100000);
}

TEST_F(Executor, runs_on_bound_memory) {
  Result<Executable> executable = compile(tinyStep(true));
  alignas(64) float weights[6] = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(executable->bindArgument(2, weights, 20).message,
              HasSubstr("takes 24 bytes, not 20"));
  EXPECT_THAT(executable->bindArgument(2, weights + 1, 24).message,
              HasSubstr("not aligned to 64"));
  ASSERT_TRUE(executable->bindArgument(2, weights, 24).ok());
  std::vector<float> x(64 * 3, 0.25f);
  ASSERT_TRUE(executable->writeArgument(0, x.data(), 64 * 3 * 4).ok());
  ASSERT_TRUE(executable->run().ok());
  EXPECT_LT(weights[0], 1);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(Executor, names_the_instruction_that_cannot_be_prepared) {
  Program program = tinyStep(true);
  program.instructions[1].kernel = "memplan.nothing";
  Result<Executable> executable = Executable::compile(*device, program);
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.error().code, MEMPLAN_UNAVAILABLE);
  EXPECT_THAT(executable.error().message,
              HasSubstr("instruction 1 (memplan.nothing, node 1): no kernel "
                        "'memplan.nothing'"));
  program = tinyStep(true);
  program.instructions[6].attributes.clear();
  EXPECT_THAT(Executable::compile(*device, program).error().message,
              HasSubstr("instruction 6 (memplan.matmul, node 6): kernel "
                        "'memplan.matmul': the inner dimensions are 3 and 64"));
}

namespace {
/// Wants scratch, as kernel libraries do.
struct Scratch {
  static memplan_status_t prepare(const memplan_launch_t *,
                                  memplan_prepared_t *prepared) {
    prepared->workspace_bytes = 1000;
    return MEMPLAN_OK;
  }
  static memplan_status_t launch(const memplan_launch_t *call) {
    std::memset(call->workspace, 7, 1000);
    std::memset(call->outputs[0].data, 7, 100);
    return MEMPLAN_OK;
  }
  static constexpr memplan_kernel_t kernel = {"test.scratch", prepare, launch,
                                              nullptr,        nullptr, 0};
};
} // namespace

// Scratch comes from the plan, so a plan for another backend must not run.
TEST_F(Executor, refuses_a_program_with_too_little_scratch) {
  ASSERT_TRUE(registerKernel(Scratch::kernel).ok());
  EXPECT_THAT(registerKernel(Scratch::kernel).message,
              HasSubstr("'test.scratch' is registered already"));
  Program program;
  program.arenas = {{2048, 256, "device"}};
  Instruction call;
  call.kernel = "test.scratch";
  call.outputs = {{Space::Arena, 0, 0, DType::I8, {100}}};
  program.instructions = {call};
  Result<int64_t> wanted = queryWorkspaceBytes(*device, call);
  ASSERT_TRUE(wanted.ok()) << wanted.error().message;
  EXPECT_EQ(*wanted, 1000);
  EXPECT_THAT(
      Executable::compile(*device, program, {999}).error().message,
      HasSubstr("needs 1000 workspace bytes on reference, 2 threads, the "
                "program gives 0, and only 999 may be taken beyond the plan"));
  program.instructions[0].workspace =
      Operand{Space::Arena, 0, 256, DType::I8, {1000}};
  PoisonObserver poison;
  EXPECT_EQ(errorOf(program, {&poison}), "");
  Result<StepUse> use = measure(program);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[0].handedOutBytes, 1256);
  EXPECT_EQ(use->arenas[0].touchedBytes, 1100);
  EXPECT_EQ(use->scratch.size(), 0u);
}

static Program withoutValues(Program program) {
  for (Instruction &instruction : program.instructions)
    for (auto *operands : {&instruction.inputs, &instruction.outputs})
      for (Operand &operand : *operands)
        operand.value = -1, operand.valueOffset = 0;
  for (Output &output : program.outputs)
    output.operand.value = -1;
  for (Update &update : program.updates)
    update.value.value = -1;
  return program;
}

// In place where the kernel reads what it wrote would corrupt the value.
TEST_F(Executor, refuses_an_alias_that_the_kernel_does_not_allow) {
  Program program = withoutValues(tinyStep(false));
  // dw over the (equally large) weights: matmul cannot.
  program.instructions[6].inputs[1] = program.instructions[7].inputs[0];
  program.instructions[6].inputs[0] = {
      Space::Argument, 2, 0, DType::F32, {3, 2}};
  program.instructions[6].outputs[0] = {
      Space::Argument, 2, 0, DType::F32, {2, 3}};
  program.instructions[6].attributes.clear();
  EXPECT_THAT(Executable::compile(*device, program).error().message,
              HasSubstr("cannot write output 0 over input 0"));
}

TEST_F(Executor, reports_bad_data_with_its_place) {
  Program program;
  program.arenas = {{256, 256, "device"}};
  Argument table, ids;
  table.name = "table";
  table.shape = {3, 4};
  ids.name = "ids";
  ids.dtype = DType::I64;
  ids.shape = {2};
  program.arguments = {table, ids};
  Instruction look;
  look.kernel = "memplan.embedding";
  look.inputs = {{Space::Argument, 0, 0, DType::F32, {3, 4}},
                 {Space::Argument, 1, 0, DType::I64, {2}}};
  look.outputs = {{Space::Arena, 0, 0, DType::F32, {2, 4}}};
  program.instructions = {look};
  Result<Executable> executable = compile(program);
  int64_t bad[2] = {0, 3};
  ASSERT_TRUE(executable->writeArgument(1, bad, sizeof(bad)).ok());
  Status status = executable->run();
  EXPECT_EQ(status.code, MEMPLAN_INVALID_ARGUMENT);
  EXPECT_THAT(status.message, HasSubstr("id 3 at position 1 is not in [0, 3)"));
}

/// Changes a number or a name of the table, keeping it small enough to run.
static void mutate(Program &program, std::mt19937_64 &random) {
  Instruction &one =
      program.instructions[random() % program.instructions.size()];
  Instruction &other =
      program.instructions[random() % program.instructions.size()];
  auto pick = [&](std::vector<Operand> &list) -> Operand * {
    return list.empty() ? nullptr : &list[random() % list.size()];
  };
  Operand *operand = pick(random() % 2 ? one.inputs : one.outputs);
  switch (random() % 8) {
  case 0:
    one.kernel = other.kernel;
    break;
  case 1:
    one.attributes = other.attributes;
    break;
  case 2:
    if (operand)
      operand->byteOffset += int64_t(random() % 65) * 4 - 128;
    break;
  case 3:
    if (operand && !operand->shape.empty())
      operand->shape[random() % operand->shape.size()] = int64_t(random() % 70);
    break;
  case 4:
    if (operand)
      operand->shape.push_back(int64_t(random() % 3));
    break;
  case 5:
    if (operand)
      operand->dtype = DType(random() % 3);
    break;
  case 6:
    if (Operand *from = pick(other.inputs))
      one.inputs.push_back(*from);
    break;
  default:
    if (!one.inputs.empty())
      one.inputs.pop_back();
  }
}

// What check() and the kernels' own checks accept must run within its bounds: a
// stray access would hit a guard page or change the bytes around the arena.
TEST_F(Executor, survives_mutated_programs) {
  uint64_t seed = 20260104;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int ran = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    Program program = tinyStep(random() % 2);
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
      mutate(program, random);
    Result<Executable> executable = Executable::compile(*device, program);
    if (!executable) {
      ++refused;
      continue;
    }
    Status status = executable->run();
    ran += status.ok();
    const memplan_backend_t &backend = device->backend();
    EXPECT_EQ(backend.check_guards(device->handle(), executable->arenaBase(0)),
              MEMPLAN_OK)
        << backend.last_error(device->handle());
    for (size_t a = 0; a < program.arguments.size(); ++a)
      EXPECT_EQ(
          backend.check_guards(device->handle(), executable->argumentBase(a)),
          MEMPLAN_OK);
  }
  EXPECT_GT(ran, 100);
  EXPECT_GT(refused, 100);
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

TEST_F(Executor, poison_is_quiet_on_right_plans) {
  PoisonObserver poison;
  EXPECT_EQ(errorOf(tinyStep(true), {&poison}), "");
  EXPECT_EQ(errorOf(tinyStep(false), {&poison}), "");
}

// What issue reports found: a table with one place changed ran to wrong losses
// while its own places were taken for the plan. Each operand in turn, moved to
// every other place: whatever changes a value must be found out.
TEST_F(Executor, poison_finds_every_changed_place_that_changes_a_value) {
  for (bool planned : {true, false}) {
    const Program right = tinyStep(planned);
    float loss = losses(*device, right, 2).back();
    int found = 0, harmless = 0;
    for (size_t i = 0; i < right.instructions.size(); ++i) {
      const Instruction &instruction = right.instructions[i];
      size_t inputs = instruction.inputs.size();
      for (size_t k = 0; k < inputs + instruction.outputs.size(); ++k)
        for (int64_t offset = 0; offset < right.arenas[0].bytes; offset += 64) {
          Program broken = right;
          Instruction &changed = broken.instructions[i];
          Operand &operand =
              k < inputs ? changed.inputs[k] : changed.outputs[k - inputs];
          if (operand.space != Space::Arena || operand.byteOffset == offset)
            continue;
          operand.byteOffset = offset;
          if (!Executable::compile(*device, broken))
            continue; // out of bounds, or on a part of another operand
          PoisonObserver poison;
          if (!errorOf(broken, {&poison}).empty()) {
            ++found;
            continue;
          }
          ++harmless;
          EXPECT_EQ(losses(*device, broken, 2).back(), loss)
              << "instruction " << i << ", operand " << k << " at " << offset;
        }
    }
    EXPECT_GT(found, 100);
    EXPECT_EQ(harmless, 0) << "every value is read, so every move shows";
  }
}

TEST_F(Executor, poison_says_what_lies_there_instead) {
  Program broken = tinyStep(true);
  broken.instructions[1].inputs[0].byteOffset = 1024;
  broken.instructions[1].outputs[0].byteOffset = 1024;
  PoisonObserver poison;
  EXPECT_THAT(errorOf(broken, {&poison}),
              HasSubstr("instruction 1 (memplan.relu, node 1, run 0): input 0 "
                        "reads value 4 of instruction 0 (memplan.matmul, node "
                        "0, run 0) at bytes [1024, 1536) of arena 0, which "
                        "nothing wrote in this step"));
  // The same value from another byte on.
  broken = tinyStep(false);
  broken.instructions[4].inputs[2].valueOffset = 4;
  EXPECT_THAT(errorOf(broken, {&poison}),
              HasSubstr("which hold that value from byte 0 on, not from byte "
                        "4"));
}

// Without the plan's values nothing could be said, and silence would be taken
// for a proof.
TEST_F(Executor, poison_refuses_a_program_that_names_no_values) {
  Program program = withoutValues(tinyStep(false));
  Result<Executable> executable = compile(program);
  PoisonObserver poison;
  StepObserver *observers[] = {&poison};
  EXPECT_THAT(executable->run(observers).message,
              HasSubstr("does not say which value each operand is"));
}

TEST_F(Executor, poison_finds_a_write_over_a_live_value) {
  Program broken = tinyStep(false);
  broken.instructions[3].outputs[0].byteOffset = 1024;
  broken.instructions[4].inputs[2].byteOffset = 1024;
  PoisonObserver poison;
  EXPECT_THAT(errorOf(broken, {&poison}),
              HasSubstr("instruction 3 (memplan.constant, node 3, run 0): "
                        "output 0 overwrites bytes [1024, 1028) of arena 0, "
                        "where value 6 of instruction 2 (memplan.mse_loss, "
                        "node 2, run 0) is still alive"));
}

// Freed bytes hold a NaN: a kernel that reads beyond its operands shows it.
TEST_F(Executor, poison_fills_freed_bytes) {
  Result<Executable> executable = compile(tinyStep(false));
  PoisonObserver poison;
  StepObserver *observers[] = {&poison};
  ASSERT_TRUE(executable->run(observers).ok());
  EXPECT_EQ(executable->arenaBase(0)[0], std::byte{0xFF});
  EXPECT_GE(lossOf(*executable), 0) << "a NaN came out";
}

TEST(ByteMap, keeps_ranges_apart) {
  ByteMap<int> bytes(100, 0);
  bytes.set(10, 50, 1);
  bytes.set(20, 30, 2);
  bytes.set(45, 100, 3);
  std::vector<ByteMap<int>::Range> ranges = bytes.in(5, 48);
  ASSERT_EQ(ranges.size(), 5u);
  EXPECT_EQ(ranges[0].end, 10);
  EXPECT_EQ(ranges[0].fact, 0);
  EXPECT_EQ(ranges[2].begin, 20);
  EXPECT_EQ(ranges[2].end, 30);
  EXPECT_EQ(ranges[2].fact, 2);
  EXPECT_EQ(ranges[3].fact, 1);
  EXPECT_EQ(ranges[4].begin, 45);
  EXPECT_EQ(ranges[4].end, 48);
  EXPECT_TRUE(bytes.in(7, 7).empty());
  bytes.set(0, 100, 4);
  EXPECT_EQ(bytes.in(0, 100).size(), 1u);
}

//===----------------------------------------------------------------------===//
// Measured bytes and guards
//===----------------------------------------------------------------------===//

// The promise "the measured peak equals the planned peak, to the byte".
TEST_F(Executor, measures_the_bytes_that_a_step_uses) {
  for (bool planned : {true, false}) {
    Result<StepUse> use = measure(tinyStep(planned));
    ASSERT_TRUE(use.ok()) << use.error().message;
    ASSERT_EQ(use->arenas.size(), 1u);
    const ArenaUse &arena = use->arenas[0];
    EXPECT_EQ(arena.plannedBytes, planned ? 1536 : 2584);
    EXPECT_EQ(arena.handedOutBytes, arena.plannedBytes);
    // Every byte of every value is written, and nothing of the gaps between.
    int64_t big = planned ? 512 * 2 : 512 * 4;
    EXPECT_EQ(arena.touchedBytes, big + 4 + 4 + (planned ? 0 : 24));
  }
}

// Measured, not read from the plan: a larger arena does not change the use.
TEST_F(Executor, measures_less_than_an_arena_that_is_too_large) {
  Program program = tinyStep(true);
  program.arenas[0].bytes = 10 << 20;
  Result<StepUse> use = measure(program);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[0].handedOutBytes, 1536);
}

// Scratch that a kernel was given and did not use is not used.
TEST_F(Executor, measures_that_a_workspace_was_not_touched) {
  Program program = tinyStep(true);
  program.arenas[0].bytes = 1536 + (1 << 20);
  program.instructions[1].workspace =
      Operand{Space::Arena, 0, 1536, DType::I8, {1 << 20}};
  Result<StepUse> use = measure(program);
  ASSERT_TRUE(use.ok()) << use.error().message;
  EXPECT_EQ(use->arenas[0].handedOutBytes, use->arenas[0].plannedBytes);
  EXPECT_EQ(use->arenas[0].touchedBytes, 512 * 2 + 8);
}

// The measurement must leave the run as it would have been.
TEST_F(Executor, measuring_changes_no_value) {
  Program program = tinyStep(true);
  Result<Feed> feed = Feed::create(program, {});
  std::vector<float> found;
  for (bool measured : {false, true}) {
    Result<Executable> executable = compile(program);
    ASSERT_TRUE(feed->initialize(*executable).ok());
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(feed->feedStep(*executable, step).ok());
      if (measured)
        ASSERT_TRUE(measureStep(*executable).ok());
      ASSERT_TRUE(executable->run().ok());
      found.push_back(lossOf(*executable));
    }
  }
  EXPECT_EQ(found[0], found[3]);
  EXPECT_EQ(found[2], found[5]);
}

/// A compiled step with relu over the bytes after its place.
static int32_t strayingStep(void *context, StepLaunch launch,
                            void *const *arenas, void *const *arguments,
                            void *constants) {
  static const Program program = tinyStep(true);
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    std::vector<void *> operands;
    for (const auto *list : {&instruction.inputs, &instruction.outputs})
      for (const Operand &operand : *list)
        operands.push_back(
            static_cast<std::byte *>(operand.space == Space::Arena
                                         ? arenas[operand.index]
                                         : arguments[operand.index]) +
            operand.byteOffset);
    if (i == 1)
      operands[1] = static_cast<std::byte *>(arenas[0]) + 1024;
    if (int32_t code = launch(context, int32_t(i), operands.data()))
      return code;
  }
  return 0;
}

// What launches really get, not what the table says: the figure would be that
// of the plan whatever code runs.
TEST_F(Executor, finds_compiled_code_that_hands_out_other_pointers) {
  Result<StepUse> use = measure(tinyStep(true), strayingStep);
  ASSERT_FALSE(use.ok());
  EXPECT_EQ(use.error().code, MEMPLAN_CHECK_FAILED);
  EXPECT_THAT(use.error().message,
              HasSubstr("instruction 1 (memplan.relu): output 0 was handed out "
                        "at byte 1024 of arena 0; the program says byte 0"));
  Result<Executable> executable = compile(tinyStep(true));
  executable->followStep(strayingStep);
  PoisonObserver poison;
  StepObserver *observers[] = {&poison};
  EXPECT_THAT(executable->run(observers).message, HasSubstr("byte 1024"));
}

namespace {
/// Writes past its output, as a broken kernel would.
struct Overrun {
  static memplan_status_t prepare(const memplan_launch_t *,
                                  memplan_prepared_t *) {
    return MEMPLAN_OK;
  }
  static memplan_status_t launch(const memplan_launch_t *call) {
    auto *bytes = static_cast<char *>(call->outputs[0].data);
    int64_t past = call->attributes[0].int_value;
    std::memset(bytes, 1, size_t(100 + past));
    return MEMPLAN_OK;
  }
  static constexpr memplan_kernel_t kernel = {"test.overrun", prepare, launch,
                                              nullptr,        nullptr, 0};
};
} // namespace

static Status registerOverrun() { return registerKernel(Overrun::kernel); }

static Program overrunProgram(int64_t bytesPast) {
  static const Status registered = registerOverrun();
  EXPECT_TRUE(registered.ok()) << registered.message;
  Program program;
  program.arenas = {{100, 256, "device"}};
  Instruction call;
  call.kernel = "memplan.opaque";
  call.outputs = {{Space::Arena, 0, 0, DType::I8, {100}}};
  call.attributes = {{"a_past", bytesPast},
                     {"kernel", std::string("test.overrun")}};
  program.instructions = {call};
  return program;
}

// The alignment leaves bytes before the guard page; they are compared.
TEST_F(Executor, finds_a_write_between_arena_and_guard_page) {
  PoisonObserver poison;
  EXPECT_EQ(errorOf(overrunProgram(0), {&poison}), "");
  EXPECT_THAT(errorOf(overrunProgram(1), {&poison}),
              HasSubstr("byte 100 beside a block of 100 bytes was written"));
}

TEST_F(Executor, faults_on_a_write_into_the_guard_page) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(errorOf(overrunProgram(200), {}), "");
}

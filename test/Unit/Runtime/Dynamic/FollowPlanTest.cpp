//===- FollowPlanTest.cpp - Static plans under dynamic runs ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TinyStep.h"
#include "MixBackend.h"

#include "memplan/Kernels/Register/BuiltIn.h"
#include "memplan/Runtime/Data/Compare.h"
#include "memplan/Runtime/Dynamic/DynamicExecutable.h"
#include "memplan/Runtime/Dynamic/PoolWatch.h"

#include <gmock/gmock.h>
#include <map>
#include <random>

using namespace memplan;
using namespace memplan::runtime;
using namespace memplan::runtime::test;
using testing::HasSubstr;

//===----------------------------------------------------------------------===//
// Random plans
//===----------------------------------------------------------------------===//

namespace {
/// A random step of `mix` ops with a random plan: some of what it makes leaves
/// and is recomputed, some lies in the bytes of what it is made from.
class RandomPlan {
public:
  struct Op {
    int64_t salt = 0, elements = 0, scratch = 0;
    std::vector<int32_t> inputs; ///< arguments, then ops
  };
  explicit RandomPlan(uint64_t seed) : random(seed) {
    argumentCount = int32_t(1 + below(3));
    for (int32_t a = 0; a < argumentCount; ++a)
      elements.push_back(int64_t(1 + below(120)));
    const auto count = int32_t(3 + below(14));
    for (int32_t i = 0; i < count; ++i) {
      Op op{int64_t(random() >> 1),
            int64_t(1 + below(120)),
            below(3) ? 0 : int64_t(1 + below(900)),
            {}};
      for (uint64_t n = 1 + below(3); n > 0; --n)
        op.inputs.push_back(int32_t(below(2) && i > 0
                                        ? below(uint64_t(argumentCount + i))
                                        : below(uint64_t(argumentCount)) +
                                              (i > 0 ? uint64_t(i) : 0)));
      if (below(2)) // Often as large as an input, so that it may lie on it.
        op.elements = elements[size_t(op.inputs[0])];
      elements.push_back(op.elements);
      ops.push_back(op);
    }
    order();
    place();
  }

  int32_t argumentCount = 0;
  std::vector<int64_t> elements; ///< by value
  std::vector<Op> ops;
  Program program;
  int64_t recomputations = 0, inPlace = 0;

  uint64_t below(uint64_t count) { return random() % count; }

private:
  struct Run {
    int32_t op = 0, times = 0;
    std::vector<int32_t> inputs; ///< arguments, then runs
  };
  int32_t give(int32_t value) {
    if (value < argumentCount)
      return value;
    int32_t &now = present[size_t(value)];
    if (now < 0)
      now = run(value - argumentCount);
    return now;
  }
  int32_t run(int32_t op) {
    Run made{op, 0, {}};
    for (int32_t input : ops[size_t(op)].inputs)
      made.inputs.push_back(give(input));
    made.times = ran[size_t(op)]++;
    recomputations += made.times > 0;
    runs.push_back(made);
    return argumentCount + int32_t(runs.size()) - 1;
  }
  void order() {
    present.assign(elements.size(), -1);
    ran.assign(ops.size(), 0);
    for (int32_t i = 0; i < int32_t(ops.size()); ++i) {
      present[size_t(argumentCount + i)] = run(i);
      for (int32_t &value : present)
        if (below(6) == 0 && i + 1 < int32_t(ops.size()))
          value = -1;
    }
    last = give(int32_t(elements.size()) - 1);
  }

  Operand operand(int32_t value, int64_t count) const {
    Operand result{Space::Arena, 0, 0, DType::I64, {count}};
    result.value = value;
    if (value < argumentCount) {
      result.space = Space::Argument;
      result.index = value;
    } else {
      result.byteOffset = offsets[size_t(value - argumentCount)];
    }
    return result;
  }
  /// The lowest place beside what is live.
  int64_t lowest(int64_t bytes) {
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (auto [begin, end] : live)
        if (begin < offset + bytes && offset < end) {
          offset = (end + 255) / 256 * 256;
          moved = true;
        }
    }
    arena = std::max(arena, offset + bytes);
    return offset;
  }
  void place() {
    std::vector<int32_t> ends(size_t(argumentCount) + runs.size(), -1);
    for (size_t i = 0; i < runs.size(); ++i)
      for (int32_t input : runs[i].inputs)
        ends[size_t(input)] = int32_t(i);
    ends[size_t(last)] = int32_t(runs.size());
    program.name = "random";
    for (int32_t a = 0; a < argumentCount; ++a) {
      Argument argument;
      argument.name = "a" + std::to_string(a);
      argument.dtype = DType::I64;
      argument.shape = {elements[size_t(a)]};
      program.arguments.push_back(argument);
    }
    std::vector<std::pair<int64_t, int64_t>> ranges(runs.size());
    for (size_t i = 0; i < runs.size(); ++i) {
      const Op &op = ops[size_t(runs[i].op)];
      const int64_t bytes = op.elements * 8;
      live.clear();
      for (size_t j = 0; j < i; ++j)
        if (ends[size_t(argumentCount) + j] >= int32_t(i))
          live.push_back(ranges[j]);
      int64_t offset = -1;
      for (int32_t input : runs[i].inputs)
        if (input >= argumentCount && ends[size_t(input)] == int32_t(i) &&
            elements[size_t(argumentCount +
                            runs[size_t(input - argumentCount)].op)] ==
                op.elements &&
            below(2) && offset < 0) {
          offset = offsets[size_t(input - argumentCount)];
          ++inPlace;
        }
      offsets.push_back(offset >= 0 ? offset : lowest(bytes));
      ranges[i] = {offsets[i], offsets[i] + bytes};
      live.push_back(ranges[i]);
      Instruction made;
      made.kernel = "mix";
      made.node = runs[i].op;
      made.run = runs[i].times;
      for (int32_t input : runs[i].inputs)
        made.inputs.push_back(operand(
            input, elements[size_t(
                       input < argumentCount
                           ? input
                           : argumentCount +
                                 runs[size_t(input - argumentCount)].op)]));
      made.outputs = {operand(argumentCount + int32_t(i), op.elements)};
      made.attributes = {{"salt", op.salt}, {"scratch", op.scratch}};
      if (op.scratch > 0)
        made.workspace = Operand{
            Space::Arena, 0, lowest(op.scratch), DType::I8, {op.scratch}};
      program.instructions.push_back(made);
    }
    program.outputs = {
        {"last", OutputKind::Output, operand(last, elements.back())}};
    program.arenas = {{arena, 256, "device"}};
  }

  std::mt19937_64 random;
  std::vector<Run> runs;
  std::vector<int32_t> present, ran;
  std::vector<int64_t> offsets;
  std::vector<std::pair<int64_t, int64_t>> live;
  int64_t arena = 0;
  int32_t last = 0;
};

/// A host that submits the ops of a random plan, and other ones from some op on
/// where a step branches off.
class Host {
public:
  Host(const Device &device, RandomPlan &plan, Engine &engine)
      : device(device), plan(plan), engine(engine) {
    for (int32_t a = 0; a < plan.argumentCount; ++a) {
      const int64_t count = plan.elements[size_t(a)];
      std::vector<int64_t> content;
      for (int64_t i = 0; i < count; ++i)
        content.push_back(i * 7 + a);
      arguments.push_back(*engine.put(count * 8, content.data()));
      contents.push_back(content);
    }
    std::vector<size_t> last(plan.elements.size(), plan.ops.size());
    for (size_t i = 0; i < plan.ops.size(); ++i) {
      last[size_t(plan.argumentCount) + i] = i;
      for (int32_t input : plan.ops[i].inputs)
        last[size_t(input)] = i;
    }
    last.back() = plan.ops.size();
    lastUser = last;
  }

  /// `branch`: the op from which on it goes another way; -1: none.
  Status step(int32_t branch) {
    engine.beginStep();
    values = arguments;
    std::vector<std::vector<int64_t>> expected = contents;
    Status status;
    for (size_t i = 0; i < plan.ops.size() && status.ok(); ++i)
      status = apply(i, branch >= 0 && int32_t(i) >= branch, expected);
    if (status.ok()) {
      std::vector<int64_t> found(expected.back().size());
      status = engine.read(values.back(), 0, found.data(),
                           int64_t(found.size()) * 8);
      if (status.ok()) {
        EXPECT_EQ(found, expected.back());
      }
    }
    for (size_t v = arguments.size(); v < values.size(); ++v)
      if (values[v] >= 0)
        engine.drop(values[v]);
    return status;
  }

private:
  Status apply(size_t i, bool isOther,
               std::vector<std::vector<int64_t>> &expected) {
    const RandomPlan::Op &op = plan.ops[i];
    const int64_t salt = op.salt + isOther;
    std::shared_ptr<const KernelCall> &call = calls[{i, isOther}];
    std::vector<Place> inputs;
    std::vector<int64_t> counts;
    for (int32_t input : op.inputs) {
      inputs.push_back({values[size_t(input)], 0});
      counts.push_back(plan.elements[size_t(input)]);
    }
    if (!call)
      call = mixCall(device, salt, counts, {{op.elements}}, {{-1}}, op.scratch);
    std::vector<bool> given(values.size());
    for (size_t n = 0; n < inputs.size(); ++n)
      if (const auto input = size_t(op.inputs[n]);
          op.inputs[n] >= plan.argumentCount && lastUser[input] == i &&
          input % 2 == 0 && !given[input])
        given[input] = inputs[n].isLast = true;
    const NewValue made{op.elements * 8, -1, 0};
    ValueId result = -1;
    if (Status s = engine.apply(call, 1, inputs, {&made, 1}, &result); !s.ok())
      return s;
    values.push_back(result);
    std::vector<int64_t> content;
    for (int64_t e = 0; e < op.elements; ++e) {
      std::vector<int64_t> read;
      for (int32_t input : op.inputs)
        read.push_back(expected[size_t(input)]
                               [size_t(e) % expected[size_t(input)].size()]);
      content.push_back(mix(salt, 0, read));
    }
    expected.push_back(content);
    for (size_t v = arguments.size(); v < values.size(); ++v)
      if (lastUser[v] == i && values[v] >= 0) {
        if (v >= given.size() || !given[v])
          engine.drop(values[v]);
        values[v] = -1;
      }
    return Status::success();
  }

  const Device &device;
  RandomPlan &plan;
  Engine &engine;
  std::vector<ValueId> arguments, values;
  std::vector<std::vector<int64_t>> contents;
  std::vector<size_t> lastUser;
  std::map<std::pair<size_t, bool>, std::shared_ptr<const KernelCall>> calls;
};
} // namespace

/// If this fails, a step does not do what its plan says, a step that goes
/// another way computes other values or leaves the pool, or what it decided is
/// not followed when that way comes again.
TEST(FollowPlan, random_plans_are_followed_and_left) {
  Result<Device> device = MixBackend::open();
  ASSERT_TRUE(device.ok());
  MixBackend::fails = nullptr;
  int64_t recomputations = 0, inPlace = 0, branches = 0, full = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomPlan plan(seed);
    ASSERT_EQ(plan.program.check().message, "");
    recomputations += plan.recomputations;
    inPlace += plan.inPlace;
    DynamicOptions options;
    options.budgetBytes = *plannedPoolBytes(plan.program);
    Result<Engine> engine = Engine::create(*device, options);
    ASSERT_TRUE(engine.ok());
    Host host(*device, plan, *engine);
    const int64_t base[] = {engine->pool().liveBytes()};
    ASSERT_EQ(engine->loadPlan(plan.program, base).message, "");
    PoolWatch watch(*engine);
    const auto count = int64_t(plan.ops.size());
    const auto branch = int32_t(plan.below(uint64_t(count)));
    // The branch changes every three steps.
    for (int32_t step = 0; step < 12; ++step) {
      const bool other = step / 3 % 2;
      engine->resetStats();
      const Status status = host.step(other ? branch : -1);
      const ReplayStats replay = engine->lastReplay();
      ASSERT_TRUE(status.ok() || other) << status.message;
      ASSERT_EQ(replay.inPlan, count);
      ASSERT_EQ(replay.planned, other ? branch : count);
      ASSERT_EQ(watch.status().message, "");
      if (!other) {
        ASSERT_EQ(engine->stats().recomputes, plan.recomputations);
      }
      full += !status.ok();
      branches += other;
      // By then everything has been seen.
      if (status.ok() && step >= 9)
        ASSERT_GE(replay.followed, count);
    }
    ASSERT_LE(engine->pool().highWaterBytes(), options.budgetBytes);
  }
  EXPECT_GT(recomputations, 700);
  EXPECT_GT(inPlace, 500);
  EXPECT_LT(full, branches / 4);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// The planned tiny step, which makes h and y again before they are read for
/// the last time.
static Program tinyWithRecomputation() {
  Program program = tinyStep(false);
  std::vector<Instruction> &instructions = program.instructions;
  for (int32_t node : {1, 0}) {
    Instruction again = instructions[size_t(node)];
    again.run = 1;
    instructions.insert(instructions.begin() + 5, again);
  }
  EXPECT_TRUE(nameValues(program).ok());
  return program;
}

/// The tiny step whose targets lie in the arena, until dh takes their bytes.
static Program tinyWithDonated() {
  Program program = tinyStep(false);
  program.arenas[0].bytes = 2816 + 512;
  program.arguments[1].donated = true;
  program.arguments[1].arena = 0;
  program.arguments[1].arenaOffset = 2816;
  for (Instruction &instruction : program.instructions)
    for (std::vector<Operand> *operands :
         {&instruction.inputs, &instruction.outputs})
      for (Operand &operand : *operands) {
        if (operand.space == Space::Argument && operand.index == 1)
          operand = {Space::Arena, 0, 2816, operand.dtype, operand.shape};
        else if (operand.space == Space::Arena && operand.byteOffset == 2048)
          operand.byteOffset = 2816;
      }
  EXPECT_EQ(nameValues(program).message, "");
  return program;
}

/// If this fails, a program is not run as its plan has it, or too small a pool
/// is not refused with its bytes.
TEST(FollowPlan, programs_run_as_planned) {
  registerBuiltInBackends();
  Result<Device> device = Device::open("reference");
  ASSERT_TRUE(device.ok());
  for (const Program &program : {tinyStep(true), tinyStep(false),
                                 tinyWithRecomputation(), tinyWithDonated()}) {
    DynamicProgramOptions options;
    options.dynamic.budgetBytes = *plannedPoolBytes(program);
    options.followPlan = true;
    Result<DynamicExecutable> dynamic =
        DynamicExecutable::compile(*device, program, options);
    ASSERT_TRUE(dynamic.ok()) << dynamic.error().message;
    Program unplanned = tinyStep(false);
    unplanned.arguments[1].donated = program.arguments[1].donated;
    Result<Executable> other = Executable::compile(*device, unplanned);
    Result<Feed> feed = Feed::create(program, {});
    Result<CompareReport> report =
        compareRuns(*dynamic, *other, *feed, {5, {}, {}});
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(dynamic->engine().lastReplay().planned, 9);
    EXPECT_EQ(dynamic->engine().stats().recomputes,
              int64_t(program.instructions.size()) - 9);
    options.dynamic.budgetBytes -= Pool::unit;
    dynamic = DynamicExecutable::compile(*device, program, options);
    ASSERT_FALSE(dynamic.ok());
    EXPECT_THAT(dynamic.error().message, HasSubstr("the plan takes "));
  }
}

/// If this fails, a host that never makes the same step twice, or never begins
/// another one, takes more memory the longer it runs.
TEST(FollowPlan, what_is_remembered_is_bounded) {
  Result<Device> device = MixBackend::open();
  ASSERT_TRUE(device.ok());
  MixBackend::isIdle = true;
  DynamicOptions options;
  options.budgetBytes = 4 * Pool::unit;
  Result<Engine> engine = Engine::create(*device, options);
  const int64_t one[] = {1};
  const int32_t none[] = {-1};
  std::vector<std::shared_ptr<const KernelCall>> calls;
  for (int64_t salt = 0; salt < 8; ++salt)
    calls.push_back(mixCall(*device, salt, one, one, none));
  ValueId state = *engine->put(8, nullptr);
  std::mt19937_64 random(7);
  auto step = [&](uint64_t length) {
    for (uint64_t i = 0; i < length; ++i) {
      const Place input{state, 0, true};
      const NewValue made{8, -1, 0};
      ValueId next = -1;
      ASSERT_TRUE(
          engine->apply(calls[random() % 8], 1, {&input, 1}, {&made, 1}, &next)
              .ok());
      state = next;
    }
    ASSERT_TRUE(engine->detach(state).ok());
  };
  size_t most = 0;
  for (int64_t n = 0; n < 100000; ++n) {
    engine->beginStep();
    step(1 + random() % 6);
    most = std::max(most, size_t(engine->lastReplay().remembered));
    ASSERT_EQ(engine->opCount(), 0u);
    ASSERT_EQ(engine->valueCount(), 1u);
  }
  EXPECT_LE(most, size_t(1 << 16) + 64);
  EXPECT_GT(most, size_t(1 << 15));
  engine->beginStep();
  for (int64_t n = 0; n < 20000; ++n)
    step(10);
  EXPECT_LE(engine->lastReplay().remembered, 2 << 16);
  MixBackend::isIdle = false;
}

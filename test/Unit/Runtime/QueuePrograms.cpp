//===- QueuePrograms.cpp - Small programs on several queues ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueuePrograms.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace memplan::runtime::test {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::atomic<bool> failing{false};
static std::atomic<int> arrived{0};

void failKernels(bool fail) { failing = fail; }

static memplan_status_t prepare(const memplan_launch_t *,
                                memplan_prepared_t *) {
  return MEMPLAN_OK;
}

static memplan_status_t fail(const memplan_launch_t *call, const char *text) {
  std::snprintf(call->error, size_t(call->error_bytes), "%s", text);
  return MEMPLAN_FAILED;
}

namespace {
/// The first output, a part for each task.
struct Parts {
  static constexpr int64_t count = 4;
  const memplan_launch_t *call;
  uint64_t hash;
};
} // namespace

static void fillPart(void *data, int64_t task) {
  const Parts &parts = *static_cast<const Parts *>(data);
  const memplan_tensor_t &output = parts.call->outputs[0];
  const int64_t words = output.shape[0] / 8;
  uint64_t hash = parts.hash + uint64_t(task);
  for (int64_t w = words * task / Parts::count;
       w < words * (task + 1) / Parts::count; ++w) {
    hash = hash * 6364136223846793005u + 1442695040888963407u;
    static_cast<uint64_t *>(output.data)[w] = hash;
  }
}

static memplan_status_t mixAtOnce(const memplan_launch_t *call) {
  uint64_t hash = 1469598103934665603u + uint64_t(call->instruction);
  for (int32_t i = 0; i < call->input_count; ++i)
    for (int64_t w = 0; w < call->inputs[i].shape[0] / 8; ++w)
      hash = (hash ^ static_cast<const uint64_t *>(call->inputs[i].data)[w]) *
             1099511628211u;
  Parts parts{call, hash};
  call->parallel->run(call->parallel->context, Parts::count, fillPart, &parts);
  return MEMPLAN_OK;
}

static memplan_status_t mix(const memplan_launch_t *call) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(call->attributes[0].int_value));
  return mixAtOnce(call);
}

static memplan_status_t failIfTold(const memplan_launch_t *call) {
  return failing ? fail(call, "as it was told") : mix(call);
}

static memplan_status_t meet(const memplan_launch_t *call) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::microseconds(call->attributes[0].int_value);
  const int before = arrived.fetch_add(1);
  do {
    if (before % 2 == 1 || arrived.load() > before + 1)
      return mixAtOnce(call);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  } while (Clock::now() < end);
  arrived = 0;
  return fail(call, "nobody came");
}

void registerQueueKernels() {
  static constexpr memplan_in_place_t inPlace[] = {{0, 0}, {0, 1}};
  static constexpr memplan_kernel_t kernels[] = {
      {"test.mix", prepare, mix, nullptr, inPlace, 2},
      {"test.fails", prepare, failIfTold, nullptr, nullptr, 0},
      {"test.meet", prepare, meet, nullptr, nullptr, 0}};
  static const bool registered = [] {
    for (const memplan_kernel_t &kernel : kernels)
      (void)registerKernel(kernel);
    return true;
  }();
  (void)registered;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Operand atBytes(int32_t arena, int64_t offset, int64_t bytes) {
  return {Space::Arena, arena, offset, DType::I8, {bytes}};
}

Instruction mixCall(std::string kernel, int32_t stream,
                    std::vector<Operand> inputs, std::vector<Operand> outputs,
                    int64_t micros) {
  Instruction result;
  result.kernel = std::move(kernel);
  result.stream = stream;
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  result.attributes = {{"micros", micros}};
  return result;
}

Instruction copyCall(Queue queue, int32_t stream, Operand source,
                     Operand target) {
  Instruction result;
  result.kernel = queue == Queue::DeviceToHost ? "evict" : "fetch";
  result.queue = queue;
  result.stream = stream;
  result.inputs = {std::move(source)};
  result.outputs = {std::move(target)};
  return result;
}

static bool touchSameBytes(const Instruction &a, const Instruction &b) {
  auto meets = [](const std::vector<Operand> &some,
                  const std::vector<Operand> &others) {
    for (const Operand &x : some)
      for (const Operand &y : others)
        if (x.index == y.index && x.byteOffset < y.byteOffset + y.bytes() &&
            y.byteOffset < x.byteOffset + x.bytes())
          return true;
    return false;
  };
  return meets(a.outputs, b.outputs) || meets(a.outputs, b.inputs) ||
         meets(a.inputs, b.outputs);
}

Program coloredProgram(bool safe) {
  auto at = [](int64_t place) { return atBytes(0, place * 256, 64); };
  auto call = [&](int32_t stream, std::vector<int64_t> inputs, int64_t output,
                  std::vector<int32_t> waits) {
    std::vector<Operand> places;
    for (int64_t input : inputs)
      places.push_back(at(input));
    Instruction result = mixCall("test.mix", stream, places, {at(output)}, 0);
    result.waits = std::move(waits);
    return result;
  };
  Program program;
  program.arenas = {{8 * 256, 256, "device"}};
  program.instructions = {
      call(0, {}, 1, {}),     // 1
      call(1, {1}, 2, {0}),   // 2
      call(1, {2}, 3, {}),    // 3
      call(1, {3}, 4, {}),    // 4
      call(0, {1}, 5, {}),    // 5
      call(0, {5}, 1, {}),    // 6, over 1
      call(0, {1}, 6, {}),    // 7
      call(0, {4, 6}, 7, {3}) // 8
  };
  // 2 has begun when 6 writes, and reads after that.
  program.instructions[4].attributes[0].value = int64_t(5000);
  program.instructions[1].attributes[0].value = int64_t(10000);
  if (safe)
    program.instructions[5].waits = {1};
  program.outputs = {{"result", OutputKind::Output, at(7)}};
  // Named as in the table's order, which a race leaves.
  Program named = program;
  named.instructions[5].waits = {1};
  (void)nameValues(named);
  named.instructions[5].waits = program.instructions[5].waits;
  return named;
}

Program randomQueueProgram(std::mt19937 &random, int32_t instructions) {
  constexpr int64_t bytes = 512;
  Program program;
  program.arenas = {{8 * bytes, 256, "device"}, {4 * bytes, 256, "host"}};
  auto place = [&](int32_t arena) {
    return atBytes(arena, int64_t(random() % (arena ? 4 : 8)) * bytes, bytes);
  };
  constexpr int32_t places = 8 + 4;
  for (int32_t i = 0; i < places + instructions; ++i) {
    const auto stream = int32_t(random() % 3);
    const uint32_t kind = random() % 4;
    Instruction next;
    if (i < 8)
      next = mixCall("test.mix", stream, {}, {atBytes(0, i * bytes, bytes)}, 0);
    else if (i < places)
      next = copyCall(Queue::DeviceToHost, stream, place(0),
                      atBytes(1, (i - 8) * bytes, bytes));
    else if (kind == 0)
      next = copyCall(Queue::DeviceToHost, stream, place(0), place(1));
    else if (kind == 1)
      next = copyCall(Queue::HostToDevice, stream, place(1), place(0));
    else
      next = mixCall("test.mix", stream, {place(0), place(0)}, {place(0)},
                     random() % 3 == 0 ? 200 : 0);
    for (int32_t earlier = 0; earlier < i; ++earlier)
      if (touchSameBytes(program.instructions[size_t(earlier)], next) ||
          random() % 40 == 0)
        next.waits.push_back(earlier);
    program.instructions.push_back(std::move(next));
  }
  (void)nameValues(program);
  return program;
}

} // namespace memplan::runtime::test

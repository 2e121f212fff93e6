//===- TinyStep.cpp - A training step small enough to plan by hand --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyStep.h"

namespace memplan::runtime::test {

using Shape = std::vector<int64_t>;

static const Shape batchShape{64, 3}, weightShape{3, 2}, resultShape{64, 2};

namespace {
struct Places {
  int64_t h, y, loss, one, dy, dh, dw, arena;
};
} // namespace

// Alignment 256. h and y are 512 bytes, loss, one and dw less than 256.
static constexpr Places unplannedPlaces{0,    512,  1024, 1280,
                                        1536, 2048, 2560, 2560 + 24};
// y over h, dh over dy; dw where h was.
static constexpr Places plannedPlaces{0, 0, 512, 768, 1024, 1024, 0, 1536};

static Argument argument(std::string name, ArgumentKind kind, Shape shape,
                         DType dtype = DType::F32) {
  Argument result;
  result.name = std::move(name);
  result.kind = kind;
  result.shape = std::move(shape);
  result.dtype = dtype;
  return result;
}

static Operand atArena(int64_t offset, Shape shape) {
  return {Space::Arena, 0, offset, DType::F32, std::move(shape)};
}

static Operand atArgument(int32_t number, Shape shape,
                          DType dtype = DType::F32) {
  return {Space::Argument, number, 0, dtype, std::move(shape)};
}

static Instruction call(int32_t node, std::string kernel,
                        std::vector<Operand> inputs,
                        std::vector<Operand> outputs,
                        std::vector<Attribute> attributes = {}) {
  Instruction result;
  result.kernel = std::move(kernel);
  result.node = node;
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  result.attributes = std::move(attributes);
  return result;
}

Program tinyStep(bool planned) {
  const Places &p = planned ? plannedPlaces : unplannedPlaces;
  Program program;
  program.name = "tiny";
  program.arenas = {{p.arena, 256, "device"}};
  program.arguments = {argument("x", ArgumentKind::Input, batchShape),
                       argument("t", ArgumentKind::Input, resultShape),
                       argument("w", ArgumentKind::Parameter, weightShape),
                       argument("count", ArgumentKind::State, {1}, DType::I64)};
  program.arguments[0].batchDim = 0;
  program.arguments[1].batchDim = 0;
  program.arguments[2].init = "normal:0.5";
  Operand x = atArgument(0, batchShape), t = atArgument(1, resultShape);
  Operand w = atArgument(2, weightShape);
  Operand counter = atArgument(3, {1}, DType::I64);
  Operand h = atArena(p.h, resultShape), y = atArena(p.y, resultShape);
  Operand loss = atArena(p.loss, {}), one = atArena(p.one, {});
  Operand dy = atArena(p.dy, resultShape), dh = atArena(p.dh, resultShape);
  Operand dw = atArena(p.dw, weightShape);
  program.instructions = {
      call(0, "memplan.matmul", {x, w}, {h}),
      call(1, "memplan.relu", {h}, {y}),
      call(2, "memplan.mse_loss", {y, t}, {loss}),
      call(3, "memplan.constant", {}, {one}, {{"value", 1.0}}),
      call(4, "memplan.mse_loss_grad", {y, t, one}, {dy}),
      call(5, "memplan.relu_grad", {y, dy}, {dh}),
      call(6, "memplan.matmul", {x, dh}, {dw}, {{"transpose_lhs", int64_t(1)}}),
      call(7, "memplan.sgd_update", {w, dw}, {w},
           {{"lr", 0.1}, {"weight_decay", 0.0}}),
      call(8, "memplan.increment", {counter}, {counter}),
  };
  program.outputs = {{"loss", OutputKind::Loss, loss}};
  program.updates = {{2, w}, {3, counter}};
  // Both are right, so that each place holds what it should.
  (void)nameValues(program);
  return program;
}

static Instruction copy(Queue queue, Operand source, Operand target) {
  Instruction result =
      call(-1, queue == Queue::DeviceToHost ? "memplan.evict" : "memplan.fetch",
           {std::move(source)}, {std::move(target)});
  result.queue = queue;
  return result;
}

static Instruction on(int32_t stream, std::vector<int32_t> waits,
                      Instruction instruction) {
  instruction.stream = stream;
  instruction.waits = std::move(waits);
  return instruction;
}

Program swappedStep() {
  Program program = tinyStep(false);
  program.arenas = {{1792, 256, "device"}, {768, 256, "host"}};
  Argument &count = program.arguments[3];
  count.arena = 1;
  count.arenaOffset = 512;
  Operand x = atArgument(0, batchShape), t = atArgument(1, resultShape);
  Operand w = atArgument(2, weightShape);
  Operand y = atArena(0, resultShape), loss = atArena(512, {});
  Operand one = atArena(0, {}), again = atArena(768, resultShape);
  Operand dy = atArena(1280, resultShape), dw = atArena(0, weightShape);
  Operand counter = {Space::Arena, 0, 640, DType::I64, {1}};
  Operand onHost = y, counterHome = counter;
  onHost.index = counterHome.index = 1;
  counterHome.byteOffset = 512;
  program.instructions = {
      call(0, "memplan.matmul", {x, w}, {y}),
      call(1, "memplan.relu", {y}, {y}),
      copy(Queue::DeviceToHost, y, onHost),
      on(1, {}, copy(Queue::HostToDevice, counterHome, counter)),
      call(2, "memplan.mse_loss", {y, t}, {loss}),
      on(0, {2}, call(3, "memplan.constant", {}, {one}, {{"value", 1.0}})),
      copy(Queue::HostToDevice, onHost, again),
      on(1, {3}, call(8, "memplan.increment", {counter}, {counter})),
      on(1, {}, copy(Queue::DeviceToHost, counter, counterHome)),
      on(0, {6}, call(4, "memplan.mse_loss_grad", {again, t, one}, {dy})),
      call(5, "memplan.relu_grad", {again, dy}, {dy}),
      call(6, "memplan.matmul", {x, dy}, {dw}, {{"transpose_lhs", int64_t(1)}}),
      call(7, "memplan.sgd_update", {w, dw}, {w},
           {{"lr", 0.1}, {"weight_decay", 0.0}}),
  };
  program.outputs = {{"loss", OutputKind::Loss, loss}};
  program.updates = {{2, w}, {3, counterHome}};
  (void)nameValues(program);
  return program;
}

} // namespace memplan::runtime::test

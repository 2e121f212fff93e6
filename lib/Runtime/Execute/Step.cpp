//===- Step.cpp - One step ------------------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableState.h"

#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <chrono>

namespace memplan::runtime {

void ExecutableState::setPointers(size_t number, void *const *operands) {
  memplan_launch_t &launch = table.launch(number);
  memplan_tensor_t *tensors = table.operands(number);
  int32_t count = launch.input_count + launch.output_count;
  for (int32_t i = 0; i < count; ++i)
    tensors[i].data = operands[i];
  if (program.instructions[number].workspace && !scratch.isShared(number))
    launch.workspace = operands[count];
}

memplan_status_t ExecutableState::copyNow(size_t number) {
  const Instruction &instruction = program.instructions[number];
  const memplan_launch_t &copy = table.launch(number);
  const auto *source = static_cast<const std::byte *>(copy.inputs[0].data);
  auto *target = static_cast<std::byte *>(copy.outputs[0].data);
  const int64_t bytes = instruction.inputs[0].bytes();
  const memplan_backend_t &backend = device.backend();
  return instruction.queue == Queue::DeviceToHost
             ? backend.copy_out(device.handle(), target, source, bytes)
             : backend.copy_in(device.handle(), target, source, bytes);
}

Status ExecutableState::step(size_t number) {
  const memplan_backend_t &backend = device.backend();
  const Instruction &instruction = program.instructions[number];
  memplan_status_t code = MEMPLAN_OK;
  if (usesEvents)
    for (int32_t wait : instruction.waits)
      if (code == MEMPLAN_OK)
        code = backend.event_wait(device.handle(), event[size_t(wait)],
                                  instruction.stream);
  if (code == MEMPLAN_OK)
    code = instruction.isCopy()
               ? copyNow(number)
               : backend.launch(device.handle(), &table.launch(number));
  if (code == MEMPLAN_OK && usesEvents && event[number] >= 0)
    code = backend.event_record(device.handle(), event[number],
                                instruction.stream);
  // The text is made on failure only: a step allocates nothing.
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, describe(program, number));
}

Status ExecutableState::finishUpdates() {
  memplan_status_t code = device.backend().synchronize(device.handle());
  for (const UpdateCopies::Copy &copy : updates.copies) {
    std::byte *target = copy.argument >= 0 ? arguments[size_t(copy.argument)]
                                           : updateTemporary.base();
    std::byte *source =
        copy.source ? addressOf(*copy.source) : updateTemporary.base();
    if (code == MEMPLAN_OK)
      code = device.backend().copy(device.handle(), target, source, copy.bytes);
  }
  if (code == MEMPLAN_OK)
    code = device.backend().synchronize(device.handle());
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "the end of the step");
}

namespace {
/// One step under way, as launches see it.
struct Walk {
  Executable &executable;
  ExecutableState &state;
  std::span<StepObserver *const> observers;
  int64_t allocations = 0;
  int64_t allocatedBytes = 0;
  Status failure;

  /// Observers see the launch exactly as the backend then gets it: with the
  /// pointers of compiled code, where there are any.
  Status launch(size_t number, void *const *operands) {
    if (number >= state.program.instructions.size())
      return invalid("the compiled step launches instruction " +
                     std::to_string(number) + ", which the program lacks");
    if (operands)
      state.setPointers(number, operands);
    for (StepObserver *observer : observers)
      if (Status status = observer->before(executable, number); !status.ok())
        return status;
    AllocationWatch heap;
    Status launched = state.step(number);
    allocations += heap.calls();
    allocatedBytes = std::max(allocatedBytes, heap.mostBytes());
    if (!launched.ok())
      return launched;
    for (StepObserver *observer : observers)
      if (Status status = observer->after(executable, number); !status.ok())
        return status;
    return Status::success();
  }
};
} // namespace

/// What compiled code calls.
static int32_t launchFromStep(void *context, int32_t instruction,
                              void *const *operands) {
  Walk &walk = *static_cast<Walk *>(context);
  walk.failure = walk.launch(size_t(instruction), operands);
  return walk.failure.code;
}

void Executable::followStep(StepFunction step) {
  state->compiled = step;
  // A compiled step leaves its own pointers in the launches.
  if (!step)
    state->resolve();
}

Status Executable::run(std::span<StepObserver *const> observers) {
  if (Status status = state->checkArguments(); !status.ok())
    return status;
  for (StepObserver *observer : observers)
    if (Status status = observer->beginStep(*this); !status.ok())
      return status;
  auto start = std::chrono::steady_clock::now();
  Walk walk{*this, *state, observers, 0, 0, {}};
  if (state->compiled) {
    int32_t code =
        state->compiled(&walk, launchFromStep, state->arenaBases.data(),
                        state->argumentBases.data(), constantBase());
    if (code != MEMPLAN_OK)
      return walk.failure.ok()
                 ? Status{MEMPLAN_FAILED,
                          "the compiled step stopped with status " +
                              std::to_string(code)}
                 : walk.failure;
  } else {
    for (size_t i = 0; i < state->program.instructions.size(); ++i)
      if (Status status = walk.launch(i, nullptr); !status.ok())
        return status;
  }
  if (Status status = state->finishUpdates(); !status.ok())
    return status;
  state->stats.micros = std::chrono::duration<double, std::micro>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  bool counted = allocationCount() >= 0;
  state->stats.allocations = counted ? walk.allocations : -1;
  state->stats.allocatedBytes = counted ? walk.allocatedBytes : -1;
  for (StepObserver *observer : observers)
    if (Status status = observer->endStep(*this); !status.ok())
      return status;
  return Status::success();
}

Status Executable::launchInstruction(size_t instruction,
                                     void *const *operands) {
  if (instruction >= state->program.instructions.size())
    return invalid("no instruction " + std::to_string(instruction));
  state->setPointers(instruction, operands);
  return state->step(instruction);
}

} // namespace memplan::runtime

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

static int32_t engineOf(const Instruction &copy) {
  return copy.queue == Queue::DeviceToHost ? MEMPLAN_QUEUE_D2H
                                           : MEMPLAN_QUEUE_H2D;
}

memplan_status_t ExecutableState::copy(size_t number, Mode how) {
  const Instruction &instruction = program.instructions[number];
  const memplan_launch_t &copy = table.launch(number);
  const void *source = copy.inputs[0].data;
  void *target = copy.outputs[0].data;
  const int64_t bytes = instruction.inputs[0].bytes();
  const memplan_backend_t &backend = device.backend();
  const bool out = instruction.queue == Queue::DeviceToHost;
  const int32_t engine = engineOf(instruction);
  // Alone, a copy takes what it takes on its engine: engines may be throttled.
  if (how == Mode::InOrder && mode == Mode::WithQueues) {
    memplan_status_t code =
        backend.begin_queues(device.handle(), &events.counts());
    return code == MEMPLAN_OK ? backend.copy_async(device.handle(), engine,
                                                   target, source, bytes)
                              : code;
  }
  if (how != Mode::WithQueues)
    return out ? backend.copy_out(device.handle(), target, source, bytes)
               : backend.copy_in(device.handle(), target, source, bytes);
  memplan_status_t code = MEMPLAN_OK;
  if (const int32_t issued = events.issued(number); issued >= 0) {
    code = backend.event_record(device.handle(), issued, instruction.stream);
    if (code == MEMPLAN_OK)
      code = backend.event_wait(device.handle(), issued, engine);
  }
  if (code == MEMPLAN_OK)
    code = backend.copy_async(device.handle(), engine, target, source, bytes);
  return code;
}

memplan_status_t ExecutableState::launchOrCopy(size_t number, Mode how) {
  const memplan_backend_t &backend = device.backend();
  const Instruction &instruction = program.instructions[number];
  memplan_status_t code = MEMPLAN_OK;
  if (how != Mode::InOrder)
    for (int32_t event : events.waits(number))
      if (code == MEMPLAN_OK)
        code = backend.event_wait(device.handle(), event, instruction.stream);
  if (code == MEMPLAN_OK)
    code = instruction.isCopy()
               ? copy(number, how)
               : backend.launch(device.handle(), &table.launch(number));
  const int32_t event = events.recorded(number);
  if (code != MEMPLAN_OK || how == Mode::InOrder || event < 0)
    return code;
  // A copy that was made at once is over for its stream.
  const bool onEngine = instruction.isCopy() && how == Mode::WithQueues;
  return backend.event_record(device.handle(), event,
                              onEngine ? engineOf(instruction)
                                       : instruction.stream);
}

Status ExecutableState::step(size_t number, Mode how) {
  memplan_status_t code = launchOrCopy(number, how);
  // What runs alone here would run beside others there.
  if (code == MEMPLAN_OK && mode == Mode::WithQueues && how == Mode::InOrder)
    code = device.backend().synchronize(device.handle());
  // The text is made on failure only: a step allocates nothing.
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, describe(program, number));
}

Status ExecutableState::synchronize(const char *what) {
  const memplan_backend_t &backend = device.backend();
  memplan_status_t code = backend.synchronize(device.handle());
  if (code == MEMPLAN_OK)
    return Status::success();
  int32_t number = backend.failed_launch && mode == Mode::WithQueues
                       ? backend.failed_launch(device.handle())
                       : -1;
  bool known = number >= 0 && size_t(number) < program.instructions.size();
  return device.status(code, known ? describe(program, size_t(number)) : what);
}

memplan_status_t ExecutableState::copyUpdates() {
  memplan_status_t code = MEMPLAN_OK;
  for (const UpdateCopies::Copy &copy : updates.copies) {
    std::byte *target =
        copy.argument >= 0 ? arguments[size_t(copy.argument)] : updateTemporary;
    std::byte *source = copy.source ? addressOf(*copy.source) : updateTemporary;
    if (code == MEMPLAN_OK)
      code = device.backend().copy(device.handle(), target, source, copy.bytes);
  }
  return code;
}

static constexpr const char *endOfStep = "the end of the step";

Status ExecutableState::finishUpdates() {
  if (Status status = synchronize(endOfStep);
      !status.ok() || updates.copies.empty())
    return status;
  memplan_status_t code = copyUpdates();
  if (code == MEMPLAN_OK)
    code = device.backend().synchronize(device.handle());
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, endOfStep);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The step as a graph, which is captured first where there is none.
Status ExecutableState::runGraph(const std::function<Status()> &issue) {
  if (!graph)
    if (Status status = capture(issue); !status.ok())
      return status;
  // The device captures nothing, and has not been asked for anything yet.
  if (!graph)
    return issue();
  const memplan_status_t code = device.backend().replay(device.handle(), graph);
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "the graph of the step");
}

void ExecutableState::dropGraph() {
  if (graph)
    device.backend().release_graph(device.handle(), graph);
  graph = nullptr;
}

Status ExecutableState::capture(const std::function<Status()> &issue) {
  const memplan_backend_t &backend = device.backend();
  static constexpr const char *what = "the step cannot be captured as a graph";
  const memplan_status_t begun = backend.begin_capture(device.handle());
  useGraph = begun != MEMPLAN_UNAVAILABLE;
  if (begun != MEMPLAN_OK)
    return useGraph ? device.status(begun, what) : Status::success();
  Status status = issue();
  if (status.ok())
    status = device.status(copyUpdates(), "the updates");
  void *made = nullptr;
  const memplan_status_t code =
      backend.end_capture(device.handle(), status.ok() ? &made : nullptr);
  if (!status.ok())
    return {status.code,
            std::string(what) +
                ", and would have to run eagerly: " + status.message};
  graph = made;
  return device.status(code, what);
}

namespace {
/// One step under way, as launches see it.
struct Walk {
  Executable &executable;
  ExecutableState &state;
  std::span<StepObserver *const> observers;
  std::span<const int32_t> order;
  Mode how;
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
    if (Status launched = counted(number); !launched.ok())
      return launched;
    // What was nearest to the launch before it is nearest after it: a clock
    // ends before another observer writes over what the launch freed.
    for (size_t o = observers.size(); o-- > 0;)
      if (Status status = observers[o]->after(executable, number); !status.ok())
        return status;
    return Status::success();
  }

  Status counted(size_t number);
  Status all();
};
} // namespace

/// What compiled code calls.
static int32_t launchFromStep(void *context, int32_t instruction,
                              void *const *operands) {
  Walk &walk = *static_cast<Walk *>(context);
  walk.failure = walk.launch(size_t(instruction), operands);
  return walk.failure.code;
}

/// Where launches are only issued, no moment belongs to one of them.
Status Walk::counted(size_t number) {
  if (how == Mode::WithQueues)
    return state.step(number, how);
  AllocationWatch heap;
  Status launched = state.step(number, how);
  allocations += heap.calls();
  allocatedBytes = std::max(allocatedBytes, heap.mostBytes());
  return launched;
}

Status Walk::all() {
  const memplan_backend_t &backend = state.device.backend();
  memplan_device_t *device = state.device.handle();
  if (how == Mode::WithQueues)
    if (memplan_status_t code =
            backend.begin_queues(device, &state.events.counts());
        code != MEMPLAN_OK)
      return state.device.status(code, "the start of the step");
  if (!state.compiled || !order.empty()) {
    for (size_t i = 0; i < state.program.instructions.size(); ++i)
      if (Status status = launch(order.empty() ? i : size_t(order[i]), nullptr);
          !status.ok())
        return status;
    return Status::success();
  }
  int32_t code = state.compiled(this, launchFromStep, state.arenaBases.data(),
                                state.argumentBases.data(), state.constants);
  if (code == MEMPLAN_OK || !failure.ok())
    return failure;
  return {MEMPLAN_FAILED,
          "the compiled step stopped with status " + std::to_string(code)};
}

void Executable::followStep(StepFunction step) {
  state->compiled = step;
  state->dropGraph();
  // A compiled step leaves its own pointers in the launches.
  if (!step)
    state->resolve();
}

Status Executable::run(std::span<StepObserver *const> observers) {
  return runStep({}, observers);
}

Status Executable::runInOrder(std::span<const int32_t> order,
                              std::span<StepObserver *const> observers) {
  const size_t count = state->program.instructions.size();
  if (order.size() != count)
    return invalid("an order of " + std::to_string(order.size()) + " of " +
                   std::to_string(count) + " instructions");
  return runStep(order, observers);
}

Status Executable::runStep(std::span<const int32_t> order,
                           std::span<StepObserver *const> observers) {
  if (Status status = state->checkArguments(); !status.ok())
    return status;
  for (StepObserver *observer : observers)
    if (Status status = observer->beginStep(*this); !status.ok())
      return status;
  auto start = std::chrono::steady_clock::now();
  const bool alone = !observers.empty() || !order.empty();
  const Mode how =
      alone && state->mode == Mode::WithQueues ? Mode::InOrder : state->mode;
  Walk walk{*this, *state, observers, order, how, 0, 0, {}};
  AllocationWatch heap;
  const bool asGraph = state->useGraph && state->isWarm && !alone;
  if (Status status =
          asGraph ? state->runGraph([&] { return walk.all(); }) : walk.all();
      !status.ok()) {
    // What was issued before still runs.
    (void)state->device.backend().synchronize(state->device.handle());
    return status;
  }
  if (Status status = state->graph && asGraph ? state->synchronize(endOfStep)
                                              : state->finishUpdates();
      !status.ok())
    return status;
  state->isWarm = true;
  if (how == Mode::WithQueues) {
    walk.allocations = heap.calls();
    walk.allocatedBytes = heap.mostBytes();
  }
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
  state->dropGraph();
  state->setPointers(instruction, operands);
  return state->step(instruction, state->mode == Mode::WithQueues
                                      ? Mode::InOrder
                                      : state->mode);
}

} // namespace memplan::runtime

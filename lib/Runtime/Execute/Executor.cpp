//===- Executor.cpp - Runs programs on a device ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/Executor.h"

#include "LaunchTable.h"

#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <chrono>

namespace memplan::runtime {

struct Executable::State {
  const Device &device;
  const Program program;
  std::vector<DeviceBuffer> arenas;
  DeviceBuffer constants;
  std::vector<DeviceBuffer> ownArguments; ///< empty where the caller's is bound
  std::vector<std::byte *> arguments;
  LaunchTable table;
  std::vector<void *> prepared; ///< what the backend left, to be released
  /// The number under which others wait for an instruction, or -1.
  std::vector<int32_t> event;
  bool usesEvents = false;
  StepStats stats;
  MissingWorkspace slowed;
  StepFunction compiled = nullptr;
  /// Base pointers as compiled code takes them.
  std::vector<void *> arenaBases, argumentBases;

  State(const Device &device, Program source)
      : device(device), program(std::move(source)),
        ownArguments(program.arguments.size()),
        arguments(program.arguments.size()), table(program.instructions),
        event(program.instructions.size(), -1) {}

  ~State() {
    for (void *handle : prepared)
      device.backend().release(device.handle(), handle);
  }

  Status allocate();
  Status prepare();
  void numberEvents();
  void resolve();
  Status step(size_t number);
  Status finishUpdates();

  std::byte *baseOf(const Operand &operand) const {
    switch (operand.space) {
    case Space::Arena:
      return arenas[size_t(operand.index)].base();
    case Space::Argument:
      return arguments[size_t(operand.index)];
    case Space::Constant:
      return constants.base();
    }
    return nullptr;
  }
  std::byte *addressOf(const Operand &operand) const {
    return baseOf(operand) + operand.byteOffset;
  }
};

static std::string describe(const Program &program, size_t number) {
  const Instruction &instruction = program.instructions[number];
  std::string text = "instruction " + std::to_string(number) + " (" +
                     instruction.kernel + ", node " +
                     std::to_string(instruction.node);
  if (instruction.run)
    text += ", run " + std::to_string(instruction.run);
  return text + ")";
}

static constexpr int64_t argumentAlignment = 256;

static int64_t bytesOf(const Argument &argument) {
  return *tensorBytes(argument.dtype, argument.shape);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Status Executable::State::allocate() {
  for (const ArenaInfo &arena : program.arenas) {
    Result<DeviceBuffer> buffer =
        DeviceBuffer::allocate(device, arena.bytes, arena.alignment);
    if (!buffer)
      return buffer.error();
    arenas.push_back(std::move(*buffer));
  }
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(
        device, bytesOf(program.arguments[i]), argumentAlignment);
    if (!buffer)
      return buffer.error();
    ownArguments[i] = std::move(*buffer);
    arguments[i] = ownArguments[i].base();
  }
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(
      device, int64_t(program.constants.size()), argumentAlignment);
  if (!buffer)
    return buffer.error();
  constants = std::move(*buffer);
  return device.status(
      device.backend().copy_in(device.handle(), constants.base(),
                               program.constants.data(), constants.bytes()),
      "cannot copy the constants");
}

Status Executable::State::prepare() {
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    memplan_launch_t &launch = table.launch(i);
    memplan_prepared_t result = {};
    memplan_status_t code =
        device.backend().prepare(device.handle(), &launch, &result);
    if (code != MEMPLAN_OK)
      return device.status(code, describe(program, i));
    prepared.push_back(result.state);
    launch.state = result.state;
    slowed.instructions += result.wanted_workspace_bytes > 0;
    slowed.largestBytes =
        std::max(slowed.largestBytes, result.wanted_workspace_bytes);
    if (result.workspace_bytes > launch.workspace_bytes)
      return invalid(describe(program, i) + " needs " +
                     std::to_string(result.workspace_bytes) +
                     " workspace bytes on " + device.name() +
                     ", the program gives " +
                     std::to_string(launch.workspace_bytes) +
                     ": plan again for this backend and thread count");
  }
  return Status::success();
}

void Executable::State::numberEvents() {
  const memplan_backend_t &backend = device.backend();
  usesEvents = backend.event_record && backend.event_wait;
  int32_t events = 0;
  for (const Instruction &instruction : program.instructions)
    for (int32_t wait : instruction.waits)
      if (event[size_t(wait)] < 0)
        event[size_t(wait)] = events++;
}

void Executable::State::resolve() {
  table.resolve(program.instructions,
                [this](const Operand &operand) { return baseOf(operand); });
  arenaBases.clear();
  for (const DeviceBuffer &arena : arenas)
    arenaBases.push_back(arena.base());
  argumentBases.assign(arguments.begin(), arguments.end());
}

Result<Executable> Executable::compile(const Device &device, Program program) {
  if (Status status = program.check(); !status.ok())
    return status;
  auto state = std::make_unique<State>(device, std::move(program));
  if (Status status = state->allocate(); !status.ok())
    return status;
  if (Status status = state->prepare(); !status.ok())
    return status;
  state->numberEvents();
  state->resolve();
  return Executable(std::move(state));
}

Executable::Executable(std::unique_ptr<State> state)
    : state(std::move(state)) {}
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
Executable::~Executable() = default;

const Program &Executable::program() const { return state->program; }
const Device &Executable::device() const { return state->device; }
std::byte *Executable::arenaBase(size_t arena) const {
  return state->arenas[arena].base();
}
std::byte *Executable::argumentBase(size_t argument) const {
  return state->arguments[argument];
}
std::byte *Executable::constantBase() const { return state->constants.base(); }

//===----------------------------------------------------------------------===//
// Arguments and outputs
//===----------------------------------------------------------------------===//

static Status checkSize(const Program &program, int32_t argument,
                        int64_t bytes) {
  if (argument < 0 || size_t(argument) >= program.arguments.size())
    return invalid("no argument " + std::to_string(argument) +
                   "; the program has " +
                   std::to_string(program.arguments.size()));
  const Argument &info = program.arguments[size_t(argument)];
  if (bytes != bytesOf(info))
    return invalid("argument '" + info.name + "' takes " +
                   std::to_string(bytesOf(info)) + " bytes, not " +
                   std::to_string(bytes));
  return Status::success();
}

Status Executable::bindArgument(int32_t argument, void *data, int64_t bytes) {
  if (Status status = checkSize(state->program, argument, bytes); !status.ok())
    return status;
  if (!data || reinterpret_cast<uintptr_t>(data) % 64 != 0)
    return invalid("argument '" +
                   state->program.arguments[size_t(argument)].name +
                   "' is bound to memory that is null or not aligned to 64 "
                   "bytes");
  state->ownArguments[size_t(argument)] = DeviceBuffer();
  state->arguments[size_t(argument)] = static_cast<std::byte *>(data);
  state->resolve();
  return Status::success();
}

Status Executable::writeArgument(int32_t argument, const void *host,
                                 int64_t bytes) {
  if (Status status = checkSize(state->program, argument, bytes); !status.ok())
    return status;
  const Device &device = state->device;
  return device.status(device.backend().copy_in(device.handle(),
                                                argumentBase(size_t(argument)),
                                                host, bytes),
                       "cannot write argument " + std::to_string(argument));
}

Status Executable::readArgument(int32_t argument, void *host,
                                int64_t bytes) const {
  if (Status status = checkSize(state->program, argument, bytes); !status.ok())
    return status;
  const Device &device = state->device;
  return device.status(device.backend().copy_out(device.handle(), host,
                                                 argumentBase(size_t(argument)),
                                                 bytes),
                       "cannot read argument " + std::to_string(argument));
}

Status Executable::readOperand(const Operand &operand, void *host) const {
  const Device &device = state->device;
  return device.status(device.backend().copy_out(device.handle(), host,
                                                 state->addressOf(operand),
                                                 operand.bytes()),
                       "cannot read an operand");
}

Status Executable::readOutput(int32_t output, void *host, int64_t bytes) const {
  const std::vector<Output> &outputs = state->program.outputs;
  if (output < 0 || size_t(output) >= outputs.size())
    return invalid("no output " + std::to_string(output) +
                   "; the program has " + std::to_string(outputs.size()));
  const Output &info = outputs[size_t(output)];
  if (bytes != info.operand.bytes())
    return invalid("output '" + info.name + "' takes " +
                   std::to_string(info.operand.bytes()) + " bytes, not " +
                   std::to_string(bytes));
  return readOperand(info.operand, host);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Status Executable::State::step(size_t number) {
  const memplan_backend_t &backend = device.backend();
  const Instruction &instruction = program.instructions[number];
  memplan_status_t code = MEMPLAN_OK;
  if (usesEvents)
    for (int32_t wait : instruction.waits)
      if (code == MEMPLAN_OK)
        code = backend.event_wait(device.handle(), event[size_t(wait)],
                                  instruction.stream);
  if (code == MEMPLAN_OK)
    code = backend.launch(device.handle(), &table.launch(number));
  if (code == MEMPLAN_OK && usesEvents && event[number] >= 0)
    code = backend.event_record(device.handle(), event[number],
                                instruction.stream);
  // The text is made on failure only: a step allocates nothing.
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, describe(program, number));
}

Status Executable::State::finishUpdates() {
  memplan_status_t code = device.backend().synchronize(device.handle());
  for (const Update &update : program.updates) {
    std::byte *target = arguments[size_t(update.argument)];
    std::byte *source = addressOf(update.value);
    if (code == MEMPLAN_OK && source != target)
      code = device.backend().copy(device.handle(), target, source,
                                   update.value.bytes());
  }
  if (code == MEMPLAN_OK)
    code = device.backend().synchronize(device.handle());
  return code == MEMPLAN_OK ? Status::success()
                            : device.status(code, "the end of the step");
}

const StepStats &Executable::lastStep() const { return state->stats; }
const MissingWorkspace &Executable::missingWorkspace() const {
  return state->slowed;
}

namespace {
/// One step under way, as launches see it.
struct Walk {
  Executable &executable;
  std::span<StepObserver *const> observers;
  int64_t allocations = 0;
  int64_t allocatedBytes = 0;
  Status failure;

  template <typename Launch>
  Status launch(size_t number, const Launch &launch) {
    for (StepObserver *observer : observers)
      if (Status status = observer->before(executable, number); !status.ok())
        return status;
    AllocationWatch heap;
    Status launched = launch();
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
  walk.failure = walk.launch(size_t(instruction), [&] {
    return walk.executable.launchInstruction(size_t(instruction), operands);
  });
  return walk.failure.code;
}

void Executable::followStep(StepFunction step) {
  state->compiled = step;
  // A compiled step leaves its own pointers in the launches.
  if (!step)
    state->resolve();
}

Status Executable::run(std::span<StepObserver *const> observers) {
  for (StepObserver *observer : observers)
    if (Status status = observer->beginStep(*this); !status.ok())
      return status;
  auto start = std::chrono::steady_clock::now();
  Walk walk{*this, observers, 0, 0, {}};
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
      if (Status status = walk.launch(i, [&] { return state->step(i); });
          !status.ok())
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
  memplan_launch_t &launch = state->table.launch(instruction);
  memplan_tensor_t *tensors = state->table.operands(instruction);
  int32_t count = launch.input_count + launch.output_count;
  for (int32_t i = 0; i < count; ++i)
    tensors[i].data = operands[i];
  if (state->program.instructions[instruction].workspace)
    launch.workspace = operands[count];
  return state->step(instruction);
}

} // namespace memplan::runtime

//===- Executor.cpp - Runs programs on a device ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableState.h"

#include <cstring>

namespace memplan::runtime {

std::string describe(const Program &program, size_t number) {
  const Instruction &instruction = program.instructions[number];
  std::string text = "instruction " + std::to_string(number) + " (" +
                     instruction.kernel + ", node " +
                     std::to_string(instruction.node);
  if (instruction.run)
    text += ", run " + std::to_string(instruction.run);
  return text + ")";
}

static constexpr int64_t argumentAlignment = 256;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Status ExecutableState::allocate() {
  auto take = [](Result<DeviceBuffer> buffer, DeviceBuffer &place) {
    if (!buffer)
      return buffer.error();
    place = std::move(*buffer);
    return Status::success();
  };
  for (const ArenaInfo &arena : program.arenas)
    if (Status s = take(
            arena.isHost()
                ? DeviceBuffer::allocateHost(device, arena.bytes,
                                             arena.alignment)
                : DeviceBuffer::allocate(device, arena.bytes, arena.alignment),
            arenas.emplace_back());
        !s.ok())
      return s;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Argument &argument = program.arguments[i];
    if (argument.arena >= 0) {
      arguments[i] =
          arenas[size_t(argument.arena)].base() + argument.arenaOffset;
      continue;
    }
    if (Status s = take(
            DeviceBuffer::allocate(device, argument.bytes(), argumentAlignment),
            ownArguments[i]);
        !s.ok())
      return s;
    arguments[i] = ownArguments[i].base();
  }
  if (updates.temporaryBytes > 0)
    if (Status s = take(DeviceBuffer::allocate(device, updates.temporaryBytes,
                                               argumentAlignment),
                        updateTemporary);
        !s.ok())
      return s;
  if (Status s =
          take(DeviceBuffer::allocate(device, int64_t(program.constants.size()),
                                      argumentAlignment),
               constants);
      !s.ok())
    return s;
  return device.status(
      device.backend().copy_in(device.handle(), constants.base(),
                               program.constants.data(), constants.bytes()),
      "cannot copy the constants");
}

/// Threads and events are made here, so that no step has to.
Status ExecutableState::openQueues() {
  const memplan_backend_t &backend = device.backend();
  if (!program.usesQueues())
    return Status::success();
  if (!backend.begin_queues) {
    mode = backend.event_record ? Mode::WithEvents : Mode::InOrder;
    return Status::success();
  }
  mode = Mode::WithQueues;
  memplan_status_t code =
      backend.begin_queues(device.handle(), &events.counts());
  if (code == MEMPLAN_OK)
    code = backend.synchronize(device.handle());
  return device.status(code, "cannot open " +
                                 std::to_string(events.counts().streams) +
                                 " streams");
}

void ExecutableState::resolve() {
  table.resolve(program.instructions,
                [this](const Operand &operand) { return baseOf(operand); });
  scratch.resolve();
  arenaBases.clear();
  for (const DeviceBuffer &arena : arenas)
    arenaBases.push_back(arena.base());
  argumentBases.assign(arguments.begin(), arguments.end());
}

Result<Executable> Executable::compile(const Device &device, Program program,
                                       const ExecuteOptions &options) {
  if (Status status =
          options.allowRaces ? program.checkTable() : program.check();
      !status.ok())
    return status;
  if (int32_t strided = program.firstStrided();
      strided >= 0 && !device.backend().takes_strides)
    return Status{MEMPLAN_UNAVAILABLE,
                  describe(program, size_t(strided)) +
                      " has operands with gaps between their samples, which "
                      "no kernel of " +
                      device.name() + " takes: plan with --parts=dense"};
  auto state = std::make_unique<ExecutableState>(device, std::move(program));
  if (Status status = state->allocate(); !status.ok())
    return status;
  if (Status status = state->scratch.prepare(options); !status.ok())
    return status;
  if (Status status = state->openQueues(); !status.ok())
    return status;
  state->resolve();
  return Executable(std::move(state));
}

Executable::Executable(std::unique_ptr<ExecutableState> state)
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
std::byte *Executable::baseOf(const Operand &operand) const {
  return state->baseOf(operand);
}
std::byte *Executable::scratchBase(size_t block) const {
  return state->scratch.blocks[block].base();
}
int64_t Executable::scratchBytes(size_t block) const {
  return state->scratch.blocks[block].bytes();
}
const memplan_launch_t &Executable::launch(size_t instruction) const {
  return state->table.launch(instruction);
}
bool Executable::takesSharedScratch(size_t instruction) const {
  return state->scratch.isShared(instruction);
}
const StepStats &Executable::lastStep() const { return state->stats; }
const MissingWorkspace &Executable::missingWorkspace() const {
  return state->scratch.missing;
}
const SharedScratch &Executable::sharedScratch() const {
  return state->scratch.sum;
}

//===----------------------------------------------------------------------===//
// Memory for observers
//===----------------------------------------------------------------------===//

memplan_status_t ExecutableState::read(const std::byte *source, void *host,
                                       int64_t bytes, bool isHost) const {
  const memplan_backend_t &backend = device.backend();
  if (!isHost)
    return backend.copy_out(device.handle(), host, source, bytes);
  memplan_status_t code = backend.synchronize(device.handle());
  if (code == MEMPLAN_OK && bytes > 0)
    std::memcpy(host, source, size_t(bytes));
  return code;
}

memplan_status_t ExecutableState::write(std::byte *target, const void *host,
                                        int64_t bytes, bool isHost) const {
  const memplan_backend_t &backend = device.backend();
  if (!isHost)
    return backend.copy_in(device.handle(), target, host, bytes);
  memplan_status_t code = backend.synchronize(device.handle());
  if (code == MEMPLAN_OK && bytes > 0)
    std::memcpy(target, host, size_t(bytes));
  return code;
}

static Status fill(const Device &device, std::byte *target, int64_t bytes,
                   int32_t byte, bool isHost) {
  const memplan_backend_t &backend = device.backend();
  memplan_status_t code = MEMPLAN_OK;
  if (isHost) {
    code = backend.synchronize(device.handle());
    if (code == MEMPLAN_OK)
      std::memset(target, byte, size_t(bytes));
  } else if (bytes > 0) {
    code = backend.fill(device.handle(), target, byte, bytes);
  }
  return device.status(code, "cannot fill " + std::to_string(bytes) + " bytes");
}

/// What was launched may still write there.
static Status readBlock(const ExecutableState &state, const std::byte *source,
                        std::span<std::byte> host, bool isHost) {
  const Device &device = state.device;
  memplan_status_t code = device.backend().synchronize(device.handle());
  if (code == MEMPLAN_OK)
    code = state.read(source, host.data(), int64_t(host.size()), isHost);
  return device.status(code,
                       "cannot read " + std::to_string(host.size()) + " bytes");
}

Status Executable::fillArena(size_t arena, int64_t begin, int64_t bytes,
                             int32_t byte) {
  return fill(state->device, arenaBase(arena) + begin, bytes, byte,
              program().arenas[arena].isHost());
}

Status Executable::readArena(size_t arena, int64_t begin,
                             std::span<std::byte> host) const {
  return readBlock(*state, arenaBase(arena) + begin, host,
                   program().arenas[arena].isHost());
}

Status Executable::fillScratch(size_t block, int32_t byte) {
  return fill(state->device, scratchBase(block), scratchBytes(block), byte,
              /*isHost=*/false);
}

Status Executable::readScratch(size_t block, int64_t begin,
                               std::span<std::byte> host) const {
  return readBlock(*state, scratchBase(block) + begin, host,
                   /*isHost=*/false);
}

} // namespace memplan::runtime

//===- Executor.cpp - Runs programs on a device ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutableState.h"

#include <algorithm>
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

/// Alignment of whatever lies in device memory, scratch above all.
static constexpr int64_t leastAlignment = 256;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The caller's memory for an arena.
static Result<DeviceBuffer> borrow(const ArenaInfo &arena, size_t number,
                                   const std::span<std::byte> &memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  const int64_t alignment = std::max(arena.alignment, leastAlignment);
  if (int64_t(memory.size()) < arena.bytes ||
      address % uintptr_t(alignment) != 0)
    return invalid("arena " + std::to_string(number) + " takes " +
                   std::to_string(arena.bytes) + " bytes aligned to " +
                   std::to_string(alignment) + "; the caller gives " +
                   std::to_string(memory.size()) + " at " +
                   std::to_string(address));
  return DeviceBuffer::borrow(memory.data(), arena.bytes);
}

Status ExecutableState::allocateArenas(const ExecuteOptions &options) {
  if (!options.arenaMemory.empty() &&
      options.arenaMemory.size() != program.arenas.size())
    return invalid("memory is given for " +
                   std::to_string(options.arenaMemory.size()) + " of " +
                   std::to_string(program.arenas.size()) + " arenas");
  for (size_t a = 0; a < program.arenas.size(); ++a) {
    const ArenaInfo &arena = program.arenas[a];
    const int64_t alignment = std::max(arena.alignment, leastAlignment);
    Result<DeviceBuffer> buffer =
        !options.arenaMemory.empty() && options.arenaMemory[a].data()
            ? borrow(arena, a, options.arenaMemory[a])
        : arena.isHost()
            ? DeviceBuffer::allocateHost(device, arena.bytes, alignment)
            : DeviceBuffer::allocate(device, arena.bytes, alignment);
    if (!buffer)
      return buffer.error();
    arenas.push_back(std::move(*buffer));
  }
  return Status::success();
}

namespace {
/// Bytes of device memory beside the arenas, and who is told their place.
struct Part {
  int64_t bytes;
  std::byte **base;
};
} // namespace

/// One block for all parts, each at a multiple of the least alignment.
static Result<DeviceBuffer> takeOneBlock(const Device &device,
                                         std::span<const Part> parts) {
  auto rounded = [](int64_t bytes) {
    return (bytes + leastAlignment - 1) / leastAlignment * leastAlignment;
  };
  int64_t total = 0;
  for (const Part &part : parts)
    total += rounded(part.bytes);
  Result<DeviceBuffer> block =
      DeviceBuffer::allocate(device, total, leastAlignment);
  if (!block)
    return block;
  int64_t at = 0;
  for (const Part &part : parts) {
    *part.base = block->base() + at;
    at += rounded(part.bytes);
  }
  return block;
}

/// Arguments, constants, the temporary of updates and shared scratch.
Status ExecutableState::allocateBeside() {
  std::vector<Part> parts;
  const bool isEach = device.backend().allocation_bytes == 0;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Argument &argument = program.arguments[i];
    if (argument.arena >= 0) {
      arguments[i] =
          arenas[size_t(argument.arena)].base() + argument.arenaOffset;
      continue;
    }
    if (isEach)
      ownBlocks[i] = int32_t(parts.size());
    parts.push_back({argument.bytes(), &arguments[i]});
  }
  if (updates.temporaryBytes > 0)
    parts.push_back({updates.temporaryBytes, &updateTemporary});
  for (Scratch::Block &block : scratch.blocks)
    parts.push_back({block.bytes, &block.base});
  const auto constantBytes = int64_t(program.constants.size());
  parts.push_back({constantBytes, &constants});
  for (size_t at = 0; at < parts.size(); at += isEach ? 1 : parts.size()) {
    Result<DeviceBuffer> block = takeOneBlock(
        device, std::span(parts).subspan(at, isEach ? 1 : parts.size()));
    if (!block)
      return block.error();
    beside.push_back(std::move(*block));
  }
  return device.status(device.backend().copy_in(device.handle(), constants,
                                                program.constants.data(),
                                                constantBytes),
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
  state->useGraph = options.useGraph && device.backend().begin_capture;
  // Preparing loads code, which the arenas must leave room for.
  if (Status status = state->scratch.prepare(options); !status.ok())
    return status;
  if (Status status = state->allocateArenas(options); !status.ok())
    return status;
  if (Status status = state->allocateBeside(); !status.ok())
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

bool Executable::ownsArena(size_t arena) const {
  return !state->arenas[arena].isBorrowed();
}
const Program &Executable::program() const { return state->program; }
const Device &Executable::device() const { return state->device; }
std::byte *Executable::arenaBase(size_t arena) const {
  return state->arenas[arena].base();
}
std::byte *Executable::argumentBase(size_t argument) const {
  return state->arguments[argument];
}
std::byte *Executable::constantBase() const { return state->constants; }
std::byte *Executable::baseOf(const Operand &operand) const {
  return state->baseOf(operand);
}
std::byte *Executable::scratchBase(size_t block) const {
  return state->scratch.blocks[block].base;
}
int64_t Executable::scratchBytes(size_t block) const {
  return state->scratch.blocks[block].bytes;
}
const memplan_launch_t &Executable::launch(size_t instruction) const {
  return state->table.launch(instruction);
}
bool Executable::takesSharedScratch(size_t instruction) const {
  return state->scratch.isShared(instruction);
}
bool Executable::hasGraph() const { return state->graph; }

void Executable::runEagerly() {
  state->dropGraph();
  state->useGraph = false;
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

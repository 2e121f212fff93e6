//===- Engine.cpp - Ops one by one within a budget ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>
#include <new>
#include <utility>

namespace memplan::runtime {

Result<Engine> Engine::create(const Device &device,
                              const DynamicOptions &options) {
  if (!options.heuristic)
    return invalid("no heuristic; there are " + eviction::heuristicNames());
  if (options.budgetBytes < 0 || options.hostBytes < 0)
    return invalid(
        "a budget of " +
        std::to_string(std::min(options.budgetBytes, options.hostBytes)) +
        " bytes");
  if (!(options.copyBytesPerMicro > 0))
    return invalid("copies need a rate above 0");
  auto state = std::make_unique<State>(device, options);
  state->unused.reserve(64);
  auto take = [](Result<DeviceBuffer> buffer, DeviceBuffer &place) {
    if (!buffer)
      return buffer.error();
    place = std::move(*buffer);
    return Status::success();
  };
  Status status =
      take(DeviceBuffer::allocate(device, options.budgetBytes, Pool::unit),
           state->memory);
  if (status.ok() && options.hostBytes > 0)
    status =
        take(DeviceBuffer::allocateHost(device, options.hostBytes, Pool::unit),
             state->hostMemory);
  if (!status.ok())
    return status;
  return Engine(std::move(state));
}

Engine::Engine(std::unique_ptr<State> state) : state(std::move(state)) {}
Engine::Engine(Engine &&) noexcept = default;
Engine &Engine::operator=(Engine &&) noexcept = default;
Engine::~Engine() = default;

namespace {
/// Puts everything back unless the work under way is told to be done.
struct Undo {
  Engine::State &state;
  bool done = false;

  ~Undo() {
    if (!done)
      state.abandon();
  }
  Status finish(Status status) {
    done = status.ok();
    return status;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Values of the caller
//===----------------------------------------------------------------------===//

static Status checkRange(int64_t bytes, int64_t offset, int64_t count) {
  if (offset < 0 || count < 0 || offset > bytes || count > bytes - offset)
    return invalid("bytes " + std::to_string(offset) + " to " +
                   std::to_string(offset + count) + " of a tensor of " +
                   std::to_string(bytes));
  return Status::success();
}

Result<ValueId> Engine::put(int64_t bytes, const void *host, int64_t address) {
  if (bytes < 0)
    return invalid("a tensor of " + std::to_string(bytes) + " bytes");
  Undo undo{*state};
  state->beginCall('p', -1, bytes);
  const ValueId value = state->newValue(bytes);
  Result<Pool::Block> block =
      address < 0 ? Pool::none : state->pool.allocateAt(address, bytes);
  if (*block == Pool::none)
    block = state->allocate(bytes);
  if (!block)
    return block.error();
  state->setResident(value, *block);
  const Device &device = state->device;
  if (host && bytes > 0)
    if (memplan_status_t code = device.backend().copy_in(
            device.handle(), state->place(value), host, bytes);
        code != MEMPLAN_OK)
      return device.status(code, "cannot write a tensor");
  state->at(value).uses = 1;
  for (DynamicListener *listener : state->listeners)
    listener->made(value, -1, 0, state->pool.address(*block), bytes,
                   state->now());
  undo.done = true;
  return value;
}

Status Engine::write(ValueId value, int64_t offset, const void *host,
                     int64_t bytes) {
  if (Status s = checkRange(state->at(value).bytes, offset, bytes); !s.ok())
    return s;
  if (state->at(value).producer >= 0)
    return invalid("only what the caller gave can be written");
  Undo undo{*state};
  state->beginCall('w', value);
  state->pin(value);
  if (Status s = state->materialize(value); !s.ok())
    return s;
  if (Status s = state->forgetter.forget(value); !s.ok())
    return s;
  state->dropHost(value);
  const Device &device = state->device;
  const memplan_status_t code = device.backend().copy_in(
      device.handle(), state->place(value) + offset, host, bytes);
  state->unpin(value);
  return undo.finish(device.status(code, "cannot write a tensor"));
}

Status Engine::read(ValueId value, int64_t offset, void *host, int64_t bytes) {
  if (Status s = checkRange(state->at(value).bytes, offset, bytes); !s.ok())
    return s;
  Undo undo{*state};
  state->beginCall('r', value);
  state->pin(value);
  if (Status s = state->materialize(value); !s.ok())
    return s;
  state->at(value).lastAccess = state->now();
  const Device &device = state->device;
  const memplan_status_t code = device.backend().copy_out(
      device.handle(), host, state->place(value) + offset, bytes);
  state->unpin(value);
  return undo.finish(device.status(code, "cannot read a tensor"));
}

void Engine::use(ValueId value) { ++state->at(value).uses; }

void Engine::drop(ValueId value) noexcept {
  try {
    state->beginCall('-', value);
  } catch (const std::bad_alloc &) {
    state->replay.leave();
  }
  state->dropUse(value);
}

Status Engine::detach(ValueId value) {
  Undo undo{*state};
  state->beginCall('d', value);
  state->pin(value);
  if (Status s = state->materialize(value); !s.ok())
    return s;
  state->looseProducer(value);
  state->unpin(value);
  return undo.finish(Status::success());
}

Status Engine::evict(ValueId value) {
  const Value &evicted = state->at(value);
  if (evicted.producer < 0)
    return invalid("only what an op has made can be recomputed: a tensor of "
                   "the caller can be swapped out");
  Undo undo{*state};
  state->beginCall('e', value);
  if (evicted.isThere() && evicted.bytes > 0)
    state->leave(value);
  state->dropHost(value);
  return undo.finish(Status::success());
}

Status Engine::swapOut(ValueId value) {
  if (state->options.hostBytes == 0)
    return invalid("there is no memory on the host to swap tensors to");
  Undo undo{*state};
  state->beginCall('o', value);
  Value &swapped = state->at(value);
  if (swapped.bytes == 0 || (!swapped.isThere() && swapped.host != Pool::none))
    return undo.finish(Status::success());
  if (Status s = state->materialize(value); !s.ok())
    return s;
  const Status status = state->copyToHost(value);
  if (status.ok())
    state->leave(value);
  undo.done = true; // Where it failed the tensor is in the pool, as it was.
  return status;
}

Status Engine::swapIn(ValueId value) {
  Undo undo{*state};
  state->beginCall('i', value);
  if (Status s = state->materialize(value); !s.ok())
    return s;
  state->at(value).lastAccess = state->now();
  return undo.finish(Status::success());
}

Status Engine::copy(ValueId from, ValueId to) {
  if (from == to)
    return Status::success();
  Undo undo{*state};
  state->beginCall('c', from, state->at(to).name);
  state->pin(from);
  state->pin(to);
  for (ValueId value : {from, to})
    if (Status s = state->materialize(value); !s.ok())
      return s;
  if (Status s = state->forgetter.forget(to); !s.ok())
    return s;
  state->dropHost(to);
  Status status =
      state->copyBytes(from, state->at(to).block, state->at(to).bytes);
  state->unpin(to);
  state->unpin(from);
  return undo.finish(status);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The op and its outputs, which are not there yet.
OpId Engine::State::describeOp(std::shared_ptr<const KernelCall> call,
                               double cost, std::span<const Place> inputs,
                               std::span<const NewValue> outputs) {
  parents.clear();
  for (const Place &input : inputs)
    if (at(input.value).node >= 0)
      parents.push_back(at(input.value).node);
  if (unused.capacity() < userCount + inputs.size() + 16)
    unused.reserve(2 * userCount + inputs.size() + 16);
  const OpId number = building = newOp();
  Op &op = ops[size_t(number)];
  op.call = std::move(call);
  op.cost = cost;
  op.number = opNumber;
  op.ranOnce = false;
  op.alive = 0;
  op.outputs.resize(outputs.size());
  op.inputs.reserve(inputs.size());
  for (const Place &input : inputs) {
    at(input.value).users.push_back(number);
    op.inputs.push_back(input);
    ++userCount;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NewValue &output = outputs[i];
    const int64_t bytes =
        output.over >= 0 ? at(output.over).bytes : output.bytes;
    const ValueId made = newValue(bytes);
    at(made).node = graph.add(cost, parents);
    at(made).producer = number;
    at(made).output = int32_t(i);
    at(made).uses = 1;
    op.outputs[i] = {made, bytes, output.over, output.offset};
    ++op.alive;
  }
  return number;
}

Status Engine::State::checkOp(std::span<const Place> inputs,
                              std::span<const NewValue> outputs) {
  if (outputs.empty())
    return invalid("an op without outputs");
  for (const NewValue &output : outputs) {
    if (output.over < 0 && output.bytes < 0)
      return invalid("an output of " + std::to_string(output.bytes) + " bytes");
    if (output.over < 0)
      continue;
    auto isIt = [&](const auto &place) {
      if constexpr (requires { place.value; })
        return place.value == output.over;
      else
        return place.over == output.over;
    };
    if (std::none_of(inputs.begin(), inputs.end(), isIt))
      return invalid("an output takes the bytes of a tensor that is no input");
    if (std::count_if(outputs.begin(), outputs.end(), isIt) > 1)
      return invalid("two outputs take the bytes of one input");
  }
  return Status::success();
}

/// Notes the users of each tensor, once the op has run.
void Engine::State::endApply(std::span<const Place> inputs,
                             std::span<const NewValue> outputs,
                             const ValueId *results, bool isExternal,
                             const PlannedCall *planned) {
  ++opNumber;
  building = -1;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].over >= 0)
      at(results[i]).uses = std::exchange(at(outputs[i].over).uses, 0);
  // It cannot run again on what is freed.
  for (size_t i = 0; i < outputs.size() && isExternal; ++i) {
    looseProducer(results[i]);
    if (outputs[i].over >= 0)
      at(results[i]).name = at(outputs[i].over).name;
  }
  for (const NewValue &output : outputs)
    if (output.over >= 0)
      tidy(output.over);
  // Before the inputs go, for what the plan reads here last is not kept.
  if (planned)
    follower.endPlanned(*planned, {results, outputs.size()});
  for (const Place &input : inputs)
    if (input.isLast)
      dropUse(input.value);
}

Status Engine::apply(std::shared_ptr<const KernelCall> call, double costMicros,
                     std::span<const Place> inputs,
                     std::span<const NewValue> outputs, ValueId *results) {
  if (Status s = state->checkOp(inputs, outputs); !s.ok())
    return s;
  Undo undo{*state};
  state->beginApply(*call, inputs, outputs);
  const PlannedCall *planned =
      state->follower.nextPlanned(call, inputs, outputs);
  if (planned)
    if (Status s = state->follower.runBefore(*planned); !s.ok())
      return s;
  bool isExternal = false;
  for (const NewValue &output : outputs)
    if (output.over >= 0 && state->at(output.over).producer < 0) {
      isExternal = true;
      if (Status status = state->forgetter.forgetOrKeep(output.over);
          !status.ok())
        return status;
    }
  if (planned && state->follower.isPlanned())
    if (Status s = state->follower.giveAsPlanned(*planned, inputs, isExternal);
        !s.ok())
      return s;
  state->overwritesExternal = isExternal;
  const OpId op =
      state->describeOp(std::move(call), costMicros, inputs, outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    results[i] = state->ops[size_t(op)].outputs[i].value;
  state->pushFrame(op);
  if (Status s = planned && state->follower.isPlanned()
                     ? state->follower.provideAsPlanned(op, planned->run)
                     : state->provide(0);
      !s.ok())
    return s;
  state->endApply(inputs, outputs, results, isExternal, planned);
  undo.done = true;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

bool Engine::isResident(ValueId value) const {
  return state->at(value).isThere();
}
int64_t Engine::bytesOf(ValueId value) const { return state->at(value).bytes; }
std::byte *Engine::address(ValueId value) const {
  return isResident(value) ? state->place(value) : nullptr;
}
size_t Engine::valueCount() const {
  return state->values.size() - state->spareValues.size();
}
size_t Engine::opCount() const {
  return state->ops.size() - state->spareOps.size();
}
const Pool &Engine::pool() const { return state->pool; }
std::byte *Engine::poolBase() const { return state->memory.base(); }
const Device &Engine::device() const { return state->device; }
const DynamicStats &Engine::stats() const { return state->stats; }
double Engine::clock() const { return state->now(); }
void Engine::resetStats() {
  state->stats = {};
  state->opNumber = 0;
  state->pool.resetMarks();
}
void Engine::listen(DynamicListener *listener) {
  for (size_t i = 0; i < state->values.size(); ++i)
    if (const Value &value = state->values[i];
        value.bytes >= 0 && value.isThere())
      listener->made(ValueId(i), -1, 0, state->pool.address(value.block),
                     value.bytes, state->now());
  state->listeners.push_back(listener);
}

} // namespace memplan::runtime

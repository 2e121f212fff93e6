//===- Run.cpp - Ops under way, and what they need first ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>
#include <utility>

namespace memplan::runtime {

std::string Engine::State::describe(OpId op) {
  return "op " + std::to_string(ops[size_t(op)].number) + " (" +
         ops[size_t(op)].call->instruction().kernel + ")";
}

void Engine::State::pushFrame(OpId op) {
  frames.push_back(op);
  for (const Place &input : ops[size_t(op)].inputs)
    pin(input.value);
}

void Engine::State::popFrame() noexcept {
  const OpId op = frames.back();
  frames.pop_back();
  // First all of them, for what is freed then may be the op itself.
  ValueId last = -1;
  for (const Place &input : ops[size_t(op)].inputs)
    if (--at(input.value).pins == 0) {
      if (last >= 0)
        unused.push_back(last);
      last = input.value;
    }
  if (last >= 0)
    tidy(last);
}

/// Runs the frames above the first `base` ones, with a stack of its own: what
/// is missing may be far away. Frames and pins are left to abandon() when it
/// fails.
Status Engine::State::provide(size_t base) {
  if (base == 0)
    chooser.suspendedLeft = 64;
  while (frames.size() > base) {
    const OpId op = frames.back();
    const std::vector<Place> &inputs = ops[size_t(op)].inputs;
    auto missing =
        std::find_if(inputs.begin(), inputs.end(), [this](const Place &input) {
          return !at(input.value).isThere();
        });
    if (missing == inputs.end()) {
      if (Status s = run(op); !s.ok())
        return s;
      popFrame();
      continue;
    }
    const Value &value = at(missing->value);
    if (value.host != Pool::none) {
      if (Status s = fetch(missing->value); !s.ok())
        return s.code == MEMPLAN_OUT_OF_MEMORY ? outOfMemory(op, s) : s;
    } else if (value.producer < 0) {
      return {MEMPLAN_FAILED, describe(op) + " reads a value that was lost"};
    } else {
      pushFrame(value.producer);
    }
  }
  return Status::success();
}

Status Engine::State::materialize(ValueId number) {
  if (at(number).isThere())
    return Status::success();
  const size_t base = frames.size();
  pin(number);
  Status status;
  if (at(number).host != Pool::none) {
    status = fetch(number);
  } else if (at(number).producer < 0) {
    status = {MEMPLAN_FAILED, "a value that is read was lost"};
  } else {
    pushFrame(at(number).producer);
    status = provide(base);
  }
  if (status.ok())
    unpin(number);
  return status;
}

/// Blocks for the outputs and the workspace.
Status Engine::State::takeBlocks(OpId number) {
  const Op &op = ops[size_t(number)];
  blocks.clear();
  blocks.reserve(op.outputs.size() + 1);
  taken.assign(op.outputs.size(), -1);
  kernel = op.call.get();
  launching = number;
  if (follower.plannedRun && follower.plannedOp == number &&
      !follower.takeOverAsPlanned(number)) {
    taken.assign(op.outputs.size(), -1);
    follower.leavePlan();
  } else if (follower.plannedRun && follower.plannedRun->inPlace) {
    kernel = follower.plannedRun->inPlace.get();
  }
  Status status;
  auto take = [&](int64_t bytes, size_t part) {
    int64_t address = -1;
    if (follower.plannedRun)
      address = part < op.outputs.size() ? follower.plannedRun->addresses[part]
                                         : follower.plannedRun->scratch;
    Result<Pool::Block> block = allocate(bytes, address);
    if (block)
      blocks.push_back(*block);
    else
      status = block.error();
    return block.ok();
  };
  bool good = true;
  for (size_t i = 0; i < op.outputs.size() && good; ++i) {
    const OpOutput &output = op.outputs[i];
    if (taken[i] < 0 && takesOver(op, output))
      taken[i] = output.over;
    if (taken[i] >= 0)
      blocks.push_back(at(taken[i]).block);
    else if ((good = take(output.bytes, i)) && output.over >= 0)
      status = copyBytes(output.over, blocks.back(), output.bytes);
    good = good && status.ok();
  }
  if (good && kernel->workspaceBytes() > 0)
    take(kernel->workspaceBytes(), op.outputs.size());
  return status;
}

/// The version before is wanted by this op alone. Otherwise, as where an op
/// under way has yet to read it, the new version is made from a copy. What
/// cannot be recomputed is overwritten only where apply() has seen to those
/// that read it.
bool Engine::State::takesOver(const Op &op, const OpOutput &output) {
  if (output.over < 0)
    return false;
  const Value &over = at(output.over);
  if (over.producer < 0 &&
      (!overwritesExternal || building < 0 || &op != &ops[size_t(building)]))
    return false;
  if (over.producer < 0)
    for (OpId user : over.users)
      if (&ops[size_t(user)] != &op)
        return false;
  const auto reads =
      std::count_if(op.inputs.begin(), op.inputs.end(),
                    [&](const Place &p) { return p.value == output.over; });
  return over.pins == reads;
}

Status Engine::State::copyBytes(ValueId from, Pool::Block to, int64_t bytes) {
  const memplan_status_t code = device.backend().copy(
      device.handle(), memory.base() + pool.address(to), place(from), bytes);
  return device.status(code, "cannot copy a tensor in the pool");
}

/// Releases blocks that the op did not take from its inputs.
void Engine::State::releaseBlocks() noexcept {
  for (size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i] != Pool::none && (i >= taken.size() || taken[i] < 0))
      pool.release(blocks[i]);
  blocks.clear();
}

/// Where the op reads a value: what it overwrites in a copy, in the copy.
int64_t Engine::State::addressFor(const Op &op, ValueId value) {
  for (size_t i = 0; i < op.outputs.size(); ++i)
    if (op.outputs[i].over == value)
      return pool.address(blocks[i]);
  return pool.address(at(value).block);
}

Status Engine::State::launch(OpId number) {
  const Op &op = ops[size_t(number)];
  addresses.clear();
  overs.clear();
  for (const Place &input : op.inputs)
    addresses.push_back(addressFor(op, input.value) + input.offset);
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    addresses.push_back(pool.address(blocks[i]) + op.outputs[i].offset);
    overs.push_back(taken[i] >= 0 ? taken[i] : op.outputs[i].over);
  }
  if (blocks.size() > op.outputs.size())
    addresses.push_back(pool.address(blocks.back()));
  pointers.clear();
  for (int64_t address : addresses)
    pointers.push_back(memory.base() + address);
  for (DynamicListener *listener : listeners)
    listener->launching(
        {op.number, op.ranOnce, now(), *kernel, op.inputs, overs, addresses});
  const auto begin = std::chrono::steady_clock::now();
  Status status = kernel->launch(pointers.data());
  if (status.ok() && options.wallClock) {
    const memplan_status_t code = device.backend().synchronize(device.handle());
    status = device.status(code, describe(number));
    if (!op.ranOnce)
      setCost(number, std::chrono::duration<double, std::micro>(
                          std::chrono::steady_clock::now() - begin)
                          .count());
  }
  return status;
}

void Engine::State::setCost(OpId number, double cost) {
  ops[size_t(number)].cost = cost;
  for (const OpOutput &output : ops[size_t(number)].outputs)
    if (output.value >= 0)
      graph.setCost(at(output.value).node, cost);
}

/// Runs an op whose inputs are live and pinned.
Status Engine::State::run(OpId number) {
  if (Status s = takeBlocks(number); !s.ok())
    return s.code == MEMPLAN_OUT_OF_MEMORY ? outOfMemory(number, s) : s;
  for (const Place &input : ops[size_t(number)].inputs)
    at(input.value).lastAccess = now();
  Status status = launch(number);
  Op &op = ops[size_t(number)];
  // Outputs that take the bytes of an input end it, launched or not: what a
  // failing kernel left there is no value. External ones stay as it left them.
  for (size_t i = 0; i < taken.size(); ++i)
    if (const ValueId over = taken[i];
        over >= 0 && (status.ok() || at(over).producer >= 0)) {
      for (DynamicListener *listener : listeners)
        listener->overwritten(over, op.number, int32_t(i),
                              pool.address(blocks[i]), op.outputs[i].bytes);
      setAbsent(over);
      at(over).isKept = false;
      taken[i] = -1;
    }
  if (!status.ok())
    return {status.code, describe(number) + ": " + status.message};
  clock += op.cost;
  (op.ranOnce ? stats.recomputes : stats.computes) += 1;
  (op.ranOnce ? stats.recomputeCost : stats.computeCost) += op.cost;
  for (size_t i = 0; i < op.outputs.size(); ++i)
    keepOutput(op, i);
  if (blocks.size() > op.outputs.size())
    pool.release(std::exchange(blocks.back(), Pool::none));
  launching = -1;
  op.ranOnce = true;
  ValueId last = -1;
  for (const OpOutput &output : op.outputs)
    if (output.value >= 0) {
      if (last >= 0)
        unused.push_back(last);
      last = output.value;
    }
  if (last >= 0)
    tidy(last);
  return Status::success();
}

void Engine::State::keepOutput(const Op &op, size_t i) {
  const ValueId value = op.outputs[i].value;
  const Pool::Block block = std::exchange(blocks[i], Pool::none);
  if (value < 0 || at(value).isThere()) {
    pool.release(block); // Made beside another one that was wanted.
    return;
  }
  setResident(value, block);
  at(value).lastAccess = now();
  at(value).recomputations += op.ranOnce;
  for (DynamicListener *listener : listeners)
    listener->made(value, op.number, int32_t(i), pool.address(block),
                   op.outputs[i].bytes, now());
}

//===----------------------------------------------------------------------===//
// Saying why not
//===----------------------------------------------------------------------===//

Status Engine::State::outOfMemory(OpId number, const Status &reason) {
  const Op &op = ops[size_t(number)];
  auto add = [](int64_t &sum, int64_t bytes) { sum += Pool::rounded(bytes); };
  int64_t inputs = 0, outputs = 0, scratch = 0, external = 0;
  std::vector<ValueId> pinned;
  for (size_t i = 0; i < values.size(); ++i) {
    const Value &value = values[i];
    const bool isInput = std::any_of(
        op.inputs.begin(), op.inputs.end(),
        [&](const Place &input) { return size_t(input.value) == i; });
    if (value.bytes < 0)
      continue;
    if (isInput)
      add(inputs, value.bytes);
    else if (value.isThere() && value.pins > 0)
      pinned.push_back(ValueId(i));
    else if (value.isThere() && value.candidate < 0)
      add(external, value.bytes);
  }
  for (const OpOutput &output : op.outputs)
    if (output.over < 0)
      add(outputs, output.bytes);
  if (op.call->workspaceBytes() > 0)
    add(scratch, op.call->workspaceBytes());
  auto text = [](int64_t bytes) { return std::to_string(bytes); };
  std::string what = describe(number) + ": " + reason.message + ": it reads " +
                     text(inputs) + " bytes, makes " + text(outputs) +
                     " and takes " + text(scratch) + " of scratch, in all " +
                     text(inputs + outputs + scratch) + "; " + text(external) +
                     " bytes beside it cannot be recomputed";
  if (const int64_t least = inputs + outputs + scratch + external;
      least > pool.capacity())
    what += ": " + text(least) + " at once, whatever else leaves";
  if (frames.size() > 1)
    what += "; it runs again for " + describe(frames[0]) + ", " +
            text(int64_t(frames.size()) - 1) + " deep";
  std::sort(pinned.begin(), pinned.end(), [this](ValueId a, ValueId b) {
    return std::pair(at(b).bytes, a) < std::pair(at(a).bytes, b);
  });
  for (size_t i = 0; i < pinned.size() && i < 4; ++i)
    what += std::string(i ? ", " : "; pinned: ") + "value " + text(pinned[i]) +
            " (" + text(at(pinned[i]).bytes) + " bytes)";
  if (pinned.size() > 4)
    what += " and " + text(int64_t(pinned.size()) - 4) + " more";
  return {MEMPLAN_OUT_OF_MEMORY, what};
}

} // namespace memplan::runtime

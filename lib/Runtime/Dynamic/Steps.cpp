//===- Steps.cpp - What a step calls, and in which state ------------------===//
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

static uint64_t hashed(uint64_t hash, int64_t number) {
  return (hash ^ uint64_t(number)) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

void Engine::State::beginCall(char kind, ValueId value, int64_t detail) {
  if (!replay.isOn())
    return;
  const int64_t name = value >= 0 ? at(value).name : -1;
  replay.beginCall(hashed(hashed(uint64_t(kind), name), detail));
}

void Engine::State::beginApply(const KernelCall &call,
                               std::span<const Place> inputs,
                               std::span<const NewValue> outputs) {
  if (!replay.isOn())
    return;
  uint64_t hash = uint64_t(reinterpret_cast<uintptr_t>(&call));
  for (const Place &input : inputs)
    hash = hashed(hashed(hash, at(input.value).name), input.offset);
  for (const NewValue &output : outputs)
    hash = hashed(hashed(hash, output.bytes),
                  output.over >= 0 ? at(output.over).name : -1);
  replay.beginCall(hash);
}

/// Names what is live in the order of its names, so that it is called the same
/// in each step that begins alike.
void Engine::State::nameStart() {
  present.clear();
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].bytes >= 0)
      present.push_back(ValueId(i));
  std::sort(present.begin(), present.end(),
            [this](ValueId a, ValueId b) { return at(a).name < at(b).name; });
  stepStart.shape = 1;
  stepStart.addresses.clear();
  nextName = 0;
  for (ValueId number : present) {
    Value &value = at(number);
    value.name = nextName++;
    stepStart.shape = hashed(stepStart.shape, value.bytes);
    stepStart.addresses.push_back(value.isThere() ? pool.address(value.block)
                                                  : -1);
  }
  stepStart.state = stepStart.shape;
  for (int64_t address : stepStart.addresses)
    stepStart.state = hashed(stepStart.state, address);
}

/// Where the bytes there are free.
bool Engine::State::moveTo(ValueId number, int64_t address) {
  Value &value = at(number);
  const int64_t from = pool.address(value.block);
  const Pool::Block block = pool.allocateAt(address, value.bytes);
  if (block == Pool::none)
    return false;
  if (!copyBytes(number, block, value.bytes).ok()) {
    pool.release(block);
    return false;
  }
  stats.movedBytes += value.bytes;
  for (DynamicListener *listener : listeners)
    listener->moved(from, address, value.bytes);
  pool.release(std::exchange(value.block, block));
  return true;
}

/// Steps that begin alike follow one another; what lies elsewhere, as after
/// compactions and copies to the host, is moved back. Those that stand in each
/// other's way go over the host. It is left as it is where that is not
/// possible.
void Engine::State::arrangeAs(const StartState &target) {
  auto wanted = [&](size_t i) { return target.addresses[i]; };
  auto isPlaced = [&](size_t i) {
    const Value &value = at(present[i]);
    return (value.isThere() ? pool.address(value.block) : -1) == wanted(i);
  };
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    size_t inTheWay = present.size();
    for (size_t i = 0; i < present.size(); ++i) {
      const Value &value = at(present[i]);
      if (isPlaced(i) || (value.isThere() && wanted(i) < 0) ||
          (!value.isThere() && value.host == Pool::none))
        continue;
      if (value.isThere() ? moveTo(present[i], wanted(i))
                          : fetch(present[i], wanted(i)).ok())
        goesOn = true;
      else if (value.isThere())
        inTheWay = i;
    }
    for (size_t i = 0; i < present.size() && !goesOn; ++i)
      if (at(present[i]).isThere() && !isPlaced(i) &&
          (wanted(i) < 0 || i == inTheWay))
        goesOn = options.hostBytes > 0 && evict(present[i], true).ok();
  }
}

void Engine::beginStep() {
  state->follower.leavePlan();
  state->nameStart();
  if (!state->replay.knows(state->stepStart))
    if (const StartState *before = state->replay.similar(state->stepStart)) {
      state->replay.leave();
      state->arrangeAs(*before);
      state->nameStart();
    }
  state->replay.beginStep(state->stepStart);
  state->follower.beginPlan();
}

ReplayStats Engine::lastReplay() const {
  return {state->replay.followed(), state->replay.hasDeviated(),
          int64_t(state->replay.callCount()),
          state->follower.plan ? state->follower.plan->done : 0,
          state->follower.plan
              ? int64_t(state->follower.plan->step.calls.size())
              : 0};
}

} // namespace memplan::runtime

//===- Steps.cpp - What a step calls, and in which state ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>

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

/// Names what is there in the order of its names, so that it is called the same
/// in each step that begins alike.
uint64_t Engine::State::hashState() {
  std::vector<ValueId> there;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].bytes >= 0)
      there.push_back(ValueId(i));
  std::sort(there.begin(), there.end(),
            [this](ValueId a, ValueId b) { return at(a).name < at(b).name; });
  uint64_t hash = 1;
  nextName = 0;
  for (ValueId number : there) {
    Value &value = at(number);
    value.name = nextName++;
    hash = hashed(hash, value.bytes);
    hash = hashed(hash, value.isThere() ? pool.address(value.block) : -1);
    hash = hashed(hash, value.host == Pool::none ? 0 : 1);
  }
  return hash;
}

void Engine::beginStep() {
  state->leavePlan();
  state->replay.beginStep(state->hashState());
  state->beginPlan();
}

ReplayStats Engine::lastReplay() const {
  return {state->replay.followed(), state->replay.hasDeviated(),
          int64_t(state->replay.callCount()),
          state->plan ? state->plan->done : 0,
          state->plan ? int64_t(state->plan->step.calls.size()) : 0};
}

} // namespace memplan::runtime

//===- DynamicExecutable.cpp - A program without its addresses ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicState.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <chrono>

namespace memplan::runtime {

DynamicExecutable::DynamicExecutable(std::unique_ptr<State> state)
    : state(std::move(state)) {}
DynamicExecutable::DynamicExecutable(DynamicExecutable &&) noexcept = default;
DynamicExecutable &
DynamicExecutable::operator=(DynamicExecutable &&) noexcept = default;
DynamicExecutable::~DynamicExecutable() = default;

const Program &DynamicExecutable::program() const { return state->program; }
const StepStats &DynamicExecutable::lastStep() const { return state->stats; }
Engine &DynamicExecutable::engine() { return state->engine; }
const Engine &DynamicExecutable::engine() const { return state->engine; }
void DynamicExecutable::record(TraceRecorder *recorder) {
  state->recorder = recorder;
  if (recorder)
    state->engine.listen(recorder);
}

//===----------------------------------------------------------------------===//
// Arguments and outputs
//===----------------------------------------------------------------------===//

Status DynamicExecutable::writeArgument(int32_t argument, const void *host,
                                        int64_t bytes) {
  if (Status s = state->program.checkArgument(argument, bytes); !s.ok())
    return s;
  ValueId &value = state->arguments[size_t(argument)];
  if (value >= 0)
    return state->engine.write(value, 0, host, bytes);
  Result<ValueId> put = state->engine.put(
      bytes, host,
      state->places.empty() ? -1 : state->places[size_t(argument)]);
  if (!put)
    return put.error();
  value = *put;
  return Status::success();
}

Status DynamicExecutable::readArgument(int32_t argument, void *host,
                                       int64_t bytes) const {
  if (Status s = state->program.checkArgument(argument, bytes); !s.ok())
    return s;
  const ValueId value = state->arguments[size_t(argument)];
  if (value < 0)
    return invalid("argument '" +
                   state->program.arguments[size_t(argument)].name +
                   "' is freed: the step drops it after its last user");
  return state->engine.read(value, 0, host, bytes);
}

Status DynamicExecutable::readOutput(int32_t output, void *host,
                                     int64_t bytes) const {
  if (Status s = state->program.checkOutput(output, bytes); !s.ok())
    return s;
  const Output &info = state->program.outputs[size_t(output)];
  const ValueId value = state->outputs[size_t(output)];
  if (value < 0)
    return invalid("output '" + info.name + "' is not there: no step has run");
  return state->engine.read(value, info.operand.valueOffset, host, bytes);
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

Place DynamicExecutable::State::placeOf(const Operand &operand) const {
  if (operand.space == Space::Constant || operand.value < 0)
    return {constants, operand.byteOffset};
  return {current[size_t(operand.value)], operand.valueOffset};
}

/// An output that lies exactly on an argument that its instruction reads is the
/// argument's new version, in its bytes.
NewValue DynamicExecutable::State::newValueOf(const Instruction &instruction,
                                              const Operand &output) {
  if (output.space == Space::Argument && output.byteOffset == 0 &&
      output.strides.empty()) {
    const auto argument = size_t(output.index);
    const bool isWhole = output.bytes() == program.arguments[argument].bytes();
    for (size_t i = 0; i < instruction.inputs.size() && isWhole; ++i)
      if (instruction.inputs[i].space == Space::Argument &&
          instruction.inputs[i].index == output.index &&
          inputs[i].value == arguments[argument])
        return {output.bytes(), arguments[argument], 0};
  }
  return {output.spanBytes(), -1, 0};
}

/// The step is the one to drop it: it made it, or took over a donated argument.
bool DynamicExecutable::State::holds(size_t value) const {
  return value < arguments.size()
             ? uses.isTransient(value) && arguments[value] == current[value]
             : bool(owned[value]);
}

/// What the instruction reads for the last time goes with it.
void DynamicExecutable::State::giveLast(size_t number) {
  for (int32_t last : uses.lastUsesOf(number)) {
    const auto value = size_t(last);
    auto isIt = [&](const auto &place) {
      if constexpr (requires { place.over; })
        return place.over == current[value];
      else
        return place.value == current[value];
    };
    auto input = std::find_if(inputs.begin(), inputs.end(), isIt);
    if (holds(value) && input != inputs.end() &&
        std::none_of(made.begin(), made.end(), isIt))
      input->isLast = true;
  }
}

Status DynamicExecutable::State::runInstruction(size_t number) {
  const Instruction &instruction = program.instructions[number];
  inputs.clear();
  made.clear();
  for (const Operand &operand : instruction.inputs)
    inputs.push_back(placeOf(operand));
  for (const Operand &operand : instruction.outputs)
    made.push_back(newValueOf(instruction, operand));
  giveLast(number);
  results.resize(made.size());
  AllocationWatch heap;
  Status status =
      engine.apply(calls[number], costs[number], inputs, made, results.data());
  stats.allocations += std::max<int64_t>(heap.calls(), 0);
  if (!status.ok())
    return {status.code,
            describeInstruction(program, number) + ": " + status.message};
  for (size_t i = 0; i < made.size(); ++i) {
    const Operand &output = instruction.outputs[i];
    const auto value = size_t(output.value);
    current[value] = results[i];
    owned[value] = made[i].over < 0;
    if (made[i].over >= 0)
      arguments[size_t(output.index)] = results[i];
  }
  for (int32_t last : uses.lastUsesOf(number)) {
    const auto value = size_t(last);
    const bool isHeld = holds(value);
    const bool isGiven =
        std::any_of(inputs.begin(), inputs.end(), [&](const Place &input) {
          return input.isLast && input.value == current[value];
        });
    if (isHeld && !isGiven)
      engine.drop(current[value]);
    if (isHeld && value < arguments.size())
      arguments[value] = -1;
    current[value] = -1;
  }
  return Status::success();
}

/// All updates happen at once. Where an argument takes the value of another
/// one, they only change hands.
Status DynamicExecutable::State::update() {
  bool changesHands = false;
  for (const Update &update : program.updates)
    changesHands |= size_t(update.value.value) < arguments.size() &&
                    update.value.value != update.argument;
  std::vector<std::pair<size_t, ValueId>> holders;
  for (const Update &update : program.updates) {
    const ValueId value = current[size_t(update.value.value)];
    const auto argument = size_t(update.argument);
    if (value == arguments[argument])
      continue;
    if (changesHands) {
      engine.use(value);
      holders.push_back({argument, value});
    } else if (Status s = engine.copy(value, arguments[argument]); !s.ok()) {
      return s;
    }
  }
  for (auto [argument, value] : holders) {
    drop(arguments[argument]);
    arguments[argument] = value;
  }
  return Status::success();
}

/// What is read after the step is made while it can be.
Status DynamicExecutable::State::finish() {
  for (const Output &output : program.outputs)
    if (output.operand.value >= 0)
      if (Status s = engine.detach(current[size_t(output.operand.value)]);
          !s.ok())
        return {s.code, "output '" + output.name + "': " + s.message};
  for (const Update &update : program.updates)
    if (Status s = engine.detach(current[size_t(update.value.value)]); !s.ok())
      return {s.code, "the new value of argument '" +
                          program.arguments[size_t(update.argument)].name +
                          "': " + s.message};
  for (size_t o = 0; o < outputs.size(); ++o) {
    const int32_t value = program.outputs[o].operand.value;
    outputs[o] = value >= 0 ? current[size_t(value)] : constants;
    if (outputs[o] >= 0)
      engine.use(outputs[o]);
  }
  return update();
}

void DynamicExecutable::State::dropStep() noexcept {
  for (size_t value = 0; value < current.size(); ++value) {
    if (owned[value])
      drop(current[value]);
    current[value] = -1;
    owned[value] = false;
  }
}

Status DynamicExecutable::State::runAll() {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] < 0)
      return invalid("argument '" + program.arguments[i].name +
                     "' is donated, and the last step dropped it: write it "
                     "before each step");
    current[i] = arguments[i];
  }
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (Status s = runInstruction(i); !s.ok())
      return s;
  return finish();
}

Status DynamicExecutable::run(std::span<StepObserver *const> observers) {
  if (!observers.empty())
    return invalid("a dynamic run has no observers of its launches");
  struct Cleaner {
    State &state;
    bool failed = true;
    ~Cleaner() {
      state.dropStep();
      for (ValueId &output : state.outputs)
        if (failed)
          state.drop(output);
    }
  } cleaner{*state};
  for (ValueId &output : state->outputs)
    state->drop(output);
  state->engine.resetStats();
  if (state->replay)
    state->engine.beginStep();
  state->stats = {};
  state->stats.allocations = 0;
  const auto start = std::chrono::steady_clock::now();
  TraceRecorder *recorder = state->recorder;
  if (recorder)
    recorder->beginStep(state->arguments, state->engine.clock());
  Status status = state->runAll();
  if (recorder)
    recorder->endStep(state->engine.pool());
  if (!status.ok())
    return status;
  cleaner.failed = false;
  const Device &device = state->engine.device();
  const memplan_status_t code = device.backend().synchronize(device.handle());
  state->stats.micros = std::chrono::duration<double, std::micro>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  if (allocationCount() < 0)
    state->stats.allocations = -1;
  return device.status(code, "the end of the step");
}

} // namespace memplan::runtime

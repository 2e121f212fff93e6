//===- DynamicExecutable.cpp - A program without its addresses ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Dynamic/DynamicExecutable.h"

#include "ValueUses.h"
#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace memplan::runtime {

struct DynamicExecutable::State {
  State(Program source, Engine engine)
      : program(std::move(source)), uses(program), engine(std::move(engine)),
        arguments(program.arguments.size(), -1),
        outputs(program.outputs.size(), -1), current(uses.valueCount(), -1),
        owned(uses.valueCount()) {}

  const Program program;
  const ValueUses uses;
  /// Behind it in the order of destruction: calls are released before.
  Engine engine;
  std::vector<std::shared_ptr<const KernelCall>> calls;
  std::vector<double> costs;
  ValueId constants = -1;
  std::vector<ValueId> arguments; ///< -1: not there, to be written
  std::vector<ValueId> outputs;   ///< of the last step
  /// By number in the program, while it is in use; those of arguments are
  /// theirs and not owned.
  std::vector<ValueId> current;
  std::vector<bool> owned;
  StepStats stats;
  TraceRecorder *recorder = nullptr;
  bool replay = false;
  // Of one instruction.
  std::vector<Place> inputs;
  std::vector<NewValue> made;
  std::vector<ValueId> results;

  Place placeOf(const Operand &operand) const;
  NewValue newValueOf(const Instruction &instruction, const Operand &output);
  Status runInstruction(size_t number);
  Status runAll();
  Status finish();
  Status update();
  void dropStep() noexcept;
  void drop(ValueId &value) noexcept {
    if (value >= 0)
      engine.drop(std::exchange(value, -1));
  }
};

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static std::string describe(const Program &program, size_t number) {
  const Instruction &instruction = program.instructions[number];
  return "instruction " + std::to_string(number) + " (" + instruction.kernel +
         ", node " + std::to_string(instruction.node) + ")";
}

static Status checkProgram(Program &program) {
  if (Status s = program.check(); !s.ok())
    return s;
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].isCopy())
      return invalid(describe(program, i) +
                     " copies between device and host: a dynamic run takes the "
                     "unplanned program and copies by itself (--host-budget)");
  return program.namesValues() || program.instructions.empty()
             ? Status::success()
             : nameValues(program);
}

/// The instruction with places of their own for all operands, but for outputs
/// that overwrite an argument.
static Instruction withoutPlaces(const Instruction &instruction) {
  Instruction result = instruction;
  int32_t next = 0;
  for (std::vector<Operand> *operands : {&result.inputs, &result.outputs})
    for (Operand &operand : *operands)
      if (operand.space != Space::Argument) {
        operand.space = Space::Arena;
        operand.index = next++;
        operand.byteOffset = 0;
      }
  return result;
}

static Result<std::vector<std::shared_ptr<const KernelCall>>>
prepareCalls(const Device &device, const Program &program, int64_t limit) {
  std::vector<std::shared_ptr<const KernelCall>> calls;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    Result<KernelCall> call = KernelCall::prepare(
        device, withoutPlaces(program.instructions[i]), limit);
    if (!call)
      return Status{call.error().code,
                    describe(program, i) + ": " + call.error().message};
    calls.push_back(std::make_shared<const KernelCall>(std::move(*call)));
  }
  return calls;
}

Result<DynamicExecutable>
DynamicExecutable::compile(const Device &device, Program program,
                           const DynamicProgramOptions &options) {
  if (Status s = checkProgram(program); !s.ok())
    return s;
  if (!options.costs.empty() &&
      options.costs.size() != program.instructions.size())
    return invalid(std::to_string(options.costs.size()) + " costs for " +
                   std::to_string(program.instructions.size()) +
                   " instructions");
  auto calls = prepareCalls(device, program, options.scratchLimitBytes);
  if (!calls)
    return calls.error();
  Result<Engine> engine = Engine::create(device, options.dynamic);
  if (!engine)
    return engine.error();
  auto state = std::make_unique<State>(std::move(program), std::move(*engine));
  state->calls = std::move(*calls);
  state->replay = options.replay;
  state->costs = options.costs;
  if (state->costs.empty())
    for (const Instruction &instruction : state->program.instructions)
      state->costs.push_back(estimatedMicros(instruction));
  auto put = [&](int64_t bytes, const void *host, const std::string &what,
                 ValueId &value) {
    Result<ValueId> result = state->engine.put(bytes, host);
    if (!result)
      return Status{result.error().code,
                    result.error().message + " for " + what +
                        ": parameters, states, inputs and constants lie in the "
                        "budget of a dynamic run"};
    value = *result;
    return Status::success();
  };
  const std::vector<std::byte> &constants = state->program.constants;
  if (!constants.empty())
    if (Status s = put(int64_t(constants.size()), constants.data(),
                       "the constants", state->constants);
        !s.ok())
      return s;
  for (size_t i = 0; i < state->arguments.size(); ++i) {
    const Argument &argument = state->program.arguments[i];
    if (!state->uses.isTransient(i))
      if (Status s =
              put(argument.bytes(), nullptr, "argument '" + argument.name + "'",
                  state->arguments[i]);
          !s.ok())
        return s;
  }
  return DynamicExecutable(std::move(state));
}

Result<int64_t> unplannedPeakBytes(const Device &device, const Program &source,
                                   int64_t scratchLimitBytes) {
  Program program = source;
  if (Status s = checkProgram(program); !s.ok())
    return s;
  auto calls = prepareCalls(device, program, scratchLimitBytes);
  if (!calls)
    return calls.error();
  const ValueUses uses(program);
  int64_t live = program.constants.empty()
                     ? 0
                     : Pool::rounded(int64_t(program.constants.size()));
  for (size_t i = 0; i < program.arguments.size(); ++i)
    live += Pool::rounded(program.arguments[i].bytes());
  int64_t most = live;
  std::vector<int64_t> bytes(uses.valueCount());
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    for (const Operand &output : program.instructions[i].outputs)
      if (output.space != Space::Argument)
        live += bytes[size_t(output.value)] = Pool::rounded(output.spanBytes());
    const int64_t scratch = (*calls)[i]->workspaceBytes();
    most = std::max(most, live + (scratch > 0 ? Pool::rounded(scratch) : 0));
    for (int32_t value : uses.lastUsesOf(i))
      live -= bytes[size_t(value)];
  }
  return most;
}

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
  Result<ValueId> put = state->engine.put(bytes, host);
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
                   "' is gone: the step drops it after its last reader");
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

Status DynamicExecutable::State::runInstruction(size_t number) {
  const Instruction &instruction = program.instructions[number];
  inputs.clear();
  made.clear();
  for (const Operand &operand : instruction.inputs)
    inputs.push_back(placeOf(operand));
  for (const Operand &operand : instruction.outputs)
    made.push_back(newValueOf(instruction, operand));
  results.resize(made.size());
  AllocationWatch heap;
  Status status =
      engine.apply(calls[number], costs[number], inputs, made, results.data());
  stats.allocations += std::max<int64_t>(heap.calls(), 0);
  if (!status.ok())
    return {status.code, describe(program, number) + ": " + status.message};
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
    if (owned[value])
      drop(current[value]);
    else if (value < arguments.size() && uses.isTransient(value) &&
             arguments[value] == current[value])
      drop(arguments[value]);
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

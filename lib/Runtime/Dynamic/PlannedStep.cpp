//===- PlannedStep.cpp - A static plan as calls of an engine --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedStep.h"

#include "FirstRuns.h"

#include <algorithm>

namespace memplan::runtime {

namespace {
/// Walks a planned program and writes down its calls.
class Builder {
public:
  Builder(const Device &device, const Program &planned, FirstRuns firstRuns,
          std::span<const int64_t> bases)
      : device(device), planned(planned), firstRuns(std::move(firstRuns)),
        bases(bases) {}

  Result<PlannedStep> build();

private:
  int32_t valueOf(const Operand &operand) const {
    return operand.value < 0 ? constants
                             : firstRuns.valueOf[size_t(operand.value)];
  }
  void findLastUsers();
  Status prepareInPlace(const Instruction &instruction, PlannedRun &run);
  Result<PlannedRun> runOf(size_t number);
  void begin(size_t number);
  void end(size_t number, const PlannedRun &run);
  PlannedCall callOf(size_t number);

  const Device &device;
  const Program &planned;
  const FirstRuns firstRuns;
  const std::span<const int64_t> bases;
  int32_t constants = 0;
  std::vector<int32_t> firstMade; ///< by instruction: value of the plan
  std::vector<int32_t> lastUse;   ///< by value of the plan: instruction, or -1
  std::vector<int32_t> present;   ///< by value: the one of the plan that is it
  PlannedStep step;
  std::vector<PlannedAction> actions; ///< since the last call
};
} // namespace

void Builder::findLastUsers() {
  auto made = int32_t(planned.arguments.size());
  const auto afterStep = int32_t(planned.instructions.size());
  lastUse.assign(firstRuns.valueOf.size(), -1);
  auto use = [&](const Operand &operand, int32_t number) {
    if (operand.value >= 0)
      lastUse[size_t(operand.value)] = number;
  };
  for (int32_t i = 0; i < afterStep; ++i) {
    const Instruction &instruction = planned.instructions[size_t(i)];
    firstMade.push_back(made);
    made += int32_t(instruction.outputs.size());
    for (const Operand &input : instruction.inputs)
      use(input, i);
  }
  for (const Output &output : planned.outputs)
    use(output.operand, afterStep);
  for (const Update &update : planned.updates)
    use(update.value, afterStep);
}

/// The kernel for outputs on bytes of inputs in the arena.
Status Builder::prepareInPlace(const Instruction &instruction,
                               PlannedRun &run) {
  for (const memplan_in_place_t &pair : aliasesOf(instruction))
    if (instruction.outputs[size_t(pair.output)].space == Space::Arena)
      run.handed.push_back(pair);
  if (run.handed.empty())
    return Status::success();
  Result<KernelCall> call = KernelCall::prepare(device, instruction, 0);
  if (!call)
    return call.error();
  run.inPlace = std::make_shared<const KernelCall>(std::move(*call));
  return Status::success();
}

Result<PlannedRun> Builder::runOf(size_t number) {
  const Instruction &instruction = planned.instructions[number];
  PlannedRun run;
  run.call = firstRuns.instructionOf[number];
  if (Status s = prepareInPlace(instruction, run); !s.ok())
    return Status{s.code, "instruction " + std::to_string(number) + " (" +
                              instruction.kernel + "): " + s.message};
  auto addressOf = [&](const Operand &operand) {
    return operand.space == Space::Arena
               ? bases[size_t(operand.index)] + operand.byteOffset
               : -1;
  };
  for (const Operand &output : instruction.outputs)
    run.addresses.push_back(addressOf(output));
  for (const memplan_in_place_t &pair : run.handed)
    run.addresses[size_t(pair.output)] = -1;
  if (instruction.workspace)
    run.scratch = addressOf(*instruction.workspace);
  return run;
}

PlannedCall Builder::callOf(size_t number) {
  const Instruction &instruction = planned.instructions[number];
  PlannedCall call;
  call.key = profileKey(instruction);
  for (const Operand &input : instruction.inputs)
    call.inputs.push_back({valueOf(input), input.value < 0
                                               ? input.byteOffset
                                               : input.valueOffset});
  for (const Operand &output : instruction.outputs)
    call.outputs.push_back(
        {output.spanBytes(), output.space == Space::Argument});
  call.firstValue = firstRuns.valueOf[size_t(firstMade[number])];
  return call;
}

/// What the instruction makes is live from now on, unless it was before.
void Builder::begin(size_t number) {
  for (size_t o = 0; o < planned.instructions[number].outputs.size(); ++o) {
    const int32_t made = firstMade[number] + int32_t(o);
    int32_t &now = present[size_t(firstRuns.valueOf[size_t(made)])];
    if (now < 0)
      now = made;
  }
}

/// What nothing reads behind the instruction leaves, but for what it took
/// itself. An argument does if the host has dropped it by then.
void Builder::end(size_t number, const PlannedRun &run) {
  const Instruction &instruction = planned.instructions[number];
  auto leave = [&](int32_t made, bool isGone) {
    const auto value = size_t(firstRuns.valueOf[size_t(made)]);
    if (present[value] != made || lastUse[size_t(made)] > int32_t(number))
      return;
    present[value] = -1;
    if (!isGone)
      actions.emplace_back().leaves = int32_t(value);
  };
  for (size_t i = 0; i < instruction.inputs.size(); ++i)
    if (const int32_t made = instruction.inputs[i].value; made >= 0)
      leave(made, std::any_of(run.handed.begin(), run.handed.end(),
                              [&](const memplan_in_place_t &pair) {
                                return size_t(pair.input) == i;
                              }));
  for (size_t o = 0; o < instruction.outputs.size(); ++o)
    leave(firstMade[number] + int32_t(o), false);
}

Result<PlannedStep> Builder::build() {
  constants = int32_t(planned.arguments.size());
  for (const Instruction &first : firstRuns.program.instructions)
    constants += int32_t(first.outputs.size());
  present.assign(size_t(constants), -1);
  step.lastUser.assign(size_t(constants) + 1, -1);
  for (const ArenaInfo &arena : planned.arenas)
    step.alignment = std::max(step.alignment, arena.alignment);
  findLastUsers();
  for (size_t a = 0; a < planned.arguments.size(); ++a)
    present[a] = int32_t(a);
  for (size_t i = 0; i < planned.instructions.size(); ++i) {
    const Instruction &instruction = planned.instructions[i];
    Result<PlannedRun> run = runOf(i);
    if (!run)
      return run.error();
    for (const Operand &input : instruction.inputs)
      step.lastUser[size_t(valueOf(input))] = int32_t(step.calls.size());
    begin(i);
    if (instruction.run == 0) {
      PlannedCall call = callOf(i);
      call.before = std::exchange(actions, {});
      call.run = *run;
      step.calls.push_back(std::move(call));
    } else {
      PlannedAction &again = actions.emplace_back();
      again.run = *run;
      for (size_t o = 0; o < instruction.outputs.size(); ++o)
        if (const int32_t made = firstMade[i] + int32_t(o);
            lastUse[size_t(made)] > int32_t(i))
          again.wanted.push_back(firstRuns.valueOf[size_t(made)]);
    }
    end(i, *run);
  }
  return std::move(step);
}

Result<PlannedStep> PlannedStep::create(const Device &device,
                                        const Program &planned,
                                        std::span<const int64_t> bases) {
  Result<FirstRuns> firstRuns = firstRunsOf(planned);
  if (!firstRuns)
    return firstRuns.error();
  return Builder(device, planned, std::move(*firstRuns), bases).build();
}

} // namespace memplan::runtime

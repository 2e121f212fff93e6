//===- CompileDynamic.cpp - Programs made ready to run dynamically --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicState.h"
#include "FirstRuns.h"

#include <algorithm>

namespace memplan::runtime {

std::string describeInstruction(const Program &program, size_t number) {
  const Instruction &instruction = program.instructions[number];
  return "instruction " + std::to_string(number) + " (" + instruction.kernel +
         ", node " + std::to_string(instruction.node) + ")";
}

static Status checkProgram(Program &program) {
  if (Status s = program.check(); !s.ok())
    return s;
  for (size_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].isCopy())
      return invalid(describeInstruction(program, i) +
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
prepareCalls(const Device &device, const Program &program, int64_t limit,
             bool isPlanned = false) {
  std::vector<std::shared_ptr<const KernelCall>> calls;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction instruction = withoutPlaces(program.instructions[i]);
    // A plan has a place for its own scratch only.
    Result<KernelCall> call =
        KernelCall::prepare(device, instruction, isPlanned ? 0 : limit);
    if (!call && isPlanned)
      call = KernelCall::prepare(device, instruction, limit);
    if (!call)
      return Status{call.error().code, describeInstruction(program, i) + ": " +
                                           call.error().message};
    calls.push_back(std::make_shared<const KernelCall>(std::move(*call)));
  }
  return calls;
}

namespace {
/// Where a plan's arenas and what the caller gives lie in the pool.
struct Layout {
  std::vector<int64_t> places; ///< by argument; -1: put once, before all others
  std::vector<int64_t> bases;  ///< by arena
  int64_t bytes = 0;
};
} // namespace

/// Constants and arguments that stay come first, as they are put into an empty
/// pool; then those that are put before each step.
static Layout layOut(const Program &planned) {
  Layout layout;
  if (!planned.constants.empty())
    layout.bytes += Pool::rounded(int64_t(planned.constants.size()));
  const ValueUses uses(planned);
  layout.places.assign(planned.arguments.size(), -1);
  auto place = [&](bool isTransient) {
    for (size_t a = 0; a < planned.arguments.size(); ++a) {
      const Argument &argument = planned.arguments[a];
      if (uses.isTransient(a) != isTransient || argument.arena >= 0)
        continue;
      if (isTransient)
        layout.places[a] = layout.bytes;
      layout.bytes += Pool::rounded(argument.bytes());
    }
  };
  place(false);
  place(true);
  for (const ArenaInfo &arena : planned.arenas) {
    layout.bases.push_back(layout.bytes);
    layout.bytes += Pool::rounded(arena.bytes);
  }
  for (size_t a = 0; a < planned.arguments.size(); ++a)
    if (const Argument &argument = planned.arguments[a]; argument.arena >= 0)
      layout.places[a] =
          layout.bases[size_t(argument.arena)] + argument.arenaOffset;
  return layout;
}

Result<int64_t> plannedPoolBytes(const Program &source) {
  Program program = source;
  if (Status s = checkProgram(program); !s.ok())
    return s;
  return layOut(program).bytes;
}

Status DynamicExecutable::State::follow(const Program &planned) {
  Layout layout = layOut(planned);
  if (layout.bytes > engine.pool().capacity())
    return {MEMPLAN_OUT_OF_MEMORY,
            "the plan takes " + std::to_string(layout.bytes) +
                " bytes with parameters, states, inputs and constants, more "
                "than the pool of " +
                std::to_string(engine.pool().capacity())};
  places = std::move(layout.places);
  return engine.loadPlan(planned, layout.bases);
}

/// Constants, and the arguments that stay from step to step.
Status DynamicExecutable::State::putAll() {
  auto put = [&](int64_t bytes, const void *host, const std::string &what,
                 ValueId &value) {
    Result<ValueId> result = engine.put(bytes, host);
    if (!result)
      return Status{result.error().code,
                    result.error().message + " for " + what +
                        ": parameters, states, inputs and constants lie in the "
                        "budget of a dynamic run"};
    value = *result;
    return Status::success();
  };
  if (!program.constants.empty())
    if (Status s = put(int64_t(program.constants.size()),
                       program.constants.data(), "the constants", constants);
        !s.ok())
      return s;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = program.arguments[i];
    if (!uses.isTransient(i))
      if (Status s = put(argument.bytes(), nullptr,
                         "argument '" + argument.name + "'", arguments[i]);
          !s.ok())
        return s;
  }
  return Status::success();
}

Result<DynamicExecutable>
DynamicExecutable::compile(const Device &device, Program program,
                           const DynamicProgramOptions &options) {
  if (Status s = checkProgram(program); !s.ok())
    return s;
  Program planned;
  if (options.followPlan) {
    Result<FirstRuns> firstRuns = firstRunsOf(program);
    if (!firstRuns)
      return firstRuns.error();
    planned = std::exchange(program, std::move(firstRuns->program));
  }
  auto calls = prepareCalls(device, program, options.scratchLimitBytes,
                            options.followPlan);
  if (!calls)
    return calls.error();
  Result<Engine> engine = Engine::create(device, options.dynamic);
  if (!engine)
    return engine.error();
  auto state = std::make_unique<State>(std::move(program), std::move(*engine));
  state->calls = std::move(*calls);
  state->replay = options.replay || options.followPlan;
  for (const Instruction &instruction : state->program.instructions)
    state->costs.push_back(instruction.node >= 0 && size_t(instruction.node) <
                                                        options.nodeCosts.size()
                               ? options.nodeCosts[size_t(instruction.node)]
                               : estimatedMicros(instruction));
  if (options.followPlan)
    if (Status s = state->follow(planned); !s.ok())
      return s;
  if (Status s = state->putAll(); !s.ok())
    return s;
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

} // namespace memplan::runtime

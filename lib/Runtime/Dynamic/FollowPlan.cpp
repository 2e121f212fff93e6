//===- FollowPlan.cpp - Calls done as a static plan has them --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is advice, as what was decided before is. A call that is the plan's
// next one is done as the plan has it: what leaves, what runs again, and where
// everything lies. Whatever does not go that way is found out where it is done,
// and the step goes on without the plan.
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>

namespace memplan::runtime {

Status Engine::loadPlan(const Program &planned,
                        std::span<const int64_t> bases) {
  Result<PlannedStep> step = PlannedStep::create(state->device, planned, bases);
  if (!step)
    return step.error();
  state->follower.leavePlan();
  auto plan = std::make_unique<FollowedPlan>();
  plan->step = std::move(*step);
  plan->bound.assign(plan->step.lastUser.size(), -1);
  plan->known.resize(plan->step.calls.size());
  state->follower.plan = std::move(plan);
  state->replay.clear();
  return Status::success();
}

Status Engine::loadPlan(const Program &planned) {
  if (!planned.namesValues())
    return invalid("the program does not say which values its operands are");
  int64_t bytes = 0;
  for (const ArenaInfo &arena : planned.arenas)
    bytes += Pool::rounded(arena.bytes);
  for (const Instruction &instruction : planned.instructions)
    if (instruction.isCopy())
      return invalid("the plan copies between device and host, which steps of "
                     "ops submitted one by one do not follow");
  const Pool &pool = state->pool;
  if (bytes > pool.largestHole())
    return {MEMPLAN_OUT_OF_MEMORY,
            "the arenas of the plan take " + std::to_string(bytes) +
                " bytes, and the largest hole of the pool has " +
                std::to_string(pool.largestHole())};
  int64_t next = pool.largestHoleEnd() - bytes;
  std::vector<int64_t> bases;
  for (const ArenaInfo &arena : planned.arenas) {
    bases.push_back(next);
    next += Pool::rounded(arena.bytes);
  }
  return loadPlan(planned, bases);
}

//===----------------------------------------------------------------------===//
// Which call it is
//===----------------------------------------------------------------------===//

void PlanFollower::beginPlan() {
  if (!plan)
    return;
  plan->position = 0;
  plan->done = 0;
  std::fill(plan->bound.begin(), plan->bound.end(), -1);
  for (Value &value : engine.values)
    value.planned = -1;
}

/// From here on the step is decided online. What was kept for the plan only
/// goes.
void PlanFollower::leavePlan() noexcept {
  plannedRun = nullptr;
  if (!isPlanned())
    return;
  plan->position = -1;
  engine.replay.leavePlan();
  for (size_t i = 0; i < engine.values.size(); ++i)
    if (engine.values[i].isKept) {
      engine.values[i].isKept = false;
      engine.tidy(ValueId(i));
    }
}

/// The value of the plan, as far as it is one of this step.
ValueId PlanFollower::resolve(int32_t planned) {
  const ValueId value = plan->bound[size_t(planned)];
  return value >= 0 && engine.at(value).bytes >= 0 &&
                 engine.at(value).planned == planned
             ? value
             : -1;
}

bool PlanFollower::matches(size_t number,
                           const std::shared_ptr<const KernelCall> &call,
                           std::span<const Place> inputs,
                           std::span<const NewValue> outputs) {
  const PlannedCall &next = plan->step.calls[number];
  if (inputs.size() != next.inputs.size() ||
      outputs.size() != next.outputs.size())
    return false;
  if (plan->known[number] != call) {
    if (profileKey(call->instruction()) != next.key)
      return false;
    plan->known[number] = call;
  }
  for (size_t o = 0; o < outputs.size(); ++o) {
    const bool isOver = outputs[o].over >= 0;
    if (isOver != next.outputs[o].isOver ||
        (!isOver && outputs[o].bytes != next.outputs[o].bytes))
      return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    ValueId &bound = plan->bound[size_t(next.inputs[i].value)];
    if (bound < 0) { // The host gave it.
      bound = inputs[i].value;
      if (engine.at(bound).planned < 0)
        engine.at(bound).planned = next.inputs[i].value;
    }
    if (bound != inputs[i].value || inputs[i].offset != next.inputs[i].offset)
      return false;
  }
  return true;
}

/// What the plan does for this call, if it is its next one.
const PlannedCall *
PlanFollower::nextPlanned(const std::shared_ptr<const KernelCall> &call,
                          std::span<const Place> inputs,
                          std::span<const NewValue> outputs) {
  if (!isPlanned())
    return nullptr;
  const auto number = size_t(plan->position);
  if (number == plan->step.calls.size() || !engine.replay.isOn() ||
      !engine.replay.mayBePlanned() ||
      !matches(number, call, inputs, outputs)) {
    leavePlan();
    return nullptr;
  }
  engine.replay.followPlan();
  return &plan->step.calls[number];
}

void PlanFollower::endPlanned(const PlannedCall &call,
                              std::span<const ValueId> results) {
  if (!isPlanned())
    return;
  for (size_t i = 0; i < results.size(); ++i) {
    const int32_t made = call.firstValue + int32_t(i);
    plan->bound[size_t(made)] = results[i];
    engine.at(results[i]).planned = made;
  }
  ++plan->position;
  ++plan->done;
}

//===----------------------------------------------------------------------===//
// What the plan does before it
//===----------------------------------------------------------------------===//

/// The host lets go of a value that the plan still reads.
bool PlanFollower::keepForPlan(ValueId number) noexcept {
  Value &value = engine.at(number);
  if (!isPlanned() || value.planned < 0 || !value.isThere() ||
      resolve(value.planned) != number ||
      plan->step.lastUser[size_t(value.planned)] < plan->position)
    return false;
  value.isKept = true;
  return true;
}

Status PlanFollower::leaveAsPlanned(int32_t planned) {
  const ValueId number = resolve(planned);
  if (number < 0)
    return Status::success();
  Value &value = engine.at(number);
  value.isKept = false;
  if (value.uses == 0) {
    engine.tidy(number);
    // One that cannot be recomputed, while others are made from it.
    if (value.bytes >= 0 && value.isThere() && value.producer < 0)
      engine.forgetter.forgetLeftover(number, INT64_MAX);
    return Status::success();
  }
  return value.isThere() && value.producer >= 0 ? engine.evict(number, false)
                                                : Status::success();
}

Status PlanFollower::runAsPlanned(const PlannedAction &action) {
  const PlannedCall &call = plan->step.calls[size_t(action.run.call)];
  OpId op = -1;
  for (size_t o = 0; o < call.outputs.size() && op < 0; ++o)
    if (const ValueId made = resolve(call.firstValue + int32_t(o)); made >= 0)
      op = engine.at(made).producer;
  if (op < 0 || !hasInputs(op)) {
    leavePlan();
    return Status::success();
  }
  for (int32_t wanted : action.wanted)
    if (const ValueId value = resolve(wanted); value >= 0)
      engine.at(value).isKept = true;
  engine.pushFrame(op);
  return provideAsPlanned(op, action.run);
}

/// The frame of the op is the only one.
Status PlanFollower::provideAsPlanned(OpId op, const PlannedRun &run) {
  if (hasInputs(op)) {
    plannedRun = &run;
    plannedOp = op;
  } else {
    leavePlan();
  }
  const Status status = engine.provide(0);
  plannedRun = nullptr;
  return status;
}

Status PlanFollower::runBefore(const PlannedCall &call) {
  for (const PlannedAction &action : call.before) {
    Status status = action.leaves >= 0 ? leaveAsPlanned(action.leaves)
                                       : runAsPlanned(action);
    if (!status.ok() || !isPlanned())
      return status;
  }
  return Status::success();
}

bool PlanFollower::hasInputs(OpId op) {
  return std::all_of(
      engine.ops[size_t(op)].inputs.begin(),
      engine.ops[size_t(op)].inputs.end(),
      [this](const Place &input) { return engine.at(input.value).isThere(); });
}

/// Inputs that cannot be recomputed are forgotten before an output takes their
/// bytes, which the host must have given away with the call.
Status PlanFollower::giveAsPlanned(const PlannedCall &call,
                                   std::span<const Place> inputs,
                                   bool &isExternal) {
  for (const memplan_in_place_t &pair : call.run.handed) {
    const Place &input = inputs[size_t(pair.input)];
    if (engine.at(input.value).producer >= 0)
      continue;
    if (!input.isLast || engine.at(input.value).uses > 1) {
      leavePlan();
      return Status::success();
    }
    isExternal = true;
    if (Status s = engine.forgetter.forgetOrKeep(input.value); !s.ok())
      return s;
  }
  return Status::success();
}

/// Which inputs give their bytes to an output. The op is the only one that
/// reads them now, and they can be recomputed, or will not be wanted.
bool PlanFollower::takeOverAsPlanned(OpId number) {
  const Op &op = engine.ops[size_t(number)];
  for (const memplan_in_place_t &pair : plannedRun->handed) {
    const ValueId input = op.inputs[size_t(pair.input)].value;
    const OpOutput &output = op.outputs[size_t(pair.output)];
    const Value &value = engine.at(input);
    const auto reads =
        std::count_if(op.inputs.begin(), op.inputs.end(),
                      [&](const Place &p) { return p.value == input; });
    const bool isGiven = value.uses == (number == engine.building &&
                                        op.inputs[size_t(pair.input)].isLast) &&
                         std::all_of(value.users.begin(), value.users.end(),
                                     [&](OpId user) { return user == number; });
    if ((value.producer < 0 && !isGiven) || value.pins != reads ||
        output.over >= 0 || op.inputs[size_t(pair.input)].offset != 0 ||
        Pool::rounded(value.bytes) != Pool::rounded(output.bytes))
      return false;
    engine.taken[size_t(pair.output)] = input;
  }
  return true;
}

} // namespace memplan::runtime

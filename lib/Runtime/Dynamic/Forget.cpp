//===- Forget.cpp - Real deletion -----------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is overwritten or freed for good takes the paths with it that
// read it. What is in use and evicted is recomputed before, while it can be;
// what is in the pool is external from then on; and what nothing uses is lost
// along with it, and so on behind that.
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

namespace memplan::runtime {

/// What of the values made from it is absent: those in use, and the others,
/// behind which it goes on.
void PathForgetter::absentBehind(ValueId first, std::vector<ValueId> &used,
                                 std::vector<ValueId> &lost) {
  used.clear();
  lost.clear();
  ++round;
  for (size_t i = 0; i <= lost.size(); ++i) {
    const ValueId number = i == 0 ? first : lost[i - 1];
    for (OpId user : engine.at(number).users)
      for (const OpOutput &output : engine.ops[size_t(user)].outputs) {
        const ValueId value = output.value;
        if (value < 0 || !engine.isAbsent(value) ||
            engine.at(value).seen == round)
          continue;
        engine.at(value).seen = round;
        const bool isUsed =
            engine.at(value).uses > 0 || engine.at(value).pins > 0;
        (isUsed ? used : lost).push_back(value);
      }
  }
}

/// Nothing can be made from it any more. What is made from it is in the pool,
/// on the host, or not in use.
void PathForgetter::loseUsers(ValueId number) noexcept {
  auto lastOutput = [&]() -> ValueId {
    for (const OpOutput &output :
         engine.ops[size_t(engine.at(number).users.back())].outputs)
      if (output.value >= 0)
        return output.value;
    return -1;
  };
  while (engine.at(number).bytes >= 0 && !engine.at(number).users.empty()) {
    const ValueId output = lastOutput();
    if (output < 0)
      return;
    engine.looseProducer(output);
  }
}

/// Pins are left to abandon() when it fails.
Status PathForgetter::forget(ValueId number) {
  if (engine.at(number).users.empty())
    return Status::success();
  engine.pin(number);
  auto &[used, lost, kept] = scratch;
  kept.clear();
  // Making some may evict others.
  for (absentBehind(number, used, lost); !used.empty();
       absentBehind(number, used, lost))
    for (ValueId value : used) {
      if (Status s = engine.materialize(value); !s.ok())
        return s;
      kept.push_back(value);
      engine.pin(value);
    }
  for (size_t i = lost.size(); i-- > 0;)
    loseUsers(lost[i]);
  loseUsers(number);
  for (ValueId value : lost)
    engine.tidy(value);
  for (ValueId value : kept)
    engine.unpin(value);
  engine.unpin(number);
  return Status::success();
}

/// An op under way takes its bytes, and counts on its path to bring it back.
bool PathForgetter::isToBeOverwritten(ValueId value) {
  if (engine.at(value).pins > 0)
    for (OpId op : engine.frames)
      for (const OpOutput &output : engine.ops[size_t(op)].outputs)
        if (output.over == value)
          return true;
  return false;
}

/// Bytes of values in use that could not be evicted any more if nothing could
/// be made from these values.
int64_t PathForgetter::boundBehind(ValueId first,
                                   const std::vector<ValueId> &lost) {
  int64_t bytes = 0;
  for (size_t i = 0; i <= lost.size(); ++i)
    for (OpId user : engine.at(i == 0 ? first : lost[i - 1]).users)
      for (const OpOutput &output : engine.ops[size_t(user)].outputs)
        if (output.value >= 0 && engine.at(output.value).isThere()) {
          if (isToBeOverwritten(output.value))
            return INT64_MAX;
          bytes += engine.at(output.value).bytes;
        }
  return bytes;
}

/// Frees an external value that nothing uses, unless something evicted needs it
/// or more than that many bytes in use could not be evicted any more.
bool PathForgetter::forgetLeftover(ValueId number, int64_t mostBound) {
  auto &[used, lost, kept] = scratchOfLeftover;
  absentBehind(number, used, lost);
  if (!used.empty() || boundBehind(number, lost) >= mostBound)
    return false;
  if (engine.replay.isOn())
    engine.decided.victims.push_back(
        {engine.at(number).name, Decision::Way::Forget});
  for (size_t i = lost.size(); i-- > 0;)
    loseUsers(lost[i]);
  loseUsers(number);
  for (ValueId value : lost)
    engine.tidy(value);
  engine.tidy(number);
  return true;
}

/// Values that were dropped while others are made from them. They bind what is
/// made from them when they go, so that the others come first, but for those
/// that bind little.
bool PathForgetter::forgetSomeLeftover(bool any) {
  for (size_t i = 0; i < engine.leftovers.size(); ++i) {
    const ValueId number = engine.leftovers[i];
    const Value &value = engine.at(number);
    if (value.bytes < 0 || value.uses > 0 || value.producer >= 0 ||
        !value.isThere()) {
      engine.at(number).isLeftover = false;
      engine.leftovers[i--] = engine.leftovers.back();
      engine.leftovers.pop_back();
    } else if (value.pins == 0 &&
               forgetLeftover(number, any ? INT64_MAX : value.bytes + 1)) {
      return true;
    }
  }
  return false;
}

/// Before an external value is overwritten. Where what needs the old content
/// does not fit, the old content stays, as long as it is needed, and the new
/// one is made from a copy: its users show that.
Status PathForgetter::forgetOrKeep(ValueId number) {
  Status status = forget(number);
  if (status.code != MEMPLAN_OUT_OF_MEMORY)
    return status;
  engine.abandon();
  return Status::success();
}

} // namespace memplan::runtime

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

bool Engine::State::isAbsent(ValueId number) {
  return !at(number).isThere() && at(number).host == Pool::none;
}

/// What of the values made from it is absent: those in use, and the others,
/// behind which it goes on.
void Engine::State::absentBehind(ValueId first, std::vector<ValueId> &used,
                                 std::vector<ValueId> &lost) {
  used.clear();
  lost.clear();
  ++round;
  for (size_t i = 0; i <= lost.size(); ++i) {
    const ValueId number = i == 0 ? first : lost[i - 1];
    for (OpId user : at(number).users)
      for (const OpOutput &output : ops[size_t(user)].outputs) {
        const ValueId value = output.value;
        if (value < 0 || !isAbsent(value) || at(value).seen == round)
          continue;
        at(value).seen = round;
        const bool isUsed = at(value).uses > 0 || at(value).pins > 0;
        (isUsed ? used : lost).push_back(value);
      }
  }
}

/// Nothing can be made from it any more. What is made from it is in the pool,
/// on the host, or not in use.
void Engine::State::loseUsers(ValueId number) noexcept {
  auto lastOutput = [&]() -> ValueId {
    for (const OpOutput &output : ops[size_t(at(number).users.back())].outputs)
      if (output.value >= 0)
        return output.value;
    return -1;
  };
  while (at(number).bytes >= 0 && !at(number).users.empty()) {
    const ValueId output = lastOutput();
    if (output < 0)
      return;
    looseProducer(output);
  }
}

/// Pins are left to abandon() when it fails.
Status Engine::State::forget(ValueId number) {
  if (at(number).users.empty())
    return Status::success();
  pin(number);
  auto &[used, lost, kept] = forgetting;
  kept.clear();
  // Making some may evict others.
  for (absentBehind(number, used, lost); !used.empty();
       absentBehind(number, used, lost))
    for (ValueId value : used) {
      if (Status s = materialize(value); !s.ok())
        return s;
      kept.push_back(value);
      pin(value);
    }
  for (size_t i = lost.size(); i-- > 0;)
    loseUsers(lost[i]);
  loseUsers(number);
  for (ValueId value : lost)
    tidy(value);
  for (ValueId value : kept)
    unpin(value);
  unpin(number);
  return Status::success();
}

/// An op under way takes its bytes, and counts on its path to bring it back.
bool Engine::State::isToBeOverwritten(ValueId value) {
  if (at(value).pins > 0)
    for (OpId op : frames)
      for (const OpOutput &output : ops[size_t(op)].outputs)
        if (output.over == value)
          return true;
  return false;
}

/// Bytes of values in use that could not be evicted any more if nothing could
/// be made from these values.
int64_t Engine::State::boundBehind(ValueId first,
                                   const std::vector<ValueId> &lost) {
  int64_t bytes = 0;
  for (size_t i = 0; i <= lost.size(); ++i)
    for (OpId user : at(i == 0 ? first : lost[i - 1]).users)
      for (const OpOutput &output : ops[size_t(user)].outputs)
        if (output.value >= 0 && at(output.value).isThere()) {
          if (isToBeOverwritten(output.value))
            return INT64_MAX;
          bytes += at(output.value).bytes;
        }
  return bytes;
}

/// Frees an external value that nothing uses, unless something evicted needs it
/// or more than that many bytes in use could not be evicted any more.
bool Engine::State::forgetLeftover(ValueId number, int64_t mostBound) {
  auto &[used, lost, kept] = forgettingLeftover;
  absentBehind(number, used, lost);
  if (!used.empty() || boundBehind(number, lost) >= mostBound)
    return false;
  if (replay.isOn())
    decided.victims.push_back({at(number).name, Decision::Way::Forget});
  for (size_t i = lost.size(); i-- > 0;)
    loseUsers(lost[i]);
  loseUsers(number);
  for (ValueId value : lost)
    tidy(value);
  tidy(number);
  return true;
}

/// Those that were dropped while others are made from them. They bind what is
/// made from them when they go, so that the others come first, but for those
/// that bind little.
bool Engine::State::forgetSomeLeftover(bool any) {
  for (size_t i = 0; i < leftovers.size(); ++i) {
    const ValueId number = leftovers[i];
    const Value &value = at(number);
    if (value.bytes < 0 || value.uses > 0 || value.producer >= 0 ||
        !value.isThere()) {
      at(number).isLeftover = false;
      leftovers[i--] = leftovers.back();
      leftovers.pop_back();
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
Status Engine::State::forgetOrKeep(ValueId number) {
  Status status = forget(number);
  if (status.code != MEMPLAN_OUT_OF_MEMORY)
    return status;
  abandon();
  return Status::success();
}

} // namespace memplan::runtime

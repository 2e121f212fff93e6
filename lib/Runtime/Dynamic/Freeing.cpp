//===- Freeing.cpp - How long values and their paths are kept -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>

namespace memplan::runtime {

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Freeing must not allocate, so every list that freeing adds to has the
/// room beforehand.
ValueId ValueStore::newValue(int64_t bytes) {
  if (spareValues.empty()) {
    if (spareValues.capacity() <= values.size()) {
      candidates.reserve(2 * values.size() + 16);
      leftovers.reserve(2 * values.size() + 16);
      spareValues.reserve(2 * values.size() + 16);
    }
    values.emplace_back();
    values.back().bytes = -1;
    spareValues.push_back(ValueId(values.size()) - 1);
  }
  const ValueId value = spareValues.back();
  spareValues.pop_back();
  Value &made = at(value);
  made.users.clear(); // Its memory is used again.
  made.bytes = bytes;
  made.block = made.host = Pool::none;
  made.producer = made.output = made.node = made.candidate = -1;
  made.uses = made.pins = made.recomputations = 0;
  made.lastAccess = now();
  made.name = nextName++;
  made.planned = -1;
  made.isKept = false;
  return value;
}

OpId ValueStore::newOp() {
  if (spareOps.empty()) {
    if (spareOps.capacity() <= ops.size())
      spareOps.reserve(2 * ops.size() + 16);
    ops.emplace_back();
    spareOps.push_back(OpId(ops.size()) - 1);
  }
  const OpId op = spareOps.back();
  spareOps.pop_back();
  return op;
}

//===----------------------------------------------------------------------===//
// Coming and going
//===----------------------------------------------------------------------===//

void ValueStore::updateCandidate(ValueId number) noexcept {
  Value &value = at(number);
  const bool may = value.bytes > 0 && value.isThere() &&
                   (value.producer >= 0 || options.hostBytes > 0);
  if (may == (value.candidate >= 0))
    return;
  if (may) {
    value.candidate = int32_t(candidates.size());
    candidates.push_back(number);
    candidateBytes += Pool::rounded(value.bytes);
    return;
  }
  candidateBytes -= Pool::rounded(value.bytes);
  candidates[size_t(value.candidate)] = candidates.back();
  at(candidates.back()).candidate = value.candidate;
  candidates.pop_back();
  value.candidate = -1;
}

void ValueStore::setResident(ValueId number, Pool::Block block) noexcept {
  Value &value = at(number);
  value.block = block;
  if (value.node >= 0)
    graph.restore(value.node);
  updateCandidate(number);
}

Pool::Block ValueStore::setAbsent(ValueId number) noexcept {
  Value &value = at(number);
  const Pool::Block block = value.block;
  value.block = Pool::none;
  updateCandidate(number);
  if (value.node >= 0 && value.host == Pool::none)
    graph.evict(value.node);
  return block;
}

void ValueStore::leave(ValueId number) noexcept {
  for (DynamicListener *listener : listeners)
    listener->left(number, pool.address(at(number).block), at(number).bytes,
                   now());
  pool.release(setAbsent(number));
}

void ValueStore::dropHost(ValueId number) noexcept {
  Value &value = at(number);
  if (value.host == Pool::none)
    return;
  hostPool.release(value.host);
  value.host = Pool::none;
  for (DynamicListener *listener : listeners)
    listener->leftHost(number, now());
  if (value.node >= 0 && !value.isThere())
    graph.evict(value.node);
}

//===----------------------------------------------------------------------===//
// Freeing
//===----------------------------------------------------------------------===//

void Engine::State::dropUse(ValueId value) noexcept {
  if (--at(value).uses == 0 && !follower.keepForPlan(value))
    tidy(value);
}

void ValueStore::unpin(ValueId value) noexcept {
  if (--at(value).pins == 0)
    tidy(value);
}

/// After a failure, from wherever it came: nothing is under way any more.
void Engine::State::abandon() noexcept {
  if (launching >= 0)
    releaseBlocks();
  launching = -1;
  frames.clear();
  if (building >= 0) {
    for (const OpOutput &output : ops[size_t(building)].outputs)
      if (output.value >= 0)
        at(output.value).uses = 0;
    if (ops[size_t(building)].alive == 0)
      freeOp(building);
  }
  building = -1;
  follower.leavePlan();
  replay.leave(); // The state is none that a step remembers.
  for (size_t i = 0; i < values.size(); ++i) {
    values[i].pins = 0;
    tidy(ValueId(i));
  }
}

/// The value keeps its bytes and is external.
void ValueStore::looseProducer(ValueId number) noexcept {
  Value &value = at(number);
  if (value.producer < 0)
    return;
  const OpId producer = value.producer;
  Op &op = ops[size_t(producer)];
  op.outputs[size_t(value.output)].value = -1;
  value.producer = value.output = -1;
  graph.remove(value.node);
  value.node = -1;
  updateCandidate(number);
  if (--op.alive == 0)
    freeOp(producer);
}

/// Nothing needs the path any more. Its inputs are left for tidy().
void ValueStore::freeOp(OpId number) noexcept {
  Op &op = ops[size_t(number)];
  for (const Place &input : op.inputs) {
    std::vector<OpId> &users = at(input.value).users;
    auto entry = std::find(users.rbegin(), users.rend(), number);
    users.erase(std::next(entry).base());
    --userCount;
    unused.push_back(input.value);
  }
  op.call.reset();
  op.inputs.clear();
  op.outputs.clear();
  spareOps.push_back(number);
}

bool ValueStore::isAbsent(ValueId number) {
  return !at(number).isThere() && at(number).host == Pool::none;
}

bool ValueStore::hasAbsentUser(ValueId number) {
  for (OpId user : at(number).users)
    for (const OpOutput &output : ops[size_t(user)].outputs)
      if (output.value >= 0 && isAbsent(output.value))
        return true;
  return false;
}

void ValueStore::tidy(ValueId first) noexcept {
  unused.push_back(first);
  while (!unused.empty()) {
    const ValueId number = unused.back();
    unused.pop_back();
    Value &value = at(number);
    if (value.bytes < 0 || value.uses > 0 || value.pins > 0 || value.isKept)
      continue;
    // Banishing: what was made from it is live, and stays so.
    if (options.deletion == Deletion::Banish && !hasAbsentUser(number))
      while (!value.users.empty())
        for (OpOutput &output : ops[size_t(value.users.back())].outputs)
          if (output.value >= 0) {
            looseProducer(output.value);
            break; // The op may be gone.
          }
    if (value.producer >= 0 || value.users.empty()) {
      // It may be recomputed, or is not wanted.
      if (value.isThere())
        leave(number);
      dropHost(number);
    }
    if (!value.users.empty()) {
      if (value.producer < 0 && !value.isLeftover) {
        value.isLeftover = true;
        leftovers.push_back(number);
      }
      continue;
    }
    looseProducer(number);
    value.bytes = -1;
    spareValues.push_back(number);
  }
}

} // namespace memplan::runtime

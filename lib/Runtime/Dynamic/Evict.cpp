//===- Evict.cpp - What goes to make room ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>

namespace memplan::runtime {

/// Time to bring it back from the host, and to it where it is not there yet.
double VictimChooser::copyMicros(ValueId number) {
  const Value &value = engine.at(number);
  const int ways = value.host == Pool::none ? 2 : 1;
  return ways * double(value.bytes) / engine.options.copyBytesPerMicro;
}

bool VictimChooser::prefersHost(ValueId number) {
  const Value &value = engine.at(number);
  if (engine.options.hostBytes == 0)
    return false;
  if (value.producer < 0 || value.host != Pool::none)
    return true;
  return copyMicros(number) <
         engine.graph.cost(value.node, eviction::Neighbours::Components);
}

double VictimChooser::scoreOf(ValueId number) {
  const Value &value = engine.at(number);
  eviction::Facts facts;
  facts.bytes = value.bytes;
  if (value.producer >= 0)
    facts.cost =
        engine.graph.cost(value.node, engine.options.heuristic->neighbours);
  if (engine.options.hostBytes > 0) {
    const double copy = copyMicros(number);
    facts.cost = value.producer < 0 ? copy : std::min(copy, facts.cost);
  }
  facts.staleness = engine.now() - value.lastAccess;
  facts.freeBytes = engine.pool.freeBeside(value.block);
  facts.recomputations = value.recomputations;
  return engine.options.heuristic->score(facts, engine.options.exponents);
}

namespace {
/// The later one of two equal ones.
struct Best {
  ValueId value = -1;
  double score = 0;

  void offer(ValueId other, double otherScore) {
    if (value < 0 || otherScore <= score) {
      value = other;
      score = otherScore;
    }
  }
};
} // namespace

/// What cannot be recomputed goes to the host only, and needs room there.
static bool mayGo(const Value &value, const Pool &hostPool) {
  return value.producer >= 0 || value.host != Pool::none ||
         hostPool.largestHole() >= Pool::rounded(value.bytes);
}

ValueId VictimChooser::chooseVictim() {
  // The union-find grows by one with each eviction.
  if (engine.graph.elementCount() > 4 * engine.values.size() + 4096)
    engine.graph.rebuildComponents();
  double least = 0;
  if (!engine.candidates.empty())
    least = engine.options.ignoredShare * double(engine.candidateBytes) /
            double(engine.candidates.size());
  Best best;
  auto look = [&](size_t i) {
    const Value &value = engine.at(engine.candidates[i]);
    if (value.pins == 0 && double(value.bytes) >= least &&
        mayGo(value, engine.hostPool))
      best.offer(engine.candidates[i], scoreOf(engine.candidates[i]));
  };
  auto lookAtAll = [&] {
    for (size_t i = 0; i < engine.candidates.size(); ++i)
      look(i);
  };
  if (engine.options.sampling)
    sampler.sample(engine.candidates.size(), look);
  if (best.value < 0)
    lookAtAll();
  if (best.value < 0 && least > 0) {
    least = 0;
    lookAtAll();
  }
  return best.value;
}

/// An input that an op under way has already, but does not need before another
/// of its inputs is made: it can be recomputed once that one is live.
bool VictimChooser::isSuspended(ValueId number) {
  if (engine.frames.size() < 2)
    return false;
  int32_t suspended = 0;
  for (OpId op : engine.frames)
    for (const Place &input : engine.ops[size_t(op)].inputs)
      if (input.value == number) {
        if (op == engine.frames.back())
          return false;
        ++suspended;
      }
  return suspended == engine.at(number).pins;
}

ValueId VictimChooser::chooseSuspended() {
  if (engine.frames.size() < 2 || suspendedLeft == 0)
    return -1;
  Best best;
  for (ValueId number : engine.candidates)
    if (isSuspended(number) && mayGo(engine.at(number), engine.hostPool))
      best.offer(number, scoreOf(number));
  if (best.value >= 0)
    --suspendedLeft;
  return best.value;
}

static Status noRoomOnHost(int64_t bytes) {
  return {MEMPLAN_OUT_OF_MEMORY,
          "no room on the host for " + std::to_string(bytes) + " bytes"};
}

/// A copy of what is in the pool, unless the host has one already.
Status Engine::State::copyToHost(ValueId number) {
  Value &value = at(number);
  if (value.host != Pool::none)
    return Status::success();
  value.host = hostRoom(value.bytes);
  if (value.host == Pool::none)
    return noRoomOnHost(value.bytes);
  Status copied = copyOut(number);
  if (!copied.ok()) {
    hostPool.release(value.host);
    value.host = Pool::none;
  }
  return copied;
}

Status Engine::State::evict(ValueId number) {
  return evict(number, chooser.prefersHost(number));
}

Status Engine::State::evict(ValueId number, bool toHost) {
  const Value &value = at(number);
  if (toHost)
    if (Status s = copyToHost(number); !s.ok()) {
      if (s.code != MEMPLAN_OUT_OF_MEMORY || value.producer < 0)
        return s;
      toHost = false;
    }
  if (!toHost && value.producer < 0)
    return noRoomOnHost(value.bytes);
  stats.evictions += !toHost;
  if (replay.isOn())
    decided.victims.push_back(
        {value.name, toHost ? Decision::Way::ToHost : Decision::Way::Drop});
  leave(number);
  return Status::success();
}

} // namespace memplan::runtime

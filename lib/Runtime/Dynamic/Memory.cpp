//===- Memory.cpp - Room in the pool and on the host ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineState.h"

#include <algorithm>

namespace memplan::runtime {

double ValueStore::now() const {
  if (!options.wallClock)
    return clock;
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now() - start)
      .count();
}

static Status full(int64_t bytes, const Pool &pool) {
  return {MEMPLAN_OUT_OF_MEMORY, "no room for " + std::to_string(bytes) +
                                     " bytes in the pool of " +
                                     std::to_string(pool.capacity())};
}

Result<Pool::Block> Engine::State::allocate(int64_t bytes, int64_t planned) {
  ++stats.allocations;
  if (options.refuse && options.refuse())
    return Status{MEMPLAN_OUT_OF_MEMORY, "the allocation of " +
                                             std::to_string(bytes) +
                                             " bytes was refused"};
  if (follower.plannedRun) {
    if (planned >= 0)
      if (const Pool::Block block =
              pool.allocateAt(planned, bytes, follower.plan->step.alignment);
          block != Pool::none)
        return block;
    follower.leavePlan();
  }
  decided.victims.clear();
  decided.compacted = false;
  if (const Decision *before = replay.next()) {
    Result<Pool::Block> block = follow(*before, bytes);
    if (!block || *block != Pool::none) {
      if (block)
        replay.remember({});
      return block;
    }
    replay.reject();
  }
  Result<Pool::Block> block = decide(bytes);
  if (block && replay.isOn()) {
    decided.address = pool.address(*block);
    replay.remember(decided);
  }
  return block;
}

/// The value of that name, if it is in the pool and may leave it in that way.
ValueId Engine::State::named(const Decision::Victim &victim) {
  const bool isForgotten = victim.way == Decision::Way::Forget;
  for (ValueId number : isForgotten ? leftovers : candidates)
    if (const Value &value = at(number);
        value.name == victim.name && value.isThere() &&
        (value.pins == 0 || (!isForgotten && chooser.isSuspended(number))) &&
        (!isForgotten || (value.uses == 0 && value.producer < 0)))
      return isForgotten || value.producer >= 0 ||
                     victim.way == Decision::Way::ToHost
                 ? number
                 : -1;
  return -1;
}

/// Does what was decided before; none where that is not possible.
Result<Pool::Block> Engine::State::follow(const Decision &decision,
                                          int64_t bytes) {
  for (const Decision::Victim &victim : decision.victims) {
    const ValueId value = named(victim);
    if (value < 0)
      return Pool::none;
    if (victim.way == Decision::Way::Forget) {
      if (!forgetter.forgetLeftover(value, INT64_MAX))
        return Pool::none;
    } else if (Status s = evict(value, victim.way == Decision::Way::ToHost);
               !s.ok()) {
      return s;
    }
  }
  if (decision.compacted)
    if (Status s = compact(bytes); !s.ok())
      return s;
  return pool.allocateAt(decision.address, bytes);
}

/// As far as there is anything to evict: the pool has room for more.
Status Engine::State::keepThreshold(int64_t bytes) {
  while (options.thresholdBytes > 0 &&
         pool.liveBytes() + bytes > options.thresholdBytes) {
    if (forgetter.forgetSomeLeftover(false))
      continue;
    const ValueId victim = chooser.chooseVictim();
    if (victim < 0)
      break;
    if (Status s = evict(victim); !s.ok())
      return s;
  }
  return Status::success();
}

Result<Pool::Block> Engine::State::decide(int64_t bytes) {
  const int64_t wanted = Pool::rounded(bytes);
  // Nothing is evicted in vain.
  while (wanted > pool.freeBytes() + candidateBytes)
    if (!forgetter.forgetSomeLeftover(true))
      return full(bytes, pool);
  if (Status s = keepThreshold(wanted); !s.ok())
    return s;
  while (true) {
    if (const Pool::Block block = pool.allocate(bytes); block != Pool::none)
      return block;
    const bool fits = pool.freeBytes() >= wanted;
    if (fits)
      stats.fragmentation =
          std::max(stats.fragmentation,
                   1 - double(pool.largestHole()) / double(pool.freeBytes()));
    if (forgetter.forgetSomeLeftover(false))
      continue;
    ValueId victim = chooser.chooseVictim();
    if (fits && (victim < 0 || movesSooner(bytes, victim))) {
      if (Status s = compact(bytes); !s.ok())
        return s;
      continue;
    }
    if (victim < 0 && forgetter.forgetSomeLeftover(true))
      continue;
    if (victim < 0)
      victim = chooser.chooseSuspended();
    if (victim < 0)
      return full(bytes, pool);
    if (Status s = evict(victim); !s.ok())
      return s;
  }
}

/// Copies whose ranges overlap are cut into pieces that do not.
Status Engine::State::move(int64_t from, int64_t to, int64_t bytes) {
  for (DynamicListener *listener : listeners)
    listener->moved(from, to, bytes);
  const int64_t piece = std::min(bytes, from - to);
  for (int64_t done = 0; done < bytes; done += piece) {
    const memplan_status_t code = device.backend().copy(
        device.handle(), memory.base() + to + done, memory.base() + from + done,
        std::min(piece, bytes - done));
    if (code != MEMPLAN_OK)
      return device.status(code, "cannot move a tensor in the pool");
  }
  stats.movedBytes += bytes;
  return Status::success();
}

/// One eviction seldom leaves a hole that is large enough, where many bytes are
/// free and none of the holes was.
static constexpr double evictionsForAHole = 4;

/// Moving what lies between holes takes less time than bringing the victim
/// back, as far as one knows.
bool Engine::State::movesSooner(int64_t bytes, ValueId victim) {
  if (options.defragment != Defragment::Cheaper)
    return false;
  double back = chooser.copyMicros(victim);
  if (const Value &value = at(victim); value.producer >= 0) {
    const double again =
        graph.cost(value.node, eviction::Neighbours::Components);
    back = options.hostBytes > 0 ? std::min(back, again) : again;
  }
  return double(pool.bytesToMove(bytes)) / options.copyBytesPerMicro <
         evictionsForAHole * back;
}

Status Engine::State::compact(int64_t wanted) {
  ++stats.compactions;
  decided.compacted = true;
  return pool.compact(wanted, [this](int64_t from, int64_t to, int64_t bytes) {
    return move(from, to, bytes);
  });
}

/// A block on the host; copies of what is in the pool as well make way.
Pool::Block Engine::State::hostRoom(int64_t bytes) {
  if (options.hostBytes == 0)
    return Pool::none;
  for (size_t i = 0;; ++i) {
    if (const Pool::Block block = hostPool.allocate(bytes); block != Pool::none)
      return block;
    while (i < candidates.size() && at(candidates[i]).host == Pool::none)
      ++i;
    if (i == candidates.size())
      return Pool::none;
    dropHost(candidates[i]);
  }
}

Status Engine::State::copyOut(ValueId number) {
  Value &value = at(number);
  const memplan_status_t code = device.backend().copy_out(
      device.handle(), hostMemory.base() + hostPool.address(value.host),
      place(number), value.bytes);
  if (code != MEMPLAN_OK)
    return device.status(code, "cannot copy a tensor to the host");
  ++stats.copiesOut;
  stats.copiedBytes += value.bytes;
  clock += double(value.bytes) / options.copyBytesPerMicro;
  for (DynamicListener *listener : listeners)
    listener->copiedOut(number, now());
  return Status::success();
}

/// Brings a value back; its copy on the host stays, so that it may be evicted
/// again for nothing. To `address` only, where one is given.
Status Engine::State::fetch(ValueId number, int64_t address) {
  Result<Pool::Block> block = address < 0
                                  ? allocate(at(number).bytes)
                                  : pool.allocateAt(address, at(number).bytes);
  if (!block)
    return block.error();
  if (*block == Pool::none)
    return full(at(number).bytes, pool);
  Value &value = at(number);
  const memplan_status_t code = device.backend().copy_in(
      device.handle(), memory.base() + pool.address(*block),
      hostMemory.base() + hostPool.address(value.host), value.bytes);
  if (code != MEMPLAN_OK) {
    pool.release(*block);
    return device.status(code, "cannot copy a tensor from the host");
  }
  ++stats.copiesIn;
  stats.copiedBytes += value.bytes;
  clock += double(value.bytes) / options.copyBytesPerMicro;
  setResident(number, *block);
  value.lastAccess = now();
  for (DynamicListener *listener : listeners)
    listener->copiedIn(number, pool.address(*block), now());
  return Status::success();
}

} // namespace memplan::runtime

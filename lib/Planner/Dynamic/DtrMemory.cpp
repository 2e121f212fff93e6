//===- DtrMemory.cpp - Bytes, locks and evictions of DTR ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrMachine.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

void DtrMachine::addCandidate(int32_t storage) {
  candidates.push_back(storage);
}

void DtrMachine::removeCandidate(int32_t storage) {
  candidates.erase(llvm::find(candidates, storage));
}

void DtrMachine::lock(int32_t storage) {
  if (locks[size_t(storage)]++ == 0)
    removeCandidate(storage);
}

void DtrMachine::unlock(int32_t storage) {
  if (--locks[size_t(storage)] == 0)
    addCandidate(storage);
}

void DtrMachine::giveBack(int32_t storage) {
  live -= graph.bytes[size_t(storage)];
  if (pool)
    pool->release(addressOf[size_t(storage)], graph.bytes[size_t(storage)]);
  DtrStep step;
  step.isCompute = false;
  step.tensors.push_back(TensorId(storage));
  step.clock = result.clock;
  result.steps.push_back(std::move(step));
}

void DtrMachine::evict(int32_t storage) {
  isThere[size_t(storage)] = false;
  removeCandidate(storage);
  giveBack(storage);
  for (int32_t tensor : graph.tensorsOf[size_t(storage)]) {
    isDefined[size_t(tensor)] = false;
    const int32_t producer = graph.producer[size_t(tensor)];
    if (!banishes() || !isStarted[size_t(producer)])
      continue;
    for (int32_t input : ops[size_t(producer)].inputs)
      if (storageOf(input) != storage)
        evictedUsers[size_t(storageOf(input))].insert(tensor);
  }
  evicted.evict(numberOf[size_t(storage)]);
}

/// With a pool, takes the addresses.
bool DtrMachine::tryReserve(const Frame &frame) {
  const DtrOp &op = ops[size_t(frame.op)];
  if (live + op.newBytes + op.workspaceBytes > limit)
    return false;
  if (!pool)
    return true;
  reserved.clear();
  std::vector<int64_t> sizes;
  for (int32_t tensor : op.outputs)
    sizes.push_back(graph.bytes[size_t(tensor)]);
  sizes.push_back(op.workspaceBytes);
  for (int64_t bytes : sizes) {
    if (std::optional<int64_t> address = pool->allocate(bytes)) {
      reserved.push_back(*address);
      continue;
    }
    for (size_t i = 0; i < reserved.size(); ++i)
      pool->release(reserved[i], sizes[i]);
    return false;
  }
  return true;
}

void DtrMachine::moveTogether() {
  const std::map<int64_t, int64_t> moved = pool->compact();
  for (size_t storage = 0; storage < addressOf.size(); ++storage)
    if (isThere[storage] && graph.bytes[storage] > 0)
      addressOf[storage] = moved.at(addressOf[storage]);
  ++result.compactions;
}

bool DtrMachine::makeRoom(const Frame &frame) {
  bool isPacked = false;
  while (!tryReserve(frame)) {
    const int32_t victim = chooseVictim();
    if (victim >= 0) {
      evict(victim);
      ++result.evictions;
      isPacked = false;
      continue;
    }
    if (!pool || isPacked)
      return outOfMemory(frame);
    moveTogether();
    isPacked = true;
  }
  return true;
}

bool DtrMachine::outOfMemory(const Frame &frame) {
  const DtrOp &op = ops[size_t(frame.op)];
  result.end = DtrEnd::OutOfMemory;
  result.node = NodeId(frame.op);
  result.neededBytes = op.newBytes + op.workspaceBytes;
  result.pinnedBytes = live;
  return false;
}

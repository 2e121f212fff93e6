//===- DtrDeletion.cpp - What nothing reads any more ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DtrMachine.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

/// From now on it stays until nothing reads it.
void DtrMachine::pin(int32_t storage) {
  if (isPinned[size_t(storage)])
    return;
  isPinned[size_t(storage)] = true;
  lock(storage);
}

bool DtrMachine::release(int32_t storage) {
  dead[size_t(storage)] = true;
  if (policy.deletion == DtrDeletion::Ignore)
    return true;
  if (policy.deletion == DtrDeletion::Banish) {
    tryBanish(storage);
    return true;
  }
  if (!isPinned[size_t(storage)]) {
    if (isThere[size_t(storage)])
      evict(storage);
    return true;
  }
  // It cannot be recomputed: what follows from it has to be made first.
  if (!loseFor(graph.tensorsOf[size_t(storage)], stage + 1))
    return false;
  isPinned[size_t(storage)] = false;
  unlock(storage);
  evict(storage);
  return true;
}

/// What reads a version that goes away can never run again, and neither can
/// the ops that made what is written, or what a node that runs once looks into.
bool DtrMachine::prepareOnce(int32_t op) {
  const DtrOp &next = ops[size_t(op)];
  std::vector<int32_t> old, frozen = next.writes;
  for (int32_t storage : next.writes)
    llvm::append_range(old, graph.tensorsOf[size_t(storage)]);
  for (int32_t tensor : next.outputs)
    if (next.runsOnce && graph.producer[size_t(storageOf(tensor))] != op)
      frozen.push_back(storageOf(tensor));
  for (int32_t storage : frozen) {
    if (graph.isCallers[size_t(storage)])
      continue;
    for (int32_t sibling :
         ops[size_t(graph.producer[size_t(storage)])].outputs) {
      const int32_t beside = storageOf(sibling);
      if (isDead(beside))
        llvm::append_range(old, graph.tensorsOf[size_t(beside)]);
      else if (!bringBack(beside))
        return false;
      else
        pin(beside);
    }
  }
  return old.empty() || loseFor(old, op);
}

/// Makes and pins the values that are still read and could not be recomputed
/// without these tensors, of ops before that one. Over dead values it looks
/// further.
bool DtrMachine::loseFor(const std::vector<int32_t> &tensors, int32_t before) {
  std::vector<int32_t> pending = tensors, found;
  std::vector<bool> seen(size_t(graph.numTensors()));
  while (!pending.empty()) {
    const int32_t tensor = pending.back();
    pending.pop_back();
    for (int32_t user : graph.users[size_t(tensor)]) {
      if (!isStarted[size_t(user)] || user >= before)
        continue;
      for (int32_t output : ops[size_t(user)].outputs) {
        const int32_t storage = storageOf(output);
        if (seen[size_t(storage)])
          continue;
        seen[size_t(storage)] = true;
        if (!isDead(storage))
          found.push_back(storage);
        else
          llvm::append_range(pending, graph.tensorsOf[size_t(storage)]);
      }
    }
  }
  llvm::sort(found);
  for (int32_t storage : found) {
    if (!bringBack(storage))
      return false;
    pin(storage);
  }
  return true;
}

/// Frees for good what is dead and has no evicted users. Its other users
/// are pinned, since they could not be recomputed.
void DtrMachine::tryBanish(int32_t storage) {
  if (!isDead(storage) || isBanished[size_t(storage)] ||
      !evictedUsers[size_t(storage)].empty())
    return;
  if (isThere[size_t(storage)]) {
    if (locks[size_t(storage)] > 0) {
      locks[size_t(storage)] = 0;
      addCandidate(storage);
    }
    evict(storage);
  }
  isBanished[size_t(storage)] = true;
  evicted.remove(numberOf[size_t(storage)]);
  for (int32_t tensor : graph.tensorsOf[size_t(storage)]) {
    const int32_t producer = graph.producer[size_t(tensor)];
    if (!isStarted[size_t(producer)])
      continue;
    for (int32_t input : ops[size_t(producer)].inputs)
      evictedUsers[size_t(storageOf(input))].erase(tensor);
    for (int32_t user : graph.users[size_t(tensor)]) {
      if (!isStarted[size_t(user)])
        continue;
      for (int32_t output : ops[size_t(user)].outputs) {
        const int32_t follower = storageOf(output);
        if (follower == storage || isBanished[size_t(follower)])
          continue;
        llvm::erase(ops[size_t(user)].inputs, tensor);
        pin(follower);
      }
    }
  }
}

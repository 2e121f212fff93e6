//===- DtrMachine.h - Runs ops and evicts, one after the other --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_DYNAMIC_DTRMACHINE_H
#define MEMPLAN_LIB_PLANNER_DYNAMIC_DTRMACHINE_H

#include "DtrGraph.h"
#include "memplan/Eviction/EvictedGraph.h"
#include "memplan/Planner/Dynamic/DtrSimulator.h"
#include "memplan/Planner/Dynamic/PoolModel.h"
#include <limits>
#include <set>

namespace memplan {

class DtrMachine {
public:
  DtrMachine(const DtrGraph &graph, const DtrPolicy &policy,
             std::optional<int64_t> limitBytes);

  DtrRun run();

private:
  // DtrMachine.cpp: running.
  bool runFirst(int32_t op);
  bool keepOutputs();
  void start(int32_t op);
  /// Makes what the op reads and runs it, for `wanted` where it is a
  /// recomputation.
  bool materialize(int32_t op, int32_t wanted, bool isRecomputation);
  struct Frame;
  std::optional<int32_t> findMissing(const Frame &frame) const;
  Frame begin(int32_t op, int32_t wanted, bool isRecomputation);
  bool finish(const Frame &frame);
  void compute(const Frame &frame);
  /// Makes every tensor of a storage that was made before.
  bool bringBack(int32_t storage);
  void settle(int32_t tensor, const Frame &frame, DtrStep &step,
              std::vector<int32_t> &made);
  bool hasViews(int32_t tensor) const;
  void replace(int32_t storage, size_t place, double clock);
  void unlockInputs(const Frame &frame);

  // DtrMemory.cpp: bytes and locks.
  bool makeRoom(const Frame &frame);
  bool tryReserve(const Frame &frame);
  void giveBack(int32_t storage);
  void moveTogether();
  void lock(int32_t storage);
  void unlock(int32_t storage);
  void addCandidate(int32_t storage);
  void removeCandidate(int32_t storage);
  void evict(int32_t storage);
  bool outOfMemory(const Frame &frame);

  // DtrChoice.cpp: whom to evict.
  int32_t chooseVictim();
  std::vector<int32_t> consider();
  double scoreOf(int32_t storage);
  void enter(int32_t storage, int32_t op);

  // DtrDeletion.cpp: what nothing reads any more.
  bool release(int32_t storage);
  bool prepareOnce(int32_t op);
  bool loseFor(const std::vector<int32_t> &tensors, int32_t before);

  void pin(int32_t storage);
  void tryBanish(int32_t storage);

  struct Frame {
    int32_t op = 0;
    int32_t wanted = -1; ///< -1: an op without outputs.
    bool isRecomputation = false;
    std::vector<int32_t> missing; ///< Inputs that were not there.
    size_t next = 0;              ///< Place in `missing`.
    bool isAsked = false;         ///< The next one is being made.
  };
  bool isDead(int32_t storage) const { return dead[size_t(storage)]; }
  bool banishes() const { return policy.deletion == DtrDeletion::Banish; }
  int32_t storageOf(int32_t tensor) const {
    return graph.storageOf[size_t(tensor)];
  }

  const DtrGraph &graph;
  const DtrPolicy &policy;
  std::vector<DtrOp> ops; ///< As the graph's, less what was banished.
  int64_t limit;
  double limitCost = 0;
  int32_t stage = 0;
  int64_t live = 0;
  DtrRun result;
  eviction::EvictedGraph evicted;
  eviction::Sampler sampler;
  std::optional<PoolModel> pool;
  std::vector<bool> isDefined;    ///< By tensor.
  std::vector<bool> isStarted;    ///< By op: its first run has begun.
  std::vector<bool> isThere;      ///< By storage.
  std::vector<bool> isBanished;   ///< By storage.
  std::vector<int32_t> numberOf;  ///< By storage: in `evicted`, or -1.
  std::vector<double> costOf;     ///< By storage: of its ops so far.
  std::vector<bool> dead;         ///< By storage: nothing reads it any more.
  std::vector<bool> isPinned;     ///< By storage: it cannot be recomputed.
  std::vector<int32_t> locks;     ///< By storage.
  std::vector<double> lastAccess; ///< By storage.
  std::vector<int32_t> recomputations; ///< By storage.
  std::vector<int64_t> addressOf;      ///< By storage.
  std::vector<int32_t> candidates;     ///< In the order in which they came.
  /// Banish, by storage: tensors made from it that are not there.
  std::vector<std::set<int32_t>> evictedUsers;
  std::vector<int64_t> reserved; ///< Addresses for outputs, then workspace.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_DYNAMIC_DTRMACHINE_H

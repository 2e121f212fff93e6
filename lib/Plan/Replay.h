//===- Replay.h - The memory of the device while a plan runs ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_REPLAY_H
#define MEMPLAN_LIB_PLAN_REPLAY_H

#include "memplan/Plan/PlanVerifier.h"
#include <map>
#include <set>

namespace memplan {

/// One allocation of a storage, as found by replaying.
struct ReplayedAllocation {
  TensorId allocatedBy; ///< The tensor that took the storage.
  int32_t begin = 0;
  int32_t end = 0; ///< Step that gives it back, exclusive.
  int64_t bytes = 0;
};

/// Bytes that exist during one step only.
struct ReplayedScratch {
  PlacementKind kind = PlacementKind::Workspace;
  TensorId tensor; ///< Discard
  NodeId node;     ///< Workspace
  int32_t step = 0;
  int64_t bytes = 0;
};

/// Executes steps on an abstract device that knows which tensors are readable,
/// in which storage and version. Refuses the first step that breaks a rule.
class ReplayMachine {
public:
  explicit ReplayMachine(const GraphIndex &index);

  llvm::Error execute(const PlanAction &step);
  /// Checks what must hold after the last step, and ends all allocations.
  llvm::Error finish();

  const Replay &replay() const { return result; }
  Replay &&takeReplay() { return std::move(result); }
  const std::vector<ReplayedAllocation> &allocations() const { return ended; }
  const std::vector<ReplayedScratch> &scratch() const { return scratchList; }

private:
  struct Storage {
    TensorId allocatedBy;
    TensorId occupant; ///< Base tensor whose alias set it holds now; invalid
                       ///< while an evicted copy drains.
    int32_t begin = 0;
    int64_t bytes = 0;
  };
  struct Copy {
    bool isFetch = false;
    TensorId tensor;
    int32_t storage = -1;
  };

  llvm::Error refuse(const llvm::Twine &text) const;
  llvm::Error compute(const PlanAction &step);
  llvm::Error checkMayRun(NodeId id) const;
  llvm::Error checkInputs(NodeId id) const;
  llvm::Error checkDiscards(const PlanAction &step) const;
  llvm::Error checkInPlace(const PlanAction &step) const;
  llvm::Error checkInPlacePair(const PlanAction &step,
                               const InPlacePair &pair) const;
  llvm::Error addScratch(const PlanAction &step, int64_t workspaceBytes,
                         int64_t &bytes);
  llvm::Error placeOutputs(const PlanAction &step, int64_t scratchBytes);
  llvm::Error placeViews(const PlanAction &step);
  llvm::Error applyWrites(NodeId id);
  llvm::Error free(const PlanAction &step);
  llvm::Error evict(const PlanAction &step);
  llvm::Error fetch(const PlanAction &step);
  llvm::Error wait(const PlanAction &step);
  llvm::Error dropHost(const PlanAction &step);
  llvm::Expected<TensorId> copiedTensor(const PlanAction &step) const;
  llvm::Error beginEvent(const PlanAction &step);
  llvm::Error finishRuns() const;
  llvm::Error finishTensors() const;

  bool isTensor(TensorId id) const;
  bool isNode(NodeId id) const;
  bool isBeingCopied(int32_t storage) const;
  llvm::Error growTo(int64_t bytes);
  llvm::Expected<int32_t> take(TensorId tensor);
  void giveBack(int32_t storage);
  void forgetOccupant(int32_t storage);

  const GraphIndex &index;
  const Graph &graph;
  int32_t step = 0;
  int64_t live = 0;
  int64_t hostBytes = 0;
  std::vector<Storage> storages;
  std::vector<int32_t> storageOf; ///< By tensor; -1: none.
  std::vector<bool> readable;     ///< By tensor.
  std::vector<int32_t> writes;    ///< By base: writes so far.
  std::vector<int32_t>
      contents; ///< By base: writes that its device copy has seen.
  std::vector<int32_t> hostCopy;  ///< By base: version of the host copy, or -1.
  std::map<int64_t, Copy> copies; ///< By event.
  std::set<int64_t> usedEvents;
  std::vector<NodeId> collectives; ///< In the order run.
  std::vector<ReplayedAllocation> ended;
  std::vector<ReplayedScratch> scratchList;
  Replay result;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_REPLAY_H

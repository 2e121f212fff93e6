//===- Replay.h - The memory of the device while a plan runs ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLAN_REPLAY_H
#define MEMPLAN_LIB_PLAN_REPLAY_H

#include "HostStays.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Support/Violation.h"

namespace memplan {

/// Executes actions on an abstract device that knows which tensors are
/// readable, in which storage and version, and what has happened before what.
inline bool contains(const Graph &graph, TensorId id) {
  return id.index >= 0 && static_cast<size_t>(id.index) < graph.tensors.size();
}
inline bool contains(const Graph &graph, NodeId id) {
  return id.index >= 0 && static_cast<size_t>(id.index) < graph.nodes.size();
}

/// Why a tensor may not be freed or overwritten; empty if it may.
std::string findKeeper(const GraphIndex &index, TensorId id);

/// What is resident on the device: storages, and the tensors that each holds.
class ResidentStorages {
public:
  ResidentStorages(size_t numTensors, int64_t fixedBytes)
      : numbers(numTensors, -1), live(fixedBytes) {}

  /// Storages in the order in which they are taken, scratch included.
  const std::vector<Storage> &all() const { return storages; }
  Storage &at(int32_t storage) { return storages[storage]; }
  Storage &home(TensorId id) { return at(numbers[id.index]); }
  const Storage &home(TensorId id) const { return storages[numbers[id.index]]; }
  /// Number of the storage of a tensor; -1: the tensor is not readable.
  int32_t find(TensorId id) const { return numbers[id.index]; }
  bool isReadable(TensorId id) const { return find(id) >= 0; }
  int64_t liveBytes() const { return live; }

  /// A storage that holds the tensor alone.
  Storage &take(TensorId tensor, int64_t bytes);
  /// Scratch of a run, whose bytes are live while it lasts.
  Storage &addScratch() { return storages.emplace_back(); }
  void hold(TensorId tensor, int32_t storage);
  /// Nothing in the storage can be read any more.
  void forgetMembers(int32_t storage);
  void giveBack(int32_t storage, int32_t step);

private:
  std::vector<Storage> storages;
  std::vector<int32_t> numbers; ///< By tensor: the storage; -1: not readable.
  int64_t live;
};

/// First run of each kind on each stream.
using StreamUse = std::map<std::pair<int32_t, StreamKind>, NodeId>;

/// Refuses the first action that breaks a rule.
///
/// Two orders matter. The order of the list decides what is resident, in which
/// version, and how many bytes that takes. Happens-before, which streams and
/// events make, decides what may touch the same bytes.
class ReplayMachine {
public:
  /// `hosted`: caller's tensors that the host has and the device has not when
  /// the step begins.
  explicit ReplayMachine(const GraphIndex &index,
                         llvm::ArrayRef<TensorId> hosted = {});

  llvm::Error execute(const PlanAction &action);
  /// Checks what must hold after the last step, and gives all storages back.
  llvm::Error finish();

  const Replay &replay() const { return result; }
  /// On the device, in the order in which they are taken, scratch included.
  const std::vector<Storage> &storages() const { return residents.all(); }
  const std::vector<Storage> &hostStays() const { return host.all(); }
  const Queues &queues() const { return order; }
  bool isHosted(TensorId id) const { return livesOnHost[id.index]; }

private:
  struct Copy {
    bool isFetch = false;
    int32_t storage = -1;
  };
  /// A run that is being replayed.
  struct Run {
    const PlanAction &action;
    const Node &node;
    NodeVariant variant;
    Moment now; ///< The end of the action.
    std::string name;
  };

  llvm::Error refuse(llvm::StringRef id, const llvm::Twine &text) const;
  llvm::Error refuseRace(const llvm::Twine &text, Mark other,
                         const char *doing) const;
  llvm::Error openStream(const PlanAction &action);
  llvm::Error signal(const PlanAction &action, const Moment &end);
  double endOf(const PlanAction &action) const;
  // A run, in ReplayCompute.cpp:
  llvm::Error compute(const PlanAction &action);
  llvm::Expected<NodeVariant> findVariant(const PlanAction &action) const;
  llvm::Error readInputs(const Run &run);
  llvm::Error checkVersion(const Run &run, TensorId tensor,
                           const char *doing) const;
  llvm::Error checkOutputs(const Run &run) const;
  llvm::Error checkInPlace(const Run &run) const;
  llvm::Error checkInPlacePair(const Run &run, const InPlacePair &pair) const;
  llvm::Error makeOutputs(const Run &run);
  llvm::Error makeInPlace(const Run &run, const InPlacePair &pair);
  llvm::Error makeViews(const Run &run);
  llvm::Error applyWrites(const Run &run);
  int64_t addScratch(const Run &run);
  llvm::Error overwrite(Storage &storage, const Moment &now, int32_t version,
                        const llvm::Twine &text) const;
  llvm::Error read(TensorId tensor, const Moment &now, const llvm::Twine &text);
  llvm::Error free(const PlanAction &action);
  // Copies, in ReplayCopies.cpp:
  llvm::Expected<TensorId> copiedTensor(const PlanAction &action) const;
  llvm::Expected<Moment> beginCopy(const PlanAction &action, TensorId tensor);
  llvm::Error evict(const PlanAction &action);
  llvm::Error copyToHost(TensorId tensor, int32_t version, const Moment &now);
  llvm::Error fetch(const PlanAction &action);
  llvm::Error wait(const PlanAction &action);
  llvm::Error dropHost(const PlanAction &action);
  // The end:
  llvm::Error finishRuns() const;
  llvm::Error finishTensors() const;
  llvm::Error finishHosted(TensorId id) const;

  llvm::Error growTo(int64_t bytes);
  llvm::Error take(TensorId tensor, const Moment &now);

  const GraphIndex &index;
  const Graph &graph;
  int32_t step = 0;
  Queues order;
  ResidentStorages residents;
  std::vector<Mark> viewMade;  ///< By view: the run that made it last.
  std::vector<int32_t> writes; ///< By base: writes so far.
  HostStays host;
  std::vector<bool> livesOnHost; ///< By tensor.
  std::map<int64_t, Moment>
      events;                     ///< Ends of the actions that signal an event.
  std::map<int64_t, Copy> copies; ///< Not waited for yet, by event.
  std::vector<NodeId> collectives; ///< In the order run.
  StreamUse firstRunOn;
  Replay result;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLAN_REPLAY_H

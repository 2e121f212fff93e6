//===- Replay.h - Decisions of steps that ran before ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_REPLAY_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_REPLAY_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace memplan::runtime {

/// What one allocation did: who left for it, and where it lies.
struct Decision {
  enum class Way : uint8_t { Drop, ToHost, Forget };
  struct Victim {
    int64_t name = 0;
    Way way = Way::Drop;
  };
  std::vector<Victim> victims;
  bool compacted = false;
  int64_t address = 0;
};

/// What is live when a step begins, in the order of names.
struct StartState {
  uint64_t shape = 0;             ///< hash of the bytes of all
  uint64_t state = 0;             ///< of that, and of where they lie
  std::vector<int64_t> addresses; ///< -1: not in the pool
};

/// The steps so far as a tree: steps that begin alike share their beginning,
/// and part where the host calls something else. A call that has a place in the
/// tree is done as it was done before; from the first one on that has none,
/// decisions are made anew and remembered. They are advice: a decision that
/// does not fit is left, so that nothing depends on two calls being the same.
class Replay {
public:
  /// When there are more calls than that, those of the steps that were not made
  /// for the longest time are forgotten, down to half of it. One step alone may
  /// take twice as many.
  static constexpr size_t mostCalls = 1 << 16;

  bool knows(const StartState &start) const;
  /// The one that was begun in last, of those of the same shape; or null.
  const StartState *similar(const StartState &start) const;
  void beginStep(const StartState &start);
  /// No step is under way: nothing is followed or remembered.
  void leave() { at = -1; }
  bool isOn() const { return at >= 0; }
  void clear();

  /// The host calls something.
  void beginCall(uint64_t signature);
  /// The call may be done as a plan has it: it is new, or was done so before.
  bool mayBePlanned() const;
  void followPlan();
  /// The plan did not fit: the call is to be decided.
  void leavePlan();

  /// What the next allocation of this call did before; null: it is to decide.
  const Decision *next();
  /// Notes that the value did not fit.
  void reject();
  /// What an allocation has decided.
  void remember(Decision decision);

  /// Calls of this step that were followed, and whether the step, which had
  /// begun as one before it, went another way.
  int64_t followed() const { return followedCalls; }
  bool hasDeviated() const { return deviated; }
  size_t callCount() const { return calls.size(); }

private:
  struct Call {
    uint64_t signature = 0;
    std::vector<Decision> decisions;
    bool isPlanned = false;
    int64_t lastStep = 0;
    std::vector<int32_t> behind;
  };
  int32_t find(std::span<const int32_t> among, uint64_t signature) const;

  struct Start {
    StartState state;
    int32_t call = -1; ///< it stands for the beginning
  };
  int32_t add(uint64_t signature);
  void forgetOldest();

  std::vector<Call> calls;
  std::vector<Start> starts;
  int64_t step = 0;
  int32_t at = -1;     ///< the call under way
  size_t decision = 0; ///< of that call
  bool following = false;
  bool isNew = false; ///< the call under way
  bool deviated = false;
  int64_t followedCalls = 0;
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_REPLAY_H

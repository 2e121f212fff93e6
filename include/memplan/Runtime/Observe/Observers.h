//===- Observers.h - What can be watched in a step --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_OBSERVE_OBSERVERS_H
#define MEMPLAN_RUNTIME_OBSERVE_OBSERVERS_H

#include "memplan/Runtime/Execute/Executor.h"

#include <functional>
#include <memory>
#include <vector>

namespace memplan::runtime {

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

/// Holds every launch of a step against the live ranges of the plan. Each read
/// must find the bytes of exactly the value that the program names there. They
/// must be written by the instruction that makes it and by nothing since. A
/// write may cover only values that nothing reads any more. Nothing depends on
/// what the bytes happen to be, and nothing is concluded from places. So a
/// program with one place changed is found out although it runs. Launches may
/// come in any order.
///
/// Bytes of values that are freed are filled with 0xFF as well, which is a NaN
/// and an id of -1. That shows what a kernel reads beyond its operands. Checks
/// the guards around the arenas at the end of the step, and before each launch
/// that it gets the pointers of the program.
class PoisonObserver : public StepObserver {
public:
  static constexpr int32_t pattern = 0xFF;

  PoisonObserver();
  ~PoisonObserver() override;
  Status beginStep(Executable &executable) override;
  Status before(Executable &executable, size_t instruction) override;
  Status after(Executable &executable, size_t instruction) override;
  Status endStep(Executable &executable) override;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Runs the step that is about to run once for each of its queues. That queue
/// is as late as the waits of the program allow. Puts the arguments back to
/// what they were. Poison finds what a missing wait does: each two instructions
/// without an order between them run in both. The number of orders.
Result<int64_t> runWithDelays(Executable &executable);

//===----------------------------------------------------------------------===//
// Measured bytes
//===----------------------------------------------------------------------===//

/// What a step really did with an arena, or with a block of shared scratch.
struct ArenaUse {
  /// What the program asked for.
  int64_t plannedBytes = 0;
  /// End of the highest pointer that a launch got, with the bytes of its
  /// operand: from the launches themselves, not from the program.
  int64_t handedOutBytes = 0;
  /// Bytes that the step wrote: those that changed from a fill pattern, or from
  /// another one in a second run on the same values.
  int64_t touchedBytes = 0;
};

struct StepUse {
  std::vector<ArenaUse> arenas;
  std::vector<ArenaUse> scratch; ///< blocks that no plan has
};

/// Runs the step that is about to run twice, on the same values and two fill
/// patterns. Puts the arguments back to what they were. A byte that is written
/// with the value of one pattern differs from the other. MEMPLAN_CHECK_FAILED
/// when a launch gets another pointer than the program says. It may come from
/// the table, from code made just in time or from a library.
Result<StepUse> measureStep(Executable &executable);

/// The launch that the backend is about to get has exactly the pointers of the
/// program, or of the shared scratch.
Status checkPointers(const Executable &executable, size_t instruction);

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Times each instruction alone: the device is idle before and after it. Where
/// the device has a clock of its own, an instruction is launched often between
/// two readings of it, after the launch of the step. What the later launches
/// wrote over their own inputs is put back.
class ProfileObserver : public StepObserver {
public:
  Status before(Executable &executable, size_t instruction) override;
  Status after(Executable &executable, size_t instruction) override;

  /// Median time of an instruction over all steps so far.
  double medianMicros(size_t instruction) const;
  /// How often instruction i was timed.
  int64_t repeats(size_t instruction) const;
  /// True once no median moves any more. For every instruction that takes a
  /// share of the step, that of the later half of its times is that of all.
  bool isStable() const;

private:
  std::vector<std::vector<double>> micros;
  std::vector<int32_t> launchesAtOnce; ///< by instruction; 0: not known yet
  int64_t startNanos = 0;
};

/// Repeats the step that is about to run until its times are stable, some tens
/// of times at most or until `stop` says so. Puts the arguments back to what
/// they were.
Status repeatUntilStable(Executable &executable, ProfileObserver &profile,
                         const std::function<bool()> &stop);

/// The profile of an executable's device as *.profile.json. It has the copy
/// bandwidth, usable bytes, and the median time and workspace of every kind of
/// call that was timed. Where the device has a clock of its own, variants that
/// a plan may choose instead are timed too. These run on what the last step
/// left. The first entry of `observed` belongs to `executables[0]`, and so on.
/// `earlier` is a profile of the same device or "". Calls that it has and that
/// were not timed now stay as they were: steps of several batches share a file.
Result<std::string>
profileText(std::span<const Executable *const> executables,
            std::span<const ProfileObserver *const> observed,
            std::string_view earlier = "");

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_OBSERVE_OBSERVERS_H

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

#include <map>

namespace memplan::runtime {

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

/// Which bytes of an arena hold a value at a point of a step.
class ArenaBytes {
public:
  enum class State { NeverWritten, Live, Dead };
  /// Bytes [begin, end) got their state at `instruction`.
  struct Range {
    int64_t begin, end;
    State state;
    int32_t instruction;
  };

  explicit ArenaBytes(int64_t bytes);
  /// O(log n) and the ranges that [begin, end) covers.
  void set(int64_t begin, int64_t end, State state, int32_t instruction);
  /// The ranges of [begin, end), cut to it, in order.
  std::vector<Range> in(int64_t begin, int64_t end) const;

private:
  struct Part {
    State state;
    int32_t instruction;
  };
  std::map<int64_t, Part>::iterator split(int64_t at);

  std::map<int64_t, Part> parts; ///< by first byte; each ends at the next
  int64_t bytes;
};

/// Finds reads of bytes that hold no value, and writes over values that are
/// still needed. Before every launch the exact ranges of its operands are
/// looked up, so that nothing depends on what the bytes happen to be. Freed
/// ranges are filled with 0xFF as well, a NaN and an id of -1, which shows what
/// a kernel reads beyond its operands. Checks the guards around the arenas at
/// the end of the step.
class PoisonObserver : public StepObserver {
public:
  static constexpr int32_t pattern = 0xFF;

  Status beginStep(Executable &executable) override;
  Status before(Executable &executable, size_t instruction) override;
  Status after(Executable &executable, size_t instruction) override;
  Status endStep(Executable &executable) override;

private:
  std::vector<ArenaBytes> arenas;
};

//===----------------------------------------------------------------------===//
// Measured bytes
//===----------------------------------------------------------------------===//

/// What a step really used of an arena.
struct ArenaUse {
  /// End of the highest operand or workspace that was launched.
  int64_t launchedBytes = 0;
  /// One past the highest byte that changed from the fill pattern.
  int64_t touchedBytes = 0;
  /// What the program asked for.
  int64_t arenaBytes = 0;

  int64_t usedBytes() const {
    return launchedBytes > touchedBytes ? launchedBytes : touchedBytes;
  }
};

/// Measures the bytes of each arena: fills it before the step and looks
/// afterwards how far up bytes changed. Nothing is read from the plan. Over
/// several steps the pattern changes and the largest use counts.
class MeasureObserver : public StepObserver {
public:
  Status beginStep(Executable &executable) override;
  Status before(Executable &executable, size_t instruction) override;
  Status endStep(Executable &executable) override;

  const std::vector<ArenaUse> &uses() const { return arenaUses; }

private:
  std::vector<ArenaUse> arenaUses;
  int32_t steps = 0;
};

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Times each instruction alone: the device is idle before and after it.
class ProfileObserver : public StepObserver {
public:
  Status before(Executable &executable, size_t instruction) override;
  Status after(Executable &executable, size_t instruction) override;

  /// Of instruction i over all steps so far.
  double medianMicros(size_t instruction) const;

private:
  std::vector<std::vector<double>> micros;
  int64_t startNanos = 0;
};

/// The profile of an executable's device as *.profile.json: copy bandwidth,
/// usable bytes, and the median time and workspace of every kind of call that
/// was timed. The first entry of `observed` belongs to `executables[0]`, and so
/// on.
std::string profileText(std::span<const Executable *const> executables,
                        std::span<const ProfileObserver *const> observed);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_OBSERVE_OBSERVERS_H

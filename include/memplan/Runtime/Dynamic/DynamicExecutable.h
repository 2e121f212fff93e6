//===- DynamicExecutable.h - A program without its addresses ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_DYNAMIC_DYNAMICEXECUTABLE_H
#define MEMPLAN_RUNTIME_DYNAMIC_DYNAMICEXECUTABLE_H

#include "memplan/Runtime/Dynamic/Engine.h"
#include "memplan/Runtime/Dynamic/TraceRecorder.h"
#include "memplan/Runtime/Execute/Runnable.h"

namespace memplan::runtime {

/// Cost of a call of these types on a machine of 50 GFLOP/s and 10 GB/s, in
/// microseconds. It is the deterministic clock where nothing better is known.
double estimatedMicros(const Instruction &instruction);

struct DynamicProgramOptions {
  DynamicOptions dynamic;
  /// By node of an instruction, in microseconds; those of others are
  /// estimatedMicros().
  std::vector<double> nodeCosts;
  /// Most scratch that an instruction may take beyond its own workspace.
  int64_t scratchLimitBytes = INT64_MAX;
  /// Steps follow what the steps before decided: Engine::beginStep().
  bool replay = false;
  /// The program is planned, and its plan is the first path that steps follow:
  /// Engine::loadPlan(). Its ops are submitted in the order of the plan.
  bool followPlan = false;
};

/// A program table, best the unplanned one, walked op by op: which value an
/// operand is counts, where the table puts it does not. A value is dropped
/// after its last user. Arguments and constants lie in the pool too; an
/// argument that the step updates is overwritten in place where its
/// instruction does so.
class DynamicExecutable : public Runnable {
public:
  /// Prepares every instruction and takes the pool. Fails when the program has
  /// copies or host arenas, when a plan that is followed takes more than the
  /// pool, and as Executable::compile does.
  static Result<DynamicExecutable>
  compile(const Device &device, Program program,
          const DynamicProgramOptions &options);
  DynamicExecutable(DynamicExecutable &&) noexcept;
  DynamicExecutable &operator=(DynamicExecutable &&) noexcept;
  ~DynamicExecutable() override;

  const Program &program() const override;
  /// A donated argument is written before every step.
  Status writeArgument(int32_t argument, const void *host,
                       int64_t bytes) override;
  Status readArgument(int32_t argument, void *host,
                      int64_t bytes) const override;
  Status readOutput(int32_t output, void *host, int64_t bytes) const override;

  /// One step. A step that fails keeps the arguments only, some of which it may
  /// have updated. `observers` must be empty: listeners hear what happens.
  Status run(std::span<StepObserver *const> observers = {}) override;
  const StepStats &lastStep() const override;

  Engine &engine();
  const Engine &engine() const;
  /// Hears all steps from now on.
  void record(TraceRecorder *recorder);

private:
  struct State;
  explicit DynamicExecutable(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The bytes that a pool needs to run the program without evicting anything, in
/// whole units and without holes. They are arguments, constants, and what is
/// live or scratch at the worst instruction.
Result<int64_t> unplannedPeakBytes(const Device &device, const Program &program,
                                   int64_t scratchLimitBytes = INT64_MAX);

/// The pool in which the plan of a program can be followed: its arenas,
/// arguments and constants.
Result<int64_t> plannedPoolBytes(const Program &planned);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_DYNAMIC_DYNAMICEXECUTABLE_H

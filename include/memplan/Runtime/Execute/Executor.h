//===- Executor.h - Runs programs on a device -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_EXECUTOR_H
#define MEMPLAN_RUNTIME_EXECUTE_EXECUTOR_H

#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Execute/StepLibrary.h"

#include <memory>
#include <span>

namespace memplan::runtime {

class Executable;

/// Watches a step. Any error ends the step with it. Between `before` and
/// `after` of a number stands exactly its launch; observers that need its
/// effects synchronize the device themselves.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  virtual Status beginStep(Executable &) { return Status::success(); }
  virtual Status before(Executable &, size_t instruction) {
    return Status::success();
  }
  virtual Status after(Executable &, size_t instruction) {
    return Status::success();
  }
  virtual Status endStep(Executable &) { return Status::success(); }
};

/// What the last step took.
struct StepStats {
  double micros = 0;
  /// Calls of malloc inside the launches, or -1 where nobody counts.
  int64_t allocations = -1;
  /// The most bytes that one launch had allocated at a moment, beyond those
  /// from before it, or -1 where nobody counts.
  int64_t allocatedBytes = -1;
};

/// Instructions that run on a slower kernel because the program gives the
/// faster one no workspace, and the most that one of them wanted.
struct MissingWorkspace {
  int64_t instructions = 0;
  int64_t largestBytes = 0;
};

/// A program on a device: prepared kernels, arenas, constants and arguments. It
/// is compiled once and run many times; `device` must outlive it.
class Executable {
public:
  /// Checks the program, takes one block for each arena and prepares every
  /// instruction. Fails when a kernel is missing, refuses its operands, or
  /// needs more scratch than the program gives it.
  static Result<Executable> compile(const Device &device, Program program);
  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;
  ~Executable();

  const Program &program() const;
  const Device &device() const;

  /// Uses the caller's device memory, aligned to 64 bytes, for an argument.
  Status bindArgument(int32_t argument, void *data, int64_t bytes);
  Status writeArgument(int32_t argument, const void *host, int64_t bytes);
  Status readArgument(int32_t argument, void *host, int64_t bytes) const;
  /// Of the last run.
  Status readOutput(int32_t output, void *host, int64_t bytes) const;
  /// The bytes of any operand, wherever it lies.
  Status readOperand(const Operand &operand, void *host) const;

  /// One step: every launch in program order, then the updates that are copies.
  /// Waits for the device. Without observers it allocates nothing.
  Status run(std::span<StepObserver *const> observers = {});

  /// Lets runs follow compiled code instead of the table. `step` must have been
  /// made from this program and stay loaded; null goes back to the table.
  void followStep(StepFunction step);

  const StepStats &lastStep() const;
  const MissingWorkspace &missingWorkspace() const;

  /// Launches one instruction on explicit pointers: inputs, outputs, workspace.
  Status launchInstruction(size_t instruction, void *const *operands);

  std::byte *arenaBase(size_t arena) const;
  std::byte *argumentBase(size_t argument) const;
  std::byte *constantBase() const;

private:
  struct State;
  explicit Executable(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_EXECUTOR_H

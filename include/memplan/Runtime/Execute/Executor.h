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
#include "memplan/Runtime/Execute/Runnable.h"
#include "memplan/Runtime/Execute/StepLibrary.h"

#include <memory>
#include <optional>
#include <span>

namespace memplan::runtime {

class Executable;
struct ExecutableState;

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

/// Scratch that kernels want beyond what the program gives them. There is one
/// block for each stream, taken once, which the instructions of the stream use
/// one after the other. Bytes beyond the plan.
struct SharedScratch {
  int64_t instructions = 0; ///< that use it
  int64_t bytes = 0;        ///< of all blocks
  /// The most that one instruction takes. The same limit in another program of
  /// the same step leads to the same kernels.
  int64_t largestBytes = 0;
  size_t blocks = 0;
};

/// Instructions that run on a slower kernel, because the program gives the
/// faster one no workspace and a shared block for it does not fit.
struct MissingWorkspace {
  int64_t instructions = 0;
  int64_t largestBytes = 0; ///< that one of them wanted
  int64_t roomBytes = 0;    ///< that budget and limit leave for the block
};

struct ExecuteOptions {
  /// The most bytes that may be taken for scratch beyond the plan. Unset: what
  /// the program's budget leaves beside the step; all that is wanted where the
  /// program has none.
  std::optional<int64_t> scratchLimitBytes;
  /// Takes a program with a race, to show it.
  bool allowRaces = false;
  /// Memory of the caller for each arena, in its space and aligned to 256 bytes
  /// and to what the arena says; it stays the caller's. A null one: the
  /// executable takes its own. Empty: for all.
  std::vector<std::span<std::byte>> arenaMemory = {};
  /// Where the backend has graphs, the first step runs as ever, the second is
  /// captured, and it and all later ones run as that graph. Watched steps and
  /// those in another order never do.
  bool useGraph = false;
};

/// A program on a device: prepared kernels, arenas, constants and arguments. It
/// is compiled once and run many times; `device` must outlive it.
class Executable : public Runnable {
public:
  /// Checks the program, prepares every instruction, and takes one block for
  /// each arena, in the memory that its space says, and what lies beside them.
  /// Fails when a kernel is missing, refuses its operands, or needs more
  /// scratch than there is.
  static Result<Executable> compile(const Device &device, Program program,
                                    const ExecuteOptions &options = {});
  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;
  ~Executable() override;

  const Program &program() const override;
  const Device &device() const;

  /// Uses the caller's device memory, aligned to 64 bytes, for an argument. The
  /// executable's own bytes go back unless they lie in one block with others.
  Status bindArgument(int32_t argument, void *data, int64_t bytes);
  /// An argument that lies in an arena of the device, or a donated input, is
  /// written before every step. Outputs of the step before whose bytes it takes
  /// cannot be read any more.
  Status writeArgument(int32_t argument, const void *host,
                       int64_t bytes) override;
  /// Not after the step for an argument that the step does not keep.
  Status readArgument(int32_t argument, void *host,
                      int64_t bytes) const override;
  /// Copies an output of the last run.
  Status readOutput(int32_t output, void *host, int64_t bytes) const override;
  /// The bytes of any operand, wherever it lies.
  Status readOperand(const Operand &operand, void *host) const;

  /// One step: every launch and copy, then the updates that are copies. Waits
  /// for the device. Queues run beside each other where the backend has them
  /// and nothing watches; else all runs in program order. Without observers it
  /// allocates nothing. After a failure the next step is sound.
  Status run(std::span<StepObserver *const> observers = {}) override;
  /// One step in another order that its queues may take, of all instructions:
  /// the table is run in it, one after the other.
  Status runInOrder(std::span<const int32_t> order,
                    std::span<StepObserver *const> observers);

  /// Lets runs follow compiled code instead of the table. `step` must have been
  /// made from this program and stay loaded; null goes back to the table.
  void followStep(StepFunction step);

  const StepStats &lastStep() const override;
  /// Whether a step runs as a graph by now.
  bool hasGraph() const;
  /// Launches every operation of every later step, whatever was asked before.
  void runEagerly();
  const MissingWorkspace &missingWorkspace() const;
  const SharedScratch &sharedScratch() const;

  /// Launches one instruction on explicit pointers: inputs, outputs, workspace.
  Status launchInstruction(size_t instruction, void *const *operands);

  /// What the backend gets, or got last, for an instruction.
  const memplan_launch_t &launch(size_t instruction) const;
  bool takesSharedScratch(size_t instruction) const;

  std::byte *arenaBase(size_t arena) const;
  bool ownsArena(size_t arena) const;
  std::byte *argumentBase(size_t argument) const;
  std::byte *constantBase() const;
  /// What the operand's offset counts from.
  std::byte *baseOf(const Operand &operand) const;
  std::byte *scratchBase(size_t block) const;
  int64_t scratchBytes(size_t block) const;

  /// For observers; these wait for the device.
  Status fillArena(size_t arena, int64_t begin, int64_t bytes, int32_t byte);
  Status readArena(size_t arena, int64_t begin,
                   std::span<std::byte> host) const;
  Status fillScratch(size_t block, int32_t byte);
  Status readScratch(size_t block, int64_t begin,
                     std::span<std::byte> host) const;

private:
  explicit Executable(std::unique_ptr<ExecutableState> state);
  /// An empty order is that of the table, or of compiled code.
  Status runStep(std::span<const int32_t> order,
                 std::span<StepObserver *const> observers);
  std::unique_ptr<ExecutableState> state;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_EXECUTOR_H

//===- Scratch.h - Scratch beyond the plan ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_SCRATCH_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_SCRATCH_H

#include "LaunchTable.h"
#include "memplan/Runtime/Execute/Executor.h"

#include <map>

namespace memplan::runtime {

/// Prepares the instructions of a program and finds scratch for those that get
/// too little from it. Instructions of one stream run one after the other, so
/// that one block of the largest size serves them all.
class Scratch {
public:
  Scratch(const Device &device, const Program &program, LaunchTable &table)
      : device(device), program(program), table(table) {}
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// A block that instructions of one stream share.
  struct Block {
    int64_t bytes = 0;
    std::byte *base = nullptr; ///< left by the caller, who takes the memory
  };

  /// Prepares every instruction, with a shared block where it is wanted and
  /// fits. Takes no memory for the blocks.
  Status prepare(const ExecuteOptions &options);

  bool isShared(size_t instruction) const { return shared[instruction] >= 0; }
  /// Leaves the blocks in the launches that use them.
  void resolve();

  SharedScratch sum;
  MissingWorkspace missing;
  std::vector<Block> blocks;

private:
  Result<memplan_prepared_t> prepareOne(size_t instruction);
  /// Every operand lies at a multiple of `alignment`.
  Status checkPlaces(size_t instruction, int64_t alignment) const;
  int64_t roomBytes(const ExecuteOptions &options) const;
  /// The largest block by stream if instructions that want up to `limit` share.
  std::map<int32_t, int64_t> blocksWithin(int64_t limit) const;
  int64_t largestLimit(int64_t room) const;
  /// The block of each stream that has one.
  std::map<int32_t, size_t> makeBlocks(int64_t limit);
  Status share(size_t instruction, size_t block);

  const Device &device;
  const Program &program;
  LaunchTable &table;
  std::vector<void *> handles; ///< what the backend left, to be released
  std::vector<int64_t> wanted; ///< 0: the program gives enough
  std::vector<bool> needed;    ///< there is no kernel for less
  std::vector<int32_t> shared; ///< the block of an instruction, or -1
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_SCRATCH_H

//===- ValueUses.h - Where the values of a program end ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_VALUEUSES_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_VALUEUSES_H

#include "memplan/Runtime/Program/Program.h"

namespace memplan::runtime {

/// Which values of a program, by their number, nothing reads any more behind
/// each instruction.
class ValueUses {
public:
  explicit ValueUses(const Program &program);

  size_t valueCount() const { return count; }
  /// Values whose last user the instruction is, and its own outputs that
  /// nothing reads. Arguments that stay are not among them.
  const std::vector<int32_t> &lastUsesOf(size_t instruction) const {
    return ends[instruction];
  }
  /// A donated argument that the step does not update: it goes after its last
  /// user.
  bool isTransient(size_t argument) const { return transient[argument]; }

private:
  size_t count = 0;
  std::vector<std::vector<int32_t>> ends;
  std::vector<bool> transient;
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_VALUEUSES_H

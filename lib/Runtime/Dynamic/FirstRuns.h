//===- FirstRuns.h - A plan's program, each node once -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_DYNAMIC_FIRSTRUNS_H
#define MEMPLAN_LIB_RUNTIME_DYNAMIC_FIRSTRUNS_H

#include "memplan/Runtime/Program/Program.h"

namespace memplan::runtime {

/// What a planned program computes, without when it computes it again.
struct FirstRuns {
  /// Each instruction once, in the order of the plan. Which value an operand is
  /// counts, where it lies does not: the places are those of the plan.
  Program program;
  /// By instruction of the plan: the one of `program` that it runs.
  std::vector<int32_t> instructionOf;
  /// By value of the plan: the one of `program` that it is.
  std::vector<int32_t> valueOf;
};

/// First runs of a checked program that names its values. Fails where a
/// recomputation is of nothing that ran before.
Result<FirstRuns> firstRunsOf(const Program &planned);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_DYNAMIC_FIRSTRUNS_H

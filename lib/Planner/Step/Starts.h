//===- Starts.h - Plans that planning begins with ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan of last time, of another budget or by another tool. It is packed anew,
// searches go on from it, and what is planned is never slower than it where it
// keeps the budget.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STARTS_H
#define MEMPLAN_LIB_PLANNER_STEP_STARTS_H

#include "Reorder.h"

namespace memplan {

/// Reads the files that the option `start` names into `starts` and `startNote`
/// of the context. A file that cannot be read is an error; a plan that is none
/// of this step under these options is left out, and the note says why.
llvm::Error readStarts(const GraphIndex &given, PreparedStep &prepared);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STARTS_H

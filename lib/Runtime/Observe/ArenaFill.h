//===- ArenaFill.h - Filling arenas before a step ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_OBSERVE_ARENAFILL_H
#define MEMPLAN_LIB_RUNTIME_OBSERVE_ARENAFILL_H

#include "memplan/Runtime/Execute/Executor.h"

namespace memplan::runtime {

/// Fills every arena but for the arguments that lie in it.
Status fillArenas(Executable &executable, int32_t pattern);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_OBSERVE_ARENAFILL_H

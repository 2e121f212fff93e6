//===- RuntimeHandles.h - What handles of Runtime.h hold --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CAPI_RUNTIMEHANDLES_H
#define MEMPLAN_LIB_CAPI_RUNTIMEHANDLES_H

#include "memplan-c/Runtime.h"
#include "memplan/Runtime/Program/Program.h"

struct memplan_program {
  memplan::runtime::Program program;
};

#endif // MEMPLAN_LIB_CAPI_RUNTIMEHANDLES_H

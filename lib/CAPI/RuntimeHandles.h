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
#include "memplan/Runtime/Execute/Device.h"
#include "memplan/Runtime/Execute/StepLibrary.h"
#include "memplan/Runtime/Program/Program.h"

#include <memory>

struct memplan_session {
  memplan::runtime::Device device;
};

struct memplan_program {
  memplan::runtime::Program program;
  /// The code of the step where it came as a library.
  std::shared_ptr<memplan::runtime::StepLibrary> code = nullptr;
};

#endif // MEMPLAN_LIB_CAPI_RUNTIMEHANDLES_H

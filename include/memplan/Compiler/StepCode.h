//===- StepCode.h - Machine code of a step ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_STEPCODE_H
#define MEMPLAN_COMPILER_STEPCODE_H

#include "memplan/Runtime/Execute/StepLibrary.h"
#include "memplan/Runtime/Support/Status.h"
#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace memplan {

/// Code in this process, kept by `owner`.
struct StepCode {
  runtime::StepFunction step = nullptr;
  std::shared_ptr<void> owner;
};

/// Compiles a module that memplan-lower-to-runtime made into this process.
runtime::Result<StepCode> compileStep(mlir::ModuleOp lowered);

/// Writes the same module as a shared library that needs no other library.
/// Links with the system's C compiler driver.
runtime::Status writeStepLibrary(mlir::ModuleOp lowered,
                                 const std::string &path);

} // namespace memplan

#endif // MEMPLAN_COMPILER_STEPCODE_H

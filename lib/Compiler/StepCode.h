//===- StepCode.h - Machine code of a step ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_COMPILER_STEPCODE_H
#define MEMPLAN_LIB_COMPILER_STEPCODE_H

#include "memplan/Runtime/Execute/StepLibrary.h"
#include "mlir/IR/MLIRContext.h"

namespace memplan {

/// Code in this process, kept by `owner`.
struct StepCode {
  runtime::StepFunction step = nullptr;
  std::shared_ptr<void> owner;
};

/// Compiles the program's step into this process.
runtime::Result<StepCode> compileStep(mlir::MLIRContext &context,
                                      const runtime::Program &program);

/// Writes the program's step and table as a shared library that needs no other
/// library. Links with the system's C compiler driver.
runtime::Status writeStepLibrary(mlir::MLIRContext &context,
                                 const runtime::Program &program,
                                 const std::string &path);

} // namespace memplan

#endif // MEMPLAN_LIB_COMPILER_STEPCODE_H

//===- StepLibrary.h - Steps compiled to code -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_STEPLIBRARY_H
#define MEMPLAN_RUNTIME_EXECUTE_STEPLIBRARY_H

#include "memplan/Runtime/Program/Program.h"

#include <memory>

namespace memplan::runtime {

/// Launches one instruction of the running program on its operands: inputs,
/// outputs, workspace. Returns a memplan_status_t.
using StepLaunch = int32_t (*)(void *context, int32_t instruction,
                               void *const *operands);

/// A program table as code. It calls `launch` for each instruction in order, on
/// base pointers plus constant offsets. It stops at the first status that is
/// not MEMPLAN_OK.
using StepFunction = int32_t (*)(void *context, StepLaunch launch,
                                 void *const *arenas, void *const *arguments,
                                 void *constants);

/// A shared library with a compiled step and the table that it was made from.
/// A step library needs no other library. The code stays loaded with the
/// object.
class StepLibrary {
public:
  static constexpr const char *stepSymbol = "memplan_step";
  static constexpr const char *programSymbol = "memplan_program";
  static constexpr const char *programBytesSymbol = "memplan_program_bytes";

  static Result<StepLibrary> open(const std::string &path);

  const Program &program() const { return table; }
  StepFunction step() const { return function; }

private:
  std::shared_ptr<void> library;
  Program table;
  StepFunction function = nullptr;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_STEPLIBRARY_H

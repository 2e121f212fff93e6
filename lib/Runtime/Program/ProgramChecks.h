//===- ProgramChecks.h - Parts of Program::check() --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_PROGRAM_PROGRAMCHECKS_H
#define MEMPLAN_LIB_RUNTIME_PROGRAM_PROGRAMCHECKS_H

#include "memplan/Runtime/Program/Program.h"

#include <string>

namespace memplan::runtime {

Status checkType(DType dtype, const std::vector<int64_t> &shape,
                 const std::string &what);
/// Arenas, arguments and the sum of their bytes.
Status checkDeclarations(const Program &program);
/// The numbers of values, of a program whose operands are checked.
Status checkValues(const Program &program);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_PROGRAM_PROGRAMCHECKS_H

//===- UpdateCopies.h - Updates that happen at once -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_UPDATECOPIES_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_UPDATECOPIES_H

#include "memplan/Runtime/Program/Program.h"

#include <vector>

namespace memplan::runtime {

/// The updates of a program as copies in an order in which no copy overwrites
/// what a later one reads. Where arguments take each other's values in a circle
/// one of them goes through a temporary.
struct UpdateCopies {
  struct Copy {
    const Operand *source = nullptr; ///< null: the temporary
    int32_t argument = -1;           ///< -1: the temporary
    int64_t bytes = 0;
  };
  std::vector<Copy> copies;
  int64_t temporaryBytes = 0;

  /// The program must stay where it is.
  explicit UpdateCopies(const Program &program);
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_UPDATECOPIES_H

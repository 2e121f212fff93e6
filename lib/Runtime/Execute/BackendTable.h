//===- BackendTable.h - Tables of backends, checked -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_BACKENDTABLE_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_BACKENDTABLE_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Support/Status.h"

#include <string>

namespace memplan::runtime {

/// A copy of a table that may come from an older or a newer build: the fields
/// that it lacks are null, and those that this build does not know are left
/// out. MEMPLAN_UNAVAILABLE, with a text that begins with `who`, for another
/// ABI version, a size that no table has, or a null where a function is needed.
Result<memplan_backend_t> completeTable(const memplan_backend_t *table,
                                        const std::string &who);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_BACKENDTABLE_H

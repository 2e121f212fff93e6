//===- Backends.h - Backends by name ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime knows no backend by itself: an application registers what it has,
// see memplan/Kernels/Register/BuiltIn.h.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_BACKENDS_H
#define MEMPLAN_RUNTIME_EXECUTE_BACKENDS_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Support/Status.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::runtime {

/// Makes `findBackend(name)` give this table, which must live as long as the
/// process uses it. A table that is not sound is refused, and so is a name that
/// belongs to another table; the same table again is no error.
Status registerBackend(std::string_view name, const memplan_backend_t *table);

/// Makes `findBackend(name)` open the plugin `fileName`, which is looked for in
/// $MEMPLAN_PLUGIN_PATH, beside the program, in ../lib from there, and where
/// the loader looks.
Status registerBackendPlugin(std::string_view name, std::string_view fileName);

/// A registered backend. A name with a '/' is the path of a plugin.
Result<const memplan_backend_t *> findBackend(std::string_view name);

/// The names that findBackend knows without a path, in the order in which they
/// were registered.
std::vector<std::string> backendNames();

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_BACKENDS_H

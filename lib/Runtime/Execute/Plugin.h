//===- Plugin.h - Backends in shared libraries ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_PLUGIN_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_PLUGIN_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Support/Status.h"

#include <string>

namespace memplan::runtime {

/// Opens a plugin file and completes its table, see completeTable(). Plugins
/// stay open: their devices may outlive any one caller. MEMPLAN_UNAVAILABLE
/// when it cannot be opened, with the loader's reason, or has no sound table.
Result<const memplan_backend_t *> loadPluginFile(const std::string &path);

/// Looks for `fileName` in the directories of $MEMPLAN_PLUGIN_PATH (split at
/// ':'), beside the running program, in ../lib from there, and where the loader
/// looks.
Result<const memplan_backend_t *> loadPlugin(const std::string &fileName);

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_PLUGIN_H

//===- Plugin.cpp - Backends in shared libraries --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"

#include "BackendTable.h"

#include "memplan/Runtime/Support/PluginPath.h"

#include <dlfcn.h>
#include <map>
#include <mutex>

namespace memplan::runtime {

Result<const memplan_backend_t *> loadPluginFile(const std::string &path) {
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Status{MEMPLAN_UNAVAILABLE, "cannot open the backend plugin '" +
                                           path + "': " + ::dlerror()};
  auto *entry = reinterpret_cast<memplan_backend_entry_t>(
      ::dlsym(library, MEMPLAN_BACKEND_ENTRY));
  if (!entry) {
    ::dlclose(library);
    return Status{MEMPLAN_UNAVAILABLE,
                  "'" + path +
                      "' is not a backend plugin: it lacks "
                      "the function " MEMPLAN_BACKEND_ENTRY};
  }
  Result<memplan_backend_t> table =
      completeTable(entry(), "the plugin '" + path + "'");
  if (!table) {
    ::dlclose(library);
    return table.error();
  }
  // Devices point at their table. A library that is open already gives the same
  // entry, and so the same table as before.
  static std::mutex mutex;
  static auto &tables = *new std::map<void *, memplan_backend_t>;
  std::lock_guard lock(mutex);
  void *key = reinterpret_cast<void *>(entry);
  return &tables.emplace(key, *table).first->second;
}

Result<const memplan_backend_t *> loadPlugin(const std::string &fileName) {
  return loadPluginFile(findPlugin(fileName));
}

} // namespace memplan::runtime

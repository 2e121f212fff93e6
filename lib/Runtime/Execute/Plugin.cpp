//===- Plugin.cpp - Backends in shared libraries --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"

#include "BackendTable.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

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

static std::vector<std::filesystem::path> searchPath() {
  std::vector<std::filesystem::path> path;
  if (const char *variable = std::getenv("MEMPLAN_PLUGIN_PATH")) {
    std::string rest = variable;
    while (!rest.empty()) {
      size_t colon = rest.find(':');
      if (colon != 0)
        path.emplace_back(rest.substr(0, colon));
      rest = colon == rest.npos ? "" : rest.substr(colon + 1);
    }
  }
  std::error_code error;
  std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    path.push_back(program.parent_path());
    path.push_back(program.parent_path().parent_path() / "lib");
  }
  return path;
}

Result<const memplan_backend_t *> loadPlugin(const std::string &fileName) {
  for (const std::filesystem::path &directory : searchPath()) {
    std::filesystem::path file = directory / fileName;
    std::error_code error;
    if (std::filesystem::exists(file, error))
      return loadPluginFile(file.string());
  }
  return loadPluginFile(fileName);
}

} // namespace memplan::runtime

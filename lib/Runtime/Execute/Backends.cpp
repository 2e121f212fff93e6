//===- Backends.cpp - Backends by name ------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/Backends.h"

#include "BackendTable.h"
#include "Plugin.h"

#include <mutex>

namespace memplan::runtime {

namespace {
struct Backend {
  std::string name;
  const memplan_backend_t *table = nullptr; ///< null for a plugin
  std::string plugin;
};

struct Registry {
  std::mutex mutex;
  std::vector<Backend> backends;
};
} // namespace

/// Never destroyed: programs look up backends as late as they like.
static Registry &registry() {
  static Registry &registry = *new Registry;
  return registry;
}

static Status add(Backend backend) {
  if (backend.name.empty() || backend.name.find('/') != std::string::npos)
    return invalid("'" + backend.name +
                   "' cannot name a backend: a name is not empty and has no "
                   "'/'");
  std::lock_guard lock(registry().mutex);
  for (const Backend &known : registry().backends)
    if (known.name == backend.name)
      return known.table == backend.table && known.plugin == backend.plugin
                 ? Status::success()
                 : invalid("another backend '" + backend.name +
                           "' is registered already");
  registry().backends.push_back(std::move(backend));
  return Status::success();
}

Status registerBackend(std::string_view name, const memplan_backend_t *table) {
  std::string text(name);
  Result<memplan_backend_t> checked =
      completeTable(table, "the backend '" + text + "'");
  if (!checked)
    return checked.error();
  if (table->struct_bytes < int32_t(sizeof(memplan_backend_t)))
    return invalid("the backend '" + text +
                   "' is not of this build: load it as a plugin");
  return add({std::move(text), table, ""});
}

Status registerBackendPlugin(std::string_view name, std::string_view fileName) {
  return add({std::string(name), nullptr, std::string(fileName)});
}

std::vector<std::string> backendNames() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const Backend &backend : registry().backends)
    names.push_back(backend.name);
  return names;
}

static std::string knownNames() {
  std::string known;
  for (const std::string &other : backendNames())
    known += (known.empty() ? "" : ", ") + other;
  return known.empty() ? "none, because this program registers no backend"
                       : known;
}

Result<const memplan_backend_t *> findBackend(std::string_view name) {
  if (name.find('/') != name.npos)
    return loadPluginFile(std::string(name));
  Backend found;
  {
    std::lock_guard lock(registry().mutex);
    for (const Backend &backend : registry().backends)
      if (backend.name == name)
        found = backend;
  }
  if (found.table)
    return found.table;
  if (!found.plugin.empty())
    return loadPlugin(found.plugin);
  return Status{MEMPLAN_UNAVAILABLE, "no backend '" + std::string(name) +
                                         "'; known are " + knownNames() +
                                         ", and the path of a plugin"};
}

} // namespace memplan::runtime

//===- PluginPath.cpp - Where plugins are looked for ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/PluginPath.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace memplan::runtime {

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

std::string findPlugin(const std::string &fileName) {
  for (const std::filesystem::path &directory : searchPath()) {
    std::filesystem::path file = directory / fileName;
    std::error_code error;
    if (std::filesystem::exists(file, error))
      return file.string();
  }
  return fileName;
}

} // namespace memplan::runtime

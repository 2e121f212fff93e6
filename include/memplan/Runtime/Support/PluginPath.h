//===- PluginPath.h - Where plugins are looked for --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_PLUGINPATH_H
#define MEMPLAN_RUNTIME_SUPPORT_PLUGINPATH_H

#include <string>

namespace memplan::runtime {

/// Looks for `fileName` in the directories of $MEMPLAN_PLUGIN_PATH (split at
/// ':'), beside the running program, and in ../lib from there. The path, or the
/// name itself where no directory has it, for the loader to look.
std::string findPlugin(const std::string &fileName);

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_PLUGINPATH_H

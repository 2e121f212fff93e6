//===- ScopePaths.cpp - Where a location says that it is ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopePaths.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace {
/// Fused locations of calls that call each other have as many paths as their
/// product; so many of them say where an operation is.
constexpr size_t mostPaths = 16;
} // namespace

static void addPaths(Location location, std::vector<std::string> &paths);

static std::vector<std::string> pathsOf(Location location) {
  std::vector<std::string> paths;
  addPaths(location, paths);
  return paths;
}

/// A call brings what it calls below each place that the caller is at.
static void addCallPaths(CallSiteLoc call, std::vector<std::string> &paths) {
  const std::vector<std::string> callers = pathsOf(call.getCaller());
  const std::vector<std::string> callees = pathsOf(call.getCallee());
  if (callers.empty() || callees.empty()) {
    llvm::append_range(paths, callers.empty() ? callees : callers);
    return;
  }
  for (const std::string &caller : callers)
    for (const std::string &callee : callees)
      if (paths.size() < mostPaths)
        paths.push_back(caller + "/" + callee);
}

static void addPaths(Location location, std::vector<std::string> &paths) {
  if (paths.size() >= mostPaths)
    return;
  if (auto name = dyn_cast<NameLoc>(location)) {
    if (!name.getName().empty())
      paths.push_back(name.getName().str());
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    addCallPaths(call, paths);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      addPaths(part, paths);
  }
}

std::vector<std::string> mlir::memplan::scopePaths(Location location) {
  std::vector<std::string> unique;
  for (std::string &path : pathsOf(location))
    if (unique.size() < mostPaths && !llvm::is_contained(unique, path))
      unique.push_back(std::move(path));
  return unique;
}

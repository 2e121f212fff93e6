//===- Version.cpp - What this build of memplan is ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Support/Version.h"
#include "memplan/Support/Config.h"
#include <utility>

namespace memplan {

std::string versionText() {
  std::string text = "memplan " MEMPLAN_VERSION "\n  features:";
  const std::pair<const char *, bool> features[] = {
      {"mlir", MEMPLAN_HAS_MLIR}, {"highs", MEMPLAN_HAS_HIGHS},
      {"cbc", MEMPLAN_HAS_CBC},   {"onednn", MEMPLAN_HAS_ONEDNN},
      {"cuda", MEMPLAN_HAS_CUDA},
  };
  for (auto [name, isBuiltIn] : features) {
    text += isBuiltIn ? " +" : " -";
    text += name;
  }
  return text + "\n";
}

} // namespace memplan

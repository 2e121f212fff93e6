//===- Version.h - What this build of memplan is ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_VERSION_H
#define MEMPLAN_SUPPORT_VERSION_H

#include <string>

namespace memplan {

/// What every tool prints for --version, with a final newline:
///   memplan 0.1.0
///     features: +mlir +highs -onednn -cuda
/// A feature is built in (+) or not (-). A test compares the second line with
/// the features that lit uses.
std::string versionText();

} // namespace memplan

#endif // MEMPLAN_SUPPORT_VERSION_H

//===- MemplanOpt.h - The body of memplan-opt -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANOPT_H
#define MEMPLAN_TOOLS_MEMPLANOPT_H

namespace memplan {

/// MLIR's optimizer driver with memplan's passes, and flags that build the
/// planning pipeline. Returns the exit status.
int memplanOptMain(int argc, char **argv);

} // namespace memplan

#endif // MEMPLAN_TOOLS_MEMPLANOPT_H

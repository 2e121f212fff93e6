//===- memplan-opt.cpp - MLIR's optimizer driver with memplan's passes ----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/MemplanOpt.h"

int main(int argc, char **argv) { return memplan::memplanOptMain(argc, argv); }

//===- memplan-solve.cpp - Problem file in, plan out ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/Solve.h"

int main(int argc, char **argv) { return memplan::solveMain(argc, argv); }

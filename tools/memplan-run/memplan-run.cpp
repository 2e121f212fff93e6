//===- memplan-run.cpp - Runs training steps ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/CompileTool.h"

int main(int argc, char **argv) {
  return memplan::runToolMain(argc, argv, memplan::compilePrograms,
                              memplan::compileHelp());
}

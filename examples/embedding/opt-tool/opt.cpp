//===- opt.cpp - A compiler with memplan's passes in it -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a host adds to the driver that it has: one include and one call. Its own
// dialects and passes stand beside it.
//
//===----------------------------------------------------------------------===//

#include <memplan/InitAll.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::memplan::registerAll(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "opt-tool: a host with memplan in it\n", registry));
}

//===- LspServer.cpp - The body of memplan-lsp-server ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/LspServer.h"
#include "memplan/InitAll.h"
#include "memplan/Support/Version.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

int memplan::lspServerMain(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << versionText() << "  MLIR " LLVM_VERSION_STRING "\n";
  });
  mlir::DialectRegistry registry;
  mlir::memplan::registerAllDialects(registry);
  mlir::memplan::registerAllExtensions(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

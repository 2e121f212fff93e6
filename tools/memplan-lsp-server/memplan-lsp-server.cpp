//===- memplan-lsp-server.cpp - MLIR's language server with memplan -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Tools/LspServer.h"

int main(int argc, char **argv) { return memplan::lspServerMain(argc, argv); }

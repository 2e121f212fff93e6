//===- LspServer.h - The body of memplan-lsp-server -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_LSPSERVER_H
#define MEMPLAN_TOOLS_LSPSERVER_H

namespace memplan {

/// MLIR's language server for files with memplan's dialect, over standard input
/// and output. Returns the exit status.
int lspServerMain(int argc, char **argv);

} // namespace memplan

#endif // MEMPLAN_TOOLS_LSPSERVER_H

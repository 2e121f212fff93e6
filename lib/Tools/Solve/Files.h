//===- Files.h - Reading whole files ----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_SOLVE_FILES_H
#define MEMPLAN_LIB_TOOLS_SOLVE_FILES_H

#include "memplan/Graph/Graph.h"
#include "memplan/Support/OutputFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace memplan {

/// The file's text; `-` is standard input.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);
/// Reads a graph, printing warnings; errors name the file.
llvm::Expected<Graph> readGraphFile(llvm::StringRef path);
void printWarnings(llvm::StringRef path,
                   const std::vector<std::string> &warnings);
/// Prefixes an error with the file it is about.
llvm::Error inFile(llvm::StringRef path, llvm::Error error);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_SOLVE_FILES_H

//===- Files.cpp - Reading whole files ------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "memplan/Graph/GraphJson.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace memplan {

Error inFile(StringRef path, Error error) {
  std::string name = path == "-" ? "<stdin>" : path.str();
  return createStringError(name + ": " + toString(std::move(error)));
}

Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return std::move(*buffer);
}

void printWarnings(StringRef path, const std::vector<std::string> &warnings) {
  for (const std::string &warning : warnings)
    WithColor::warning(errs(), "memplan-solve")
        << path << ": " << warning << '\n';
}

/// By its name, or by what such programs begin with.
static bool isMlir(StringRef path, StringRef text) {
  const StringRef begin = text.ltrim();
  return path.ends_with(".mlir") || begin.starts_with("//") ||
         begin.starts_with("module") || begin.starts_with("func.func") ||
         begin.starts_with("builtin.");
}

Expected<Graph> readGraphFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  std::vector<std::string> warnings;
  Expected<Graph> graph = parseGraph((*buffer)->getBuffer(), &warnings);
  if (!graph && isMlir(path, (*buffer)->getBuffer())) {
    consumeError(graph.takeError());
    return createStringError(
        path +
        ": is a program in MLIR; memplan-solve takes its graph: "
        "memplan-opt --emit=graph " +
        path + " -o step.graph.json");
  }
  if (!graph)
    return inFile(path, graph.takeError());
  printWarnings(path, warnings);
  return graph;
}

} // namespace memplan

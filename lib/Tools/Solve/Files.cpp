//===- Files.cpp - Reading and writing whole files ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "memplan/Graph/GraphJson.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
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

Error writeFile(StringRef path, function_ref<void(raw_ostream &)> write) {
  std::error_code error;
  ToolOutputFile file(path, error, sys::fs::OF_None);
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  write(file.os());
  file.os().flush();
  if (file.os().has_error()) {
    error = file.os().error();
    file.os().clear_error();
    return createStringError("cannot write '" + path + "': " + error.message());
  }
  file.keep();
  return Error::success();
}

Error checkWritable(StringRef path) {
  if (path.empty() || path == "-")
    return Error::success();
  StringRef folder = sys::path::parent_path(path);
  bool exists = sys::fs::exists(path);
  StringRef target = exists ? path : folder.empty() ? "." : folder;
  if (std::error_code error =
          sys::fs::access(target, sys::fs::AccessMode::Write))
    return createStringError("cannot write '" + path + "': " + error.message());
  if (sys::fs::is_directory(path))
    return createStringError("cannot write '" + path + "': it is a directory");
  return Error::success();
}

void printWarnings(StringRef path, const std::vector<std::string> &warnings) {
  for (const std::string &warning : warnings)
    WithColor::warning(errs(), "memplan-solve")
        << path << ": " << warning << '\n';
}

Expected<Graph> readGraphFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  std::vector<std::string> warnings;
  Expected<Graph> graph = parseGraph((*buffer)->getBuffer(), &warnings);
  if (!graph)
    return inFile(path, graph.takeError());
  printWarnings(path, warnings);
  return graph;
}

} // namespace memplan

//===- FileIO.cpp - Whole files in and out --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/FileIO.h"
#include "memplan/Support/ReplaceFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace memplan::runtime {

namespace {
struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
} // namespace
using File = std::unique_ptr<std::FILE, CloseFile>;

static Status failed(const char *what, const std::string &path, int error) {
  return invalid("cannot " + std::string(what) + " '" + path +
                 "': " + std::strerror(error));
}

Result<std::vector<std::byte>> readFile(const std::string &path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return failed("open", path, errno);
  std::vector<std::byte> bytes;
  // Reads by blocks rather than by the size that the file claims: pipes work.
  constexpr size_t blockBytes = size_t(1) << 20;
  for (size_t used = 0;;) {
    bytes.resize(used + blockBytes);
    size_t got = std::fread(bytes.data() + used, 1, blockBytes, file.get());
    used += got;
    if (got < blockBytes) {
      if (std::ferror(file.get()))
        return failed("read", path, errno);
      bytes.resize(used);
      return bytes;
    }
  }
}

static Status asStatus(const std::string &error) {
  return error.empty() ? Status::success() : invalid(error);
}

Status writeFile(const std::string &path, std::span<const std::byte> bytes) {
  return asStatus(replaceFile(path, bytes));
}

Status checkWritable(const std::string &path) {
  return asStatus(checkReplaceable(path));
}

} // namespace memplan::runtime

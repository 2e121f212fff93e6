//===- StepLibrary.cpp - Steps compiled to code ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/StepLibrary.h"

#include "memplan/Runtime/Program/ProgramIO.h"
#include "memplan/Runtime/Support/FileIO.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>

namespace memplan::runtime {

/// Bytes that a shared library says it has, by its segments and its table of
/// sections; 0 for other files, which the loader refuses by itself. The loader
/// maps what a file says without looking how long it is, and a page behind its
/// end is SIGBUS.
static uint64_t statedBytes(std::span<const std::byte> file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof(header))
    return 0;
  std::memcpy(&header, file.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return 0;
  auto end = [](uint64_t begin, uint64_t bytes) {
    return bytes > UINT64_MAX - begin ? UINT64_MAX : begin + bytes;
  };
  const uint64_t segments =
      end(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr));
  uint64_t most =
      std::max(segments, end(header.e_shoff,
                             uint64_t(header.e_shnum) * header.e_shentsize));
  for (uint64_t i = 0; segments <= file.size() && i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof(Elf64_Phdr),
                sizeof(segment));
    most = std::max(most, end(segment.p_offset, segment.p_filesz));
  }
  return most;
}

static Status checkWhole(const std::string &path) {
  Result<std::vector<std::byte>> file = readFile(path);
  if (!file)
    return file.error();
  const uint64_t stated = statedBytes(*file);
  return stated <= file->size()
             ? Status::success()
             : invalid("the step library '" + path + "' is cut short: it has " +
                       std::to_string(file->size()) + " of " +
                       std::to_string(stated) + " bytes");
}

Result<StepLibrary> StepLibrary::open(const std::string &path) {
  StepLibrary result;
  // Without a slash the loader would search the system's folders.
  std::string file = path.find('/') == path.npos ? "./" + path : path;
  if (Status s = checkWhole(file); !s.ok())
    return s;
  void *handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return invalid("cannot open the step library '" + path +
                   "': " + ::dlerror());
  result.library = {handle, [](void *open) { ::dlclose(open); }};
  result.function = reinterpret_cast<StepFunction>(::dlsym(handle, stepSymbol));
  const void *bytes = ::dlsym(handle, programSymbol);
  const void *count = ::dlsym(handle, programBytesSymbol);
  if (!result.function || !bytes || !count)
    return invalid("'" + path +
                   "' is not a step library: it lacks memplan_step, "
                   "memplan_program or memplan_program_bytes");
  int64_t size;
  std::memcpy(&size, count, sizeof(size));
  if (size < 0)
    return invalid("'" + path + "' holds a program of " + std::to_string(size) +
                   " bytes");
  Result<Program> program =
      parseProgram({static_cast<const std::byte *>(bytes), size_t(size)});
  if (!program)
    return Status{program.error().code,
                  "'" + path + "': " + program.error().message};
  result.table = std::move(*program);
  return result;
}

} // namespace memplan::runtime

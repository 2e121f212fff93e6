//===- StepLibrary.cpp - Steps compiled to code ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Execute/StepLibrary.h"

#include "memplan/Runtime/Program/ProgramIO.h"

#include <cstring>
#include <dlfcn.h>

namespace memplan::runtime {

Result<StepLibrary> StepLibrary::open(const std::string &path) {
  StepLibrary result;
  // Without a slash the loader would search the system's folders.
  std::string file = path.find('/') == path.npos ? "./" + path : path;
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

//===- Symbols.cpp - Libraries opened when they are first needed ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

#include <dlfcn.h>

namespace memplan::runtime::cuda {

SharedLibrary::SharedLibrary(const char *file, const char *probe)
    : handle(::dlsym(RTLD_DEFAULT, probe)
                 ? RTLD_DEFAULT
                 : ::dlopen(file, RTLD_NOW | RTLD_LOCAL)),
      found(handle != nullptr || ::dlsym(RTLD_DEFAULT, probe)) {}

void *SharedLibrary::address(const char *name) {
  void *symbol = found ? ::dlsym(handle, name) : nullptr;
  found = found && symbol;
  return symbol;
}

} // namespace memplan::runtime::cuda

//===- Symbols.cpp - Libraries opened when they are first needed ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace memplan::runtime::cuda {

void SharedLibrary::openFrom(const std::string &folders) {
  for (size_t begin = 0; begin < folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string path = folders.substr(begin, end - begin) + "/" + file;
    begin = end + 1;
    if (::access(path.c_str(), F_OK) != 0)
      continue;
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      why = ::dlerror();
    return;
  }
  why = std::string(file) +
        " lies in no folder of MEMPLAN_CUDA_LIBRARIES=" + folders;
}

SharedLibrary::SharedLibrary(const char *file, const char *probe, Origin origin)
    : file(file) {
  const char *folders =
      origin == OfToolkit ? std::getenv("MEMPLAN_CUDA_LIBRARIES") : nullptr;
  if (folders && *folders) {
    openFrom(folders);
    return;
  }
  // RTLD_DEFAULT is null.
  if (::dlsym(RTLD_DEFAULT, probe))
    return;
  handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    why = ::dlerror();
}

void *SharedLibrary::address(const char *name) {
  if (!complete())
    return nullptr;
  void *symbol = ::dlsym(handle, name);
  if (!symbol)
    why = std::string(file) + " lacks " + name;
  return symbol;
}

} // namespace memplan::runtime::cuda

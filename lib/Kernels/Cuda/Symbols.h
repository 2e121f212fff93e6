//===- Symbols.h - Libraries opened when they are first needed ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H
#define MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H

#include <string>

namespace memplan::runtime::cuda {

/// A shared library of NVIDIA's, opened when a device is. cuBLAS and cuDNN
/// weigh hundreds of megabytes: a machine without a GPU never loads them.
class SharedLibrary {
public:
  /// A library of the driver is in no folder of MEMPLAN_CUDA_LIBRARIES.
  enum Origin { OfToolkit, OfDriver };
  /// Opens the file from one of the folders that MEMPLAN_CUDA_LIBRARIES lists,
  /// split at ':'. Without that variable, takes a library that the process has
  /// already (one that defines `probe`), else what the loader finds.
  SharedLibrary(const char *file, const char *probe, Origin origin = OfToolkit);

  /// False once a symbol was missing or the file could not be opened.
  bool complete() const { return why.empty(); }
  /// Why it is not complete.
  const std::string &reason() const { return why; }

  template <typename Function>
  void symbol(const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(const char *name);

  void openFrom(const std::string &folders);

  const char *file;
  void *handle = nullptr;
  std::string why;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H

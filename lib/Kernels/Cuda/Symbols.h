//===- Symbols.h - Libraries opened when they are first needed ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H
#define MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H

namespace memplan::runtime::cuda {

/// A shared library of NVIDIA's. cuBLAS and cuDNN weigh hundreds of megabytes:
/// a program without products or convolutions, and a machine without a GPU,
/// never load them.
class SharedLibrary {
public:
  /// Takes a library that the process has already (one that defines `probe`),
  /// else opens the file.
  SharedLibrary(const char *file, const char *probe);

  /// False once a symbol was missing or the file could not be opened.
  bool complete() const { return found; }

  template <typename Function>
  void symbol(const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(const char *name);

  void *handle;
  bool found;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_SYMBOLS_H

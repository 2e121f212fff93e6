//===- Blas.cpp - Products through cuBLAS ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MatmulShape.h"
#include "Kernel.h"
#include "Symbols.h"

#include <algorithm>
#include <climits>
#include <cublas_v2.h>

namespace memplan::runtime::cuda {

using kernels::MatmulShape;

namespace {
struct BlasLibrary {
  decltype(cublasCreate_v2) *create;
  decltype(cublasDestroy_v2) *destroy;
  decltype(cublasSetStream_v2) *setStream;
  decltype(cublasSetWorkspace_v2) *setWorkspace;
  decltype(cublasSetMathMode) *setMathMode;
  decltype(cublasGetStatusString) *text;
  decltype(cublasSgemmStridedBatched) *multiply;
};
} // namespace

/// Null where cuBLAS is not there or not complete.
static const BlasLibrary *blasLibrary() {
  static BlasLibrary functions;
  static const bool complete = [] {
    SharedLibrary library(MEMPLAN_CUBLAS_FILE, "cublasCreate_v2");
    library.symbol("cublasCreate_v2", functions.create);
    library.symbol("cublasDestroy_v2", functions.destroy);
    library.symbol("cublasSetStream_v2", functions.setStream);
    library.symbol("cublasSetWorkspace_v2", functions.setWorkspace);
    library.symbol("cublasSetMathMode", functions.setMathMode);
    library.symbol("cublasGetStatusString", functions.text);
    library.symbol("cublasSgemmStridedBatched", functions.multiply);
    return library.complete();
  }();
  return complete ? &functions : nullptr;
}

struct BlasHandle {
  const BlasLibrary &library;
  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr; ///< that it was told last

  explicit BlasHandle(const BlasLibrary &library) : library(library) {}
  BlasHandle(const BlasHandle &) = delete;
  ~BlasHandle() {
    if (handle)
      library.destroy(handle);
  }
};

static memplan_status_t failed(Device &device, const BlasLibrary &library,
                               cublasStatus_t code, const char *what) {
  return device.fail(MEMPLAN_FAILED, "%s: %s", what, library.text(code));
}

/// The device's handle, made on the first call; null where there is none.
static BlasHandle *blasOf(Device &device) {
  if (device.triedBlas)
    return device.blas.get();
  device.triedBlas = true;
  const BlasLibrary *library =
      mayUseLibrary("cublas") ? blasLibrary() : nullptr;
  if (!library)
    return nullptr;
  auto blas = std::make_shared<BlasHandle>(*library);
  // CUBLAS_DEFAULT_MATH multiplies f32 as f32: no TF32.
  if (library->create(&blas->handle) == CUBLAS_STATUS_SUCCESS &&
      library->setStream(blas->handle, device.stream) ==
          CUBLAS_STATUS_SUCCESS &&
      library->setMathMode(blas->handle, CUBLAS_DEFAULT_MATH) ==
          CUBLAS_STATUS_SUCCESS)
    device.blas = std::move(blas);
  if (device.blas)
    device.blas->stream = device.stream;
  return device.blas.get();
}

/// Scratch lets cuBLAS split long sums; which kernels it takes depends on the
/// size, so each launch gives exactly this much, however much is there.
static int64_t scratchBytes(const MatmulShape &shape) {
  constexpr int64_t least = 16 << 10, most = 4 << 20;
  int64_t wanted = shape.batches * shape.m * shape.n * 4 * 8;
  return std::clamp(wanted, least, most) / 256 * 256;
}

static memplan_status_t prepareMatmul(Device &device,
                                      const memplan_launch_t *description,
                                      memplan_prepared_t *prepared) {
  MatmulShape s(description);
  if (std::max({s.batches, s.m, s.n, s.k}) > INT_MAX ||
      std::min({s.batches, s.m, s.n, s.k}) < 1)
    return MEMPLAN_UNAVAILABLE;
  if (device.planOnly ? !mayUseLibrary("cublas") : !blasOf(device))
    return MEMPLAN_UNAVAILABLE;
  prepared->workspace_bytes = scratchBytes(s);
  return MEMPLAN_OK;
}

/// cuBLAS counts columns first. Read so, a row-major matrix is its own
/// transpose, and y = a b is y' = b' a': the operands trade places.
static memplan_status_t matmul(const Call &call) {
  MatmulShape s(call.launch);
  BlasHandle &blas = *call.device.blas;
  const BlasLibrary &library = blas.library;
  cublasStatus_t code = CUBLAS_STATUS_SUCCESS;
  // Takes its workspace away, so it comes first.
  if (blas.stream != call.device.stream)
    code = library.setStream(blas.handle, call.device.stream);
  if (code != CUBLAS_STATUS_SUCCESS)
    return failed(call.device, library, code, "cublasSetStream");
  blas.stream = call.device.stream;
  code = library.setWorkspace(blas.handle, call.launch->workspace,
                              size_t(scratchBytes(s)));
  if (code != CUBLAS_STATUS_SUCCESS)
    return failed(call.device, library, code, "cublasSetWorkspace");
  const float one = 1, zero = 0;
  code = library.multiply(
      blas.handle, s.transposeRhs ? CUBLAS_OP_T : CUBLAS_OP_N,
      s.transposeLhs ? CUBLAS_OP_T : CUBLAS_OP_N, int(s.n), int(s.m), int(s.k),
      &one, call.in(1), int(s.transposeRhs ? s.k : s.n),
      s.batchedRhs ? s.k * s.n : 0, call.in(0), int(s.transposeLhs ? s.m : s.k),
      s.m * s.k, &zero, call.out(0), int(s.n), s.m * s.n, int(s.batches));
  if (code != CUBLAS_STATUS_SUCCESS)
    return failed(call.device, library, code, "cublasSgemmStridedBatched");
  if (const float *bias = call.in(2))
    addBias(call, call.out(0), bias, s.batches * s.m * s.n, s.n, 1);
  return MEMPLAN_OK;
}

KernelTable blasKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.matmul", matmul, prepareMatmul},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

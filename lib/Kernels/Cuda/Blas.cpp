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
  decltype(cublasGetProperty) *property;
  decltype(cublasSetStream_v2) *setStream;
  decltype(cublasSetWorkspace_v2) *setWorkspace;
  decltype(cublasSetMathMode) *setMathMode;
  decltype(cublasGetStatusString) *text;
  decltype(cublasSgemmStridedBatched) *multiply;
};
} // namespace

/// Why cuBLAS cannot be used; "" if it can.
static std::string load(BlasLibrary &f) {
  SharedLibrary library(MEMPLAN_CUBLAS_FILE, "cublasCreate_v2");
  library.symbol("cublasCreate_v2", f.create);
  library.symbol("cublasDestroy_v2", f.destroy);
  library.symbol("cublasGetProperty", f.property);
  library.symbol("cublasSetStream_v2", f.setStream);
  library.symbol("cublasSetWorkspace_v2", f.setWorkspace);
  library.symbol("cublasSetMathMode", f.setMathMode);
  library.symbol("cublasGetStatusString", f.text);
  library.symbol("cublasSgemmStridedBatched", f.multiply);
  return library.reason();
}

struct BlasHandle {
  BlasLibrary library = {};
  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr; ///< that it was told last

  BlasHandle() = default;
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

memplan_status_t openBlas(Device &device) {
  if (!mayUseLibrary("cublas"))
    return MEMPLAN_OK;
  auto blas = std::make_shared<BlasHandle>();
  const BlasLibrary &library = blas->library;
  if (std::string why = load(blas->library); !why.empty())
    return device.noLibrary("cuBLAS", "cublas", why);
  auto next = [&](cublasStatus_t code, const char *what) {
    return code == CUBLAS_STATUS_SUCCESS
               ? MEMPLAN_OK
               : device.noLibrary("cuBLAS", "cublas",
                                  what + std::string(": ") +
                                      library.text(code));
  };
  memplan_status_t status = next(library.create(&blas->handle), "cublasCreate");
  if (status == MEMPLAN_OK)
    status =
        next(library.setStream(blas->handle, device.stream), "cublasSetStream");
  // CUBLAS_DEFAULT_MATH multiplies f32 as f32: no TF32.
  if (status == MEMPLAN_OK)
    status = next(library.setMathMode(blas->handle, CUBLAS_DEFAULT_MATH),
                  "cublasSetMathMode");
  if (status != MEMPLAN_OK)
    return status;
  int major = 0, minor = 0, patch = 0;
  library.property(MAJOR_VERSION, &major);
  library.property(MINOR_VERSION, &minor);
  library.property(PATCH_LEVEL, &patch);
  device.addVersion("cuBLAS", major, minor, patch);
  blas->stream = device.stream;
  device.blas = std::move(blas);
  return MEMPLAN_OK;
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
  if (device.planOnly ? !mayUseLibrary("cublas") : !device.blas)
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
  call.device.forgetLibraryError();
  if (const float *bias = call.in(2))
    addBias(call, call.out(0), bias, s.batches * s.m * s.n, s.n, 1);
  return MEMPLAN_OK;
}

KernelTable blasKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.matmul", matmul, prepareMatmul, nullptr, loadBias},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

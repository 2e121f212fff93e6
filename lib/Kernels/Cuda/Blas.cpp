//===- Blas.cpp - Products through cuBLAS ---------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlasLt.h"
#include "Symbols.h"

#include <algorithm>
#include <climits>
#include <cstring>
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
  /// cublasGemmStridedBatchedEx, whose name has a second function in C++.
  cublasStatus_t (*multiply)(cublasHandle_t, cublasOperation_t,
                             cublasOperation_t, int m, int n, int k,
                             const void *alpha, const void *a, cudaDataType,
                             int lda, long long strideA, const void *b,
                             cudaDataType, int ldb, long long strideB,
                             const void *beta, void *c, cudaDataType, int ldc,
                             long long strideC, int batches,
                             cublasComputeType_t, cublasGemmAlgo_t);
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
  library.symbol("cublasGemmStridedBatchedEx", f.multiply);
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
  // The compute type of a call says whether f32 may be TF32; sums of products
  // of 16 bits are f32 throughout.
  if (status == MEMPLAN_OK)
    status = next(
        library.setMathMode(
            blas->handle,
            cublasMath_t(CUBLAS_DEFAULT_MATH |
                         CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
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

int64_t productScratchBytes(const MatmulShape &shape) {
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
  if (description->variant && std::strcmp(description->variant, "cublas") != 0)
    return MEMPLAN_UNAVAILABLE;
  prepared->variant = description->variant ? "cublas" : nullptr;
  prepared->workspace_bytes = productScratchBytes(s);
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
                              size_t(productScratchBytes(s)));
  if (code != CUBLAS_STATUS_SUCCESS)
    return failed(call.device, library, code, "cublasSetWorkspace");
  const ProductTypes precision(call.launch);
  const bool hasBias = call.launch->input_count > 2;
  const bool isHalf = precision.type != CUDA_R_32F;
  // The sum begins at a bias of 16 bits, so that it is rounded once.
  if (hasBias && isHalf)
    repeatHalves(call, call.output(0).data, call.input(2).data,
                 s.batches * s.m * s.n, s.n);
  const float one = 1, first = hasBias && isHalf ? 1 : 0;
  code = library.multiply(
      blas.handle, s.transposeRhs ? CUBLAS_OP_T : CUBLAS_OP_N,
      s.transposeLhs ? CUBLAS_OP_T : CUBLAS_OP_N, int(s.n), int(s.m), int(s.k),
      &one, call.input(1).data, precision.type, int(s.transposeRhs ? s.k : s.n),
      s.batchedRhs ? s.k * s.n : 0, call.input(0).data, precision.type,
      int(s.transposeLhs ? s.m : s.k), s.m * s.k, &first, call.output(0).data,
      precision.type, int(s.n), s.m * s.n, int(s.batches), precision.compute,
      CUBLAS_GEMM_DEFAULT);
  if (code != CUBLAS_STATUS_SUCCESS)
    return failed(call.device, library, code, "cublasGemmStridedBatchedEx");
  call.device.forgetLibraryError();
  if (hasBias && !isHalf)
    addBias(call, call.out(0), call.in(2), s.batches * s.m * s.n, s.n, 1,
            false);
  return MEMPLAN_OK;
}

KernelTable blasKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.matmul",
       .launch = matmul,
       .prepare = prepareMatmul,
       .load = loadBias,
       .variants = listBiasVariants,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

//===- BlasMock.cpp - The part of cuBLAS that the plugin uses -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaMock.h"

#include <cstring>
#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  void *workspace = nullptr;
  size_t workspaceBytes = 0;
};

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  ++cudaMock().liveHandles;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  --cudaMock().liveHandles;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  *handle = {stream, nullptr, 0};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t bytes) {
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->workspace = workspace;
  handle->workspaceBytes = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t mode) {
  if (mode != CUBLAS_DEFAULT_MATH)
    ++cudaMock().misuses;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t) { return "a cuBLAS error"; }

/// c[i + j ldc] = alpha sum over l of a(i, l) b(l, j) + beta c[i + j ldc].
cublasStatus_t
cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transposeA,
                          cublasOperation_t transposeB, int m, int n, int k,
                          const float *alpha, const float *a, int lda,
                          long long strideA, const float *b, int ldb,
                          long long strideB, const float *beta, float *c,
                          int ldc, long long strideC, int batches) {
  CudaMock &mock = cudaMock();
  ++mock.products;
  if (mock.logs)
    mock.log += "product on " +
                std::to_string(*reinterpret_cast<const int *>(handle->stream)) +
                "; ";
  if (lda < (transposeA == CUBLAS_OP_N ? m : k) ||
      ldb < (transposeB == CUBLAS_OP_N ? k : n) || ldc < m)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!handle->stream || !handle->workspace || handle->workspaceBytes == 0)
    ++mock.misuses;
  // The real library writes there, whatever else the bytes may hold.
  std::memset(handle->workspace, 0x5A, handle->workspaceBytes);
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum +=
              double(
                  a[batch * strideA +
                    (transposeA == CUBLAS_OP_N ? i + l * lda : l + i * lda)]) *
              b[batch * strideB +
                (transposeB == CUBLAS_OP_N ? l + j * ldb : j + l * ldb)];
        float &target = c[batch * strideC + i + j * ldc];
        float before = *beta == 0 ? 0 : *beta * target;
        target = float(*alpha * sum) + before;
      }
  return CUBLAS_STATUS_SUCCESS;
}

} // extern "C"

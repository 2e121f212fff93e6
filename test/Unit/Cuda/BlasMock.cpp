//===- BlasMock.cpp - The part of cuBLAS that the plugin uses -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MockElements.h"
#include "StreamMock.h"

#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  void *workspace = nullptr;
  size_t workspaceBytes = 0;
};

namespace {
/// What a call was given.
struct Product {
  int64_t m, n, k, lda, ldb, ldc, batches, strideA, strideB, strideC;
  const void *a, *b;
  void *c;
  float alpha, beta;
  mock::Element element;
  bool transposeA, transposeB;
  void *workspace;
  size_t workspaceBytes;
};
} // namespace

static void compute(const Product &p) {
  // The real library writes there, whatever else the bytes may hold.
  std::memset(p.workspace, 0x5A, p.workspaceBytes);
  for (int64_t batch = 0; batch < p.batches; ++batch)
    for (int64_t j = 0; j < p.n; ++j)
      for (int64_t i = 0; i < p.m; ++i) {
        const int64_t a = batch * p.strideA, b = batch * p.strideB;
        double sum = 0;
        for (int64_t l = 0; l < p.k; ++l)
          sum +=
              mock::load(p.element, p.a,
                         a + (p.transposeA ? l + i * p.lda : i + l * p.lda)) *
              mock::load(p.element, p.b,
                         b + (p.transposeB ? j + l * p.ldb : l + j * p.ldb));
        const int64_t target = batch * p.strideC + i + j * p.ldc;
        sum *= double(p.alpha);
        if (p.beta != 0)
          sum += double(p.beta) * mock::loadSum(p.element, p.c, target);
        mock::store(p.element, p.c, target, sum);
      }
}

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (cudaMock().blasError)
    return cublasStatus_t(cudaMock().blasError);
  ++cudaMock().liveHandles;
  cudaMock().liveBytes += cudaMock().handleBytes;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  const int version[] = {13, 7, 4};
  *value = version[type];
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  --cudaMock().liveHandles;
  cudaMock().liveBytes -= cudaMock().handleBytes;
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
  if (mode != CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)
    ++cudaMock().misuses;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t) { return "a cuBLAS error"; }

/// What the types of a call mean; those that the plugin never uses are misuses.
static mock::Element elementOf(cudaDataType_t type,
                               cublasComputeType_t compute) {
  if (type == CUDA_R_32F && compute == CUBLAS_COMPUTE_32F_FAST_TF32)
    return mock::Element::Tf32;
  if (compute != CUBLAS_COMPUTE_32F)
    ++cudaMock().misuses;
  return type == CUDA_R_16BF  ? mock::Element::Bf16
         : type == CUDA_R_16F ? mock::Element::F16
                              : mock::Element::F32;
}

/// c[i + j ldc] = alpha sum over l of a(i, l) b(l, j) + beta c[i + j ldc].
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transposeA,
    cublasOperation_t transposeB, int m, int n, int k, const void *alpha,
    const void *a, cudaDataType_t typeA, int lda, long long strideA,
    const void *b, cudaDataType_t typeB, int ldb, long long strideB,
    const void *beta, void *c, cudaDataType_t typeC, int ldc, long long strideC,
    int batches, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  CudaMock &mock = cudaMock();
  ++mock.products;
  if (typeA != typeB || typeA != typeC)
    ++mock.misuses;
  const mock::Element element = elementOf(typeA, computeType);
  mock.productTypes.insert(mock::nameOf(element));
  if (mock.logs)
    mock.log += "product on " +
                std::to_string(*reinterpret_cast<const int *>(handle->stream)) +
                "; ";
  if (lda < (transposeA == CUBLAS_OP_N ? m : k) ||
      ldb < (transposeB == CUBLAS_OP_N ? k : n) || ldc < m)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!handle->stream || !handle->workspace || handle->workspaceBytes == 0)
    ++mock.misuses;
  const Product product{m,
                        n,
                        k,
                        lda,
                        ldb,
                        ldc,
                        batches,
                        strideA,
                        strideB,
                        strideC,
                        a,
                        b,
                        c,
                        *static_cast<const float *>(alpha),
                        *static_cast<const float *>(beta),
                        element,
                        transposeA != CUBLAS_OP_N,
                        transposeB != CUBLAS_OP_N,
                        handle->workspace,
                        handle->workspaceBytes};
  if (mock.productsAllocate) {
    void *block = nullptr;
    if (cudaMalloc(&block, 256) != cudaSuccess)
      return CUBLAS_STATUS_ALLOC_FAILED;
    cudaFree(block);
  }
  mock::hold(handle->stream, [product] { compute(product); });
  mock::give(cudaError_t(mock.leftError));
  if (mock.lost)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return CUBLAS_STATUS_SUCCESS;
}

} // extern "C"

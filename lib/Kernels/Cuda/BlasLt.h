//===- BlasLt.h - Products with epilogues -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_BLASLT_H
#define MEMPLAN_LIB_KERNELS_CUDA_BLASLT_H

#include "../MatmulShape.h"
#include "Kernel.h"

#include <cublasLt.h>

namespace memplan::runtime::cuda {

/// Functions of cuBLASLt, which comes with cuBLAS.
struct LtLibrary {
  decltype(cublasLtCreate) *create;
  decltype(cublasLtDestroy) *destroy;
  decltype(cublasLtGetStatusString) *text;
  decltype(cublasLtMatmulDescCreate) *createProduct;
  decltype(cublasLtMatmulDescDestroy) *destroyProduct;
  decltype(cublasLtMatmulDescSetAttribute) *setProduct;
  decltype(cublasLtMatrixLayoutCreate) *createLayout;
  decltype(cublasLtMatrixLayoutDestroy) *destroyLayout;
  decltype(cublasLtMatmulPreferenceCreate) *createPreference;
  decltype(cublasLtMatmulPreferenceDestroy) *destroyPreference;
  decltype(cublasLtMatmulPreferenceSetAttribute) *setPreference;
  decltype(cublasLtMatmulAlgoGetHeuristic) *choose;
  decltype(cublasLtMatmul) *multiply;
};

struct LtHandle {
  LtLibrary library = {};
  cublasLtHandle_t handle = nullptr;

  LtHandle() = default;
  LtHandle(const LtHandle &) = delete;
  ~LtHandle() {
    if (handle)
      library.destroy(handle);
  }
};

/// How the elements of a product are stored and multiplied.
struct ProductTypes {
  cudaDataType_t type;
  cublasComputeType_t compute;

  explicit ProductTypes(const memplan_launch_t *launch);
};

/// Scratch of a product: it lets a library split long sums. Which kernels a
/// library takes depends on it, so each launch gives exactly this much.
int64_t productScratchBytes(const kernels::MatmulShape &shape);

/// Bytes that the address of each operand is a multiple of.
inline constexpr int ltAlignment = 16;

/// One product of cuBLASLt with its epilogue, and the algorithm for it.
class LtProduct {
public:
  LtProduct(std::shared_ptr<LtHandle> lt, const memplan_launch_t *launch,
            cublasLtEpilogue_t epilogue);
  LtProduct(const LtProduct &) = delete;
  ~LtProduct();

  /// Whether there is an algorithm that adds in a fixed order within the
  /// scratch.
  cublasStatus_t status() const { return code; }
  /// Multiplies the first two inputs into `out`. `vector` is a bias, or the
  /// gradient of one; `aux` what a GELU is of, or null.
  memplan_status_t run(const Call &call, void *out, void *aux,
                       void *vector) const;

private:
  void describe(const kernels::MatmulShape &shape, const ProductTypes &types,
                cublasLtEpilogue_t epilogue);
  void choose(int64_t scratchBytes);
  void set(cublasLtMatmulDescAttributes_t name, const void *value,
           size_t bytes);

  std::shared_ptr<LtHandle> lt;
  const LtLibrary &library;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  size_t scratchBytes = 0;
  cublasStatus_t code = CUBLAS_STATUS_SUCCESS;
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_BLASLT_H

//===- BlasLt.cpp - Products with epilogues -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlasLt.h"
#include "../Signature.h"
#include "Symbols.h"

#include <utility>

namespace memplan::runtime::cuda {

using kernels::MatmulShape;

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// Why cuBLASLt cannot be used; "" if it can.
static std::string load(LtLibrary &f) {
  SharedLibrary library(MEMPLAN_CUBLASLT_FILE, "cublasLtCreate");
  library.symbol("cublasLtCreate", f.create);
  library.symbol("cublasLtDestroy", f.destroy);
  library.symbol("cublasLtGetStatusString", f.text);
  library.symbol("cublasLtMatmulDescCreate", f.createProduct);
  library.symbol("cublasLtMatmulDescDestroy", f.destroyProduct);
  library.symbol("cublasLtMatmulDescSetAttribute", f.setProduct);
  library.symbol("cublasLtMatrixLayoutCreate", f.createLayout);
  library.symbol("cublasLtMatrixLayoutDestroy", f.destroyLayout);
  library.symbol("cublasLtMatmulPreferenceCreate", f.createPreference);
  library.symbol("cublasLtMatmulPreferenceDestroy", f.destroyPreference);
  library.symbol("cublasLtMatmulPreferenceSetAttribute", f.setPreference);
  library.symbol("cublasLtMatmulAlgoGetHeuristic", f.choose);
  library.symbol("cublasLtMatmul", f.multiply);
  return library.reason();
}

memplan_status_t openBlasLt(Device &device) {
  if (!mayUseLibrary("cublas") || !mayUseLibrary("cublaslt"))
    return MEMPLAN_OK;
  auto lt = std::make_shared<LtHandle>();
  if (std::string why = load(lt->library); !why.empty())
    return device.noLibrary("cuBLASLt", "cublaslt", why);
  if (cublasStatus_t code = lt->library.create(&lt->handle);
      code != CUBLAS_STATUS_SUCCESS)
    return device.noLibrary("cuBLASLt", "cublaslt",
                            std::string("cublasLtCreate: ") +
                                lt->library.text(code));
  device.blasLt = std::move(lt);
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

ProductTypes::ProductTypes(const memplan_launch_t *launch)
    : type(CUDA_R_32F), compute(CUBLAS_COMPUTE_32F) {
  if (launch->inputs[0].dtype == MEMPLAN_BF16)
    type = CUDA_R_16BF;
  else if (launch->inputs[0].dtype == MEMPLAN_F16)
    type = CUDA_R_16F;
  else if (kernels::allowsTf32(launch))
    compute = CUBLAS_COMPUTE_32F_FAST_TF32;
}

void LtProduct::set(cublasLtMatmulDescAttributes_t name, const void *value,
                    size_t bytes) {
  if (code == CUBLAS_STATUS_SUCCESS)
    code = library.setProduct(product, name, value, bytes);
}

/// As in cuBLAS columns are counted first, and the operands trade places.
void LtProduct::describe(const MatmulShape &s, const ProductTypes &types,
                         cublasLtEpilogue_t epilogue) {
  auto next = [&](auto function, auto... arguments) {
    if (code == CUBLAS_STATUS_SUCCESS)
      code = function(arguments...);
  };
  auto layout = [&](cublasLtMatrixLayout_t *made, int64_t rows, int64_t columns,
                    bool isTransposed) {
    if (isTransposed)
      std::swap(rows, columns);
    next(library.createLayout, made, types.type, uint64_t(rows),
         uint64_t(columns), rows);
  };
  next(library.createProduct, &product, types.compute, CUDA_R_32F);
  layout(&a, s.n, s.k, s.transposeRhs);
  layout(&b, s.k, s.m, s.transposeLhs);
  layout(&d, s.n, s.m, false);
  const int32_t transposed = CUBLAS_OP_T;
  if (s.transposeRhs)
    set(CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof(transposed));
  if (s.transposeLhs)
    set(CUBLASLT_MATMUL_DESC_TRANSB, &transposed, sizeof(transposed));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue));
  if (epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS ||
      epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD)
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &s.n, sizeof(s.n));
}

void LtProduct::choose(int64_t roomBytes) {
  cublasLtMatmulPreference_t preference = nullptr;
  if (code == CUBLAS_STATUS_SUCCESS)
    code = library.createPreference(&preference);
  auto prefer = [&](cublasLtMatmulPreferenceAttributes_t name,
                    const auto &value) {
    if (code == CUBLAS_STATUS_SUCCESS)
      code = library.setPreference(preference, name, &value, sizeof(value));
  };
  scratchBytes = size_t(roomBytes);
  // Sums that are added in place come in no fixed order.
  const auto schemes = uint32_t(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE |
                                CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE);
  const uint32_t alignment = ltAlignment;
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, scratchBytes);
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment);
  prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment);
  cublasLtMatmulHeuristicResult_t found = {};
  int count = 0;
  if (code == CUBLAS_STATUS_SUCCESS)
    code = library.choose(lt->handle, product, a, b, d, d, preference, 1,
                          &found, &count);
  if (code == CUBLAS_STATUS_SUCCESS)
    code = count == 0 ? CUBLAS_STATUS_NOT_SUPPORTED : found.state;
  algorithm = found.algo;
  if (preference)
    library.destroyPreference(preference);
}

LtProduct::LtProduct(std::shared_ptr<LtHandle> handle,
                     const memplan_launch_t *launch,
                     cublasLtEpilogue_t epilogue)
    : lt(std::move(handle)), library(lt->library) {
  const MatmulShape shape(launch);
  describe(shape, ProductTypes(launch), epilogue);
  choose(productScratchBytes(shape));
}

LtProduct::~LtProduct() {
  for (cublasLtMatrixLayout_t layout : {a, b, d})
    if (layout)
      library.destroyLayout(layout);
  if (product)
    library.destroyProduct(product);
}

memplan_status_t LtProduct::run(const Call &call, void *out, void *aux,
                                void *vector) const {
  auto set = [&](cublasLtMatmulDescAttributes_t name, void *place) {
    return !place || library.setProduct(product, name, &place, sizeof(place)) ==
                         CUBLAS_STATUS_SUCCESS;
  };
  if (!set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux) ||
      !set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, vector))
    return call.device.fail(MEMPLAN_FAILED, "cublasLtMatmulDescSetAttribute");
  const float one = 1, zero = 0;
  const cublasStatus_t result = library.multiply(
      lt->handle, product, &one, call.input(1).data, a, call.input(0).data, b,
      &zero, out, d, out, d, &algorithm, call.launch->workspace, scratchBytes,
      call.device.stream);
  if (result != CUBLAS_STATUS_SUCCESS)
    return call.device.fail(MEMPLAN_FAILED, "cublasLtMatmul: %s",
                            library.text(result));
  call.device.forgetLibraryError();
  return MEMPLAN_OK;
}

} // namespace memplan::runtime::cuda

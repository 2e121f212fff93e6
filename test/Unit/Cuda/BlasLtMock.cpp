//===- BlasLtMock.cpp - A stand-in for cuBLASLt ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Epilogues see the sum before it is rounded, as on tensor cores. What the
// library asks of a call and does not get is a misuse.
//
//===----------------------------------------------------------------------===//

#include "MockElements.h"
#include "StreamMock.h"

#include <cstring>
#include <cublasLt.h>
#include <map>

struct cublasLtContext {};

namespace {
struct Layout {
  uint64_t rows, columns;
  int64_t pitch;
};

struct Description {
  mock::Element element;
  int32_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  int64_t auxPitch = 0;
  void *aux = nullptr, *vector = nullptr;
};

struct Preference {
  size_t workspaceBytes = 0;
  uint32_t schemes = ~0u;
};

/// What a call was given.
struct Call {
  Description how;
  Layout a, b, d;
  const void *aData, *bData;
  void *dData;
  void *workspace;
  size_t workspaceBytes;

  int64_t depth() const {
    return int64_t(how.transA == CUBLAS_OP_N ? a.columns : a.rows);
  }
  double left(int64_t i, int64_t l) const {
    return mock::load(how.element, aData,
                      how.transA == CUBLAS_OP_N ? i + l * a.pitch
                                                : l + i * a.pitch);
  }
  double right(int64_t l, int64_t j) const {
    return mock::load(how.element, bData,
                      how.transB == CUBLAS_OP_N ? l + j * b.pitch
                                                : j + l * b.pitch);
  }
};
} // namespace

static Layout *of(cublasLtMatrixLayout_t layout) {
  return reinterpret_cast<Layout *>(layout);
}
static Description *of(cublasLtMatmulDesc_t product) {
  return reinterpret_cast<Description *>(product);
}
static Preference *of(cublasLtMatmulPreference_t preference) {
  return reinterpret_cast<Preference *>(preference);
}

static double innerOf(double x) {
  return std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
}
static double gelu(double x) { return 0.5 * x * (1 + std::tanh(innerOf(x))); }
static double slopeOfGelu(double x) {
  const double t = std::tanh(innerOf(x));
  const double du = std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * du;
}

/// One element of the result; what the epilogue leaves beside it is stored.
static double epilogueOf(const Call &c, int64_t i, int64_t j, double sum) {
  const mock::Element type = c.how.element;
  const int64_t at = i + j * c.how.auxPitch;
  switch (c.how.epilogue) {
  case CUBLASLT_EPILOGUE_BIAS:
    return sum + mock::loadSum(type, c.how.vector, i);
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    sum += mock::loadSum(type, c.how.vector, i);
    mock::store(type, c.how.aux, at, sum);
    return gelu(sum);
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    return sum * slopeOfGelu(mock::loadSum(type, c.how.aux, at));
  default:
    return sum;
  }
}

static void compute(const Call &c) {
  // The real library writes there, whatever else the bytes may hold.
  std::memset(c.workspace, 0x5A, c.workspaceBytes);
  const auto rows = int64_t(c.d.rows), columns = int64_t(c.d.columns);
  for (int64_t i = 0; i < rows; ++i) {
    double all = 0;
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < c.depth(); ++l)
        sum += c.left(i, l) * c.right(l, j);
      sum = epilogueOf(c, i, j, sum);
      all += sum;
      mock::store(c.how.element, c.dData, i + j * c.d.pitch, sum);
    }
    if (c.how.epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD)
      mock::store(c.how.element, c.how.vector, i, all);
  }
  // As long as the result has rows where A is summed, columns where B is.
  const bool ofA = c.how.epilogue == CUBLASLT_EPILOGUE_BGRADA;
  if (!ofA && c.how.epilogue != CUBLASLT_EPILOGUE_BGRADB)
    return;
  const bool isByRows =
      ofA ? c.how.transA != CUBLAS_OP_N : c.how.transB == CUBLAS_OP_N;
  const int64_t pitch = ofA ? c.a.pitch : c.b.pitch;
  for (int64_t j = 0; j < (ofA ? rows : columns); ++j) {
    double all = 0;
    for (int64_t l = 0; l < c.depth(); ++l)
      all += mock::loadSum(c.how.element, ofA ? c.aData : c.bData,
                           isByRows ? l + j * pitch : j + l * pitch);
    mock::store(c.how.element, c.how.vector, j, all);
  }
}

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (cudaMock().ltError)
    return cublasStatus_t(cudaMock().ltError);
  ++cudaMock().liveHandles;
  cudaMock().liveBytes += cudaMock().handleBytes;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  --cudaMock().liveHandles;
  cudaMock().liveBytes -= cudaMock().handleBytes;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusString(cublasStatus_t) {
  return "a cuBLASLt error";
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product,
                                        cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (scale != CUDA_R_32F || (compute != CUBLAS_COMPUTE_32F &&
                              compute != CUBLAS_COMPUTE_32F_FAST_TF32))
    ++cudaMock().misuses;
  ++cudaMock().liveHandles;
  auto *made = new Description;
  made->element = compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? mock::Element::Tf32
                                                          : mock::Element::F32;
  *product = reinterpret_cast<cublasLtMatmulDesc_t>(made);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  --cudaMock().liveHandles;
  delete of(product);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                               cublasLtMatmulDescAttributes_t name,
                               const void *value, size_t bytes) {
  Description &d = *of(product);
  const std::map<cublasLtMatmulDescAttributes_t, std::pair<void *, size_t>>
      known = {
          {CUBLASLT_MATMUL_DESC_TRANSA, {&d.transA, sizeof(d.transA)}},
          {CUBLASLT_MATMUL_DESC_TRANSB, {&d.transB, sizeof(d.transB)}},
          {CUBLASLT_MATMUL_DESC_EPILOGUE, {&d.epilogue, sizeof(d.epilogue)}},
          {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
           {&d.auxPitch, sizeof(d.auxPitch)}},
          {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, {&d.aux, sizeof(d.aux)}},
          {CUBLASLT_MATMUL_DESC_BIAS_POINTER, {&d.vector, sizeof(d.vector)}},
      };
  auto found = known.find(name);
  if (found == known.end() || bytes != found->second.second)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(found->second.first, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

/// Layouts carry the type of all matrices of a product, which the algorithm is
/// chosen for.
static std::map<const void *, mock::Element> &typesOfLayouts() {
  static std::map<const void *, mock::Element> types;
  return types;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t pitch) {
  if (pitch < int64_t(rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  ++cudaMock().liveHandles;
  auto *made = new Layout{rows, columns, pitch};
  typesOfLayouts()[made] = type == CUDA_R_16BF  ? mock::Element::Bf16
                           : type == CUDA_R_16F ? mock::Element::F16
                                                : mock::Element::F32;
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(made);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  --cudaMock().liveHandles;
  typesOfLayouts().erase(layout);
  delete of(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  ++cudaMock().liveHandles;
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  --cudaMock().liveHandles;
  delete of(preference);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                     cublasLtMatmulPreferenceAttributes_t name,
                                     const void *value, size_t) {
  if (name == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
    std::memcpy(&of(preference)->workspaceBytes, value, sizeof(size_t));
  if (name == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
    std::memcpy(&of(preference)->schemes, value, sizeof(uint32_t));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
    cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int wanted,
    cublasLtMatmulHeuristicResult_t *results, int *found) {
  const Description &how = *of(product);
  *found = 0;
  const uint64_t depth =
      how.transA == CUBLAS_OP_N ? of(a)->columns : of(a)->rows;
  const bool fits =
      depth == (how.transB == CUBLAS_OP_N ? of(b)->rows : of(b)->columns) &&
      of(d)->rows ==
          (how.transA == CUBLAS_OP_N ? of(a)->rows : of(a)->columns) &&
      of(d)->columns ==
          (how.transB == CUBLAS_OP_N ? of(b)->columns : of(b)->rows) &&
      c == d;
  if (!fits || wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool hasAux = how.epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS ||
                      how.epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD;
  if (cudaMock().refuseEpilogues || (hasAux && how.auxPitch % 8 != 0))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  // Sums added by atomics differ from run to run.
  if (of(preference)->schemes & CUBLASLT_REDUCTION_SCHEME_INPLACE)
    ++cudaMock().misuses;
  results[0] = {};
  results[0].workspaceSize = of(preference)->workspaceBytes;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product,
               const void *alpha, const void *aData, cublasLtMatrixLayout_t a,
               const void *bData, cublasLtMatrixLayout_t b, const void *beta,
               const void *, cublasLtMatrixLayout_t, void *dData,
               cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algorithm,
               void *workspace, size_t workspaceBytes, cudaStream_t stream) {
  CudaMock &mock = cudaMock();
  ++mock.products;
  ++mock.epilogues;
  Description how = *of(product);
  const mock::Element type = typesOfLayouts()[a];
  if (type != typesOfLayouts()[b] || type != typesOfLayouts()[d])
    ++mock.misuses;
  if (how.element != mock::Element::Tf32)
    how.element = type;
  mock.productTypes.insert(mock::nameOf(how.element));
  auto isAligned = [](const void *data) {
    return reinterpret_cast<uintptr_t>(data) % 16 == 0;
  };
  if (!algorithm || !stream || !workspace || workspaceBytes == 0 ||
      *static_cast<const float *>(alpha) != 1 ||
      *static_cast<const float *>(beta) != 0 || !isAligned(aData) ||
      !isAligned(bData) || !isAligned(dData) || !isAligned(how.aux) ||
      !how.vector)
    ++mock.misuses;
  const Call call{how,   *of(a), *of(b),    *of(d),        aData,
                  bData, dData,  workspace, workspaceBytes};
  mock::hold(stream, [call] { compute(call); });
  return mock.lost ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

} // extern "C"

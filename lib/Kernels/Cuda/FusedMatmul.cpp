//===- FusedMatmul.cpp - Products with what follows them ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A product with an epilogue runs as one kernel of cuBLASLt, the variant
// "cublaslt", or as the operations that it stands for, the variant "stages".
// Operations apart give the bits of "stages".
//
//===----------------------------------------------------------------------===//

#include "../FusedStages.h"
#include "BlasLt.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace memplan::runtime::cuda {

using kernels::FusedStages;
using kernels::MatmulShape;

static constexpr const char *byLt = "cublaslt", *byStages = "stages",
                            *byBlas = "cublas";

/// Whether a launch may, or must, run as the variant `name`.
static bool allows(const memplan_launch_t *launch, const char *name) {
  return !launch->variant || std::strcmp(launch->variant, name) == 0;
}

static cublasLtEpilogue_t epilogueOf(const memplan_launch_t *launch) {
  const char *kernel = launch->kernel;
  return std::strcmp(kernel, "memplan.matmul_gelu") == 0
             ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS
         : std::strcmp(kernel, "memplan.matmul_gelu_grad") == 0
             ? CUBLASLT_EPILOGUE_DGELU_BGRAD
         : std::strcmp(kernel, "memplan.matmul_bias_grad") != 0
             ? CUBLASLT_EPILOGUE_BIAS
         // The right side is A there.
         : intAttribute(launch, "sum_rhs", 0) ? CUBLASLT_EPILOGUE_BGRADA
                                              : CUBLASLT_EPILOGUE_BGRADB;
}

/// Whether cuBLASLt may take the product: what a GELU is of has rows of
/// multiples of 8 elements there.
static bool mayTake(const Device &device, const memplan_launch_t *launch) {
  constexpr int64_t auxMultiple = 8;
  const MatmulShape s(launch);
  const cublasLtEpilogue_t epilogue = epilogueOf(launch);
  const bool isGelu = epilogue == CUBLASLT_EPILOGUE_GELU_AUX_BIAS ||
                      epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD;
  return (device.planOnly ? mayUseLibrary("cublas") && mayUseLibrary("cublaslt")
                          : device.blasLt != nullptr) &&
         s.batches == 1 && !s.batchedRhs &&
         std::max({s.m, s.n, s.k}) <= INT_MAX &&
         std::min({s.m, s.n, s.k}) >= 1 && (!isGelu || s.n % auxMultiple == 0);
}

namespace {
/// One of the two variants.
struct FusedProduct {
  FusedProduct() = default;
  FusedProduct(const FusedProduct &) = delete;
  ~FusedProduct() {
    for (void *stage : stages)
      releaseStage(stage);
  }

  std::unique_ptr<LtProduct> product; ///< null: the stages
  std::vector<void *> stages;
};
} // namespace

/// By cuBLASLt; MEMPLAN_UNAVAILABLE where it cannot, unless it was planned.
static memplan_status_t prepareLt(Device &device,
                                  const memplan_launch_t *description,
                                  memplan_prepared_t *prepared) {
  if (!allows(description, byLt) || !mayTake(device, description))
    return MEMPLAN_UNAVAILABLE;
  auto state = std::make_unique<FusedProduct>();
  if (!device.planOnly) {
    state->product = std::make_unique<LtProduct>(device.blasLt, description,
                                                 epilogueOf(description));
    if (cublasStatus_t code = state->product->status();
        code != CUBLAS_STATUS_SUCCESS)
      return description->variant
                 ? device.fail(MEMPLAN_FAILED,
                               "the variant '%s' that was planned cannot run "
                               "here: %s; plan again for this device",
                               byLt, device.blasLt->library.text(code))
                 : MEMPLAN_UNAVAILABLE;
  }
  prepared->workspace_bytes = productScratchBytes(MatmulShape(description));
  prepared->variant = byLt;
  prepared->operand_alignment = ltAlignment;
  prepared->state = state.release();
  return MEMPLAN_OK;
}

static memplan_status_t prepareStages(Device &device,
                                      const memplan_launch_t *description,
                                      memplan_prepared_t *prepared) {
  auto state = std::make_unique<FusedProduct>();
  const FusedStages stages(description);
  for (const memplan_launch_t &stage : stages.launches()) {
    memplan_prepared_t own = {};
    if (memplan_status_t status = prepareStage(device, &stage, &own);
        status != MEMPLAN_OK)
      return status;
    state->stages.push_back(own.state);
    prepared->workspace_bytes =
        std::max(prepared->workspace_bytes, own.workspace_bytes);
    prepared->operand_alignment =
        std::max(prepared->operand_alignment, own.operand_alignment);
  }
  prepared->variant = byStages;
  prepared->state = state.release();
  return MEMPLAN_OK;
}

static memplan_status_t prepareFused(Device &device,
                                     const memplan_launch_t *description,
                                     memplan_prepared_t *prepared) {
  if (description->workspace_bytes >=
          productScratchBytes(MatmulShape(description)) ||
      description->variant)
    if (memplan_status_t status = prepareLt(device, description, prepared);
        status != MEMPLAN_UNAVAILABLE)
      return status;
  return allows(description, byStages)
             ? prepareStages(device, description, prepared)
             : MEMPLAN_UNAVAILABLE;
}

static void destroy(void *state) { delete static_cast<FusedProduct *>(state); }

/// cuBLASLt first; what else there is takes a pass over the result more.
static void listLt(Device &device, const memplan_launch_t *description,
                   std::vector<memplan_variant_t> &variants) {
  memplan_launch_t any = *description;
  any.variant = nullptr;
  memplan_prepared_t lt = {};
  if (prepareLt(device, &any, &lt) != MEMPLAN_OK)
    return;
  destroy(lt.state);
  variants.push_back({byLt, lt.workspace_bytes, 1});
}

/// Guess of the time of what follows a product apart, over the product's.
static constexpr double apart = 1.05;

static memplan_status_t listFused(Device &device,
                                  const memplan_launch_t *description,
                                  std::vector<memplan_variant_t> &variants) {
  listLt(device, description, variants);
  if (variants.empty())
    return MEMPLAN_OK;
  memplan_launch_t any = *description;
  any.workspace_bytes = INT64_MAX;
  any.variant = nullptr;
  memplan_prepared_t stages = {};
  memplan_status_t status = prepareStages(device, &any, &stages);
  if (status != MEMPLAN_OK)
    return status;
  destroy(stages.state);
  variants.push_back({byStages, stages.workspace_bytes, apart});
  return MEMPLAN_OK;
}

memplan_status_t listBiasVariants(Device &device,
                                  const memplan_launch_t *description,
                                  std::vector<memplan_variant_t> &variants) {
  if (description->input_count < 3)
    return MEMPLAN_OK;
  listLt(device, description, variants);
  if (!variants.empty())
    variants.push_back(
        {byBlas, productScratchBytes(MatmulShape(description)), apart});
  return MEMPLAN_OK;
}

static memplan_status_t prepareBias(Device &device,
                                    const memplan_launch_t *description,
                                    memplan_prepared_t *prepared) {
  return description->input_count < 3
             ? MEMPLAN_UNAVAILABLE
             : prepareLt(device, description, prepared);
}

static memplan_status_t runStages(const Call &call, const FusedProduct &fused) {
  const FusedStages stages(call.launch);
  for (size_t i = 0; i < fused.stages.size(); ++i) {
    memplan_launch_t stage = stages.launches()[i];
    stage.state = fused.stages[i];
    if (memplan_status_t status = launchStage({&stage, call.device});
        status != MEMPLAN_OK)
      return status;
  }
  return MEMPLAN_OK;
}

static memplan_status_t run(const Call &call) {
  const auto &fused = *static_cast<const FusedProduct *>(call.launch->state);
  if (!fused.product)
    return runStages(call, fused);
  switch (epilogueOf(call.launch)) {
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    return fused.product->run(call, call.output(1).data, call.output(0).data,
                              call.input(2).data);
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    return fused.product->run(call, call.output(0).data, call.input(2).data,
                              call.output(1).data);
  case CUBLASLT_EPILOGUE_BGRADA:
  case CUBLASLT_EPILOGUE_BGRADB:
    return fused.product->run(call, call.output(0).data, nullptr,
                              call.output(1).data);
  default:
    return fused.product->run(call, call.output(0).data, nullptr,
                              call.input(2).data);
  }
}

/// Stages load their code when they are prepared.
static memplan_status_t loadNothing(const Call &) { return MEMPLAN_OK; }

KernelTable fusedMatmulKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.matmul", run, prepareBias, destroy, loadNothing,
       listBiasVariants, /*takesHalves=*/true},
      {"memplan.matmul_bias_grad", run, prepareFused, destroy, loadNothing,
       listFused, /*takesHalves=*/true},
      {"memplan.matmul_gelu", run, prepareFused, destroy, loadNothing,
       listFused, /*takesHalves=*/true},
      {"memplan.matmul_gelu_grad", run, prepareFused, destroy, loadNothing,
       listFused, /*takesHalves=*/true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

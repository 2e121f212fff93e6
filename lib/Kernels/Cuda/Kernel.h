//===- Kernel.h - Kernels of the CUDA backend -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's arguments are checked by the signature of its name: prepare here
// only finds scratch sizes and library descriptors.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_KERNEL_H
#define MEMPLAN_LIB_KERNELS_CUDA_KERNEL_H

#include "../Operands.h"
#include "Device.h"

namespace memplan::runtime::cuda {

using kernels::dimensionAttribute;
using kernels::elementBytes;
using kernels::elements;
using kernels::findAttribute;
using kernels::floatAttribute;
using kernels::intAttribute;
using kernels::intsAttribute;
using kernels::maxRank;
using kernels::Pair;
using kernels::pairAttribute;
using kernels::product;

/// One launch: pointers into device memory, and the device with its stream.
struct Call {
  const memplan_launch_t *launch;
  Device &device;

  const memplan_tensor_t &input(int i) const { return launch->inputs[i]; }
  const memplan_tensor_t &output(int o) const { return launch->outputs[o]; }
  /// Null where there are fewer inputs.
  const float *in(int i) const {
    return i < launch->input_count ? kernels::f32(launch->inputs[i]) : nullptr;
  }
  const int64_t *ints(int i) const { return kernels::i64(launch->inputs[i]); }
  float *out(int o) const { return kernels::f32(launch->outputs[o]); }
  template <typename T> T *workspace() const {
    return static_cast<T *>(launch->workspace);
  }
};

/// `prepare` may be null: no scratch, no state. MEMPLAN_UNAVAILABLE passes the
/// instruction on to the next kernel of the name. `launch` queues work and
/// neither allocates nor waits. `load` loads the code that `launch` starts
/// itself; null: `launch` does so while Device::loads, without looking at data.
/// `destroy` frees what prepare left. `variants` adds what a plan may choose
/// from; `prepare` of a kernel that has it takes the one that is named. A
/// kernel that does not take halves, elements of 16 bits, runs on copies in
/// f32.
struct Kernel {
  const char *name;
  memplan_status_t (*launch)(const Call &call);
  memplan_status_t (*prepare)(Device &device,
                              const memplan_launch_t *description,
                              memplan_prepared_t *prepared) = nullptr;
  void (*destroy)(void *state) = nullptr;
  memplan_status_t (*load)(const Call &call) = nullptr;
  memplan_status_t (*variants)(
      Device &device, const memplan_launch_t *description,
      std::vector<memplan_variant_t> &variants) = nullptr;
  bool takesHalves = false;
  bool joinsUpdates = false; ///< leaves what waits in Device::updates waiting
};

using KernelTable = std::span<const Kernel>;
KernelTable activationKernels();
KernelTable arithmeticKernels();
KernelTable attentionKernels();
KernelTable batchNormKernels();
KernelTable blasKernels();
KernelTable broadcastKernels();
KernelTable castKernels();
KernelTable directConvolutionKernels();
KernelTable dnnKernels();
KernelTable embeddingKernels();
KernelTable flashAttentionKernels();
KernelTable fusedMatmulKernels();
KernelTable generatorKernels();
KernelTable indexKernels();
KernelTable layerNormKernels();
KernelTable lossKernels();
KernelTable mapKernels();
KernelTable movementKernels();
KernelTable ncclKernels();
KernelTable plainMatmulKernels();
KernelTable poolKernels();
KernelTable reduceKernels();
KernelTable softmaxKernels();
KernelTable updateKernels();

/// The variants of a product with a bias, which two kernels share.
memplan_status_t listBiasVariants(Device &device,
                                  const memplan_launch_t *description,
                                  std::vector<memplan_variant_t> &variants);

/// Any kernel as a part of another: `prepared` gets what is to be released, and
/// is the state of the launches.
memplan_status_t prepareStage(Device &device,
                              const memplan_launch_t *description,
                              memplan_prepared_t *prepared);
memplan_status_t launchStage(const Call &call);
void releaseStage(void *state);

/// y[i] += bias[i / inner % channels], after a library's product; `bias` may be
/// null. With `relu` what is below 0 becomes 0.
void addBias(const Call &call, float *y, const float *bias, int64_t count,
             int64_t channels, int64_t inner, bool relu);
/// The same on elements of 16 bits of a type, rounded again.
void addHalfBias(const Call &call, int32_t type, void *y, const void *bias,
                 int64_t count, int64_t channels, int64_t inner, bool relu);
/// y[i] = row[i % columns], of 16 bits: what a library's sums begin at.
void repeatHalves(const Call &call, void *y, const void *row, int64_t count,
                  int64_t columns);
/// The `load` of kernels that are a library's, but for the bias.
memplan_status_t loadBias(const Call &call);

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_KERNEL_H

//===- DnnHandle.h - cuDNN, opened ------------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_DNNHANDLE_H
#define MEMPLAN_LIB_KERNELS_CUDA_DNNHANDLE_H

#include "Device.h"

#include <cudnn.h>
#include <string>

namespace memplan::runtime::cuda {

/// The functions that are used. Those of the backend interface are null before
/// cuDNN 9.8, which cannot describe a device.
struct DnnLibrary {
  decltype(cudnnCreate) *create;
  decltype(cudnnDestroy) *destroy;
  decltype(cudnnGetProperty) *property;
  decltype(cudnnSetStream) *setStream;
  decltype(cudnnGetErrorString) *text;
  decltype(cudnnCreateTensorDescriptor) *createTensor;
  decltype(cudnnSetTensor4dDescriptor) *setTensor;
  decltype(cudnnDestroyTensorDescriptor) *destroyTensor;
  decltype(cudnnCreateFilterDescriptor) *createFilter;
  decltype(cudnnSetFilter4dDescriptor) *setFilter;
  decltype(cudnnDestroyFilterDescriptor) *destroyFilter;
  decltype(cudnnCreateConvolutionDescriptor) *createConvolution;
  decltype(cudnnSetConvolution2dDescriptor) *setConvolution;
  decltype(cudnnSetConvolutionGroupCount) *setGroups;
  decltype(cudnnSetConvolutionMathType) *setMath;
  decltype(cudnnDestroyConvolutionDescriptor) *destroyConvolution;
  decltype(cudnnGetConvolutionForwardWorkspaceSize) *forwardBytes;
  decltype(cudnnGetConvolutionBackwardDataWorkspaceSize) *dataBytes;
  decltype(cudnnGetConvolutionBackwardFilterWorkspaceSize) *filterBytes;
  decltype(cudnnConvolutionForward) *forward;
  decltype(cudnnConvolutionBackwardData) *backwardData;
  decltype(cudnnConvolutionBackwardFilter) *backwardFilter;

  decltype(cudnnBackendCreateDescriptor) *createDescriptor;
  decltype(cudnnBackendDestroyDescriptor) *destroyDescriptor;
  decltype(cudnnBackendSetAttribute) *setAttribute;
  decltype(cudnnBackendGetAttribute) *getAttribute;
  decltype(cudnnBackendFinalize) *finalize;
  decltype(cudnnBackendExecute) *execute;
};

/// Why cuDNN cannot be used; "" if it can.
std::string loadDnn(DnnLibrary &library);

struct DnnEngines;

/// cuDNN for one device. Prepared convolutions share it, so that it outlives
/// the device's own use.
struct DnnHandle {
  DnnLibrary library = {};
  cudnnHandle_t handle = nullptr;      ///< null where there is no GPU
  cudaStream_t stream = nullptr;       ///< that it was told last
  std::shared_ptr<DnnEngines> engines; ///< null before cuDNN 9.8

  DnnHandle() = default;
  DnnHandle(const DnnHandle &) = delete;
  ~DnnHandle();

  /// The handle, on the stream of a launch.
  cudnnHandle_t on(cudaStream_t wanted);
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_DNNHANDLE_H

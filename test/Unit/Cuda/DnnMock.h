//===- DnnMock.h - Convolutions of the mock of cuDNN ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_DNNMOCK_H
#define MEMPLAN_TEST_UNIT_CUDA_DNNMOCK_H

#include "MockElements.h"

#include <cstddef>
#include <cudnn.h>

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  int n = 0, c = 0, h = 0, w = 0;
  mock::Element element = mock::Element::F32;
  bool channelsLast = false;
  int at(int i, int channel, int row, int column) const {
    return channelsLast ? ((i * h + row) * w + column) * c + channel
                        : ((i * c + channel) * h + row) * w + column;
  }
  size_t count() const { return size_t(n) * size_t(c) * size_t(h) * size_t(w); }
};
struct cudnnFilterStruct : cudnnTensorStruct {};
struct cudnnConvolutionStruct {
  int padH = 0, padW = 0, strideH = 0, strideW = 0, dilationH = 0,
      dilationW = 0, groups = 1;
  cudnnMathType_t math = CUDNN_FMA_MATH;
};

namespace mock {
/// One call: which of x, w and y it sums into, and its scratch.
enum class Sums { X, W, Y };
struct Convolve {
  Sums sums;
  cudnnTensorStruct x, w, y;
  cudnnConvolutionStruct convolution;
  const void *first, *second; ///< of x, w, y the two others, in this order
  void *target;
  void *workspace;
  size_t workspaceBytes;
  Element element = Element::F32;
  const void *bias = nullptr; ///< with the ReLU behind it
};

/// The shapes fit each other, and elements are multiplied as they are, or as
/// TF32 where that was asked for.
bool isSound(const cudnnTensorStruct &x, const cudnnTensorStruct &w,
             const cudnnConvolutionStruct &conv, const cudnnTensorStruct &y);
size_t scratchOf(const cudnnTensorStruct &w);
/// Holds the call on the stream of the handle; `needed` is the scratch that it
/// was told to take.
void convolve(cudnnHandle_t handle, const Convolve &call, size_t needed);
} // namespace mock

#endif // MEMPLAN_TEST_UNIT_CUDA_DNNMOCK_H

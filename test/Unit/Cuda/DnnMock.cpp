//===- DnnMock.cpp - The part of cuDNN that the plugin uses ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DnnMock.h"

#include "StreamMock.h"

#include <cstring>
#include <vector>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using mock::Convolve;
using mock::scratchOf;
using mock::Sums;

template <typename T> static cudnnStatus_t make(T **handle) {
  ++cudaMock().liveHandles;
  *handle = new T;
  return CUDNN_STATUS_SUCCESS;
}

template <typename T> static cudnnStatus_t drop(T *handle) {
  --cudaMock().liveHandles;
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t set(cudnnTensorStruct *tensor, int n, int c, int h,
                         int w) {
  tensor->n = n;
  tensor->c = c;
  tensor->h = h;
  tensor->w = w;
  return n > 0 && c > 0 && h > 0 && w > 0 ? CUDNN_STATUS_SUCCESS
                                          : CUDNN_STATUS_BAD_PARAM;
}

/// Calls f(x index, w index, y index) for every product of the convolution.
template <typename F>
static void eachProduct(const cudnnTensorStruct &x, const cudnnTensorStruct &w,
                        const cudnnConvolutionStruct &conv,
                        const cudnnTensorStruct &y, const F &f) {
  int perGroup = w.n / conv.groups;
  for (int n = 0; n < y.n; ++n)
    for (int o = 0; o < y.c; ++o)
      for (int i = 0; i < y.h; ++i)
        for (int j = 0; j < y.w; ++j)
          for (int c = 0; c < w.c; ++c)
            for (int a = 0; a < w.h; ++a)
              for (int b = 0; b < w.w; ++b) {
                int row = i * conv.strideH - conv.padH + a * conv.dilationH;
                int column = j * conv.strideW - conv.padW + b * conv.dilationW;
                if (row < 0 || row >= x.h || column < 0 || column >= x.w)
                  continue;
                int channel = o / perGroup * w.c + c;
                f(x.at(n, channel, row, column), w.at(o, c, a, b),
                  y.at(n, o, i, j));
              }
}

bool mock::isSound(const cudnnTensorStruct &x, const cudnnTensorStruct &w,
                   const cudnnConvolutionStruct &conv,
                   const cudnnTensorStruct &y) {
  auto size = [](int size, int kernel, int stride, int pad, int dilation) {
    return (size + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
  };
  // Elements of 16 bits by tensor cores without a conversion.
  const bool isHalf = x.element != Element::F32;
  const bool isExact = isHalf == (conv.math == CUDNN_TENSOR_OP_MATH) &&
                       x.element == w.element && x.element == y.element;
  return isExact && x.n == y.n && x.c == w.c * conv.groups && y.c == w.n &&
         w.n % conv.groups == 0 &&
         y.h == size(x.h, w.h, conv.strideH, conv.padH, conv.dilationH) &&
         y.w == size(x.w, w.w, conv.strideW, conv.padW, conv.dilationW);
}

size_t mock::scratchOf(const cudnnTensorStruct &w) {
  return w.count() * sizeof(float) + 40;
}

static cudnnStatus_t query(const cudnnTensorStruct &x,
                           const cudnnTensorStruct &w,
                           const cudnnConvolutionStruct &conv,
                           const cudnnTensorStruct &y, bool deterministic,
                           size_t *bytes) {
  ++cudaMock().workspaceQueries;
  if (!mock::isSound(x, w, conv, y))
    return CUDNN_STATUS_BAD_PARAM;
  if (!deterministic)
    ++cudaMock().misuses;
  *bytes = scratchOf(w);
  return cudaMock().refuseConvolutions ? CUDNN_STATUS_NOT_SUPPORTED
                                       : CUDNN_STATUS_SUCCESS;
}

static void compute(const Convolve &c) {
  if (c.workspace && c.workspaceBytes)
    std::memset(c.workspace, 0x5A, c.workspaceBytes);
  const cudnnTensorStruct &shape = c.sums == Sums::X   ? c.x
                                   : c.sums == Sums::W ? c.w
                                                       : c.y;
  std::vector<double> sums(shape.count());
  eachProduct(c.x, c.w, c.convolution, c.y, [&](int ix, int iw, int iy) {
    const int to = c.sums == Sums::X ? ix : c.sums == Sums::W ? iw : iy;
    const int first = c.sums == Sums::X ? iw : ix;
    const int second = c.sums == Sums::Y ? iw : iy;
    sums[size_t(to)] += mock::load(c.element, c.first, first) *
                        mock::load(c.element, c.second, second);
  });
  for (int n = 0; c.bias && n < c.y.n * c.y.c; ++n)
    for (int at = 0; at < c.y.h * c.y.w; ++at) {
      double &sum =
          sums[size_t(c.y.at(n / c.y.c, n % c.y.c, at / c.y.w, at % c.y.w))];
      sum += mock::loadSum(c.element, c.bias, n % c.y.c);
      sum = sum < 0 ? 0 : sum;
    }
  for (size_t i = 0; i < sums.size(); ++i)
    mock::store(c.element, c.target, int64_t(i), sums[i]);
}

void mock::convolve(cudnnHandle_t handle, const Convolve &call, size_t needed) {
  CudaMock &mock = cudaMock();
  ++mock.convolutions;
  mock.productTypes.insert(nameOf(call.element));
  if (!handle->stream || (needed && !call.workspace) ||
      call.workspaceBytes < needed)
    ++mock.misuses;
  hold(handle->stream, [call] { compute(call); });
}

static cudnnStatus_t launch(cudnnHandle_t handle, const Convolve &call,
                            size_t needed, const void *alpha,
                            const void *beta) {
  if (*static_cast<const float *>(alpha) != 1 ||
      *static_cast<const float *>(beta) != 0)
    return CUDNN_STATUS_BAD_PARAM;
  mock::convolve(handle, call, needed);
  return CUDNN_STATUS_SUCCESS;
}

static mock::Element elementOf(cudnnDataType_t type) {
  return type == CUDNN_DATA_BFLOAT16 ? mock::Element::Bf16
         : type == CUDNN_DATA_HALF   ? mock::Element::F16
                                     : mock::Element::F32;
}

/// Of the image; the others must agree.
static mock::Element elementOf(const cudnnTensorStruct &image,
                               const cudnnConvolutionStruct &conv) {
  return conv.math == CUDNN_DEFAULT_MATH && image.element == mock::Element::F32
             ? mock::Element::Tf32
             : image.element;
}

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  return cudaMock().dnnError ? cudnnStatus_t(cudaMock().dnnError)
                             : make(handle);
}
cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
  const int version[] = {9, 88, 5};
  *value = version[type];
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) { return drop(handle); }
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
const char *cudnnGetErrorString(cudnnStatus_t) { return "a cuDNN error"; }

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor) {
  return make(tensor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return drop(tensor);
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor,
                                         cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c,
                                         int h, int w) {
  tensor->element = elementOf(type);
  tensor->channelsLast = format == CUDNN_TENSOR_NHWC;
  return set(tensor, n, c, h, w);
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filter) {
  return make(filter);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return drop(filter);
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter,
                                         cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k,
                                         int c, int h, int w) {
  filter->element = elementOf(type);
  filter->channelsLast = format == CUDNN_TENSOR_NHWC;
  return set(filter, k, c, h, w);
}

cudnnStatus_t
cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *conv) {
  return make(conv);
}
cudnnStatus_t
cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t conv) {
  return drop(conv);
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t conv,
                                              int padH, int padW, int strideH,
                                              int strideW, int dilationH,
                                              int dilationW,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t) {
  *conv = {padH, padW, strideH, strideW, dilationH, dilationW, 1};
  return mode == CUDNN_CROSS_CORRELATION ? CUDNN_STATUS_SUCCESS
                                         : CUDNN_STATUS_BAD_PARAM;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t conv,
                                            int groups) {
  conv->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t conv,
                                          cudnnMathType_t mode) {
  conv->math = mode;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t, const cudnnTensorDescriptor_t x,
    const cudnnFilterDescriptor_t w, const cudnnConvolutionDescriptor_t conv,
    const cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algorithm,
    size_t *bytes) {
  cudnnStatus_t code = query(*x, *w, *conv, *y, true, bytes);
  if (algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM)
    *bytes = 0;
  return code;
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t, const cudnnFilterDescriptor_t w,
    const cudnnTensorDescriptor_t dy, const cudnnConvolutionDescriptor_t conv,
    const cudnnTensorDescriptor_t dx, cudnnConvolutionBwdDataAlgo_t algorithm,
    size_t *bytes) {
  return query(*dx, *w, *conv, *dy,
               algorithm != CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, bytes);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t, const cudnnTensorDescriptor_t x,
    const cudnnTensorDescriptor_t dy, const cudnnConvolutionDescriptor_t conv,
    const cudnnFilterDescriptor_t dw, cudnnConvolutionBwdFilterAlgo_t algorithm,
    size_t *bytes) {
  return query(*x, *dw, *conv, *dy,
               algorithm != CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 &&
                   algorithm != CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3,
               bytes);
}

cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x,
    const void *xs, const cudnnFilterDescriptor_t w, const void *ws,
    const cudnnConvolutionDescriptor_t conv,
    cudnnConvolutionFwdAlgo_t algorithm, void *workspace, size_t bytes,
    const void *beta, const cudnnTensorDescriptor_t y, void *ys) {
  bool plain = algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  return launch(handle,
                {Sums::Y, *x, *w, *y, *conv, xs, ws, ys, workspace, bytes,
                 elementOf(*x, *conv)},
                plain ? 0 : scratchOf(*w), alpha, beta);
}

cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t w,
    const void *ws, const cudnnTensorDescriptor_t dy, const void *dys,
    const cudnnConvolutionDescriptor_t conv, cudnnConvolutionBwdDataAlgo_t,
    void *workspace, size_t bytes, const void *beta,
    const cudnnTensorDescriptor_t dx, void *dxs) {
  return launch(handle,
                {Sums::X, *dx, *w, *dy, *conv, ws, dys, dxs, workspace, bytes,
                 elementOf(*dx, *conv)},
                scratchOf(*w), alpha, beta);
}

cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t x,
    const void *xs, const cudnnTensorDescriptor_t dy, const void *dys,
    const cudnnConvolutionDescriptor_t conv, cudnnConvolutionBwdFilterAlgo_t,
    void *workspace, size_t bytes, const void *beta,
    const cudnnFilterDescriptor_t dw, void *dws) {
  return launch(handle,
                {Sums::W, *x, *dw, *dy, *conv, xs, dys, dws, workspace, bytes,
                 elementOf(*x, *conv)},
                scratchOf(*dw), alpha, beta);
}

} // extern "C"

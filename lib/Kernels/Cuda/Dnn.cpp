//===- Dnn.cpp - Convolutions through cuDNN -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each convolution has one fixed list of algorithms that give equal bits in
// every run; the first that cuDNN has for the shape is taken. No timing
// decides, so that prepare knows the scratch and a plan is the same on every
// day.
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "Kernel.h"
#include "Symbols.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <cudnn.h>

// The descriptor interface is marked as old in favour of graphs, which only a
// C++ header library makes usable; it stays throughout cuDNN 9.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace memplan::runtime::cuda {

using kernels::Conv2dGeometry;
using kernels::conv2dGeometry;

namespace {
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
};
} // namespace

/// Why cuDNN cannot be used; "" if it can.
static std::string load(DnnLibrary &f) {
  SharedLibrary library(MEMPLAN_CUDNN_FILE, "cudnnCreate");
  library.symbol("cudnnCreate", f.create);
  library.symbol("cudnnDestroy", f.destroy);
  library.symbol("cudnnGetProperty", f.property);
  library.symbol("cudnnSetStream", f.setStream);
  library.symbol("cudnnGetErrorString", f.text);
  library.symbol("cudnnCreateTensorDescriptor", f.createTensor);
  library.symbol("cudnnSetTensor4dDescriptor", f.setTensor);
  library.symbol("cudnnDestroyTensorDescriptor", f.destroyTensor);
  library.symbol("cudnnCreateFilterDescriptor", f.createFilter);
  library.symbol("cudnnSetFilter4dDescriptor", f.setFilter);
  library.symbol("cudnnDestroyFilterDescriptor", f.destroyFilter);
  library.symbol("cudnnCreateConvolutionDescriptor", f.createConvolution);
  library.symbol("cudnnSetConvolution2dDescriptor", f.setConvolution);
  library.symbol("cudnnSetConvolutionGroupCount", f.setGroups);
  library.symbol("cudnnSetConvolutionMathType", f.setMath);
  library.symbol("cudnnDestroyConvolutionDescriptor", f.destroyConvolution);
  library.symbol("cudnnGetConvolutionForwardWorkspaceSize", f.forwardBytes);
  library.symbol("cudnnGetConvolutionBackwardDataWorkspaceSize", f.dataBytes);
  library.symbol("cudnnGetConvolutionBackwardFilterWorkspaceSize",
                 f.filterBytes);
  library.symbol("cudnnConvolutionForward", f.forward);
  library.symbol("cudnnConvolutionBackwardData", f.backwardData);
  library.symbol("cudnnConvolutionBackwardFilter", f.backwardFilter);
  return library.reason();
}

struct DnnHandle {
  DnnLibrary library = {};
  cudnnHandle_t handle = nullptr;
  cudaStream_t stream = nullptr; ///< that it was told last

  DnnHandle() = default;
  DnnHandle(const DnnHandle &) = delete;
  ~DnnHandle() {
    if (handle)
      library.destroy(handle);
  }
};

memplan_status_t openDnn(Device &device) {
  if (!mayUseLibrary("cudnn"))
    return MEMPLAN_OK;
  auto dnn = std::make_shared<DnnHandle>();
  const DnnLibrary &library = dnn->library;
  if (std::string why = load(dnn->library); !why.empty())
    return device.noLibrary("cuDNN", "cudnn", why);
  cudnnStatus_t code = library.create(&dnn->handle);
  if (code == CUDNN_STATUS_SUCCESS)
    code = library.setStream(dnn->handle, device.stream);
  if (code != CUDNN_STATUS_SUCCESS)
    return device.noLibrary("cuDNN", "cudnn",
                            std::string("cudnnCreate: ") + library.text(code));
  int major = 0, minor = 0, patch = 0;
  library.property(MAJOR_VERSION, &major);
  library.property(MINOR_VERSION, &minor);
  library.property(PATCH_LEVEL, &patch);
  device.addVersion("cuDNN", major, minor, patch);
  dnn->stream = device.stream;
  device.dnn = std::move(dnn);
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

namespace {
enum class Direction { Forward, InputGrad, FilterGrad };

/// The descriptors of one convolution, and its algorithm.
struct Convolution {
  explicit Convolution(const std::shared_ptr<DnnHandle> &dnn)
      : dnn(dnn), library(dnn->library) {}
  Convolution(const Convolution &) = delete;
  ~Convolution();

  bool describe(const Conv2dGeometry &g);
  bool choose(Direction direction);
  bool tryForward(cudnnConvolutionFwdAlgo_t algorithm);
  bool tryInputGrad(cudnnConvolutionBwdDataAlgo_t algorithm);
  bool tryFilterGrad(cudnnConvolutionBwdFilterAlgo_t algorithm);

  std::shared_ptr<DnnHandle> dnn; ///< outlives the device's own use
  const DnnLibrary &library;
  cudnnTensorDescriptor_t image = nullptr, result = nullptr;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  int algorithm = 0;
  size_t scratchBytes = 0;
  size_t roomBytes = 0;       ///< an algorithm that takes more is passed over
  size_t passedOverBytes = 0; ///< what the first of those takes

  bool fitsRoom() {
    if (scratchBytes <= roomBytes)
      return true;
    if (passedOverBytes == 0)
      passedOverBytes = scratchBytes;
    return false;
  }
};
} // namespace

Convolution::~Convolution() {
  if (convolution)
    library.destroyConvolution(convolution);
  if (filter)
    library.destroyFilter(filter);
  if (result)
    library.destroyTensor(result);
  if (image)
    library.destroyTensor(image);
}

bool Convolution::describe(const Conv2dGeometry &g) {
  auto ok = [](cudnnStatus_t code) { return code == CUDNN_STATUS_SUCCESS; };
  return ok(library.createTensor(&image)) &&
         ok(library.createTensor(&result)) &&
         ok(library.createFilter(&filter)) &&
         ok(library.createConvolution(&convolution)) &&
         ok(library.setTensor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                              int(g.n), int(g.c), int(g.h), int(g.w))) &&
         ok(library.setTensor(result, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                              int(g.n), int(g.o), int(g.ho), int(g.wo))) &&
         ok(library.setFilter(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                              int(g.o), int(g.channelsPerGroup()), int(g.kh),
                              int(g.kw))) &&
         ok(library.setConvolution(
             convolution, int(g.padding.h), int(g.padding.w), int(g.strides.h),
             int(g.strides.w), int(g.dilation.h), int(g.dilation.w),
             CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT)) &&
         ok(library.setGroups(convolution, int(g.groups))) &&
         // f32 products as f32: no TF32.
         ok(library.setMath(convolution, CUDNN_FMA_MATH));
}

bool Convolution::tryForward(cudnnConvolutionFwdAlgo_t wanted) {
  algorithm = int(wanted);
  return library.forwardBytes(dnn->handle, image, filter, convolution, result,
                              wanted, &scratchBytes) == CUDNN_STATUS_SUCCESS &&
         fitsRoom();
}

bool Convolution::tryInputGrad(cudnnConvolutionBwdDataAlgo_t wanted) {
  algorithm = int(wanted);
  return library.dataBytes(dnn->handle, filter, result, convolution, image,
                           wanted, &scratchBytes) == CUDNN_STATUS_SUCCESS &&
         fitsRoom();
}

bool Convolution::tryFilterGrad(cudnnConvolutionBwdFilterAlgo_t wanted) {
  algorithm = int(wanted);
  return library.filterBytes(dnn->handle, image, result, convolution, filter,
                             wanted, &scratchBytes) == CUDNN_STATUS_SUCCESS &&
         fitsRoom();
}

/// The backward algorithms 0 (and 3 of the filter) add with atomics and are
/// therefore left out.
bool Convolution::choose(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return tryForward(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM) ||
           tryForward(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
  case Direction::InputGrad:
    return tryInputGrad(CUDNN_CONVOLUTION_BWD_DATA_ALGO_1) ||
           tryInputGrad(CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED);
  case Direction::FilterGrad:
    return tryFilterGrad(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1) ||
           tryFilterGrad(CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED);
  }
  return false;
}

static bool fits(const Conv2dGeometry &g) {
  auto sizes = {g.n,         g.c,         g.h,          g.w,
                g.o,         g.kh,        g.kw,         g.ho,
                g.wo,        g.groups,    g.strides.h,  g.strides.w,
                g.padding.h, g.padding.w, g.dilation.h, g.dilation.w};
  return std::max(sizes) <= INT_MAX &&
         std::min({g.n, g.c, g.h, g.w, g.o, g.kh, g.kw, g.ho, g.wo}) >= 1;
}

static Conv2dGeometry geometryOf(const memplan_launch_t *launch,
                                 Direction direction) {
  const memplan_tensor_t &first = launch->inputs[0];
  const memplan_tensor_t &second = launch->inputs[1];
  const memplan_tensor_t &out = launch->outputs[0];
  switch (direction) {
  case Direction::Forward:
    return conv2dGeometry(launch, first, second, out);
  case Direction::InputGrad:
    return conv2dGeometry(launch, out, second, first);
  default:
    return conv2dGeometry(launch, first, out, second);
  }
}

/// What to plan for where no GPU can be asked: as much as the tensors have.
static int64_t roomToPlan(const Conv2dGeometry &g) {
  constexpr int64_t least = 1 << 20, most = 64 << 20;
  int64_t floats = g.n * g.c * g.h * g.w + g.n * g.o * g.ho * g.wo +
                   g.o * g.channelsPerGroup() * g.kh * g.kw;
  return std::clamp(floats * 4, least, most) / 256 * 256;
}

template <Direction direction>
static memplan_status_t prepare(Device &device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  Conv2dGeometry g = geometryOf(description, direction);
  if (!fits(g))
    return MEMPLAN_UNAVAILABLE;
  if (device.planOnly) {
    if (!mayUseLibrary("cudnn"))
      return MEMPLAN_UNAVAILABLE;
    prepared->workspace_bytes = roomToPlan(g);
    return MEMPLAN_OK;
  }
  if (!device.dnn)
    return MEMPLAN_UNAVAILABLE;
  auto convolution = std::make_unique<Convolution>(device.dnn);
  convolution->roomBytes = size_t(description->workspace_bytes);
  bool chosen = convolution->describe(g) && convolution->choose(direction);
  prepared->wanted_workspace_bytes = int64_t(convolution->passedOverBytes);
  if (!chosen)
    return MEMPLAN_UNAVAILABLE;
  prepared->workspace_bytes = int64_t(convolution->scratchBytes);
  prepared->state = convolution.release();
  return MEMPLAN_OK;
}

static void destroy(void *state) { delete static_cast<Convolution *>(state); }

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static constexpr float one = 1, zero = 0;

static memplan_status_t finish(const Call &call, const Convolution &c,
                               cudnnStatus_t code, const char *what) {
  if (code != CUDNN_STATUS_SUCCESS)
    return call.device.fail(MEMPLAN_FAILED, "%s: %s", what,
                            c.library.text(code));
  call.device.forgetLibraryError();
  if (const float *bias = call.in(2)) {
    const memplan_tensor_t &y = call.output(0);
    addBias(call, call.out(0), bias, elements(y), y.shape[1],
            y.shape[2] * y.shape[3]);
  }
  return MEMPLAN_OK;
}

/// The handle of a convolution, on the stream of the launch.
static cudnnHandle_t handleFor(const Call &call, const Convolution &c) {
  // It fails only for handles that are none.
  if (c.dnn->stream != call.device.stream)
    c.library.setStream(c.dnn->handle, call.device.stream);
  c.dnn->stream = call.device.stream;
  return c.dnn->handle;
}

static memplan_status_t forward(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  cudnnStatus_t code = c.library.forward(
      handleFor(call, c), &one, c.image, call.in(0), c.filter, call.in(1),
      c.convolution, cudnnConvolutionFwdAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.result, call.out(0));
  return finish(call, c, code, "cudnnConvolutionForward");
}

/// Also the transposed convolution: its output is the image.
static memplan_status_t inputGrad(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  cudnnStatus_t code = c.library.backwardData(
      handleFor(call, c), &one, c.filter, call.in(1), c.result, call.in(0),
      c.convolution, cudnnConvolutionBwdDataAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.image, call.out(0));
  return finish(call, c, code, "cudnnConvolutionBackwardData");
}

static memplan_status_t filterGrad(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  cudnnStatus_t code = c.library.backwardFilter(
      handleFor(call, c), &one, c.image, call.in(0), c.result, call.in(1),
      c.convolution, cudnnConvolutionBwdFilterAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.filter, call.out(0));
  return finish(call, c, code, "cudnnConvolutionBackwardFilter");
}

KernelTable dnnKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.conv2d", forward, prepare<Direction::Forward>, destroy,
       loadBias},
      {"memplan.conv2d_filter_grad", filterGrad, prepare<Direction::FilterGrad>,
       destroy, loadBias},
      {"memplan.conv2d_input_grad", inputGrad, prepare<Direction::InputGrad>,
       destroy, loadBias},
      {"memplan.conv_transpose2d", inputGrad, prepare<Direction::InputGrad>,
       destroy, loadBias},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

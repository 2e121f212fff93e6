//===- Dnn.cpp - Convolutions through cuDNN -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution runs as the engine and knobs that its variant names. Without a
// name it takes the first variant of cuDNN's list that fits into its scratch;
// what the backend interface refuses takes an algorithm of a fixed list that
// gives equal bits. No timing decides, so that prepare knows the scratch and a
// plan is the same on every day.
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"
#include "DnnEngines.h"
#include "Kernel.h"

#include <algorithm>
#include <climits>

// The older interface is marked so; it stays throughout cuDNN 9.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace memplan::runtime::cuda {

using kernels::Conv2dGeometry;
using kernels::conv2dGeometry;

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

namespace {
/// The descriptors of one convolution, and its algorithm.
struct Convolution {
  explicit Convolution(const std::shared_ptr<DnnHandle> &dnn)
      : dnn(dnn), library(dnn->library) {}
  Convolution(const Convolution &) = delete;
  ~Convolution();

  bool describe(const Conv2dGeometry &g, const DnnPrecision &precision);
  bool choose(Direction direction);
  bool tryForward(cudnnConvolutionFwdAlgo_t algorithm);
  bool tryInputGrad(cudnnConvolutionBwdDataAlgo_t algorithm);
  bool tryFilterGrad(cudnnConvolutionBwdFilterAlgo_t algorithm);

  std::shared_ptr<DnnHandle> dnn;
  const DnnLibrary &library;
  std::unique_ptr<DnnPlan> plan; ///< a variant; null: the rest describes it
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

bool Convolution::describe(const Conv2dGeometry &g,
                           const DnnPrecision &precision) {
  const cudnnDataType_t type = precision.type;
  // f32 products as f32, unless TF32 is allowed; those of 16 bits as they are.
  const cudnnMathType_t math = precision.isHalf()     ? CUDNN_TENSOR_OP_MATH
                               : precision.allowsTf32 ? CUDNN_DEFAULT_MATH
                                                      : CUDNN_FMA_MATH;
  const cudnnTensorFormat_t format =
      g.channelsLast ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
  auto ok = [](cudnnStatus_t code) { return code == CUDNN_STATUS_SUCCESS; };
  return ok(library.createTensor(&image)) &&
         ok(library.createTensor(&result)) &&
         ok(library.createFilter(&filter)) &&
         ok(library.createConvolution(&convolution)) &&
         ok(library.setTensor(image, format, type, int(g.n), int(g.c), int(g.h),
                              int(g.w))) &&
         ok(library.setTensor(result, format, type, int(g.n), int(g.o),
                              int(g.ho), int(g.wo))) &&
         ok(library.setFilter(filter, type, format, int(g.o),
                              int(g.channelsPerGroup()), int(g.kh),
                              int(g.kw))) &&
         ok(library.setConvolution(
             convolution, int(g.padding.h), int(g.padding.w), int(g.strides.h),
             int(g.strides.w), int(g.dilation.h), int(g.dilation.w),
             CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT)) &&
         ok(library.setGroups(convolution, int(g.groups))) &&
         ok(library.setMath(convolution, math));
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
  case Direction::ForwardBiasRelu:
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
  case Direction::ForwardBiasRelu:
    return conv2dGeometry(launch, first, second, out);
  case Direction::InputGrad:
    return conv2dGeometry(launch, out, second, first);
  default:
    return conv2dGeometry(launch, first, out, second);
  }
}

static DnnPrecision precisionOf(const memplan_launch_t *launch) {
  switch (launch->inputs[0].dtype) {
  case MEMPLAN_BF16:
    return {CUDNN_DATA_BFLOAT16, false};
  case MEMPLAN_F16:
    return {CUDNN_DATA_HALF, false};
  default:
    return {CUDNN_DATA_FLOAT, kernels::allowsTf32(launch)};
  }
}

/// What to plan for where no GPU can be asked: as much as the tensors have.
static int64_t roomToPlan(const Conv2dGeometry &g,
                          const DnnPrecision &precision) {
  constexpr int64_t least = 1 << 20, most = 64 << 20;
  const int64_t bytes = precision.isHalf() ? 2 : 4;
  int64_t count = g.n * g.c * g.h * g.w + g.n * g.o * g.ho * g.wo +
                  g.o * g.channelsPerGroup() * g.kh * g.kw;
  return std::clamp(count * bytes, least, most) / 256 * 256;
}

/// The variant of this name, or an error: no other one was planned.
static memplan_status_t prepareNamed(Device &device, const Conv2dGeometry &g,
                                     Direction direction,
                                     const DnnPrecision &precision,
                                     const std::string &name,
                                     memplan_prepared_t *prepared) {
  if (!device.dnn || !device.dnn->engines)
    return device.fail(
        MEMPLAN_UNAVAILABLE, "the variant '%s' takes cuDNN 9.8 or newer%s",
        name.c_str(), device.planOnly ? ", and MEMPLAN_CUDA_DEVICE" : "");
  auto convolution = std::make_unique<Convolution>(device.dnn);
  convolution->plan = device.dnn->engines->plan(g, direction, precision, name);
  const DnnPlan &plan = *convolution->plan;
  if (plan.status() != CUDNN_STATUS_SUCCESS)
    return device.fail(MEMPLAN_FAILED,
                       "the variant '%s' that was planned cannot run here, "
                       "with %s: %s; plan again for this device",
                       name.c_str(), device.versions.c_str(),
                       device.dnn->library.text(plan.status()));
  prepared->workspace_bytes = plan.workspaceBytes();
  prepared->variant = plan.name().c_str();
  prepared->operand_alignment = precision.alignmentBytes();
  prepared->state = convolution.release();
  return MEMPLAN_OK;
}

/// The first that fits into the room, "" if none does.
static std::string choose(const std::vector<DnnVariant> &variants,
                          int64_t roomBytes, memplan_prepared_t *prepared) {
  for (const DnnVariant &variant : variants) {
    if (variant.workspaceBytes <= roomBytes)
      return variant.name;
    if (prepared->wanted_workspace_bytes == 0)
      prepared->wanted_workspace_bytes = variant.workspaceBytes;
  }
  return "";
}

/// The sums and what follows them, where engines compute both.
static Direction withEpilogue(Direction direction,
                              const memplan_launch_t *launch) {
  return direction == Direction::Forward && launch->input_count > 2 &&
                 intAttribute(launch, "relu", 0)
             ? Direction::ForwardBiasRelu
             : direction;
}

template <Direction direction>
static memplan_status_t prepare(Device &device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  const Direction whole = withEpilogue(direction, description);
  const Conv2dGeometry g = geometryOf(description, direction);
  const DnnPrecision precision = precisionOf(description);
  if (!fits(g))
    return MEMPLAN_UNAVAILABLE;
  if (!device.dnn && !(device.planOnly && mayUseLibrary("cudnn")))
    return MEMPLAN_UNAVAILABLE;
  if (description->variant)
    return prepareNamed(device, g, whole, precision, description->variant,
                        prepared);
  std::string name;
  if (device.dnn && device.dnn->engines)
    name = choose(device.dnn->engines->variants(g, whole, precision),
                  description->workspace_bytes, prepared);
  // It was not planned: what cannot be built gives way.
  if (!name.empty() &&
      prepareNamed(device, g, whole, precision, name, prepared) == MEMPLAN_OK)
    return MEMPLAN_OK;
  if (device.planOnly) {
    prepared->workspace_bytes = roomToPlan(g, precision);
    return MEMPLAN_OK;
  }
  auto convolution = std::make_unique<Convolution>(device.dnn);
  convolution->roomBytes = size_t(description->workspace_bytes);
  bool chosen =
      convolution->describe(g, precision) && convolution->choose(direction);
  if (prepared->wanted_workspace_bytes == 0)
    prepared->wanted_workspace_bytes = int64_t(convolution->passedOverBytes);
  if (!chosen)
    return MEMPLAN_UNAVAILABLE;
  prepared->workspace_bytes = int64_t(convolution->scratchBytes);
  prepared->state = convolution.release();
  return MEMPLAN_OK;
}

template <Direction direction>
static memplan_status_t listVariants(Device &device,
                                     const memplan_launch_t *description,
                                     std::vector<memplan_variant_t> &variants) {
  Conv2dGeometry g = geometryOf(description, direction);
  if (!fits(g) || !device.dnn || !device.dnn->engines)
    return MEMPLAN_OK;
  for (const DnnVariant &variant : device.dnn->engines->variants(
           g, withEpilogue(direction, description), precisionOf(description)))
    variants.push_back(
        {variant.name.c_str(), variant.workspaceBytes, variant.slowdown});
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
  const bool hasBias = call.launch->input_count > 2;
  const bool relu = intAttribute(call.launch, "relu", 0) != 0;
  if ((!hasBias && !relu) || (c.plan && c.plan->hasEpilogue()))
    return MEMPLAN_OK;
  const memplan_tensor_t &y = call.output(0);
  const int dim = kernels::channelDim(call.launch);
  const int64_t channels = y.shape[dim], inner = product(y, dim + 1, 4);
  if (y.dtype == MEMPLAN_F32)
    addBias(call, call.out(0), call.in(2), elements(y), channels, inner, relu);
  else
    addHalfBias(call, y.dtype, y.data, hasBias ? call.input(2).data : nullptr,
                elements(y), channels, inner, relu);
  return MEMPLAN_OK;
}

/// Runs a variant.
static memplan_status_t runPlan(const Call &call, const Convolution &c,
                                const void *image, const void *filter,
                                const void *result) {
  const auto places = reinterpret_cast<uintptr_t>(image) |
                      reinterpret_cast<uintptr_t>(filter) |
                      reinterpret_cast<uintptr_t>(result);
  const int64_t alignment = c.plan->precision().alignmentBytes();
  if (int64_t(places % uintptr_t(alignment)) != 0)
    return call.device.fail(
        MEMPLAN_INVALID_ARGUMENT,
        "an operand of the convolution lies at no multiple of %lld bytes, "
        "which tensor cores take",
        static_cast<long long>(alignment));
  // One of them is written, which the type does not say.
  auto pointer = [](const void *data) { return const_cast<void *>(data); };
  return finish(
      call, c,
      c.plan->run(c.dnn->on(call.device.stream),
                  {pointer(image), pointer(filter), pointer(result),
                   c.plan->hasEpilogue() ? call.input(2).data : nullptr},
                  call.launch->workspace),
      "cudnnBackendExecute");
}

static memplan_status_t forward(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  if (c.plan)
    return runPlan(call, c, call.in(0), call.in(1), call.out(0));
  cudnnStatus_t code = c.library.forward(
      c.dnn->on(call.device.stream), &one, c.image, call.in(0), c.filter,
      call.in(1), c.convolution, cudnnConvolutionFwdAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.result, call.out(0));
  return finish(call, c, code, "cudnnConvolutionForward");
}

/// Also the transposed convolution: its output is the image.
static memplan_status_t inputGrad(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  if (c.plan)
    return runPlan(call, c, call.out(0), call.in(1), call.in(0));
  cudnnStatus_t code = c.library.backwardData(
      c.dnn->on(call.device.stream), &one, c.filter, call.in(1), c.result,
      call.in(0), c.convolution, cudnnConvolutionBwdDataAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.image, call.out(0));
  return finish(call, c, code, "cudnnConvolutionBackwardData");
}

static memplan_status_t filterGrad(const Call &call) {
  const auto &c = *static_cast<const Convolution *>(call.launch->state);
  if (c.plan)
    return runPlan(call, c, call.in(0), call.out(0), call.in(1));
  cudnnStatus_t code = c.library.backwardFilter(
      c.dnn->on(call.device.stream), &one, c.image, call.in(0), c.result,
      call.in(1), c.convolution, cudnnConvolutionBwdFilterAlgo_t(c.algorithm),
      call.launch->workspace, c.scratchBytes, &zero, c.filter, call.out(0));
  return finish(call, c, code, "cudnnConvolutionBackwardFilter");
}

KernelTable dnnKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.conv2d", forward, prepare<Direction::Forward>, destroy,
       loadBias, listVariants<Direction::Forward>, /*takesHalves=*/true},
      {"memplan.conv2d_filter_grad", filterGrad, prepare<Direction::FilterGrad>,
       destroy, loadBias, listVariants<Direction::FilterGrad>,
       /*takesHalves=*/true},
      {"memplan.conv2d_input_grad", inputGrad, prepare<Direction::InputGrad>,
       destroy, loadBias, listVariants<Direction::InputGrad>,
       /*takesHalves=*/true},
      {"memplan.conv_transpose2d", inputGrad, prepare<Direction::InputGrad>,
       destroy, loadBias, listVariants<Direction::InputGrad>,
       /*takesHalves=*/true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

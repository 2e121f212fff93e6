//===- Losses.cu - Losses and their gradients -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Typed.h"

namespace memplan::runtime::cuda {

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

/// 1 for a label that counts, 0 for an ignored one; a fault for a bad one,
/// which then does not count either.
MEMPLAN_DEVICE static int64_t counts(int64_t label, int64_t ignore,
                                     int64_t width, int32_t *fault) {
  if (label == ignore)
    return 0;
  if (label < 0 || label >= width) {
    raiseFault(fault, LabelOutOfRange);
    return 0;
  }
  return 1;
}

/// A scalar that is stored as the logits are, or f32.
template <typename T> struct Scalar {
  void *data;
  bool isHalf;

  explicit Scalar(const memplan_tensor_t &tensor)
      : data(tensor.data), isHalf(tensor.dtype != MEMPLAN_F32) {}
  MEMPLAN_DEVICE float load() const {
    return isHalf ? T::load(*static_cast<const typename T::Stored *>(data))
                  : *static_cast<const float *>(data);
  }
  MEMPLAN_DEVICE void store(float value) const {
    if (isHalf)
      *static_cast<typename T::Stored *>(data) = T::store(value);
    else
      *static_cast<float *>(data) = value;
  }
};

template <typename T> static memplan_status_t crossEntropyOf(const Call &call) {
  int64_t rows = call.input(0).shape[0], width = call.input(0).shape[1];
  const auto *logits =
      static_cast<const typename T::Stored *>(call.input(0).data);
  const int64_t *labels = call.ints(1);
  const Scalar<T> loss(call.output(0));
  float *sums = call.out(1);
  int64_t ignore = intAttribute(call.launch, "ignore_index", -100);
  bool isSum = intAttribute(call.launch, "sum", 0) != 0;
  int32_t *fault = call.device.fault;
  forEachBlock(
      call, rows, width, [=] MEMPLAN_DEVICE(const Block &block, int64_t r) {
        const auto *row = logits + r * width;
        float largest =
            block.largest(width, [&](int64_t i) { return T::load(row[i]); });
        double sum = block.sum(width, [&](int64_t i) {
          return double(::expf(T::load(row[i]) - largest));
        });
        block.each(1, [&](int64_t) { sums[r] = float(largest + ::log(sum)); });
      });
  forEachBlock(call, 1, rows, [=] MEMPLAN_DEVICE(const Block &block, int64_t) {
    Sums<2> total = block.sums<2>(rows, [&](int64_t r, double *sum) {
      if (!counts(labels[r], ignore, width, fault))
        return;
      sum[0] += double(sums[r]) - T::load(logits[r * width + labels[r]]);
      sum[1] += 1;
    });
    block.each(1, [&](int64_t) {
      loss.store(float(total.value[0] / (isSum ? 1.0 : total.value[1])));
    });
  });
  return MEMPLAN_OK;
}

static memplan_status_t crossEntropy(const Call &call) {
  return byStored(call.input(0), [&](auto stored) {
    return crossEntropyOf<decltype(stored)>(call);
  });
}

/// The factor of all rows lies in the workspace between two launches.
static memplan_status_t prepareFactor(Device &, const memplan_launch_t *,
                                      memplan_prepared_t *prepared) {
  prepared->workspace_bytes = sizeof(float);
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t crossEntropyGradOf(const Call &call) {
  int64_t rows = call.input(0).shape[0], width = call.input(0).shape[1];
  const auto *logits =
      static_cast<const typename T::Stored *>(call.input(0).data);
  const float *sums = call.in(2);
  const Scalar<T> lossGrad(call.input(3));
  const int64_t *labels = call.ints(1);
  auto *out = static_cast<typename T::Stored *>(call.output(0).data);
  float *factor = call.workspace<float>();
  int64_t ignore = intAttribute(call.launch, "ignore_index", -100);
  bool isSum = intAttribute(call.launch, "sum", 0) != 0;
  int32_t *fault = call.device.fault;
  forEachBlock(call, 1, rows, [=] MEMPLAN_DEVICE(const Block &block, int64_t) {
    double counted = block.sum(rows, [&](int64_t r) {
      return double(counts(labels[r], ignore, width, fault));
    });
    block.each(1, [&](int64_t) {
      *factor = lossGrad.load() / (isSum ? 1.0f : float(counted));
    });
  });
  forEach(call, rows * width, [=] MEMPLAN_DEVICE(int64_t at) {
    int64_t r = at / width, label = labels[r];
    float grad = 0;
    if (label != ignore) {
      grad = ::expf(T::load(logits[at]) - sums[r]) * *factor;
      if (at % width == label)
        grad -= *factor;
    }
    out[at] = T::store(grad);
  });
  return MEMPLAN_OK;
}

static memplan_status_t crossEntropyGrad(const Call &call) {
  return byStored(call.input(0), [&](auto stored) {
    return crossEntropyGradOf<decltype(stored)>(call);
  });
}

//===----------------------------------------------------------------------===//
// Means over elements
//===----------------------------------------------------------------------===//

/// Sums of pieces in the workspace, then their sum; the pieces depend on the
/// size only.
static constexpr int64_t pieces = 256;

static memplan_status_t preparePieces(Device &, const memplan_launch_t *,
                                      memplan_prepared_t *prepared) {
  prepared->workspace_bytes = pieces * int64_t(sizeof(double));
  return MEMPLAN_OK;
}

template <typename F>
static memplan_status_t meanOf(const Call &call, const F &f) {
  const float *a = call.in(0), *b = call.in(1);
  float *loss = call.out(0);
  double *parts = call.workspace<double>();
  int64_t count = elements(call.input(0));
  int64_t length = (count + pieces - 1) / pieces;
  forEachBlock(call, pieces, length,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t part) {
                 int64_t first = part * length;
                 int64_t here = count - first < length ? count - first : length;
                 double sum = block.sum(here, [&](int64_t i) {
                   return f(a[first + i], b[first + i]);
                 });
                 block.each(1, [&](int64_t) { parts[part] = sum; });
               });
  forEachBlock(
      call, 1, pieces, [=] MEMPLAN_DEVICE(const Block &block, int64_t) {
        double sum = block.sum(pieces, [&](int64_t i) { return parts[i]; });
        block.each(1, [&](int64_t) { *loss = float(sum / double(count)); });
      });
  return MEMPLAN_OK;
}

template <typename F>
static memplan_status_t gradOf(const Call &call, const F &f) {
  const float *a = call.in(0), *b = call.in(1), *lossGrad = call.in(2);
  float *out = call.out(0);
  int64_t count = elements(call.input(0));
  forEach(call, count, [=] MEMPLAN_DEVICE(int64_t i) {
    out[i] = f(a[i], b[i]) * (*lossGrad / float(count));
  });
  return MEMPLAN_OK;
}

static memplan_status_t mse(const Call &call) {
  return meanOf(call, [] MEMPLAN_DEVICE(float p, float t) {
    double d = double(p) - t;
    return d * d;
  });
}

static memplan_status_t mseGrad(const Call &call) {
  return gradOf(call,
                [] MEMPLAN_DEVICE(float p, float t) { return 2.0f * (p - t); });
}

static memplan_status_t bce(const Call &call) {
  return meanOf(call, [] MEMPLAN_DEVICE(float x, float t) {
    return double(x > 0 ? x : 0.0f) - double(x) * t +
           ::log1p(::exp(-::fabs(double(x))));
  });
}

static memplan_status_t bceGrad(const Call &call) {
  return gradOf(call, [] MEMPLAN_DEVICE(float x, float t) {
    return 1.0f / (1.0f + ::expf(-x)) - t;
  });
}

KernelTable lossKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.bce_with_logits", bce, preparePieces},
      {"memplan.bce_with_logits_grad", bceGrad},
      {.name = "memplan.cross_entropy",
       .launch = crossEntropy,
       .takesHalves = true},
      {.name = "memplan.cross_entropy_grad",
       .launch = crossEntropyGrad,
       .prepare = prepareFactor,
       .takesHalves = true},
      {"memplan.mse_loss", mse, preparePieces},
      {"memplan.mse_loss_grad", mseGrad},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

//===- BatchNorm.cu - Batch normalization -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Typed.h"

namespace memplan::runtime::cuda {

/// Where element i of channel c lies: samples, channels, the rest.
struct ChannelExtent {
  int64_t n, c, inner;

  explicit ChannelExtent(const memplan_tensor_t &x)
      : n(x.shape[0]), c(x.shape[1]), inner(product(x, 2, x.rank)) {}
  int64_t perChannel() const { return n * inner; }
  MEMPLAN_DEVICE int64_t at(int64_t channel, int64_t i) const {
    return (i / inner * c + channel) * inner + i % inner;
  }
};

/// How the elements of each channel are cut.
static Parts partsOf(const ChannelExtent &extent) {
  return Parts(extent.c, extent.perChannel(), /*least=*/2048);
}

/// What one part of a channel leaves: sums about `shift`, an element of the
/// channel, so that squares lose no digits.
struct Moments {
  double sum, squares, shift;
};
/// Sums of the gradient, and of its product with the normalized input.
struct GradSums {
  double grads, products;
};

/// Where channels come last, they are columns.
static ColumnSums columnsOf(const ChannelExtent &extent) {
  return ColumnSums(/*bases=*/1, extent.n, extent.c);
}

template <typename Sum, int input>
static memplan_status_t prepareParts(Device &, const memplan_launch_t *launch,
                                     memplan_prepared_t *prepared) {
  const ChannelExtent extent(launch->inputs[input]);
  prepared->workspace_bytes =
      extent.inner == 1
          ? columnsOf(extent).workspaceBytes(2)
          : extent.c * partsOf(extent).count * int64_t(sizeof(Sum));
  return MEMPLAN_OK;
}

/// What a channel is multiplied with, from its sums about `shift`.
struct Statistics {
  float mean, invstd, variance;

  MEMPLAN_DEVICE Statistics(double sum, double squared, double shift,
                            double per, double epsilon) {
    const double offset = sum / per;
    const double left = squared - sum * offset;
    const double squares = left > 0 ? left : 0;
    mean = float(shift + offset);
    invstd = float(1.0 / ::sqrt(squares / per + epsilon));
    variance = float(squares / (per > 1 ? per - 1 : 1));
  }
};

template <typename T>
static void sumMoments(const Call &call, const ChannelExtent &extent,
                       const Parts &parts) {
  const Reader<T> x(call.input(0));
  Moments *partial = call.workspace<Moments>();
  forEachBlock(
      call, extent.c * parts.count, parts.size,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
        const int64_t c = group / parts.count, part = group % parts.count;
        const int64_t first = parts.begin(part);
        const double shift = parts.length > 0 ? x[extent.at(c, 0)] : 0.0f;
        Sums<2> sums =
            block.sums<2>(parts.elements(part), [&](int64_t i, double *sum) {
              const double d = x[extent.at(c, first + i)] - shift;
              sum[0] += d;
              sum[1] += d * d;
            });
        block.each(1, [&](int64_t) {
          partial[group] = {sums.value[0], sums.value[1], shift};
        });
      });
}

/// Neighbouring threads take neighbouring channels.
template <typename T, typename P>
static memplan_status_t forwardLast(const Call &call,
                                    const ChannelExtent &extent) {
  const Reader<T> x(call.input(0));
  const Reader<P> scale(call.input(1)), bias(call.input(2));
  const Writer<T> y(call.output(0));
  float *means = call.out(1), *invstds = call.out(2);
  float *variances = call.out(3);
  const double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
  const auto per = double(extent.n);
  const int64_t channels = extent.c;
  columnsOf(extent).run<2>(
      call,
      [=] MEMPLAN_DEVICE(int64_t, int64_t row, int64_t c, double *sum) {
        const double d = double(x[row * channels + c]) - double(x[c]);
        sum[0] += d;
        sum[1] += d * d;
      },
      [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
        const Statistics s(sum[0], sum[1], per > 0 ? x[c] : 0.0f, per, epsilon);
        means[c] = s.mean;
        invstds[c] = s.invstd;
        variances[c] = s.variance;
      });
  forEach(call, extent.n * channels, [=] MEMPLAN_DEVICE(int64_t i) {
    const int64_t c = i % channels;
    y[i] = (x[i] - means[c]) * (invstds[c] * scale[c]) + bias[c];
  });
  return MEMPLAN_OK;
}

/// y may be x: an element is written by the thread that read it, when nothing
/// else of the channel is read any more.
template <typename T, typename P>
static memplan_status_t forward(const Call &call) {
  const ChannelExtent extent(call.input(0));
  if (extent.inner == 1)
    return forwardLast<T, P>(call, extent);
  const Parts parts = partsOf(extent);
  sumMoments<T>(call, extent, parts);
  const Reader<T> x(call.input(0));
  const Reader<P> scale(call.input(1)), bias(call.input(2));
  const Writer<T> y(call.output(0));
  float *means = call.out(1), *invstds = call.out(2);
  float *variances = call.out(3);
  const double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
  const auto per = double(extent.perChannel());
  const Moments *partial = call.workspace<Moments>();
  forEachBlock(call, extent.c * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const int64_t c = group / parts.count,
                               part = group % parts.count;
                 const Moments *mine = partial + c * parts.count;
                 const Sums<2> total =
                     block.sums<2>(parts.count, [&](int64_t i, double *sum) {
                       sum[0] += mine[i].sum;
                       sum[1] += mine[i].squares;
                     });
                 const Statistics s(total.value[0], total.value[1],
                                    mine[0].shift, per, epsilon);
                 if (part == 0)
                   block.each(1, [&](int64_t) {
                     means[c] = s.mean;
                     invstds[c] = s.invstd;
                     variances[c] = s.variance;
                   });
                 const float m = s.mean;
                 const float factor = s.invstd * scale[c], added = bias[c];
                 const int64_t first = parts.begin(part);
                 block.each(parts.elements(part), [&](int64_t i) {
                   const int64_t at = extent.at(c, first + i);
                   y[at] = (x[at] - m) * factor + added;
                 });
               });
  return MEMPLAN_OK;
}

template <typename T>
static void sumGrads(const Call &call, const ChannelExtent &extent,
                     const Parts &parts) {
  const Reader<T> dy(call.input(0)), x(call.input(1));
  const float *means = call.in(3), *invstds = call.in(4);
  GradSums *partial = call.workspace<GradSums>();
  forEachBlock(call, extent.c * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const int64_t c = group / parts.count,
                               part = group % parts.count;
                 const int64_t first = parts.begin(part);
                 const float mean = means[c], invstd = invstds[c];
                 Sums<2> sums = block.sums<2>(
                     parts.elements(part), [&](int64_t i, double *sum) {
                       const int64_t at = extent.at(c, first + i);
                       sum[0] += double(dy[at]);
                       sum[1] += double(dy[at]) * ((x[at] - mean) * invstd);
                     });
                 block.each(1, [&](int64_t) {
                   partial[group] = {sums.value[0], sums.value[1]};
                 });
               });
}

template <typename T, typename P>
static memplan_status_t backwardLast(const Call &call,
                                     const ChannelExtent &extent) {
  const Reader<T> dy(call.input(0)), x(call.input(1));
  const Reader<P> scale(call.input(2));
  const float *means = call.in(3), *invstds = call.in(4);
  const Writer<T> dx(call.output(0));
  const Writer<P> dscale(call.output(1)), dbias(call.output(2));
  const auto per = double(extent.n);
  const int64_t channels = extent.c;
  columnsOf(extent).run<2>(
      call,
      [=] MEMPLAN_DEVICE(int64_t, int64_t row, int64_t c, double *sum) {
        const int64_t at = row * channels + c;
        sum[0] += double(dy[at]);
        sum[1] += double(dy[at]) * ((x[at] - means[c]) * invstds[c]);
      },
      [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
        dbias[c] = float(sum[0]);
        dscale[c] = float(sum[1]);
      });
  const Reader<P> products(call.output(1)), grads(call.output(2));
  forEach(call, extent.n * channels, [=] MEMPLAN_DEVICE(int64_t i) {
    const int64_t c = i % channels;
    const float h = (x[i] - means[c]) * invstds[c];
    dx[i] = scale[c] * invstds[c] *
            (dy[i] - float(grads[c] / per) - h * float(products[c] / per));
  });
  return MEMPLAN_OK;
}

template <typename T, typename P>
static memplan_status_t backward(const Call &call) {
  const ChannelExtent extent(call.input(1));
  if (extent.inner == 1)
    return backwardLast<T, P>(call, extent);
  const Parts parts = partsOf(extent);
  sumGrads<T>(call, extent, parts);
  const Reader<T> dy(call.input(0)), x(call.input(1));
  const Reader<P> scale(call.input(2));
  const float *means = call.in(3), *invstds = call.in(4);
  const Writer<T> dx(call.output(0));
  const Writer<P> dscale(call.output(1)), dbias(call.output(2));
  const auto per = double(extent.perChannel());
  const GradSums *partial = call.workspace<GradSums>();
  forEachBlock(call, extent.c * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const int64_t c = group / parts.count,
                               part = group % parts.count;
                 const GradSums *mine = partial + c * parts.count;
                 const Sums<2> total =
                     block.sums<2>(parts.count, [&](int64_t i, double *sum) {
                       sum[0] += mine[i].grads;
                       sum[1] += mine[i].products;
                     });
                 const float mean = means[c], invstd = invstds[c];
                 const float factor = scale[c] * invstd;
                 const float meanGrad = float(total.value[0] / per);
                 const float meanProduct = float(total.value[1] / per);
                 if (part == 0)
                   block.each(1, [&](int64_t) {
                     dscale[c] = float(total.value[1]);
                     dbias[c] = float(total.value[0]);
                   });
                 const int64_t first = parts.begin(part);
                 block.each(parts.elements(part), [&](int64_t i) {
                   const int64_t at = extent.at(c, first + i);
                   const float h = (x[at] - mean) * invstd;
                   dx[at] = factor * (dy[at] - meanGrad - h * meanProduct);
                 });
               });
  return MEMPLAN_OK;
}

static memplan_status_t updateStats(const Call &call) {
  float momentum = float(floatAttribute(call.launch, "momentum", 0.1));
  float keep = 1.0f - momentum;
  for (int which = 0; which < 2; ++which) {
    const float *running = call.in(which), *fresh = call.in(2 + which);
    float *out = call.out(which);
    forEach(call, elements(call.output(which)), [=] MEMPLAN_DEVICE(int64_t i) {
      out[i] = keep * running[i] + momentum * fresh[i];
    });
  }
  return MEMPLAN_OK;
}

static memplan_status_t launchForward(const Call &call) {
  return byStored(call.input(0), call.input(1), [&](auto type, auto parameter) {
    return forward<decltype(type), decltype(parameter)>(call);
  });
}

static memplan_status_t launchBackward(const Call &call) {
  return byStored(call.input(1), call.input(2), [&](auto type, auto parameter) {
    return backward<decltype(type), decltype(parameter)>(call);
  });
}

KernelTable batchNormKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.batch_norm",
       .launch = launchForward,
       .prepare = prepareParts<Moments, 0>,
       .takesHalves = true},
      {.name = "memplan.batch_norm_grad",
       .launch = launchBackward,
       .prepare = prepareParts<GradSums, 1>,
       .takesHalves = true},
      {"memplan.batch_norm_update_stats", updateStats},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

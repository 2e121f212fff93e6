//===- LayerNorm.cu - Layer normalization -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "Typed.h"

namespace memplan::runtime::cuda {

/// Values are stored as T, parameters as P.
template <typename T, typename P>
static memplan_status_t forward(const Call &call) {
  const memplan_tensor_t &shape = call.input(0);
  int64_t width = shape.shape[shape.rank - 1];
  int64_t rows = product(shape, 0, shape.rank - 1);
  const Reader<T> xs(call.input(0));
  const Reader<P> scale(call.input(1)), bias(call.input(2));
  const Writer<T> ys(call.output(0));
  float *means = call.out(1), *rstds = call.out(2);
  double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
  forEachBlock(
      call, rows, width, [=] MEMPLAN_DEVICE(const Block &block, int64_t r) {
        const Reader<T> x = xs + r * width;
        const Writer<T> y = ys + r * width;
        double mean = block.sum(width, [&](int64_t i) {
          return double(x[i]);
        }) / double(width);
        double squares = block.sum(width, [&](int64_t i) {
          double d = x[i] - mean;
          return d * d;
        });
        float m = float(mean);
        float rstd = float(1.0 / ::sqrt(squares / double(width) + epsilon));
        block.each(1, [&](int64_t) {
          means[r] = m;
          rstds[r] = rstd;
        });
        block.each(width, [&](int64_t i) {
          y[i] = (x[i] - m) * rstd * scale[i] + bias[i];
        });
      });
  return MEMPLAN_OK;
}

static ColumnSums columnsOf(const memplan_tensor_t &x) {
  return ColumnSums(1, product(x, 0, x.rank - 1), x.shape[x.rank - 1]);
}

static memplan_status_t prepareBackward(Device &,
                                        const memplan_launch_t *launch,
                                        memplan_prepared_t *prepared) {
  prepared->workspace_bytes = columnsOf(launch->inputs[1]).workspaceBytes(2);
  return MEMPLAN_OK;
}

/// dscale and dbias: sums over the rows.
template <typename T, typename P> static void columnGrads(const Call &call) {
  const Reader<T> dy(call.input(0)), x(call.input(1));
  const float *means = call.in(3), *rstds = call.in(4);
  const Writer<P> dscale(call.output(1)), dbias(call.output(2));
  const ColumnSums columns = columnsOf(call.input(1));
  const int64_t width = columns.width;
  columns.run<2>(
      call,
      [=] MEMPLAN_DEVICE(int64_t, int64_t r, int64_t c, double *sum) {
        const int64_t at = r * width + c;
        const double g = dy[at];
        sum[0] += g;
        sum[1] += g * ((x[at] - means[r]) * rstds[r]);
      },
      [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
        dbias[c] = float(sum[0]);
        dscale[c] = float(sum[1]);
      });
}

template <typename T, typename P>
static memplan_status_t backward(const Call &call) {
  const memplan_tensor_t &shape = call.input(1);
  int64_t width = shape.shape[shape.rank - 1];
  int64_t rows = product(shape, 0, shape.rank - 1);
  // The columns first: the rows may overwrite dy.
  columnGrads<T, P>(call);
  const Reader<T> dy(call.input(0)), x(call.input(1));
  const Reader<P> scale(call.input(2));
  const float *means = call.in(3), *rstds = call.in(4);
  const Writer<T> dx(call.output(0));
  forEachBlock(
      call, rows, width, [=] MEMPLAN_DEVICE(const Block &block, int64_t r) {
        const Reader<T> g = dy + r * width, in = x + r * width;
        const Writer<T> out = dx + r * width;
        const float mean = means[r], rstd = rstds[r];
        Sums<2> sums = block.sums<2>(width, [&](int64_t i, double *sum) {
          double scaled = g[i] * scale[i];
          sum[0] += scaled;
          sum[1] += scaled * ((in[i] - mean) * rstd);
        });
        float meanGrad = float(sums.value[0] / double(width));
        float meanProduct = float(sums.value[1] / double(width));
        block.each(width, [&](int64_t i) {
          float h = (in[i] - mean) * rstd;
          out[i] = rstd * (g[i] * scale[i] - meanGrad - h * meanProduct);
        });
      });
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

KernelTable layerNormKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.layer_norm",
       .launch = launchForward,
       .takesHalves = true},
      {.name = "memplan.layer_norm_grad",
       .launch = launchBackward,
       .prepare = prepareBackward,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

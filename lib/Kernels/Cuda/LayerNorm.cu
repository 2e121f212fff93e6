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

/// The rows of a launch, in pieces that a thread takes.
template <typename T> struct Rows : Pieces<perPiece<T>> {
  int64_t count;

  Rows(const Call &call, const memplan_tensor_t &x) {
    this->length = x.shape[x.rank - 1];
    this->isAligned = areAligned(call) && this->length % perPiece<T> == 0;
    count = product(x, 0, x.rank - 1);
  }
};

static ColumnSums columnsOf(const memplan_tensor_t &x) {
  return ColumnSums(1, product(x, 0, x.rank - 1), x.shape[x.rank - 1]);
}

static memplan_status_t prepareBackward(Device &,
                                        const memplan_launch_t *launch,
                                        memplan_prepared_t *prepared) {
  prepared->workspace_bytes = columnsOf(launch->inputs[1]).workspaceBytes(2);
  return MEMPLAN_OK;
}

namespace {
/// Values are stored as T, parameters as P.
struct Forward {
  template <typename T, typename P>
  static memplan_status_t run(const Call &call) {
    constexpr int each = perPiece<T>;
    const Rows<T> rows(call, call.input(0));
    const Pieces<each> row = rows;
    const Reader<T> xs(call.input(0));
    const Fixed<P> scale(call.input(1)), bias(call.input(2));
    const Writer<T> ys(call.output(0));
    float *means = call.out(1), *rstds = call.out(2);
    const double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
    forEachBlock(
        call, rows.count, row.length,
        [=] MEMPLAN_DEVICE(const Block &block, int64_t r) {
          const int64_t width = row.length;
          const auto x = xs + r * width;
          const auto y = ys + r * width;
          const double mean = block.sum(row.count(), [&](int64_t piece) {
            float in[each];
            double sum = 0;
            row.read(piece, x, in, [=](int e) { return piece * each + e; });
            row.visit(piece, [&](int e) { sum += double(in[e]); });
            return sum;
          }) / double(width);
          const double squares = block.sum(row.count(), [&](int64_t piece) {
            float in[each];
            double sum = 0;
            row.read(piece, x, in, [=](int e) { return piece * each + e; });
            row.visit(piece, [&](int e) {
              const double d = in[e] - mean;
              sum += d * d;
            });
            return sum;
          });
          const float m = float(mean);
          const float rstd =
              float(1.0 / ::sqrt(squares / double(width) + epsilon));
          block.each(1, [&](int64_t) {
            means[r] = m;
            rstds[r] = rstd;
          });
          block.each(row.count(), [&](int64_t piece) {
            const auto at = [=](int e) { return piece * each + e; };
            float in[each], scales[each], biases[each];
            row.read(piece, x, in, at);
            row.read(piece, scale, scales, at);
            row.read(piece, bias, biases, at);
            row.visit(piece, [&](int e) {
              in[e] = (in[e] - m) * rstd * scales[e] + biases[e];
            });
            row.write(piece, y, in, at);
          });
        });
    return MEMPLAN_OK;
  }
};

struct Backward {
  /// dscale and dbias: sums over the rows.
  template <typename T, typename P> static void columnGrads(const Call &call) {
    constexpr int each = perPiece<T>;
    const Pieces<each> row = Rows<T>(call, call.input(1));
    const Fixed<T> dy(call.input(0)), x(call.input(1));
    const Fixed<F32> means(call.input(3)), rstds(call.input(4));
    const Writer<P> dscale(call.output(1)), dbias(call.output(2));
    columnsOf(call.input(1))
        .run<2, each>(
            call,
            [=] MEMPLAN_DEVICE(int64_t, int64_t r, int64_t c, double *sum) {
              const auto at = [=](int e) { return r * row.length + c + e; };
              const int64_t piece = c / each;
              float grads[each], in[each];
              row.read(piece, dy, grads, at);
              row.read(piece, x, in, at);
              const float mean = means[r], rstd = rstds[r];
              row.visit(piece, [&](int e) {
                const double g = grads[e];
                sum[2 * e] += g;
                sum[2 * e + 1] += g * ((in[e] - mean) * rstd);
              });
            },
            [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
              dbias[c] = float(sum[0]);
              dscale[c] = float(sum[1]);
            });
  }

  template <typename T, typename P>
  static memplan_status_t run(const Call &call) {
    // The columns first: the rows may overwrite dy.
    columnGrads<T, P>(call);
    constexpr int each = perPiece<T>;
    const Rows<T> rows(call, call.input(1));
    const Pieces<each> row = rows;
    const Reader<T> dy(call.input(0)), x(call.input(1));
    const Fixed<P> scale(call.input(2));
    const Fixed<F32> means(call.input(3)), rstds(call.input(4));
    const Writer<T> dx(call.output(0));
    forEachBlock(
        call, rows.count, row.length,
        [=] MEMPLAN_DEVICE(const Block &block, int64_t r) {
          const int64_t width = row.length;
          const auto g = dy + r * width, in = x + r * width;
          const auto out = dx + r * width;
          const float mean = means[r], rstd = rstds[r];
          // What is multiplied with rstd: the scaled gradient and the
          // normalized input.
          const auto read = [&](int64_t piece, float (&scaled)[each],
                                float (&h)[each]) {
            const auto at = [=](int e) { return piece * each + e; };
            float scales[each];
            row.read(piece, g, scaled, at);
            row.read(piece, scale, scales, at);
            row.read(piece, in, h, at);
            row.visit(piece, [&](int e) {
              scaled[e] *= scales[e];
              h[e] = (h[e] - mean) * rstd;
            });
          };
          const Sums<2> sums =
              block.sums<2>(row.count(), [&](int64_t piece, double *sum) {
                float scaled[each], h[each];
                read(piece, scaled, h);
                row.visit(piece, [&](int e) {
                  sum[0] += double(scaled[e]);
                  sum[1] += double(scaled[e]) * h[e];
                });
              });
          const float meanGrad = float(sums.value[0] / double(width));
          const float meanProduct = float(sums.value[1] / double(width));
          block.each(row.count(), [&](int64_t piece) {
            float scaled[each], h[each];
            read(piece, scaled, h);
            row.visit(piece, [&](int e) {
              scaled[e] = rstd * (scaled[e] - meanGrad - h[e] * meanProduct);
            });
            row.write(piece, out, scaled,
                      [=](int e) { return piece * each + e; });
          });
        });
    return MEMPLAN_OK;
  }
};
} // namespace

KernelTable layerNormKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.layer_norm",
       .launch = launchStored<Forward, 0, 1>,
       .takesHalves = true},
      {.name = "memplan.layer_norm_grad",
       .launch = launchStored<Backward, 1, 2>,
       .prepare = prepareBackward,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

//===- BatchNorm.cu - Batch normalization -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
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

/// How the elements of each channel are cut. Parts begin where pieces do, of
/// any type.
static Parts partsOf(const ChannelExtent &extent) {
  return Parts(extent.c, extent.perChannel(), /*least=*/2048, /*step=*/8);
}

/// The elements of a channel in pieces that a thread takes. A piece is read at
/// once where it lies in one image.
template <typename T>
static Pieces<perPiece<T>> piecesOf(const Call &call,
                                    const ChannelExtent &extent) {
  return {extent.perChannel(),
          areAligned(call) && extent.inner % perPiece<T> == 0};
}
/// The channels of a sample, where they come last, or of all samples in a row.
template <typename T>
static Pieces<perPiece<T>> rowOf(const Call &call, const ChannelExtent &extent,
                                 int64_t samples = 1) {
  return {samples * extent.c, areAligned(call) && extent.c % perPiece<T> == 0};
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

/// The pieces of part number `part` of a channel.
template <int each, typename F>
static MEMPLAN_DEVICE void eachPiece(const Block &block, const Parts &parts,
                                     int64_t part, const F &f) {
  const int64_t first = parts.begin(part) / each;
  block.each((parts.elements(part) + each - 1) / each,
             [&](int64_t i) { f(first + i); });
}
template <int each, typename F>
static MEMPLAN_DEVICE Sums<2> sumPieces(const Block &block, const Parts &parts,
                                        int64_t part, const F &f) {
  const int64_t first = parts.begin(part) / each;
  return block.sums<2>((parts.elements(part) + each - 1) / each,
                       [&](int64_t i, double *sum) { f(first + i, sum); });
}

template <typename T>
static void sumMoments(const Call &call, const ChannelExtent &extent,
                       const Parts &parts) {
  constexpr int each = perPiece<T>;
  const auto pieces = piecesOf<T>(call, extent);
  const Fixed<T> x(call.input(0));
  Moments *partial = call.workspace<Moments>();
  forEachBlock(call, extent.c * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const int64_t c = group / parts.count,
                               part = group % parts.count;
                 const double shift =
                     parts.length > 0 ? x[extent.at(c, 0)] : 0.0f;
                 const Sums<2> sums = sumPieces<each>(
                     block, parts, part, [&](int64_t piece, double *sum) {
                       float in[each];
                       pieces.read(piece, x, in, [=](int e) {
                         return extent.at(c, piece * each + e);
                       });
                       pieces.visit(piece, [&](int e) {
                         const double d = in[e] - shift;
                         sum[0] += d;
                         sum[1] += d * d;
                       });
                     });
                 block.each(1, [&](int64_t) {
                   partial[group] = {sums.value[0], sums.value[1], shift};
                 });
               });
}

namespace {
/// Values are stored as T, parameters as P.
struct Forward {
  /// Neighbouring threads take neighbouring channels.
  template <typename T, typename P>
  static memplan_status_t runLast(const Call &call,
                                  const ChannelExtent &extent) {
    constexpr int each = perPiece<T>;
    float *means = call.out(1), *invstds = call.out(2);
    float *variances = call.out(3);
    const double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
    const auto per = double(extent.n);
    const int64_t channels = extent.c;
    const auto row = rowOf<T>(call, extent);
    const Fixed<T> in(call.input(0));
    columnsOf(extent).run<2, each>(
        call,
        [=] MEMPLAN_DEVICE(int64_t, int64_t r, int64_t c, double *sum) {
          const int64_t piece = c / each;
          float here[each], shift[each];
          row.read(piece, in, here,
                   [=](int e) { return r * channels + c + e; });
          row.read(piece, in, shift, [=](int e) { return c + e; });
          row.visit(piece, [&](int e) {
            const double d = double(here[e]) - double(shift[e]);
            sum[2 * e] += d;
            sum[2 * e + 1] += d * d;
          });
        },
        [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
          const Statistics s(sum[0], sum[1], per > 0 ? in[c] : 0.0f, per,
                             epsilon);
          means[c] = s.mean;
          invstds[c] = s.invstd;
          variances[c] = s.variance;
        });
    const Reader<T> x(call.input(0));
    const Fixed<F32> mean(means), invstd(invstds);
    const Fixed<P> scale(call.input(1)), bias(call.input(2));
    const Writer<T> y(call.output(0));
    const auto all = rowOf<T>(call, extent, extent.n);
    forEach(call, all.count(), [=] MEMPLAN_DEVICE(int64_t piece) {
      const auto at = [=](int e) { return piece * each + e; };
      const auto channel = [=](int e) { return at(e) % channels; };
      float to[each], m[each], factor[each], scales[each], added[each];
      all.read(piece, x, to, at);
      all.read(piece, mean, m, channel);
      all.read(piece, invstd, factor, channel);
      all.read(piece, scale, scales, channel);
      all.read(piece, bias, added, channel);
      all.visit(piece, [&](int e) {
        to[e] = (to[e] - m[e]) * (factor[e] * scales[e]) + added[e];
      });
      all.write(piece, y, to, at);
    });
    return MEMPLAN_OK;
  }

  /// y may be x: an element is written by the thread that read it, when nothing
  /// else of the channel is read any more.
  template <typename T, typename P>
  static memplan_status_t run(const Call &call) {
    const ChannelExtent extent(call.input(0));
    if (extent.inner == 1)
      return runLast<T, P>(call, extent);
    constexpr int each = perPiece<T>;
    const Parts parts = partsOf(extent);
    sumMoments<T>(call, extent, parts);
    const auto pieces = piecesOf<T>(call, extent);
    const Reader<T> x(call.input(0));
    const Fixed<P> scale(call.input(1)), bias(call.input(2));
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
                   eachPiece<each>(block, parts, part, [&](int64_t piece) {
                     const auto at = [=](int e) {
                       return extent.at(c, piece * each + e);
                     };
                     float to[each];
                     pieces.read(piece, x, to, at);
                     pieces.visit(piece, [&](int e) {
                       to[e] = (to[e] - m) * factor + added;
                     });
                     pieces.write(piece, y, to, at);
                   });
                 });
    return MEMPLAN_OK;
  }
};
} // namespace

template <typename T>
static void sumGrads(const Call &call, const ChannelExtent &extent,
                     const Parts &parts) {
  constexpr int each = perPiece<T>;
  const auto pieces = piecesOf<T>(call, extent);
  const Fixed<T> dy(call.input(0)), x(call.input(1));
  const Fixed<F32> means(call.input(3)), invstds(call.input(4));
  GradSums *partial = call.workspace<GradSums>();
  forEachBlock(call, extent.c * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const int64_t c = group / parts.count,
                               part = group % parts.count;
                 const float mean = means[c], invstd = invstds[c];
                 const Sums<2> sums = sumPieces<each>(
                     block, parts, part, [&](int64_t piece, double *sum) {
                       const auto at = [=](int e) {
                         return extent.at(c, piece * each + e);
                       };
                       float grads[each], in[each];
                       pieces.read(piece, dy, grads, at);
                       pieces.read(piece, x, in, at);
                       pieces.visit(piece, [&](int e) {
                         sum[0] += double(grads[e]);
                         sum[1] += double(grads[e]) * ((in[e] - mean) * invstd);
                       });
                     });
                 block.each(1, [&](int64_t) {
                   partial[group] = {sums.value[0], sums.value[1]};
                 });
               });
}

namespace {
struct Backward {
  template <typename T, typename P>
  static memplan_status_t runLast(const Call &call,
                                  const ChannelExtent &extent) {
    constexpr int each = perPiece<T>;
    const Fixed<F32> means(call.input(3)), invstds(call.input(4));
    const Writer<P> dscale(call.output(1)), dbias(call.output(2));
    const auto per = double(extent.n);
    const int64_t channels = extent.c;
    const auto row = rowOf<T>(call, extent);
    const Fixed<T> grad(call.input(0)), in(call.input(1));
    columnsOf(extent).run<2, each>(
        call,
        [=] MEMPLAN_DEVICE(int64_t, int64_t r, int64_t c, double *sum) {
          const auto at = [=](int e) { return r * channels + c + e; };
          const auto channel = [=](int e) { return c + e; };
          const int64_t piece = c / each;
          float g[each], h[each], mean[each], invstd[each];
          row.read(piece, grad, g, at);
          row.read(piece, in, h, at);
          row.read(piece, means, mean, channel);
          row.read(piece, invstds, invstd, channel);
          row.visit(piece, [&](int e) {
            sum[2 * e] += double(g[e]);
            sum[2 * e + 1] += double(g[e]) * ((h[e] - mean[e]) * invstd[e]);
          });
        },
        [=] MEMPLAN_DEVICE(int64_t, int64_t c, const double *sum) {
          dbias[c] = float(sum[0]);
          dscale[c] = float(sum[1]);
        });
    const Reader<T> dy(call.input(0)), x(call.input(1));
    const Fixed<P> scale(call.input(2));
    const Writer<T> dx(call.output(0));
    const Fixed<P> products(call.output(1)), grads(call.output(2));
    const auto all = rowOf<T>(call, extent, extent.n);
    forEach(call, all.count(), [=] MEMPLAN_DEVICE(int64_t piece) {
      const auto at = [=](int e) { return piece * each + e; };
      const auto channel = [=](int e) { return at(e) % channels; };
      float g[each], h[each], mean[each], invstd[each];
      float scales[each], sums[each], product[each];
      all.read(piece, dy, g, at);
      all.read(piece, x, h, at);
      all.read(piece, means, mean, channel);
      all.read(piece, invstds, invstd, channel);
      all.read(piece, scale, scales, channel);
      all.read(piece, grads, sums, channel);
      all.read(piece, products, product, channel);
      all.visit(piece, [&](int e) {
        const float normal = (h[e] - mean[e]) * invstd[e];
        g[e] = scales[e] * invstd[e] *
               (g[e] - float(sums[e] / per) - normal * float(product[e] / per));
      });
      all.write(piece, dx, g, at);
    });
    return MEMPLAN_OK;
  }

  template <typename T, typename P>
  static memplan_status_t run(const Call &call) {
    const ChannelExtent extent(call.input(1));
    if (extent.inner == 1)
      return runLast<T, P>(call, extent);
    constexpr int each = perPiece<T>;
    const Parts parts = partsOf(extent);
    sumGrads<T>(call, extent, parts);
    const auto pieces = piecesOf<T>(call, extent);
    const Reader<T> dy(call.input(0)), x(call.input(1));
    const Fixed<P> scale(call.input(2));
    const Fixed<F32> means(call.input(3)), invstds(call.input(4));
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
                   eachPiece<each>(block, parts, part, [&](int64_t piece) {
                     const auto at = [=](int e) {
                       return extent.at(c, piece * each + e);
                     };
                     float g[each], in[each];
                     pieces.read(piece, dy, g, at);
                     pieces.read(piece, x, in, at);
                     pieces.visit(piece, [&](int e) {
                       const float h = (in[e] - mean) * invstd;
                       g[e] = factor * (g[e] - meanGrad - h * meanProduct);
                     });
                     pieces.write(piece, dx, g, at);
                   });
                 });
    return MEMPLAN_OK;
  }
};

/// In: the running statistics, those of this step.
struct UpdateStats {
  float keep, momentum;
  MEMPLAN_DEVICE void operator()(const float *in, float *out) const {
    for (int k = 0; k < 2; ++k)
      out[k] = keep * in[k] + momentum * in[2 + k];
  }
};
} // namespace

static memplan_status_t updateStats(const Call &call) {
  const float momentum = float(floatAttribute(call.launch, "momentum", 0.1));
  return forEachElement<2>(call, {0, 1, 2, 3},
                           UpdateStats{1.0f - momentum, momentum});
}

KernelTable batchNormKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.batch_norm",
       .launch = launchStored<Forward, 0, 1>,
       .prepare = prepareParts<Moments, 0>,
       .takesHalves = true},
      {.name = "memplan.batch_norm_grad",
       .launch = launchStored<Backward, 1, 2>,
       .prepare = prepareParts<GradSums, 1>,
       .takesHalves = true},
      {"memplan.batch_norm_update_stats", updateStats},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

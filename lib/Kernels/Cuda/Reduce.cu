//===- Reduce.cu - Sums, means, repetition ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DimensionSet.h"
#include "Parts.h"

namespace memplan::runtime::cuda {

using kernels::DimensionSet;

/// The last dimensions that share the same fate are one run of `inner`
/// elements; the other kept and reduced dimensions have steps.
struct Reduction {
  Strided kept, reduced;
  int64_t inner = 1;
  bool innerKept = false;

  Reduction(const memplan_tensor_t &x, const DimensionSet &set) {
    int last = x.rank;
    innerKept = x.rank > 0 && !set.has[x.rank - 1];
    while (last > 0 && set.has[last - 1] != innerKept)
      inner *= x.shape[--last];
    for (int d = 0; d < last; ++d)
      (set.has[d] ? reduced : kept).add(x.shape[d], product(x, d + 1, x.rank));
  }
};

static ColumnSums columnsOf(const Reduction &r) {
  return ColumnSums(r.kept.count(), r.reduced.count(), r.inner);
}

static void reduceColumns(const Call &call, const Reduction &r, double factor) {
  const float *x = call.in(0);
  float *y = call.out(0);
  const Strided kept = r.kept, reduced = r.reduced;
  const int64_t inner = r.inner;
  columnsOf(r).run<1>(
      call,
      [=] MEMPLAN_DEVICE(int64_t base, int64_t row, int64_t c, double *sum) {
        *sum += x[kept.offset(base) + reduced.offset(row) + c];
      },
      [=] MEMPLAN_DEVICE(int64_t base, int64_t c, const double *sum) {
        y[base * inner + c] = float(*sum * factor);
      });
}

/// The elements of each output, in parts.
static Parts runsOf(const Reduction &r) {
  return Parts(r.kept.count(), r.reduced.count() * r.inner, /*least=*/4096);
}

static void reduceRuns(const Call &call, const Reduction &reduction,
                       double factor) {
  const float *x = call.in(0);
  float *y = call.out(0);
  const Reduction r = reduction;
  const Parts parts = runsOf(r);
  double *partial = call.workspace<double>();
  const bool isWhole = parts.count == 1;
  const int64_t outputs = elements(call.output(0));
  forEachBlock(call, outputs * parts.count, parts.size,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
                 const float *from = x + r.kept.offset(group / parts.count);
                 const int64_t first = parts.begin(group % parts.count);
                 const double sum = block.sum(
                     parts.elements(group % parts.count), [&](int64_t i) {
                       const int64_t at = first + i;
                       return double(
                           from[r.reduced.offset(at / r.inner) + at % r.inner]);
                     });
                 block.each(1, [&](int64_t) {
                   if (isWhole)
                     y[group] = float(sum * factor);
                   else
                     partial[group] = sum;
                 });
               });
  if (isWhole)
    return;
  forEachBlock(call, outputs, parts.count,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t o) {
                 const double sum = block.sum(parts.count, [&](int64_t i) {
                   return partial[o * parts.count + i];
                 });
                 block.each(1, [&](int64_t) { y[o] = float(sum * factor); });
               });
}

static memplan_status_t prepareReduce(Device &, const memplan_launch_t *launch,
                                      memplan_prepared_t *prepared) {
  const memplan_tensor_t &in = launch->inputs[0];
  const Reduction r(in, DimensionSet::of(launch, in.rank));
  const int64_t parts = runsOf(r).count;
  prepared->workspace_bytes =
      r.innerKept  ? columnsOf(r).workspaceBytes(1)
      : parts == 1 ? 0
                   : r.kept.count() * parts * int64_t(sizeof(double));
  return MEMPLAN_OK;
}

static memplan_status_t reduce(const Call &call, bool mean) {
  const memplan_tensor_t &in = call.input(0);
  Reduction r(in, DimensionSet::of(call.launch, in.rank));
  int64_t per = r.reduced.count() * (r.innerKept ? int64_t(1) : r.inner);
  double factor = mean ? 1.0 / double(per) : 1.0;
  if (r.innerKept)
    reduceColumns(call, r, factor);
  else
    reduceRuns(call, r, factor);
  return MEMPLAN_OK;
}

static memplan_status_t reduceSum(const Call &call) {
  return reduce(call, false);
}
static memplan_status_t reduceMean(const Call &call) {
  return reduce(call, true);
}

/// Each input leaves this many sums in the workspace.
static constexpr int64_t normParts = 64;

static memplan_status_t prepareSumOfAll(Device &,
                                        const memplan_launch_t *launch,
                                        memplan_prepared_t *prepared) {
  prepared->workspace_bytes =
      launch->input_count * normParts * int64_t(sizeof(double));
  return MEMPLAN_OK;
}

/// finish(sum over all elements x of all inputs of term(x)), in the output.
template <typename Term, typename Finish>
static memplan_status_t sumOfAll(const Call &call, Term term, Finish finish) {
  double *sums = call.workspace<double>();
  int64_t inputs = call.launch->input_count;
  for (int64_t k = 0; k < inputs; ++k) {
    const float *x = call.in(int(k));
    double *to = sums + k * normParts;
    int64_t count = elements(call.input(int(k)));
    int64_t each = (count + normParts - 1) / normParts;
    forEachBlock(call, normParts, each,
                 [=] MEMPLAN_DEVICE(const Block &block, int64_t part) {
                   int64_t first = part * each < count ? part * each : count;
                   int64_t here = count - first < each ? count - first : each;
                   double sum = block.sum(
                       here, [&](int64_t i) { return term(x[first + i]); });
                   block.each(1, [&](int64_t) { to[part] = sum; });
                 });
  }
  float *y = call.out(0);
  int64_t parts = inputs * normParts;
  forEachBlock(call, 1, parts, [=] MEMPLAN_DEVICE(const Block &block, int64_t) {
    double sum = block.sum(parts, [&](int64_t i) { return sums[i]; });
    block.each(1, [&](int64_t) { y[0] = finish(sum); });
  });
  return MEMPLAN_OK;
}

namespace {
struct Square {
  MEMPLAN_DEVICE double operator()(float x) const {
    return double(x) * double(x);
  }
};
struct Root {
  MEMPLAN_DEVICE float operator()(double sum) const {
    return float(::sqrt(sum));
  }
};
struct OneIfNonFinite {
  MEMPLAN_DEVICE double operator()(float x) const { return x - x != 0; }
};
struct OneIfAny {
  MEMPLAN_DEVICE float operator()(double sum) const {
    return sum != 0 ? 1.0f : 0.0f;
  }
};
} // namespace

static memplan_status_t globalNorm(const Call &call) {
  return sumOfAll(call, Square(), Root());
}

static memplan_status_t nonFinite(const Call &call) {
  return sumOfAll(call, OneIfNonFinite(), OneIfAny());
}

KernelTable reduceKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.global_norm", globalNorm, prepareSumOfAll},
      {"memplan.non_finite", nonFinite, prepareSumOfAll},
      {"memplan.reduce_mean", reduceMean, prepareReduce},
      {"memplan.reduce_sum", reduceSum, prepareReduce},
  };
  return kernels;
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static Strided repeatedSteps(const Call &call) {
  const memplan_tensor_t &out = call.output(0);
  DimensionSet set = DimensionSet::of(call.launch, out.rank);
  int64_t steps[maxRank] = {}, step = 1;
  for (int d = out.rank - 1; d >= 0; --d) {
    steps[d] = set.has[d] ? 0 : step;
    step *= set.has[d] ? 1 : out.shape[d];
  }
  Strided source;
  for (int d = 0; d < out.rank; ++d)
    source.add(out.shape[d], steps[d]);
  return source;
}

template <typename T> static void repeat(const Call &call) {
  Strided source = repeatedSteps(call);
  const T *x = static_cast<const T *>(call.input(0).data);
  T *y = static_cast<T *>(call.output(0).data);
  forEach(call, elements(call.output(0)),
          [=] MEMPLAN_DEVICE(int64_t i) { y[i] = x[source.offset(i)]; });
}

static memplan_status_t broadcast(const Call &call) {
  switch (elementBytes(call.output(0))) {
  case 1:
    repeat<int8_t>(call);
    break;
  case 4:
    repeat<float>(call);
    break;
  default:
    repeat<int64_t>(call);
  }
  return MEMPLAN_OK;
}

static memplan_status_t meanGrad(const Call &call) {
  double count = 1;
  for (int64_t size : intsAttribute(call.launch, "sizes"))
    count *= double(size);
  float factor = float(1.0 / count);
  Strided source = repeatedSteps(call);
  const float *dy = call.in(0);
  float *dx = call.out(0);
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    dx[i] = dy[source.offset(i)] * factor;
  });
  return MEMPLAN_OK;
}

KernelTable broadcastKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.broadcast", broadcast},
      {"memplan.reduce_mean_grad", meanGrad},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda

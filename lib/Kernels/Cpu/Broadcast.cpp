//===- Broadcast.cpp - Repeating a tensor along new dimensions ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.broadcast{dims,sizes}, of any element type:
//   the output has the dimensions `dims` in addition,
//   of the given sizes; the input is repeated along them
// memplan.reduce_mean_grad{dims,sizes,keepdims}:
//   the same, divided by the product of the sizes;
//   with keepdims the input has those dimensions with size 1
//
//===----------------------------------------------------------------------===//

#include "../DimensionSet.h"
#include "Elements.h"

#include <cstring>

namespace memplan::runtime::cpu {

/// out[index] = f(in[index without the new dimensions]).
template <typename T, typename F>
static void repeat(const memplan_launch_t *launch, const F &f) {
  const memplan_tensor_t &out = launch->outputs[0];
  DimensionSet set = DimensionSet::of(launch, out.rank);
  int64_t stride[maxRank], step = 1;
  for (int d = out.rank - 1; d >= 0; --d) {
    stride[d] = set.has[d] ? 0 : step;
    step *= set.has[d] ? 1 : out.shape[d];
  }
  int outer = out.rank > 0 ? out.rank - 1 : 0;
  int64_t length = out.rank > 0 ? out.shape[outer] : 1;
  int64_t along = out.rank > 0 ? stride[outer] : 0;
  const T *x = static_cast<const T *>(launch->inputs[0].data);
  T *y = static_cast<T *>(out.data);
  parallelFor(launch, product(out, 0, outer), rowGrain(length),
              [&](int64_t begin, int64_t end) {
                for (int64_t row = begin; row < end; ++row) {
                  int64_t from = 0, rest = row;
                  for (int d = outer - 1; d >= 0; --d) {
                    from += rest % out.shape[d] * stride[d];
                    rest /= out.shape[d];
                  }
                  for (int64_t i = 0; i < length; ++i)
                    y[row * length + i] = f(x[from + i * along]);
                }
              });
}

static memplan_status_t broadcast(const memplan_launch_t *launch) {
  auto same = [](auto value) { return value; };
  switch (elementBytes(launch->outputs[0])) {
  case 1:
    repeat<int8_t>(launch, same);
    break;
  case 2:
    repeat<int16_t>(launch, same);
    break;
  case 4:
    repeat<float>(launch, same);
    break;
  default:
    repeat<int64_t>(launch, same);
  }
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t meanGrad(const memplan_launch_t *launch) {
  double count = 1;
  for (int64_t size : intsAttribute(launch, "sizes"))
    count *= double(size);
  float factor = float(1.0 / count);
  repeat<T>(launch, [=](float dy) { return T(dy * factor); });
  return MEMPLAN_OK;
}

KernelList broadcastKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.broadcast", broadcast),
      makeTyped("memplan.reduce_mean_grad", MEMPLAN_TYPED(meanGrad)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu

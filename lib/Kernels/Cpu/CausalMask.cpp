//===- CausalMask.cpp - Masking what lies ahead ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.causal_mask{fill}: y[.., i, j] = j > i ? fill : x[.., i, j]
//   in x   out y, may be x      rank >= 2
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

template <typename T>
static memplan_status_t mask(const memplan_launch_t *launch) {
  const memplan_tensor_t &shape = launch->inputs[0];
  int64_t width = shape.shape[shape.rank - 1];
  int64_t height = shape.shape[shape.rank - 2];
  const T fill(float(floatAttribute(launch, "fill", 0)));
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  parallelFor(launch, product(shape, 0, shape.rank - 1), rowGrain(width),
              [&](int64_t begin, int64_t end) {
                for (int64_t r = begin; r < end; ++r) {
                  int64_t kept = std::min(width, r % height + 1);
                  T *row = y + r * width;
                  // In place, what is kept is neither read nor written.
                  if (x != y)
                    std::copy_n(x + r * width, kept, row);
                  std::fill_n(row + kept, width - kept, fill);
                }
              });
  return MEMPLAN_OK;
}

KernelList causalMaskKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.causal_mask", MEMPLAN_TYPED(mask)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu

//===- Dropout.cpp - Dropout with an explicit seed ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.dropout{p, salt}: y[i] = u[i] >= p ? x[i] / (1 - p) : 0,
//   where u[i] is number i of the Philox stream of seed and salt, in [0, 1).
//   in x, seed [1] i64   out y, may be x
// The same seed gives the same mask, so a recomputation and the gradient (the
// same op on dy) drop the same elements.
//
//===----------------------------------------------------------------------===//

#include "../DropoutRule.h"
#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

template <typename T>
static memplan_status_t dropout(const memplan_launch_t *launch) {
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  const kernels::DropoutRule rule(launch, i64(launch->inputs[1]));
  int64_t count = elements(launch->outputs[0]);
  auto piece = [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const PhiloxBlock random = rule.random(block);
      int64_t last = std::min<int64_t>(4, count - 4 * block);
      for (int64_t lane = 0; lane < last; ++lane) {
        int64_t i = 4 * block + lane;
        y[i] = T(rule.keeps(random.word[lane]) ? x[i] * rule.scale : 0.0f);
      }
    }
  };
  parallelFor(launch, (count + 3) / 4, elementGrain / 16, piece);
  return MEMPLAN_OK;
}

KernelList dropoutKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.dropout", MEMPLAN_TYPED(dropout)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu

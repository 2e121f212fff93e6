//===- DropoutRule.h - Which elements a dropout keeps -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One definition for all backends and for every operation that drops elements:
// element i is kept if number i of the Philox stream of seed and salt is at
// least p, and is then divided by 1 - p.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_DROPOUTRULE_H
#define MEMPLAN_LIB_KERNELS_DROPOUTRULE_H

#include "Operands.h"

#include "memplan/Kernels/HostDevice.h"
#include "memplan/Kernels/Philox.h"

namespace memplan::runtime::kernels {

struct DropoutRule {
  /// Lies where the kernel runs; without one all is kept.
  const int64_t *seed = nullptr;
  uint64_t salt = 0;
  float drop = 0, scale = 1;

  DropoutRule() = default;
  /// The rule of the attributes p and salt of a launch.
  DropoutRule(const memplan_launch_t *launch, const int64_t *seed)
      : seed(seed), salt(uint64_t(intAttribute(launch, "salt", 0))) {
    const double p = floatAttribute(launch, "p", 0);
    drop = float(p);
    scale = p < 1 ? float(1 / (1 - p)) : 0.0f;
  }

  /// The random numbers of the elements `4 * block` .. `4 * block + 3`.
  MEMPLAN_HOST_DEVICE PhiloxBlock random(int64_t block) const {
    return philoxAt(uint64_t(*seed), salt, uint64_t(block));
  }
  /// Whether the element that has this random number is kept.
  MEMPLAN_HOST_DEVICE bool keeps(uint32_t word) const {
    return unitFloat(word) >= drop;
  }
  /// The factor of an element. The word is selected: an index that only a run
  /// knows would put the block into the memory of a GPU's thread.
  MEMPLAN_HOST_DEVICE float factor(int64_t element) const {
    if (!seed)
      return 1;
    const PhiloxBlock words = random(element / 4);
    const uint32_t low = element & 1 ? words.word[1] : words.word[0];
    const uint32_t high = element & 1 ? words.word[3] : words.word[2];
    return keeps(element & 2 ? high : low) ? scale : 0.0f;
  }
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_DROPOUTRULE_H

//===- Reduce.cpp - What these launches must be like ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DimensionSet.h"
#include "../Signature.h"

#include <climits>

namespace memplan::runtime::kernels {

static memplan_status_t checkReduce(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") &&
      DimensionSet::check(check, launch, check.input(0).rank) &&
      checkReducedShape(check, check.input(0),
                        DimensionSet::of(launch, check.input(0).rank),
                        intAttribute(launch, "keepdims", 0) != 0,
                        check.output(0), "the output") &&
      check.require(gapDims(launch, 0) <=
                        DimensionSet::of(launch, check.input(0).rank)
                            .lastRun(check.input(0).rank),
                    "the input has gaps inside of what is added in a run");
  return check.status;
}

static memplan_status_t checkScalarOfAll(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, INT_MAX, 1) && check.types("r:f") &&
      check.shape(check.output(0), "the output", {});
  return check.status;
}

SignatureList reduceSignatures() {
  static constexpr Signature list[] = {
      {"memplan.global_norm", checkScalarOfAll, {}},
      {"memplan.non_finite", checkScalarOfAll, {}},
      {"memplan.reduce_mean", checkReduce, {}, StridedOperands{1, 0, maxRank}},
      {"memplan.reduce_sum", checkReduce, {}, StridedOperands{1, 0, maxRank}},
  };
  return list;
}

} // namespace memplan::runtime::kernels

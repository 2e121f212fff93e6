//===- Arithmetic.cpp - What these launches must be like ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkBroadcast(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(2, 1) || !check.types("T:T"))
    return check.status;
  const memplan_tensor_t &out = check.output(0);
  for (int i = 0; i < 2; ++i)
    check.require(check.input(i).rank <= out.rank,
                  "input %d has rank %d, the output %d", i, check.input(i).rank,
                  out.rank);
  for (int d = 0; d < out.rank && check.status == MEMPLAN_OK; ++d) {
    int64_t a = alignedDim(check.input(0), d, out.rank);
    int64_t b = alignedDim(check.input(1), d, out.rank);
    int64_t wanted = a == 1 ? b : a;
    check.require((a == b || a == 1 || b == 1) && out.shape[d] == wanted,
                  "dimension %d: %lld and %lld do not give %lld", d,
                  static_cast<long long>(a), static_cast<long long>(b),
                  static_cast<long long>(out.shape[d]));
  }
  check.require(!launch->strides || (sameShape(check.input(0), out) &&
                                     sameShape(check.input(1), out)),
                "operands that are repeated have no gaps");
  return check.status;
}

static memplan_status_t checkSame(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && check.types("T:T") && check.allSame();
  return check.status;
}

static memplan_status_t checkScale(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") && check.allSame() &&
      check.require(findAttribute(launch, "factor"),
                    "attribute 'factor' is missing");
  return check.status;
}

SignatureList arithmeticSignatures() {
  static constexpr Signature list[] = {
      {"memplan.accumulate", checkSame, overEither, anyStrides},
      {"memplan.add", checkBroadcast, overEither, anyStrides},
      {"memplan.div", checkBroadcast, overEither, anyStrides},
      {"memplan.mul", checkBroadcast, overEither, anyStrides},
      {"memplan.scale", checkScale, overFirst, anyStrides},
      {"memplan.sub", checkBroadcast, overEither, anyStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels

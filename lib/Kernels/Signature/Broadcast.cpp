//===- Broadcast.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DimensionSet.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static bool checkRepeat(Checker &check, const memplan_launch_t *launch,
                        bool keep) {
  const memplan_tensor_t &out = check.output(0);
  if (!DimensionSet::check(check, launch, out.rank) ||
      !check.ints("sizes", intsAttribute(launch, "dims").size(), 0, false))
    return false;
  std::span<const int64_t> dims = intsAttribute(launch, "dims");
  std::span<const int64_t> sizes = intsAttribute(launch, "sizes");
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t d = dims[i] < 0 ? dims[i] + out.rank : dims[i];
    if (!check.require(out.shape[d] == sizes[i],
                       "dimension %lld of the output is %lld where 'sizes' "
                       "says %lld",
                       static_cast<long long>(d),
                       static_cast<long long>(out.shape[d]),
                       static_cast<long long>(sizes[i])))
      return false;
  }
  return checkReducedShape(check, out, DimensionSet::of(launch, out.rank), keep,
                           check.input(0), "the input");
}

static memplan_status_t checkBroadcast(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("a:a") && checkRepeat(check, launch, false);
  return check.status;
}

static memplan_status_t checkMeanGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("T:T") &&
      checkRepeat(check, launch, intAttribute(launch, "keepdims", 0) != 0);
  return check.status;
}

SignatureList broadcastSignatures() {
  static constexpr Signature list[] = {
      {"memplan.broadcast", checkBroadcast, {}},
      {"memplan.reduce_mean_grad", checkMeanGrad, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels

//===- AllReduce.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <string_view>

namespace memplan::runtime::kernels {

static memplan_status_t checkAllReduce(const memplan_launch_t *launch) {
  Checker check(launch);
  const memplan_attribute_t *reduction = findAttribute(launch, "reduction");
  const bool isText = reduction && reduction->kind == MEMPLAN_ATTRIBUTE_STRING;
  const std::string_view name = isText ? reduction->string : "";
  check.counts(1, 1) && check.types("T:T") && check.allSame() &&
      check.require(intAttribute(launch, "ranks", 0) >= 1,
                    "attribute 'ranks' must be at least 1") &&
      check.require(!reduction || name == "sum" || name == "mean",
                    "attribute 'reduction' must be sum or mean");
  return check.status;
}

bool takesMean(const memplan_launch_t *launch) {
  const memplan_attribute_t *reduction = findAttribute(launch, "reduction");
  return reduction && std::string_view(reduction->string) == "mean";
}

SignatureList allReduceSignatures() {
  static constexpr Signature list[] = {
      {"memplan.all_reduce", checkAllReduce, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels

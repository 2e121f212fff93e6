//===- Generator.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkIota(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(0, 1) && check.types(":l") &&
      check.rank(check.output(0), "the output", 1) &&
      check.require(intAttribute(launch, "size", check.output(0).shape[0]) ==
                        check.output(0).shape[0],
                    "attribute 'size' differs from the output");
  return check.status;
}

static memplan_status_t checkConstant(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(0, 1, 1))
    return check.status;
  if (launch->input_count == 1) {
    check.require(check.input(0).dtype == check.output(0).dtype,
                  "the input has another element type than the output") &&
        check.same(check.input(0), check.output(0), "the input");
    return check.status;
  }
  const memplan_attribute_t *value = findAttribute(launch, "value");
  if (!check.require(value, "neither an input nor the attribute 'value'"))
    return check.status;
  bool list = value->kind == MEMPLAN_ATTRIBUTE_INTS ||
              value->kind == MEMPLAN_ATTRIBUTE_FLOATS;
  check.require(value->kind != MEMPLAN_ATTRIBUTE_STRING,
                "attribute 'value' is a string") &&
      check.require(!list || value->count == elements(check.output(0)),
                    "attribute 'value' has %d entries, the output %lld",
                    value->count,
                    static_cast<long long>(elements(check.output(0))));
  return check.status;
}

SignatureList generatorSignatures() {
  static constexpr Signature list[] = {
      {"memplan.constant", checkConstant, overFirst},
      {"memplan.iota", checkIota, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels

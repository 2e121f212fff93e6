//===- Codec.cpp - What these launches must be like -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

/// The two bytes of each element are the last dimension of what is encoded.
static bool isEncoding(Checker &check, const memplan_tensor_t &encoded,
                       const memplan_tensor_t &plain) {
  if (!check.rank(encoded, "the encoded tensor", plain.rank + 1) ||
      !check.require(encoded.shape[plain.rank] == 2,
                     "the last dimension of the encoded tensor is %lld, not 2",
                     static_cast<long long>(encoded.shape[plain.rank])))
    return false;
  memplan_tensor_t elements = encoded;
  elements.rank = plain.rank;
  return check.same(elements, plain, "the encoded tensor");
}

static memplan_status_t checkEncode(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("f:b") &&
      isEncoding(check, check.output(0), check.input(0));
  return check.status;
}

static memplan_status_t checkDecode(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && check.types("b:f") &&
      isEncoding(check, check.input(0), check.output(0));
  return check.status;
}

SignatureList codecSignatures() {
  static constexpr Signature list[] = {
      {"memplan.decode_bf16", checkDecode, {}},
      {"memplan.encode_bf16", checkEncode, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels

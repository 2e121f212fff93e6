//===- Map.cpp - What these launches must be like -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MapCode.h"
#include "../Signature.h"

#include <algorithm>

namespace memplan::runtime::kernels {

static memplan_status_t checkMap(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(1, mostMapInputs, 1))
    return check.status;
  const memplan_tensor_t &out = check.output(0);
  check.require(out.rank <= maxRank, "the output has rank %d", out.rank);
  for (int i = 0; i < launch->input_count && check.status == MEMPLAN_OK; ++i) {
    const memplan_tensor_t &in = check.input(i);
    check.require(in.rank <= out.rank, "input %d has rank %d, the output %d", i,
                  in.rank, out.rank);
    for (int d = 0; d < out.rank && check.status == MEMPLAN_OK; ++d) {
      int64_t size = alignedDim(in, d, out.rank);
      check.require(size == 1 || size == out.shape[d],
                    "input %d: dimension %d is %lld, that of the output %lld",
                    i, d, static_cast<long long>(size),
                    static_cast<long long>(out.shape[d]));
    }
  }
  // Without a shape of its own the output is what the inputs are broadcast to.
  int widest = 0;
  for (int i = 0; i < launch->input_count; ++i)
    widest = std::max(widest, int(check.input(i).rank));
  if (intsAttribute(launch, "shape").empty() && check.status == MEMPLAN_OK) {
    check.require(widest == out.rank, "the output has rank %d, the inputs %d",
                  out.rank, widest);
    for (int d = 0; d < out.rank && check.status == MEMPLAN_OK; ++d) {
      int64_t size = 1;
      for (int i = 0; i < launch->input_count; ++i)
        size = std::max(size, alignedDim(check.input(i), d, out.rank));
      check.require(size == out.shape[d],
                    "dimension %d of the output is %lld, that of the inputs "
                    "%lld",
                    d, static_cast<long long>(out.shape[d]),
                    static_cast<long long>(size));
    }
  }
  for (const memplan_in_place_t *alias = launch->aliases;
       alias && alias != launch->aliases + launch->alias_count; ++alias)
    check.require(check.input(alias->input).dtype == out.dtype &&
                      elements(check.input(alias->input)) == elements(out),
                  "the output lies on input %d of another type", alias->input);
  MapCode code;
  std::string reason;
  if (check.status == MEMPLAN_OK)
    check.require(readMapCode(launch, code, reason), "expression: %s",
                  reason.c_str());
  return check.status;
}

SignatureList mapSignatures() {
  static constexpr memplan_in_place_t overAny[] = {
      {0, 0}, {0, 1}, {0, 2},  {0, 3},  {0, 4},  {0, 5},  {0, 6},  {0, 7},
      {0, 8}, {0, 9}, {0, 10}, {0, 11}, {0, 12}, {0, 13}, {0, 14}, {0, 15}};
  static constexpr Signature list[] = {{"memplan.map", checkMap, overAny}};
  return list;
}

} // namespace memplan::runtime::kernels

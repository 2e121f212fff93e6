//===- CollectiveCases.cpp - Collectives of one rank ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What several ranks add is a test of processes: test/Unit/Kernels and
// test/Tools/test_ranks.py.
//
//===----------------------------------------------------------------------===//

#include "../Case.h"

namespace memplan::runtime::conformance {

static void addAllReduce(std::vector<Case> &cases, const Shape &shape,
                         const char *reduction, uint64_t seed) {
  cases.push_back(
      makeCase("memplan.all_reduce", reduction + typeText(DType::F32, shape),
               {random(shape, seed)},
               {attribute("ranks", int64_t(1)),
                attribute("reduction", std::string(reduction))},
               [](const std::vector<TestTensor> &in) { return in; }));
}

void addCollectiveCases(std::vector<Case> &cases) {
  addAllReduce(cases, {}, "sum", 7700);
  addAllReduce(cases, {3, 5}, "mean", 7710);
  addAllReduce(cases, {129, 257}, "sum", 7720);
}

} // namespace memplan::runtime::conformance

//===- StreamFamilyTest.cpp - More budget never takes longer on streams ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Monotone.h"
#include "RandomGraph.h"
#include "RematGraphs.h"
#include "memplan/Planner/Step/PlanStep.h"

using namespace memplan;

// Separate runs know their own budget only. Else a user who gives more bytes
// could wait longer.
TEST(StreamFamily, more_budget_never_takes_longer_in_separate_runs) {
  for (const char *parallelism : {"balance", "prefer"}) {
    PlanOptions options;
    options.streams = 2;
    options.parallelism = parallelism;
    options.alignmentBytes = 8;
    options.limits.effort = 100;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      checkMonotone(makeRandomGraph(seed, 14), options, seed);
    }
    checkMonotone(makeResidualNet(6), options, 5);
    checkMonotone(makeSmallUNet(), options, 6);
  }
}

//===- SharingProblem.cpp - Which values use one storage ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Sharing/SharingProblem.h"
#include "ShareStorages.h"

using namespace memplan;

StorageMap memplan::makeOwnStorages(const GraphIndex &index,
                                    std::vector<LiveRange> liveRanges) {
  StorageMap map;
  for (const LiveRange &range : liveRanges) {
    if (isCallersStorage(index, range)) {
      map.storageOf.emplace_back();
    } else if (range.isInPlace()) {
      map.storageOf.push_back(map.storageOf[range.over]);
    } else {
      map.storageOf.emplace_back(map.storageBytes.size());
      map.storageBytes.push_back(range.bytes);
      map.totalBytes += range.bytes;
    }
  }
  map.liveRanges = std::move(liveRanges);
  return map;
}

static const SharingSolver solverTable[] = {
    {"auto",
     "what serves the arena best: none",
     {.family = SolverFamily::Baseline},
     [](const SharingProblem &problem, const SolveLimits &limits) {
       llvm::Expected<StorageMap> map = solveNoSharing(problem, limits);
       if (map)
         map->report.solver = "none";
       return map;
     }},
    {"none",
     "a storage for each value (in place apart); offsets alone share "
     "bytes",
     {.family = SolverFamily::Baseline},
     solveNoSharing},
    {"counter",
     "a value takes a storage of like size that is free in serial order",
     {},
     solveCounter},
    {"color",
     "as counter, but with as few ordering edges between parallel runs as the "
     "colors of longest paths allow",
     {},
     solveColor},
};

std::span<const SharingSolver> memplan::sharingSolvers() { return solverTable; }

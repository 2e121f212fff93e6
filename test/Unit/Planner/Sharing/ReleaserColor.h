//===- ReleaserColor.h - A sharing rule that is not safe --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NNVM hands a free storage to a run of the releasing run's color and looks at
// nothing else. A user of another color may still be reading. It shows
// SharingProblem::verify() what it has to find.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_PLANNER_RELEASERCOLOR_H
#define MEMPLAN_TEST_UNIT_PLANNER_RELEASERCOLOR_H

#include "memplan/Planner/Sharing/RunColors.h"
#include "llvm/ADT/STLExtras.h"

namespace memplan {

inline llvm::Expected<StorageMap>
shareByReleaserColor(const SharingProblem &problem, const SolveLimits &) {
  StorageMap map;
  map.liveRanges =
      computeLiveRanges(*problem.index, *problem.schedule,
                        problem.inPlace ? *problem.inPlace : InPlaceChoice());
  std::vector<int32_t> colors = colorRuns(*problem.index, *problem.schedule);
  struct Free {
    StorageId storage;
    int32_t color;
  };
  std::vector<Free> freeList;
  auto count = static_cast<int32_t>(problem.schedule->runs.size());
  map.storageOf.resize(map.liveRanges.size());
  for (int32_t run = 0; run < count; ++run) {
    for (size_t i = 0; i < map.liveRanges.size(); ++i) {
      const LiveRange &range = map.liveRanges[i];
      if (range.begin != run)
        continue;
      if (range.isInPlace()) {
        map.storageOf[i] = map.storageOf[range.over];
        continue;
      }
      auto found = llvm::find_if(freeList, [&](const Free &each) {
        return each.color == colors[run];
      });
      if (found != freeList.end()) {
        map.storageOf[i] = found->storage;
        freeList.erase(found);
      } else {
        map.storageOf[i] = StorageId(map.storageBytes.size());
        map.storageBytes.push_back(0);
      }
      int64_t &bytes = map.storageBytes[map.storageOf[i].index];
      bytes = std::max(bytes, range.bytes);
    }
    for (size_t i = 0; i < map.liveRanges.size(); ++i)
      if (map.liveRanges[i].end == run + 1 && !map.liveRanges[i].takenOver &&
          map.storageOf[i].isValid())
        freeList.push_back({map.storageOf[i], colors[run]});
  }
  for (int64_t bytes : map.storageBytes)
    map.totalBytes += bytes;
  return map;
}

} // namespace memplan

#endif // MEMPLAN_TEST_UNIT_PLANNER_RELEASERCOLOR_H

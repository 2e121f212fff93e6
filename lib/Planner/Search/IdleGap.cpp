//===- IdleGap.cpp - Where values lie idle across the limit ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/IdleGap.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

void IdleGaps::countOver() {
  const BytesLine &line = runs.line();
  overBefore.resize(size_t(line.numBlocks()) + 1);
  overBefore[0] = 0;
  for (int32_t block = 0; block < line.numBlocks(); ++block)
    overBefore[block + 1] = overBefore[block] + line.isOver(block);
  isStale = false;
}

IdleGap IdleGaps::find(int32_t run, int32_t value) {
  const BytesLine &line = runs.line();
  const int32_t from = runs.slot(run),
                to = runs.slot(runs.lastUserOf(run, value));
  if (isStale || size_t(line.numBlocks()) + 1 != overBefore.size())
    countOver();
  IdleGap idle;
  if (over(line.blockOf(from), line.blockOf(to)) == 0)
    return idle;
  userSlots.clear();
  for (int32_t user : step.users(value))
    if (!step.isCopy(user))
      for (int32_t one : runs.runsOf(user))
        if (runs.slot(one) > from && runs.slot(one) <= to)
          userSlots.push_back(runs.slot(one));
  llvm::sort(userSlots);
  int32_t last = from;
  for (int32_t slot : userSlots) {
    const int32_t blocks =
        slot - last > 1 ? over(line.blockOf(last + 1), line.blockOf(slot - 1))
                        : 0;
    if (blocks > idle.blocks)
      idle = {line.runAt(last), line.runAt(slot), blocks};
    last = slot;
  }
  return idle;
}

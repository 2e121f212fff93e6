//===- ScheduleRepair.h - Makes wished-for runs a valid schedule ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SCHEDULE_SCHEDULEREPAIR_H
#define MEMPLAN_SCHEDULE_SCHEDULEREPAIR_H

#include "memplan/Schedule/Schedule.h"
#include "llvm/ADT/ArrayRef.h"

namespace memplan {

/// Turns a wished-for order of runs into a valid schedule: inserts what each
/// run needs right before it (nodes that have not run, views of a base that was
/// made again), appends nodes that never run, and drops runs that may not or
/// need not be repeated (nodes that run once, views that are still readable). A
/// valid schedule without such idle runs comes back unchanged. Fails where no
/// insertion helps: a run would read a tensor in another version than source
/// order gives it, a collective is out of order, or a node that runs once would
/// have to run again.
llvm::Expected<Schedule> repairSchedule(const GraphIndex &index,
                                        llvm::ArrayRef<NodeId> wanted);

/// Drops reruns none of whose outputs is used before it is made again, until
/// none is left. The schedule must be valid.
Schedule dropIdleRuns(const GraphIndex &index, Schedule schedule);

} // namespace memplan

#endif // MEMPLAN_SCHEDULE_SCHEDULEREPAIR_H

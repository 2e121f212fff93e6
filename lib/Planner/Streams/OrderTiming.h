//===- OrderTiming.h - When jobs start in a given order ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H
#define MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H

#include "ListScheduler.h"
#include "Tuning.h"

namespace memplan {

/// Times orders in which jobs start. Keeps what is known of the order in hand,
/// so that another one is timed from where they differ.
class OrderTiming {
public:
  OrderTiming(const FlatJobs &jobs, int32_t streams, int64_t limit);

  /// Times an order that is the one in hand before place `from`. False as soon
  /// as it is known to end after `most`.
  bool pass(const std::vector<int32_t> &order, int32_t from, double most);
  /// The order of the last pass, which came to its end, is the one in hand.
  void keep(const std::vector<int32_t> &order, int32_t from);
  /// The order in hand stays; `order` is that of the last pass.
  void leave(const std::vector<int32_t> &order, int32_t from);

  /// Time of the last pass.
  double time() const { return last.time; }
  int64_t excess() const { return last.excess; } ///< Most above the limit.
  const ListScheduler &schedule() const { return scheduler; }

private:
  using State = ListScheduler::State;
  static constexpr int32_t stride = tuning::jobsOfState;

  const FlatJobs &jobs;
  ListScheduler scheduler;
  /// Before every so many jobs of the order in hand, and of the last pass.
  std::vector<State> states, newStates;
  State last;                   ///< After all of them.
  std::vector<double> keptEnds; ///< Ends in the order in hand.
  int32_t passed = 0;           ///< One past the last place of the pass.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STREAMS_ORDERTIMING_H

//===- CopyTime.h - What a copy between host and device takes ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_COPYTIME_H
#define MEMPLAN_GRAPH_COPYTIME_H

#include "memplan/Graph/Graph.h"

namespace memplan {

enum class CopyDirection { DeviceToHost, HostToDevice };

/// Cost units of one copy: latency + bytes / rate. A direction without a rate
/// takes the latency alone. All planners ask here; the replay of a plan, the
/// backends and the checkers in Python have their own words for it.
inline double copyTime(const Bandwidth &bandwidth, CopyDirection direction,
                       int64_t bytes) {
  const std::optional<double> &rate = direction == CopyDirection::HostToDevice
                                          ? bandwidth.hostToDevice
                                          : bandwidth.deviceToHost;
  return bandwidth.latency + (rate ? static_cast<double>(bytes) / *rate : 0);
}

} // namespace memplan

#endif // MEMPLAN_GRAPH_COPYTIME_H

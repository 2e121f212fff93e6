//===- CostModel.h - Costs that options ask for -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PROFILE_COSTMODEL_H
#define MEMPLAN_PROFILE_COSTMODEL_H

#include "memplan/Graph/Graph.h"
#include "memplan/Profile/DeviceProfile.h"
#include "memplan/Profile/DeviceSpec.h"

namespace memplan {

/// `--cost-model=`
/// - `flops`: what arithmetic alone takes on the reference device
/// - `roofline`: arithmetic or memory of the reference device
/// - `roofline:DEVICE`, `roofline:FILE.json`: of that device, with its launch
///   overhead
/// - `profile:FILE`: what was measured; the roofline of the reference device,
///   scaled to what was, stands in for what was not
class CostModel {
public:
  enum class Kind { AsItStands, Flops, Roofline, Profile };

  /// Reads the file, if one is named. An empty text keeps the costs that stand
  /// in the IR or in the graph.
  static llvm::Expected<CostModel> parse(llvm::StringRef text);

  Kind kind() const { return sort; }
  /// Microseconds of one call that was not measured.
  double estimate(int64_t flops, int64_t bytesMoved) const;
  /// Microseconds of a launch that costs by this model lack. They are 0 where
  /// they are measured, or of a device with a launch overhead; else that of a
  /// V100.
  double launchBesideCosts() const;
  /// The variants of a measured call, the fastest first; null where the model
  /// is no profile or the profile lacks the call.
  const ProfileEntry *find(llvm::StringRef key) const;
  /// What was measured; null where the model is no profile.
  const DeviceProfile *measured() const {
    return sort == Kind::Profile ? &profile : nullptr;
  }

  /// Sets the cost of every node, and of each of its variants, from `flops` and
  /// `bytes_moved`. Sets the bandwidth where the graph has none and the device
  /// is named. Nodes that only make views cost nothing. Fails, and leaves the
  /// graph as it was, where a node has neither number. Fails with a profile
  /// too: a graph does not hold the calls that a profile names.
  llvm::Error apply(Graph &graph) const;

private:
  Kind sort = Kind::AsItStands;
  DeviceSpec device = referenceDevice();
  DeviceProfile profile;
};

} // namespace memplan

#endif // MEMPLAN_PROFILE_COSTMODEL_H

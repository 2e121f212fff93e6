//===- CostModel.h - Costs that options ask for -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H
#define MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Profile/DeviceProfile.h"

namespace mlir::memplan {

/// `--cost-model=roofline|flops|profile:FILE`. Costs become `memplan.cost`
/// attributes, so that every later pass sees the same ones; roofline is what an
/// operation without the attribute costs.
class CostModel {
public:
  /// Reads the profile file, if one is named. An empty text keeps the costs
  /// that the IR has.
  static llvm::Expected<CostModel> parse(StringRef text);

  /// Sets or removes the attributes of every operation; with a profile also
  /// `workspace_bytes`. Says in a remark how many operations the profile lacks;
  /// these get the roofline's cost.
  void apply(func::FuncOp function) const;

private:
  enum class Kind { AsItStands, Roofline, Flops, Profile };
  Kind kind = Kind::AsItStands;
  core::DeviceProfile profile;
};

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_COSTMODEL_H

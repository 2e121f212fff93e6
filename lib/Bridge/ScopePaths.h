//===- ScopePaths.h - Where a location says that it is ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_SCOPEPATHS_H
#define MEMPLAN_LIB_BRIDGE_SCOPEPATHS_H

#include "mlir/IR/Location.h"
#include <string>
#include <vector>

namespace mlir::memplan {

/// The names in a location, each once, in order. What stands behind a name is
/// not looked at; places in a text have none.
/// - `loc("layer1/conv"("f.py":3:1))`: layer1/conv
/// - `loc(callsite("conv" at "layer1"))`: layer1/conv, the caller first
/// - `loc(fused["conv", "bias"])`: conv and bias
std::vector<std::string> scopePaths(Location location);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_SCOPEPATHS_H

//===- ProfileKey.h - The text under which a kernel call is measured ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_PROFILEKEY_H
#define MEMPLAN_BRIDGE_PROFILEKEY_H

#include "memplan/Bridge/GraphView.h"

namespace mlir::memplan {
class PlannableOpInterface;

/// "memplan.relu{} (4x8xf32) -> (4x8xf32)": kernel, sorted attributes and
/// types, in either form of the operation; the text that the runtime writes
/// into profiles.
std::string profileKey(PlannableOpInterface op);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_PROFILEKEY_H

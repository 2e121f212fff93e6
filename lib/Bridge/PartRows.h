//===- PartRows.h - Which values may lie in rows ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_BRIDGE_PARTROWS_H
#define MEMPLAN_LIB_BRIDGE_PARTROWS_H

#include "memplan/Bridge/Parts.h"

namespace mlir::memplan {

/// Where each input of a concat ends up, or each output of a split comes from;
/// empty for all other operations.
SmallVector<PiecePlace> placesOf(Operation *op);

/// Whether an operation with the planning interface puts its inputs together,
/// rather than taking its input apart.
bool isConcat(Operation *op);

/// Why a value cannot have gaps between `rows` rows; empty if it can.
std::string checkRows(Value value, int64_t rows);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_BRIDGE_PARTROWS_H

//===- Markers.h - Attributes that mark functions and operations ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::memplan {

// On arguments and results.
/// "parameter", "state" or "input"; "loss" or "output".
inline constexpr llvm::StringLiteral kKindAttrName = "memplan.kind";
inline constexpr llvm::StringLiteral kNameAttrName = "memplan.name";
/// i64 on an argument: the dimension that counts samples.
inline constexpr llvm::StringLiteral kBatchAttrName = "memplan.batch";
/// How a parameter or state starts: "zeros", "ones", "normal:STD",
/// "uniform:BOUND", "kaiming_uniform:FANIN".
inline constexpr llvm::StringLiteral kInitAttrName = "memplan.init";
/// i64 on an integer input: its values lie in [0, high).
inline constexpr llvm::StringLiteral kHighAttrName = "memplan.high";
/// Unit on an input: the step may overwrite it.
inline constexpr llvm::StringLiteral kDonatedAttrName = "memplan.donated";
/// i64 on a result: it is the new version of that argument.
inline constexpr llvm::StringLiteral kUpdatesAttrName = "memplan.updates";

// On functions.
/// Dictionary: what memplan-autodiff updates parameters with.
inline constexpr llvm::StringLiteral kOptimizerAttrName = "memplan.optimizer";

// On operations.
/// Unit: belongs to the backward pass or the update.
inline constexpr llvm::StringLiteral kBackwardAttrName = "memplan.backward";
/// i64: program order of the operation's first run.
inline constexpr llvm::StringLiteral kNodeAttrName = "memplan.node";

// On arguments of planned functions.
/// Unit: the argument is an arena.
inline constexpr llvm::StringLiteral kArenaAttrName = "memplan.arena";
/// i64: alignment of the arena in bytes.
inline constexpr llvm::StringLiteral kAlignmentAttrName = "memplan.alignment";

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H

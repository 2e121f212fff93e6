//===- Markers.h - Attributes that mark functions and operations ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H

#include "memplan/Dialect/Memplan/IR/MemplanDialect.h"

namespace mlir::memplan {

// On arguments and results.
/// "parameter", "state" or "input"; "loss" or "output".
inline constexpr llvm::StringLiteral kKindAttrName =
    MemplanDialect::KindAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral kNameAttrName =
    MemplanDialect::NameAttrHelper::getNameStr();
/// i64 on an argument: the dimension that counts samples.
inline constexpr llvm::StringLiteral kBatchAttrName =
    MemplanDialect::BatchAttrHelper::getNameStr();
/// How a parameter or state starts: "zeros", "ones", "constant:VALUE",
/// "normal:STD", "uniform:BOUND", "kaiming_uniform:FANIN".
inline constexpr llvm::StringLiteral kInitAttrName =
    MemplanDialect::InitAttrHelper::getNameStr();
/// i64 on an integer input: its values lie in [0, high).
inline constexpr llvm::StringLiteral kHighAttrName =
    MemplanDialect::HighAttrHelper::getNameStr();
/// Unit on an input: the step may overwrite it.
inline constexpr llvm::StringLiteral kDonatedAttrName =
    MemplanDialect::DonatedAttrHelper::getNameStr();
/// i64 on a result: it is the new version of that argument.
inline constexpr llvm::StringLiteral kUpdatesAttrName =
    MemplanDialect::UpdatesAttrHelper::getNameStr();

// On functions.
/// Dictionary: what memplan-autodiff updates parameters with.
inline constexpr llvm::StringLiteral kOptimizerAttrName =
    MemplanDialect::OptimizerAttrHelper::getNameStr();

// On operations.
/// Unit: belongs to the backward pass or the update.
inline constexpr llvm::StringLiteral kBackwardAttrName =
    MemplanDialect::BackwardAttrHelper::getNameStr();
/// i64: program order of the operation's first run.
inline constexpr llvm::StringLiteral kNodeAttrName =
    MemplanDialect::NodeAttrHelper::getNameStr();
/// i64 on an operation of another dialect: which run of its node it is.
inline constexpr llvm::StringLiteral kRunAttrName =
    MemplanDialect::RunAttrHelper::getNameStr();

// On arguments of planned functions.
/// Unit: the argument is an arena.
inline constexpr llvm::StringLiteral kArenaAttrName =
    MemplanDialect::ArenaAttrHelper::getNameStr();
/// i64: alignment of the arena in bytes.
inline constexpr llvm::StringLiteral kAlignmentAttrName =
    MemplanDialect::AlignmentAttrHelper::getNameStr();
/// i64 on a donated input: the byte of the arena from which on it lies there
/// when the step begins.
inline constexpr llvm::StringLiteral kArenaOffsetAttrName =
    MemplanDialect::ArenaOffsetAttrHelper::getNameStr();

/// i64 on an argument: the byte of the host arena from which on it lies there
/// between steps.
inline constexpr llvm::StringLiteral kHostOffsetAttrName =
    MemplanDialect::HostOffsetAttrHelper::getNameStr();

// On operations in the planned form.
/// i64: the stream that runs it; missing: 0.
inline constexpr llvm::StringLiteral kStreamAttrName =
    MemplanDialect::StreamAttrHelper::getNameStr();

/// Puts `made` into the pass, forward or backward, of `op`.
void setPassOf(Operation *made, Operation *op);

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_MARKERS_H

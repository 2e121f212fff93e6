//===- VariantName.h - Which implementation of a backend runs ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_DIALECT_MEMPLAN_IR_VARIANTNAME_H
#define MEMPLAN_DIALECT_MEMPLAN_IR_VARIANTNAME_H

#include "llvm/ADT/StringRef.h"

namespace mlir::memplan {

/// A string on an operation of either form: the implementation of its backend
/// that is to run. Those that a plan may take instead have theirs as `name` in
/// `memplan.variants`.
inline constexpr llvm::StringLiteral kVariantAttrName = "memplan.variant";

/// A string on a function of either form: the device that it is compiled for,
/// with the versions of its libraries.
inline constexpr llvm::StringLiteral kDeviceAttrName = "memplan.device";

} // namespace mlir::memplan

#endif // MEMPLAN_DIALECT_MEMPLAN_IR_VARIANTNAME_H

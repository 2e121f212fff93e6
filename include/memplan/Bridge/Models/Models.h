//===- Models.h - Planning models of MLIR's own dialects --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_MODELS_MODELS_H
#define MEMPLAN_BRIDGE_MODELS_MODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::memplan {

// Each attaches PlannableOpInterface to operations of a dialect when that
// dialect is loaded, and loads none. Costs are counted from the iteration
// domain; what may be recomputed follows from MLIR's own effects.

/// Structured operations on tensors, linalg.generic among them; planned, they
/// are on memrefs.
void registerLinalgModels(DialectRegistry &registry);

/// empty, cast, expand_shape, collapse_shape, extract_slice, insert_slice,
/// pad, concat and splat. Views take no bytes; the others stay on tensors.
void registerTensorModels(DialectRegistry &registry);

/// Everything but control flow, variables and constants, which need no model;
/// planned, they stay on tensors.
void registerTosaModels(DialectRegistry &registry);

/// Elementwise operations of arith and math; planned, they stay on tensors.
void registerArithModels(DialectRegistry &registry);

/// All of these.
void registerAllModels(DialectRegistry &registry);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_MODELS_MODELS_H

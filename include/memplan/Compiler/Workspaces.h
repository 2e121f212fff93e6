//===- Workspaces.h - Scratch memory that a backend wants -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_WORKSPACES_H
#define MEMPLAN_COMPILER_WORKSPACES_H

#include "memplan/Runtime/Execute/Device.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::memplan {

/// Asks `device` what scratch it wants for each operation of a function in
/// tensor form and sets `workspace_bytes`, so that the plan holds it.
/// Operations that have a workspace keep it. With `rows`, an operation whose
/// operands may lie in rows as parts of larger values gets what it wants then,
/// if that is more. A view that begins where a kernel cannot read it is copied
/// first. Fails on an operation that has no kernel there.
LogicalResult setWorkspaces(func::FuncOp function,
                            const ::memplan::runtime::Device &device,
                            bool rows);

struct SetWorkspacesPassOptions;
/// The same with the device that `memplan-set-workspaces` is told of, which is
/// opened for it. Nothing for the backend `none`. Reports its own errors.
LogicalResult setWorkspaces(func::FuncOp function,
                            const SetWorkspacesPassOptions &options);

} // namespace mlir::memplan

#endif // MEMPLAN_COMPILER_WORKSPACES_H

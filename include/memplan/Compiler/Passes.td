//===- Passes.td - Passes that ask a backend ---------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COMPILER_PASSES
#define MEMPLAN_COMPILER_PASSES

include "mlir/Pass/PassBase.td"

def SetWorkspacesPass : Pass<"memplan-set-workspaces", "::mlir::func::FuncOp"> {
  let summary = "Give operations the scratch memory that a backend's kernels want";
  let description = [{
    Asks the backend what scratch memory it wants for each operation, at its shapes, and sets `workspace_bytes`, so that planners place it and the kernels run at full
    speed. What a backend wants depends on its build, on the machine and on the number of threads. Operations that have a workspace keep it, and planned functions stay
    as they are.

    ```mlir
    // Before
    %1 = memplan.conv2d %x, %w {padding = [1, 1]} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
    // After memplan-set-workspaces=backend=cpu
    %1 = memplan.conv2d %x, %w {padding = [1, 1], workspace_bytes = 13824 : i64} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
    ```

    Fails on the function when there is no such backend or device, and on an operation for which the backend has no kernel. The backend `cuda` answers without a device too
    where its plugin is there.
  }];
  let options = [
    Option<"backend", "backend", "std::string", "\"cpu\"", "`cpu`, `reference`, `cuda`, the path of a plugin, or `none`: change nothing.">,
    Option<"deviceNumber", "device", "int", "0", "Number of the device.">,
    Option<"threads", "threads", "int", "1", "Host threads that the kernels will run with.">,
    Option<"rows", "rows", "bool", "false", "Give operations on parts what they want where these lie in rows, if that is more.">,
  ];
}

#endif // MEMPLAN_COMPILER_PASSES

// What a backend wants stands on the operation, and what it names already stays. The plain kernels want none.
// REQUIRES: onednn
// RUN: memplan-opt %s --memplan-set-workspaces=backend=cpu | FileCheck %s --check-prefixes=CPU,BOTH
// RUN: memplan-opt %s --memplan-set-workspaces=backend=reference | FileCheck %s --check-prefixes=NONE,BOTH
// RUN: memplan-opt %s --memplan-set-workspaces=backend=none | FileCheck %s --check-prefixes=NONE,BOTH
// A planned function has its scratch in the arena, if any.
// RUN: memplan-opt %s --memplan-plan -o %t.mlir
// RUN: memplan-opt %t.mlir --memplan-set-workspaces=backend=cpu | diff %t.mlir -

func.func @convolutions(%x: tensor<2x16x12x12xf32>, %w: tensor<16x16x3x3xf32>) -> (tensor<2x16x12x12xf32>, tensor<2x16x12x12xf32>) {
  // CPU: memplan.conv2d {{.*}}workspace_bytes = {{[1-9]}}
  // NONE-NOT: workspace_bytes
  %0 = memplan.conv2d %x, %w {padding = [1, 1]} : (tensor<2x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x12x12xf32>
  // BOTH: memplan.conv2d {{.*}}workspace_bytes = 77
  %1 = memplan.conv2d %x, %w {padding = [1, 1], workspace_bytes = 77 : i64} : (tensor<2x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x12x12xf32>
  return %0, %1 : tensor<2x16x12x12xf32>, tensor<2x16x12x12xf32>
}

// RUN: memplan-opt %s --memplan-naive-plan=alignment=64 | FileCheck %s
// RUN: not memplan-opt %s --memplan-naive-plan=alignment=48 2>&1 | FileCheck %s --check-prefix=BAD

// An alignment that is not kept would make vector kernels fault.
// CHECK: memref<128xi8> {memplan.alignment = 64 : i64, memplan.arena}
// BAD: memplan-naive-plan: alignment 48 is not a power of two
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = memplan.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = memplan.relu %0 : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

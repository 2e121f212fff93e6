// RUN: memplan-opt %s --memplan-plan-pipeline='remat=greedy budget=1G' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s

// A program must be inlined and differentiated before it is planned.
// CHECK: builtin.module(
// CHECK: inline
// CHECK: symbol-dce
// CHECK: memplan-autodiff
// CHECK: memplan-plan{{.*}}budget=1G{{.*}}remat=greedy
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = memplan.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

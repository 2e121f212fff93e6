// RUN: memplan-opt %s --memplan-remat=solver=checkpoint-all | FileCheck %s
// RUN: not memplan-opt %s --memplan-remat=solver=magic 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not memplan-opt %s --memplan-remat=budget=-4 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not memplan-opt %s --memplan-remat=effort=-4 2>&1 | FileCheck %s --check-prefix=EFFORT
// SOLVER: memplan-remat: remat: unknown remat solver 'magic'; there are 'auto', 'checkpoint-all'
// BUDGET: memplan-remat: budget: {{.*}}-4
// EFFORT: memplan-remat: effort: must not be negative

// Without recomputation the order and the operations stay.
// CHECK: memplan.relu %{{.*}} {memplan.node = 0}
// CHECK-NEXT: memplan.tanh %{{.*}} {memplan.node = 1}
// CHECK-NEXT: return
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

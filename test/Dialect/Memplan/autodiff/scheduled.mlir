// RUN: memplan-opt %s --memplan-autodiff | FileCheck %s
// RUN: not memplan-opt %S/Inputs/scheduled_adafactor.mlir --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=SEVERAL

// A schedule writes the rate between steps: it is a state that nothing updates, and every update reads it behind the scalar that skips.

// CHECK: func.func @step
// CHECK-SAME: tensor<f32> {memplan.init = "constant:1", memplan.kind = "state", memplan.name = "optimizer.rate"}
// CHECK-DAG: %[[NOTHING:.*]] = memplan.constant {{.*}}0.000000e+00
// CHECK: memplan.sgd_update %{{.*}}, %{{.*}}, %[[NOTHING]], %[[RATE:arg[0-9]+]] {lr = 1.000000e-01
// CHECK: memplan.sgd_update %{{.*}}, %{{.*}}, %[[NOTHING]], %[[RATE]] {lr = 1.000000e-01
// SEVERAL: 'scheduled' is for optimizers that are one operation, and 'adafactor' is several
func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {memplan.kind = "parameter"}, %b: tensor<2xf32> {memplan.kind = "parameter"}, %t: tensor<4x2xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, scheduled = true}} {
  %y = memplan.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// RUN: memplan-opt %s --remat=checkpoint-all 2>/dev/null | FileCheck %s

// Calls are inlined and the function is differentiated before it is planned; were it not, only the forward pass would fit.
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @step(
// CHECK-SAME: memplan.planned
// CHECK: memplan.relu
// CHECK: memplan.mse_loss ins
// CHECK: memplan.relu_grad
// CHECK: memplan.sgd_update
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = memplan.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {memplan.kind = "parameter"}, %t: tensor<4x8xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %0 = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = memplan.mse_loss %0, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

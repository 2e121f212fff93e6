// A forward function that was planned as it stands is run as it stands: differentiating it would need what the plan has dropped.
// RUN: memplan-opt %s --memplan-plan -o %t.mlir
// RUN: memplan-opt %t.mlir --memplan-autodiff | FileCheck %s --check-prefix=SAME
// RUN: memplan-run %t.mlir | FileCheck %s

// SAME-COUNT-2: memplan.{{relu|mse_loss}} ins
// SAME-NOT: _grad
// CHECK: step 0: loss = {{[0-9.]+}}
func.func @forward(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %y = memplan.relu %w : (tensor<4xf32>) -> tensor<4xf32>
  %l = memplan.mse_loss %y, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// RUN: memplan-opt %s --split-input-file --memplan-autodiff | FileCheck %s
// RUN: memplan-opt %s --split-input-file --memplan-autodiff --memplan-autodiff | FileCheck %s
// RUN: memplan-opt %s --split-input-file --memplan-autodiff --canonicalize --cse | FileCheck %s --check-prefix=CLEAN

// The backward reads what gradients need and nothing else: relu's gradient reads its output, so %h dies at the relu.
// The update follows the last user of the old parameter at once.
// CHECK-LABEL: func.func @mlp
// CHECK-SAME:    (tensor<f32> {memplan.kind = "loss"}, tensor<16x2xf32> {memplan.updates = 2 : i64}, tensor<8x16xf32> {memplan.updates = 1 : i64})
// CHECK:         %[[H:.*]] = memplan.matmul %arg0, %arg1
// CHECK:         %[[R:.*]] = memplan.relu %[[H]]
// CHECK:         %[[Y:.*]] = memplan.matmul %[[R]], %arg2
// CHECK:         %[[LOSS:.*]] = memplan.mse_loss %[[Y]], %arg3
// CHECK:         %[[ONE:.*]] = memplan.constant {memplan.backward, value = dense<1.000000e+00> : tensor<f32>}
// CHECK:         %[[DY:.*]] = memplan.mse_loss_grad %[[Y]], %arg3, %[[ONE]]
// CHECK:         %[[DR:.*]] = memplan.matmul %[[DY]], %arg2 {memplan.backward, transpose_rhs}
// CHECK:         %[[DW2:.*]] = memplan.matmul %[[R]], %[[DY]] {memplan.backward, transpose_lhs}
// CHECK:         %[[W2:.*]] = memplan.sgd_update %arg2, %[[DW2]]
// CHECK:         %[[DH:.*]] = memplan.relu_grad %[[R]], %[[DR]]
// CHECK-NOT:     memplan.matmul %[[DH]], %arg1
// CHECK:         %[[DW1:.*]] = memplan.matmul %arg0, %[[DH]] {memplan.backward, transpose_lhs}
// CHECK:         %[[W1:.*]] = memplan.sgd_update %arg1, %[[DW1]]
// CHECK:         return %[[LOSS]], %[[W2]], %[[W1]]

// Canonicalization and CSE leave the step whole.
// CLEAN-LABEL: func.func @mlp
// CLEAN-COUNT-2: memplan.sgd_update
func.func @mlp(%x: tensor<4x8xf32> {memplan.kind = "input"}, %w1: tensor<8x16xf32> {memplan.kind = "parameter"},
               %w2: tensor<16x2xf32> {memplan.kind = "parameter"}, %t: tensor<4x2xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h = memplan.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %r = memplan.relu %h : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = memplan.matmul %r, %w2 : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A value with two uses sums its gradients in the backward alone: two buffers, no split in the forward.
// CHECK-LABEL: func.func @two_uses
// CHECK-NOT:     memplan.accumulate
// CHECK:         memplan.mse_loss_grad
// CHECK:         %[[A:.*]] = memplan.tanh_grad
// CHECK-NEXT:    %[[B:.*]] = memplan.sigmoid_grad
// CHECK-NEXT:    memplan.accumulate %[[A]], %[[B]]
func.func @two_uses(%w: tensor<8xf32> {memplan.kind = "parameter"}, %t: tensor<8xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %v = memplan.silu %w : (tensor<8xf32>) -> tensor<8xf32>
  %a = memplan.sigmoid %v : (tensor<8xf32>) -> tensor<8xf32>
  %b = memplan.tanh %v : (tensor<8xf32>) -> tensor<8xf32>
  %y = memplan.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// A parameter that is read twice is updated once, after both reads.
// CHECK-LABEL: func.func @tied
// CHECK-COUNT-1: memplan.sgd_update
// CHECK-NOT:     memplan.sgd_update
// CHECK:         return
func.func @tied(%x: tensor<4x4xf32> {memplan.kind = "input"}, %w: tensor<4x4xf32> {memplan.kind = "parameter"},
                %t: tensor<4x4xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h = memplan.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = memplan.matmul %h, %w {transpose_rhs} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// No loss: nothing to do.
// CHECK-LABEL: func.func @inference
// CHECK-NOT:     memplan.backward
func.func @inference(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The gradient of a reshape follows the batch as the reshape does.
// CHECK-LABEL: func.func @batch
// CHECK:         memplan.reshape %{{.*}} {memplan.backward, shape = [-1, 2, 3]} : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
func.func @batch(%x: tensor<4x2x3xf32> {memplan.kind = "input", memplan.batch = 0 : i64},
                 %w: tensor<3xf32> {memplan.kind = "parameter"},
                 %t: tensor<4x6xf32> {memplan.kind = "input", memplan.batch = 0 : i64})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %m = memplan.mul %x, %w : (tensor<4x2x3xf32>, tensor<3xf32>) -> tensor<4x2x3xf32>
  %r = memplan.reshape %m {shape = [-1, 6]} : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
  %loss = memplan.mse_loss %r, %t : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-autodiff | FileCheck %s
// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-autodiff=gradients=true | FileCheck %s --check-prefix=RETURN

// A step that brings its own backward pass gets updates in the place of its gradients, where the parameter and its views were read for the last time.
// Without this a program exported with the backward of another framework would never learn.

// CHECK-LABEL: func.func @own_backward(
// CHECK-SAME: -> (tensor<f32> {memplan.kind = "loss"}, tensor<8x2xf32> {memplan.updates = 1 : i64}, tensor<8x2xf32> {memplan.updates = 3 : i64})
// CHECK: %[[D:.*]] = memplan.matmul {{.*}} {memplan.backward, transpose_lhs}
// CHECK: memplan.matmul %{{.*}}, %{{.*}} {memplan.backward}
// CHECK-NEXT: %[[UPDATE:.*]]:2 = memplan.sgd_momentum_update %{{.*}}, %{{.*}}, %[[D]]
// CHECK: return %{{.*}}, %[[UPDATE]]#0, %[[UPDATE]]#1
// RETURN-LABEL: func.func @own_backward(
// RETURN-SAME: tensor<8x2xf32> {memplan.kind = "output", memplan.name = "w.grad"})
func.func @own_backward(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {memplan.kind = "parameter", memplan.name = "w"}, %t: tensor<4x2xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<8x2xf32> {memplan.kind = "gradient", memplan.name = "w.grad"})
    attributes {memplan.optimizer = {lr = 0.1, momentum = 0.9, name = "sgd"}} {
  %view = memplan.reshape %w {shape = [2, 8]} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dy = memplan.mse_loss_grad %y, %t, %one {memplan.backward} : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %dw = memplan.matmul %x, %dy {transpose_lhs, memplan.backward} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %late = memplan.matmul %dy, %view {memplan.backward} : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %seen = memplan.opaque %late {effects = "unknown", kernel = "log"} : (tensor<4x8xf32>) -> tensor<f32>
  return %loss, %dw : tensor<f32>, tensor<8x2xf32>
}

// -----

// Two gradients of one op: what the updates share is made before the first of them, and both stand after it.

// CHECK-LABEL: func.func @gradients_of_one_op(
// CHECK: %[[GRADS:.*]]:3 = memplan.layer_norm_grad
// CHECK-NEXT: %[[STEP:.*]] = memplan.increment
// CHECK-NEXT: memplan.adam_update %{{.*}}, %{{.*}}, %{{.*}}, %[[STEP]], %[[GRADS]]#1
// CHECK-NEXT: memplan.adam_update %{{.*}}, %{{.*}}, %{{.*}}, %[[STEP]], %[[GRADS]]#2
func.func @gradients_of_one_op(%x: tensor<4x8xf32>, %g: tensor<8xf32> {memplan.kind = "parameter", memplan.name = "g"},
                               %b: tensor<8xf32> {memplan.kind = "parameter", memplan.name = "b"}, %t: tensor<4x8xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<8xf32> {memplan.kind = "gradient", memplan.name = "g.grad"},
        tensor<8xf32> {memplan.kind = "gradient", memplan.name = "b.grad"})
    attributes {memplan.optimizer = {lr = 0.1, name = "adam"}} {
  %y:3 = memplan.layer_norm %x, %g, %b {epsilon = 1.0e-5} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %loss = memplan.mse_loss %y#0, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dy = memplan.mse_loss_grad %y#0, %t, %one {memplan.backward} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %grads:3 = memplan.layer_norm_grad %dy, %x, %g, %y#1, %y#2 {memplan.backward} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %loss, %grads#1, %grads#2 : tensor<f32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error @+1 {{result 1 is marked as a gradient and named 'v.grad', but there is no parameter 'v'}}
func.func @no_parameter(%w: tensor<2xf32> {memplan.kind = "parameter", memplan.name = "w"})
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<2xf32> {memplan.kind = "gradient", memplan.name = "v.grad"}) {
  %loss = memplan.reduce_sum %w {dims = [0]} : (tensor<2xf32>) -> tensor<f32>
  %g = memplan.constant {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
  return %loss, %g : tensor<f32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{result 1 is the gradient of 'w' and has type 'tensor<f32>', not 'tensor<2xf32>'}}
func.func @other_type(%w: tensor<2xf32> {memplan.kind = "parameter", memplan.name = "w"})
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<f32> {memplan.kind = "gradient", memplan.name = "w.grad"}) {
  %loss = memplan.reduce_sum %w {dims = [0]} : (tensor<2xf32>) -> tensor<f32>
  return %loss, %loss : tensor<f32>, tensor<f32>
}

// -----

// expected-error @+1 {{the gradient of 'w' is no result of an operation}}
func.func @argument(%w: tensor<f32> {memplan.kind = "parameter", memplan.name = "w"}, %x: tensor<f32>)
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<f32> {memplan.kind = "gradient", memplan.name = "w.grad"}) {
  return %x, %x : tensor<f32>, tensor<f32>
}

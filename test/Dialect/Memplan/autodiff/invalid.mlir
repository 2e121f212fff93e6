// RUN: memplan-opt %s --split-input-file --verify-diagnostics --memplan-autodiff

// expected-error @below {{result 0 is marked as the loss, so it must be a scalar float tensor; its type is 'tensor<4xf32>'}}
func.func @no_scalar(%w: tensor<4xf32> {memplan.kind = "parameter"}) -> (tensor<4xf32> {memplan.kind = "loss"}) {
  %y = memplan.relu %w : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{the loss does not depend on any argument with memplan.kind = "parameter"}}
func.func @no_parameter(%x: tensor<4xf32>, %t: tensor<4xf32>) -> (tensor<f32> {memplan.kind = "loss"}) {
  %l = memplan.mse_loss %x, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{has two results marked as the loss, 0 and 1}}
func.func @two_losses(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<f32> {memplan.kind = "loss"}) {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l, %l : tensor<f32>, tensor<f32>
}

// -----

func.func @no_gradient(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  // expected-error @below {{has no gradient, but the loss depends on a parameter through it}}
  %y = memplan.opaque %w {kernel = "my.op"} : (tensor<4xf32>) -> tensor<4xf32>
  %l = memplan.mse_loss %y, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{unknown optimizer 'lion'; valid are sgd (with or without momentum), adam, adamw}}
func.func @optimizer(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "lion", lr = 0.1 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{needs the attribute memplan.optimizer}}
func.func @none(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

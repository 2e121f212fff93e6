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

// expected-error @below {{unknown optimizer 'shampoo'; valid are sgd (with or without momentum), adam, adamw, rmsprop (with or without momentum), adagrad, lion}}
func.func @optimizer(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "shampoo", lr = 0.1 : f64}} {
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

// -----

// A setting that is misspelt was a setting that did nothing.
// expected-error @below {{memplan.optimizer: 'sgd' has no setting 'momentun'; valid are lr, max_norm, momentum, nesterov, weight_decay}}
func.func @misspelt(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, momentun = 0.9 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'adam' has no setting 'momentum'; valid are lr, beta1, beta2, epsilon, max_norm, weight_decay}}
func.func @others(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "adam", lr = 0.1 : f64, momentum = 0.9 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'lr' must be a float, not 1 : i64}}
func.func @integer(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "adamw", lr = 1}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'nesterov' must be true or false, not 1 : i64}}
func.func @flag(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, momentum = 0.9 : f64, nesterov = 1}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'nesterov' does nothing without a 'momentum'}}
func.func @nesterov(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, nesterov = true}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'max_norm' is 0.000000e+00, but must be finite and above 0; leave it out to clip nothing}}
func.func @nothing_is_left(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, max_norm = 0.0 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

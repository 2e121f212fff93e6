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

// expected-error @below {{unknown optimizer 'shampoo'; valid are sgd (with or without momentum), adam, adamw, rmsprop (with or without momentum), adagrad, lion, adafactor}}
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
// expected-error @below {{memplan.optimizer: 'sgd' has no setting 'momentun'; valid are lr, momentum, nesterov, weight_decay, max_norm, scheduled, loss_scale, growth_factor, backoff_factor, growth_interval}}
func.func @misspelt(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, momentun = 0.9 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'adam' has no setting 'momentum'; valid are lr, beta1, beta2, epsilon, weight_decay, max_norm, scheduled, loss_scale, growth_factor, backoff_factor, growth_interval}}
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

// -----

// expected-error @below {{memplan.optimizer: 'loss_scale' is 0.000000e+00, but must be finite and above 0 as f32; leave it out to scale nothing}}
func.func @scale_of_zero(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, loss_scale = 0.0 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'loss_scale' is 1.000000e+39, but must be finite and above 0 as f32}}
func.func @scale_too_large(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, loss_scale = 1.0e39 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'growth_factor' does nothing without a 'loss_scale'}}
func.func @growth_without_scale(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, growth_factor = 2.0 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'growth_interval' is 2.500000e+00, but must be a whole number of at least 1}}
func.func @interval(%w: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, loss_scale = 8.0 : f64, growth_interval = 2.5 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// A gradient of 16 bits would vanish where the scale is taken out again, which a scale is there to avoid.
// expected-error @below {{memplan.optimizer: the gradient of 'w' is f16 and would vanish where the scale is taken out; keep parameters f32}}
func.func @half(%w: tensor<4xf16> {memplan.kind = "parameter", memplan.name = "w"}, %t: tensor<4xf16>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, loss_scale = 8.0 : f64}} {
  %a = memplan.cast %w {element = "f32"} : (tensor<4xf16>) -> tensor<4xf32>
  %b = memplan.cast %t {element = "f32"} : (tensor<4xf16>) -> tensor<4xf32>
  %l = memplan.mse_loss %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{memplan.optimizer: 'loss_scale' is 8.000000e+00, but the function brings its own backward pass and has no argument 'optimizer.loss_scale'}}
func.func @own_backward(%w: tensor<4xf32> {memplan.kind = "parameter", memplan.name = "w"}, %t: tensor<4xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}, tensor<4xf32> {memplan.kind = "gradient", memplan.name = "w.grad"})
    attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, loss_scale = 8.0 : f64}} {
  %l = memplan.mse_loss %w, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %g = memplan.mse_loss_grad %w, %t, %one : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %l, %g : tensor<f32>, tensor<4xf32>
}

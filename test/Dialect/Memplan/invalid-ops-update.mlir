// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Optimizer updates: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @sgd_momentum_update_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x7xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<4x7xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.sgd_momentum_update %a0, %a1, %a2 {lr = 0.1, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @sgd_momentum_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{has 1 outputs, but computes 2: newParam, newVelocity}}
  %y = memplan.sgd_momentum_update %a0, %a1, %a2 {lr = 0.1, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sgd_momentum_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'lr'}}
  %y:2 = memplan.sgd_momentum_update %a0, %a1, %a2 {momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adam_update_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<2xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'step' is 'tensor<2xi64>', but must have 1 element in 1 dimension}}
  %y:3 = memplan.adam_update %a0, %a1, %a2, %a3, %a4 {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<2xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adam_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x7xf32>, %a3: tensor<1xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'v' is 'tensor<4x7xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:3 = memplan.adam_update %a0, %a1, %a2, %a3, %a4 {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>)
  return
}

// -----

func.func @adam_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'beta1' is 1.500000e+00, but must be in [0, 1)}}
  %y:3 = memplan.adam_update %a0, %a1, %a2, %a3, %a4 {beta1 = 1.5, lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adamw_update_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xf32>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{operand #3 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %y:3 = memplan.adamw_update %a0, %a1, %a2, %a3, %a4 {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adamw_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xi64>, %a4: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<8x4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:3 = memplan.adamw_update %a0, %a1, %a2, %a3, %a4 {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adamw_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'beta2' is -5.000000e-01, but must be in [0, 1)}}
  %y:3 = memplan.adamw_update %a0, %a1, %a2, %a3, %a4 {beta2 = -0.5, lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adamw_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is -1.000000e-03, but must be finite and not negative}}
  %y:3 = memplan.adamw_update %a0, %a1, %a2, %a3, %a4 {lr = -1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adamw_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xi64>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is -1.000000e-08, but must be finite and not negative}}
  %y:3 = memplan.adamw_update %a0, %a1, %a2, %a3, %a4 {epsilon = -1.0e-8, lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @sgd_update_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is INF, but must be finite and not negative}}
  %y = memplan.sgd_update %a0, %a1 {lr = 0x7FF0000000000000 : f64, weight_decay = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sgd_momentum_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'momentum' is -9.000000e-01, but must be finite and not negative}}
  %y:2 = memplan.sgd_momentum_update %a0, %a1, %a2 {lr = 0.1, momentum = -0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @sgd_momentum_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'weight_decay' is -1.000000e-01, but must be finite and not negative}}
  %y:2 = memplan.sgd_momentum_update %a0, %a1, %a2 {lr = 0.1, momentum = 0.9, weight_decay = -0.1} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_update_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'v' is 'tensor<8x4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.rmsprop_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.rmsprop_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is -5.000000e-01, but must be finite and not negative}}
  %y:2 = memplan.rmsprop_update %a0, %a1, %a2 {lr = -0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'alpha' is 1.000000e+00, but must be in [0, 1)}}
  %y:2 = memplan.rmsprop_update %a0, %a1, %a2 {alpha = 1.0, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is -1.000000e+00, but must be finite and not negative}}
  %y:2 = memplan.rmsprop_update %a0, %a1, %a2 {epsilon = -1.0, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'v' is 'tensor<8x4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {lr = 0.5, momentum = 0.9} : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {lr = 0.5, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is -5.000000e-01, but must be finite and not negative}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {lr = -0.5, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'alpha' is -5.000000e-01, but must be in [0, 1)}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {alpha = -0.5, lr = 0.5, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is -1.000000e+00, but must be finite and not negative}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {epsilon = -1.0, lr = 0.5, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adagrad_update_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'sum' is 'tensor<8x4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.adagrad_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adagrad_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.adagrad_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adagrad_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is -5.000000e-01, but must be finite and not negative}}
  %y:2 = memplan.adagrad_update %a0, %a1, %a2 {lr = -0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adagrad_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is -1.000000e+00, but must be finite and not negative}}
  %y:2 = memplan.adagrad_update %a0, %a1, %a2 {epsilon = -1.0, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @adagrad_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'weight_decay' is -2.000000e+00, but must be finite and not negative}}
  %y:2 = memplan.adagrad_update %a0, %a1, %a2 {weight_decay = -2.0, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @lion_update_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'm' is 'tensor<8x4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.lion_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @lion_update_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{input 'grad' is 'tensor<4xf32>', but must agree with 'param', which is 'tensor<4x8xf32>'}}
  %y:2 = memplan.lion_update %a0, %a1, %a2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @lion_update_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'lr' is -5.000000e-01, but must be finite and not negative}}
  %y:2 = memplan.lion_update %a0, %a1, %a2 {lr = -0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @lion_update_4(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'beta1' is 1.500000e+00, but must be in [0, 1)}}
  %y:2 = memplan.lion_update %a0, %a1, %a2 {beta1 = 1.5, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @lion_update_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'beta2' is 1.000000e+00, but must be in [0, 1)}}
  %y:2 = memplan.lion_update %a0, %a1, %a2 {beta2 = 1.0, lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @rmsprop_momentum_update_6(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'momentum' is -5.000000e-01, but must be finite and not negative}}
  %y:3 = memplan.rmsprop_momentum_update %a0, %a1, %a2, %a3 {lr = 0.5, momentum = -0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @loss_scale_update_1(%a0: tensor<f32>, %a1: tensor<1xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{attribute 'growth_factor' is 1.000000e+00, but must be finite and above 1}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 {growth_factor = 1.0} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
  return
}

// -----

func.func @loss_scale_update_2(%a0: tensor<f32>, %a1: tensor<1xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{attribute 'backoff_factor' is 1.000000e+00, but must be in (0, 1)}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 {backoff_factor = 1.0} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
  return
}

// -----

func.func @loss_scale_update_3(%a0: tensor<f32>, %a1: tensor<1xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{attribute 'growth_interval' is 0, but must be at least 1}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 {growth_interval = 0} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
  return
}

// -----

func.func @loss_scale_update_4(%a0: tensor<2xf32>, %a1: tensor<1xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{input 'scale' is 'tensor<2xf32>', but must be a scalar}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 : (tensor<2xf32>, tensor<1xi64>, tensor<f32>) -> (tensor<2xf32>, tensor<1xi64>)
  return
}

// -----

func.func @loss_scale_update_5(%a0: tensor<f32>, %a1: tensor<2xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{input 'goodSteps' is 'tensor<2xi64>', but must have 1 element in 1 dimension}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 : (tensor<f32>, tensor<2xi64>, tensor<f32>) -> (tensor<f32>, tensor<2xi64>)
  return
}

// -----

func.func @loss_scale_update_6(%a0: tensor<f32>, %a1: tensor<1xi64>, %a2: tensor<1xf32>) {
  // expected-error @+1 {{input 'nonFinite' is 'tensor<1xf32>', but must be a scalar}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 : (tensor<f32>, tensor<1xi64>, tensor<1xf32>) -> (tensor<f32>, tensor<1xi64>)
  return
}

// -----

func.func @loss_scale_update_7(%a0: tensor<bf16>, %a1: tensor<1xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{input 'scale' is 'tensor<bf16>', but statistics are f32}}
  %y:2 = memplan.loss_scale_update %a0, %a1, %a2 : (tensor<bf16>, tensor<1xi64>, tensor<f32>) -> (tensor<bf16>, tensor<1xi64>)
  return
}

// -----

func.func @skip_1(%a0: tensor<4xf32>, %a1: tensor<4xf32>, %a2: tensor<1xf32>) {
  // expected-error @+1 {{input 'skip' is 'tensor<1xf32>', but must be a scalar}}
  %y = memplan.sgd_update %a0, %a1, %a2 {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @skip_2(%a0: tensor<1xi64>, %a1: tensor<2xf32>) {
  // expected-error @+1 {{input 'skip' is 'tensor<2xf32>', but must be a scalar}}
  %y = memplan.increment %a0, %a1 : (tensor<1xi64>, tensor<2xf32>) -> tensor<1xi64>
  return
}

// -----

func.func @skip_3(%a0: tensor<4xbf16>, %a1: tensor<4xbf16>, %a2: tensor<bf16>) {
  // expected-error @+1 {{input 'skip' is 'tensor<bf16>', but statistics are f32}}
  %y = memplan.sgd_update %a0, %a1, %a2 {lr = 0.1} : (tensor<4xbf16>, tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @adam_update_more_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<1xf32>, %a4: tensor<4x8xf32>) {
  // expected-error @+1 {{operand #3 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %r:3 = memplan.adam_update %a0, %a1, %a2, %a3, %a4 {beta1 = 0.9, beta2 = 1.5, epsilon = 1.0e-8, lr = 0.1, weight_decay = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Normalizations: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @batch_norm_1(%a0: tensor<8x16xf32>, %a1: tensor<16xf32>, %a2: tensor<8xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<8xf32>', but must have one element for each of the 16 channels}}
  %y:4 = memplan.batch_norm %a0, %a1, %a2 {epsilon = 1.0e-5} : (tensor<8x16xf32>, tensor<16xf32>, tensor<8xf32>) -> (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @batch_norm_grad_1(%a0: tensor<8x16x4x4xf32>, %a1: tensor<8x16x4x2xf32>, %a2: tensor<16xf32>, %a3: tensor<16xf32>, %a4: tensor<16xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x16x4x4xf32>', but must agree with 'input', which is 'tensor<8x16x4x2xf32>'}}
  %y:3 = memplan.batch_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<8x16x4x4xf32>, tensor<8x16x4x2xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @batch_norm_grad_2(%a0: tensor<8x16x4x4xf32>, %a1: tensor<8x16x4x4xf32>, %a2: tensor<16xf32>, %a3: tensor<8xf32>, %a4: tensor<16xf32>) {
  // expected-error @+1 {{input 'mean' is 'tensor<8xf32>', but must have one element for each of the 16 channels}}
  %y:3 = memplan.batch_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<8x16x4x4xf32>, tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<8xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @batch_norm_grad_3(%a0: tensor<8x16x4x4xf32>, %a1: tensor<8x16x4x4xf32>, %a2: tensor<16xf32>, %a3: tensor<16xf32>, %a4: tensor<16xf32>) {
  // expected-error @+1 {{output 'scaleGrad' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<16xf32>'}}
  %y:3 = memplan.batch_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<8x16x4x4xf32>, tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<8xf32>, tensor<16xf32>)
  return
}

// -----

func.func @layer_norm_1(%a0: tensor<4x8xf32>, %a1: tensor<4xf32>, %a2: tensor<8xf32>) {
  // expected-error @+1 {{input 'scale' is 'tensor<4xf32>', but must have one element for each of the 8 elements of a row}}
  %y:3 = memplan.layer_norm %a0, %a1, %a2 {epsilon = 1.0e-5} : (tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_2(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) {
  // expected-error @+1 {{output 'mean' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<4xf32>'}}
  %y:3 = memplan.layer_norm %a0, %a1, %a2 {epsilon = 1.0e-5} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_3(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>, %a2: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is -1.000000e+00, but must be between 0 and 1}}
  %y:3 = memplan.layer_norm %a0, %a1, %a2 {epsilon = -1.0} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @layer_norm_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4x7xf32>, %a2: tensor<8xf32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4x8xf32>', but must agree with 'input', which is 'tensor<4x7xf32>'}}
  %y:3 = memplan.layer_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<4x8xf32>, tensor<4x7xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<8xf32>, %a3: tensor<8xf32>, %a4: tensor<4xf32>) {
  // expected-error @+1 {{input 'mean' is 'tensor<8xf32>', but must have the leading dimensions of 'input', which is 'tensor<4x8xf32>'}}
  %y:3 = memplan.layer_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @layer_norm_grad_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<8xf32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  // expected-error @+1 {{output 'scaleGrad' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<8xf32>'}}
  %y:3 = memplan.layer_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>)
  return
}

// -----

func.func @batch_norm_update_stats_1(%a0: tensor<16xf32>, %a1: tensor<16xf32>, %a2: tensor<16xf32>, %a3: tensor<16xf32>) {
  // expected-error @+1 {{attribute 'momentum' is 1.500000e+00, but must be in [0, 1]}}
  %y:2 = memplan.batch_norm_update_stats %a0, %a1, %a2, %a3 {momentum = 1.5} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @batch_norm_update_stats_2(%a0: tensor<16xf32>, %a1: tensor<16xf32>, %a2: tensor<8xf32>, %a3: tensor<16xf32>) {
  // expected-error @+1 {{input 'mean' is 'tensor<8xf32>', but must have the shape of 'runningMean', which is 'tensor<16xf32>'}}
  %y:2 = memplan.batch_norm_update_stats %a0, %a1, %a2, %a3 {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @batch_norm_update_stats_3(%a0: tensor<16xf32>, %a1: tensor<16xf32>, %a2: tensor<16xf32>, %a3: tensor<16xf32>) {
  // expected-error @+1 {{output 'newVar' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<16xf32>'}}
  %y:2 = memplan.batch_norm_update_stats %a0, %a1, %a2, %a3 {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<8xf32>)
  return
}

// -----

func.func @batch_norm_grad_more_1(%a0: tensor<2x4x3x3xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>, %a3: tensor<4xf32>, %a4: tensor<2x4x3x4xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<4xf32>', but must have at least 2 dimensions}}
  %r:3 = memplan.batch_norm_grad %a0, %a1, %a2, %a3, %a4 : (tensor<2x4x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x4x3x4xf32>) -> (tensor<2x4x3x3xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

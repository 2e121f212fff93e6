// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Losses: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @cross_entropy_1(%a0: tensor<32x10xf32>, %a1: tensor<31xi64>) {
  // expected-error @+1 {{input 'labels' is 'tensor<31xi64>', but must have one element for each of the 32 rows of 'logits'}}
  %y:2 = memplan.cross_entropy %a0, %a1 {ignore_index = -100} : (tensor<32x10xf32>, tensor<31xi64>) -> (tensor<f32>, tensor<32xf32>)
  return
}

// -----

func.func @cross_entropy_2(%a0: tensor<32x10xf32>, %a1: tensor<32xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<32xf32>'}}
  %y:2 = memplan.cross_entropy %a0, %a1 {ignore_index = -100} : (tensor<32x10xf32>, tensor<32xf32>) -> (tensor<f32>, tensor<32xf32>)
  return
}

// -----

func.func @cross_entropy_3(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>) {
  // expected-error @+1 {{output 'logsumexp' is 'tensor<31xf32>', but its shape and element type follow as 'tensor<32xf32>'}}
  %y:2 = memplan.cross_entropy %a0, %a1 {ignore_index = -100} : (tensor<32x10xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<31xf32>)
  return
}

// -----

func.func @cross_entropy_grad_1(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>, %a2: tensor<31xf32>, %a3: tensor<f32>) {
  // expected-error @+1 {{input 'logsumexp' is 'tensor<31xf32>', but must have one element for each of the 32 rows of 'logits'}}
  %y = memplan.cross_entropy_grad %a0, %a1, %a2, %a3 {ignore_index = -100} : (tensor<32x10xf32>, tensor<32xi64>, tensor<31xf32>, tensor<f32>) -> tensor<32x10xf32>
  return
}

// -----

func.func @cross_entropy_grad_2(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>, %a2: tensor<32xf32>, %a3: tensor<1xf32>) {
  // expected-error @+1 {{input 'lossGrad' is 'tensor<1xf32>', but must have no dimension}}
  %y = memplan.cross_entropy_grad %a0, %a1, %a2, %a3 {ignore_index = -100} : (tensor<32x10xf32>, tensor<32xi64>, tensor<32xf32>, tensor<1xf32>) -> tensor<32x10xf32>
  return
}

// -----

func.func @cross_entropy_grad_3(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>, %a2: tensor<32xf32>, %a3: tensor<f32>) {
  // expected-error @+1 {{output 'logitsGrad' is 'tensor<32x9xf32>', but its shape and element type follow as 'tensor<32x10xf32>'}}
  %y = memplan.cross_entropy_grad %a0, %a1, %a2, %a3 {ignore_index = -100} : (tensor<32x10xf32>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x9xf32>
  return
}

// -----

func.func @mse_loss_1(%a0: tensor<16x4xf32>, %a1: tensor<16x3xf32>) {
  // expected-error @+1 {{input 'target' is 'tensor<16x3xf32>', but must agree with 'prediction', which is 'tensor<16x4xf32>'}}
  %y = memplan.mse_loss %a0, %a1 : (tensor<16x4xf32>, tensor<16x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @mse_loss_2(%a0: tensor<16x4xf32>, %a1: tensor<16x4xf32>) {
  // expected-error @+1 {{output 'loss' is 'tensor<1xf32>', but its shape and element type follow as 'tensor<f32>'}}
  %y = memplan.mse_loss %a0, %a1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @mse_loss_3(%a0: tensor<16x4xi64>, %a1: tensor<16x4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<16x4xi64>'}}
  %y = memplan.mse_loss %a0, %a1 : (tensor<16x4xi64>, tensor<16x4xi64>) -> tensor<f32>
  return
}

// -----

func.func @mse_loss_grad_1(%a0: tensor<16x4xf32>, %a1: tensor<16x3xf32>, %a2: tensor<f32>) {
  // expected-error @+1 {{input 'target' is 'tensor<16x3xf32>', but must agree with 'prediction', which is 'tensor<16x4xf32>'}}
  %y = memplan.mse_loss_grad %a0, %a1, %a2 : (tensor<16x4xf32>, tensor<16x3xf32>, tensor<f32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @mse_loss_grad_2(%a0: tensor<16x4xf32>, %a1: tensor<16x4xf32>, %a2: tensor<1xf32>) {
  // expected-error @+1 {{input 'lossGrad' is 'tensor<1xf32>', but must have no dimension}}
  %y = memplan.mse_loss_grad %a0, %a1, %a2 : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<1xf32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @mse_loss_grad_3(%a0: tensor<16x4xf32>, %a1: tensor<16x4xf32>, %a2: tensor<f32>) {
  // expected-error @+1 {{output 'predictionGrad' is 'tensor<4x16xf32>', but its shape and element type follow as 'tensor<16x4xf32>'}}
  %y = memplan.mse_loss_grad %a0, %a1, %a2 : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @bce_with_logits_1(%a0: tensor<4x4xf32>, %a1: tensor<4x3xf32>) {
  // expected-error @+1 {{input 'target' is 'tensor<4x3xf32>', but must agree with 'logits', which is 'tensor<4x4xf32>'}}
  %y = memplan.bce_with_logits %a0, %a1 : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @bce_with_logits_2(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>) {
  // expected-error @+1 {{output 'loss' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<f32>'}}
  %y = memplan.bce_with_logits %a0, %a1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @bce_with_logits_3(%a0: tensor<4x4xf32>) {
  // expected-error @+1 {{custom op 'memplan.bce_with_logits' expected 2 inputs (logits, target), got 1}}
  %y = memplan.bce_with_logits %a0 : (tensor<4x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @bce_with_logits_grad_1(%a0: tensor<4x4xf32>, %a1: tensor<4x3xf32>, %a2: tensor<f32>) {
  // expected-error @+1 {{input 'target' is 'tensor<4x3xf32>', but must agree with 'logits', which is 'tensor<4x4xf32>'}}
  %y = memplan.bce_with_logits_grad %a0, %a1, %a2 : (tensor<4x4xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @bce_with_logits_grad_2(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{input 'lossGrad' is 'tensor<4xf32>', but must have no dimension}}
  %y = memplan.bce_with_logits_grad %a0, %a1, %a2 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @bce_with_logits_grad_3(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>, %a2: tensor<f32>) {
  // expected-error @+1 {{output 'logitsGrad' is 'tensor<4x3xf32>', but its shape and element type follow as 'tensor<4x4xf32>'}}
  %y = memplan.bce_with_logits_grad %a0, %a1, %a2 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @bce_with_logits_more_1(%a0: tensor<4x4xi64>, %a1: tensor<4x4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x4xi64>'}}
  %y = memplan.bce_with_logits %a0, %a1 : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<f32>
  return
}

// -----

func.func @bce_with_logits_more_2(%a0: tensor<4x4xf32>) {
  // expected-error @+1 {{custom op 'memplan.bce_with_logits' expected 2 inputs (logits, target), got 1}}
  %y = memplan.bce_with_logits %a0 : (tensor<4x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @bce_with_logits_grad_more_1(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>, %a2: tensor<f32>) {
  // expected-error @+1 {{output 'logitsGrad' is 'tensor<4x5xf32>', but its shape and element type follow as 'tensor<4x4xf32>'}}
  %y = memplan.bce_with_logits_grad %a0, %a1, %a2 : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @bce_with_logits_grad_more_2(%a0: tensor<4x4xf32>, %a1: tensor<4x4xf32>) {
  // expected-error @+1 {{custom op 'memplan.bce_with_logits_grad' expected 3 inputs (logits, target, lossGrad), got 2}}
  %y = memplan.bce_with_logits_grad %a0, %a1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @cross_entropy_grad_more_1(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>, %a2: tensor<31xf32>, %a3: tensor<f32>) {
  // expected-error @+1 {{input 'logsumexp' is 'tensor<31xf32>', but must have one element for each of the 32 rows of 'logits'}}
  %y = memplan.cross_entropy_grad %a0, %a1, %a2, %a3 : (tensor<32x10xf32>, tensor<32xi64>, tensor<31xf32>, tensor<f32>) -> tensor<32x10xf32>
  return
}

// -----

func.func @cross_entropy_grad_more_2(%a0: tensor<32x10xf32>, %a1: tensor<32xf32>, %a2: tensor<32xf32>, %a3: tensor<f32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<32xf32>'}}
  %y = memplan.cross_entropy_grad %a0, %a1, %a2, %a3 : (tensor<32x10xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>) -> tensor<32x10xf32>
  return
}

// -----

func.func @mse_loss_more_1(%a0: tensor<16x4xf32>) {
  // expected-error @+1 {{custom op 'memplan.mse_loss' expected 2 inputs (prediction, target), got 1}}
  %y = memplan.mse_loss %a0 : (tensor<16x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @mse_loss_more_2(%a0: tensor<16x4xf32>, %a1: tensor<16x4xf32>) {
  // expected-error @+1 {{output 'loss' is 'tensor<16xf32>', but its shape and element type follow as 'tensor<f32>'}}
  %y = memplan.mse_loss %a0, %a1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @mse_loss_grad_more_1(%a0: tensor<16x4xf32>, %a1: tensor<16x4xi64>, %a2: tensor<f32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<16x4xi64>'}}
  %y = memplan.mse_loss_grad %a0, %a1, %a2 : (tensor<16x4xf32>, tensor<16x4xi64>, tensor<f32>) -> tensor<16x4xf32>
  return
}

// -----

func.func @cross_entropy_sum(%a0: tensor<32x10xf32>, %a1: tensor<32xi64>) {
  // expected-error @+1 {{attribute 'sum' failed to satisfy constraint: unit attribute}}
  %y:2 = memplan.cross_entropy %a0, %a1 {sum = 1 : i64} : (tensor<32x10xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
  return
}

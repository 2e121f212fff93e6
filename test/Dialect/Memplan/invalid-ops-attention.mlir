// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Attention: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read or
// write outside them, or compute with a setting that means nothing.

func.func @attention_1(%a0: tensor<4xf32>, %a1: tensor<7x4xf32>, %a2: tensor<7x6xf32>) {
  // expected-error @+1 {{input 'query' is 'tensor<4xf32>', but must have at least 2 dimensions}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<4xf32>, tensor<7x4xf32>, tensor<7x6xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @attention_2(%a0: tensor<2x3x5x4xf32>, %a1: tensor<3x7x4xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{input 'key' is 'tensor<3x7x4xf32>', but must have the leading dimensions [2, 3] of 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_3(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x1x7x6xf32>) {
  // expected-error @+1 {{input 'value' is 'tensor<2x1x7x6xf32>', but must have the leading dimensions [2, 3] of 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x1x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_4(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x8xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{input 'key' is 'tensor<2x3x7x8xf32>', but must have 4 columns, as 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_5(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x5x6xf32>) {
  // expected-error @+1 {{input 'value' is 'tensor<2x3x5x6xf32>', but must have 7 rows, as 'key', which is 'tensor<2x3x7x4xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x5x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_6(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<7x5xf32>) {
  // expected-error @+1 {{input 'mask' is 'tensor<7x5xf32>', but must repeat to the shape [2, 3, 5, 7] of the scores}}
  %r:2 = memplan.attention %a0, %a1, %a2, %a3 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<7x5xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_7(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<1x2x3x5x7xf32>) {
  // expected-error @+1 {{input 'mask' is 'tensor<1x2x3x5x7xf32>', but must repeat to the shape [2, 3, 5, 7] of the scores}}
  %r:2 = memplan.attention %a0, %a1, %a2, %a3 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<1x2x3x5x7xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_8(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{but must be a finite number}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0x7FF0000000000000 : f64} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_9(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<2x3x5x4xf32>', but its shape and element type follow as 'tensor<2x3x5x6xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_10(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{output 'logsumexp' is 'tensor<2x3xf32>', but its shape and element type follow as 'tensor<2x3x5xf32>'}}
  %r:2 = memplan.attention %a0, %a1, %a2 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @attention_grad_1(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<2x3x5x4xf32>', but must be 'tensor<2x3x5x6xf32>' for 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_grad_2(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x4xf32>, %a5: tensor<2x3x5xf32>) {
  // expected-error @+1 {{input 'output' is 'tensor<2x3x5x4xf32>', but must be 'tensor<2x3x5x6xf32>' for 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_grad_3(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x7xf32>) {
  // expected-error @+1 {{input 'logsumexp' is 'tensor<2x3x7xf32>', but must be 'tensor<2x3x5xf32>' for 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x7xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_grad_4(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x5xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>) {
  // expected-error @+1 {{input 'key' is 'tensor<2x3x7x5xf32>', but must have 4 columns, as 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x5xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_grad_5(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>, %a6: tensor<3xf32>) {
  // expected-error @+1 {{input 'mask' is 'tensor<3xf32>', but must repeat to the shape [2, 3, 5, 7] of the scores}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<3xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_grad_6(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>) {
  // expected-error @+1 {{output 'keyGrad' is 'tensor<2x3x7x6xf32>', but its shape and element type follow as 'tensor<2x3x7x4xf32>'}}
  %r:3 = memplan.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x7x4xf32>)
  return
}

// -----

func.func @attention_dropout_more_1(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<1xi64>) {
  // expected-error @+1 {{attribute 'p' is 1.000000e+00, but must be in [0, 1)}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3 {p = 1.0, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<1xi64>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_2(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<2xi64>) {
  // expected-error @+1 {{input 'seed' is 'tensor<2xi64>', but must have 1 element in 1 dimension}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2xi64>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_3(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<1xf32>) {
  // expected-error @+1 {{operand #3 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<1xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_4(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>) {
  // expected-error @+1 {{custom op 'memplan.attention_dropout' expected 4 or 1 more inputs (query, key, value, seed, mask), got 3}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_5(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x6x6xf32>, %a3: tensor<1xi64>) {
  // expected-error @+1 {{input 'value' is 'tensor<2x3x6x6xf32>', but must have 7 rows, as 'key', which is 'tensor<2x3x7x4xf32>'}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x6x6xf32>, tensor<1xi64>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_6(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<1xi64>, %a4: tensor<4x7xf32>) {
  // expected-error @+1 {{input 'mask' is 'tensor<4x7xf32>', but must repeat to the shape [2, 3, 5, 7] of the scores}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3, %a4 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<1xi64>, tensor<4x7xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_more_7(%a0: tensor<2x3x5x4xf32>, %a1: tensor<2x3x7x4xf32>, %a2: tensor<2x3x7x6xf32>, %a3: tensor<1xi64>) {
  // expected-error @+1 {{requires attribute 'salt'}}
  %r:2 = memplan.attention_dropout %a0, %a1, %a2, %a3 {p = 0.1, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<1xi64>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_1(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>, %a6: tensor<1xi64>) {
  // expected-error @+1 {{attribute 'p' is -1.000000e-01, but must be in [0, 1)}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {p = -0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<1xi64>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_2(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>, %a6: tensor<i64>) {
  // expected-error @+1 {{input 'seed' is 'tensor<i64>', but must have 1 element in 1 dimension}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<i64>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_3(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x4xf32>, %a6: tensor<1xi64>) {
  // expected-error @+1 {{input 'logsumexp' is 'tensor<2x3x4xf32>', but must be 'tensor<2x3x5xf32>' for 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x4xf32>, tensor<1xi64>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_4(%a0: tensor<2x3x5x7xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>, %a6: tensor<1xi64>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<2x3x5x7xf32>', but must be 'tensor<2x3x5x6xf32>' for 'query', which is 'tensor<2x3x5x4xf32>'}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x7xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<1xi64>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_5(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>, %a6: tensor<1xi64>) {
  // expected-error @+1 {{output 'valueGrad' is 'tensor<2x3x7x4xf32>', but its shape and element type follow as 'tensor<2x3x7x6xf32>'}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5, %a6 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<1xi64>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>)
  return
}

// -----

func.func @attention_dropout_grad_more_6(%a0: tensor<2x3x5x6xf32>, %a1: tensor<2x3x5x4xf32>, %a2: tensor<2x3x7x4xf32>, %a3: tensor<2x3x7x6xf32>, %a4: tensor<2x3x5x6xf32>, %a5: tensor<2x3x5xf32>) {
  // expected-error @+1 {{custom op 'memplan.attention_dropout_grad' expected 7 or 1 more inputs (outputGrad, query, key, value, output, logsumexp, seed, mask), got 6}}
  %r:3 = memplan.attention_dropout_grad %a0, %a1, %a2, %a3, %a4, %a5 {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  return
}

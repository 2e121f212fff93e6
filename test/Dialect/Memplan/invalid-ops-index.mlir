// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Places along a dimension: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel
// would read or write outside of them.

func.func @topk_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %r:2 = memplan.topk %a0 {axis = 2, k = 1} : (tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  return
}

// -----

func.func @topk_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'k' is 9, but must be in [1, 8], the size of dimension -1 of 'tensor<4x8xf32>'}}
  %r:2 = memplan.topk %a0 {k = 9} : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi64>)
  return
}

// -----

func.func @topk_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'k' is 0, but must be in [1, 4], the size of dimension 0 of 'tensor<4x8xf32>'}}
  %r:2 = memplan.topk %a0 {axis = 0, k = 0} : (tensor<4x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xi64>)
  return
}

// -----

func.func @topk_4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'values' is 'tensor<4x3xf32>', but its shape and element type follow as 'tensor<4x2xf32>'}}
  %r:2 = memplan.topk %a0 {k = 2} : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return
}

// -----

func.func @topk_5(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %r:2 = memplan.topk %a0 {k = 2} : (tensor<4x8xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  return
}

// -----

func.func @topk_6(%a0: tensor<f32>) {
  // expected-error @+1 {{attribute 'axis' is -1, but must be in [0, 0) for 'tensor<f32>'}}
  %r:2 = memplan.topk %a0 {k = 1} : (tensor<f32>) -> (tensor<f32>, tensor<i64>)
  return
}

// -----

func.func @gather_1(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi64>) {
  // expected-error @+1 {{attribute 'axis' is -3, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %r = memplan.gather %a0, %a1 {axis = -3} : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_2(%a0: tensor<4x8xf32>, %a1: tensor<2xi64>) {
  // expected-error @+1 {{input 'indices' is 'tensor<2xi64>', but must have 2 dimensions, as 'input', which is 'tensor<4x8xf32>'}}
  %r = memplan.gather %a0, %a1 {axis = 0} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_3(%a0: tensor<4x8xf32>, %a1: tensor<3x2xi64>) {
  // expected-error @+1 {{input 'indices' is 'tensor<3x2xi64>', but must have the shape [4, 2], as 'input' is 'tensor<4x8xf32>'}}
  %r = memplan.gather %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_4(%a0: tensor<4x8xf32>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<4x2xf32>'}}
  %r = memplan.gather %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @gather_5(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi64>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x2xi64>', but its shape and element type follow as 'tensor<4x2xf32>'}}
  %r = memplan.gather %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xi64>
  return
}

// -----

func.func @gather_grad_1(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x2xi64>'}}
  %r = memplan.gather_grad %a0, %a1 {axis = 2, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_grad_2(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{attribute 'size' is 0, but must be at least 1}}
  %r = memplan.gather_grad %a0, %a1 {size = 0} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_grad_3(%a0: tensor<4x2xi64>, %a1: tensor<4x3xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4x3xf32>', but must have the shape [4, 2], as 'indices' is 'tensor<4x2xi64>'}}
  %r = memplan.gather_grad %a0, %a1 {size = 8} : (tensor<4x2xi64>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gather_grad_4(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<4x9xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %r = memplan.gather_grad %a0, %a1 {size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @gather_grad_5(%a0: tensor<4x2xi64>, %a1: tensor<4x2xi64>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x2xi64>'}}
  %r = memplan.gather_grad %a0, %a1 {size = 8} : (tensor<4x2xi64>, tensor<4x2xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @scatter_1(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{attribute 'axis' is -3, but must be in [-2, 2) for 'tensor<4x2xi64>'}}
  %r = memplan.scatter %a0, %a1 {axis = -3, size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_2(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>) {
  // expected-error @+1 {{attribute 'size' is -1, but must be at least 1}}
  %r = memplan.scatter %a0, %a1 {size = -1} : (tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_3(%a0: tensor<4x2xi64>, %a1: tensor<2x4xf32>) {
  // expected-error @+1 {{input 'source' is 'tensor<2x4xf32>', but must have the shape [4, 2], as 'indices' is 'tensor<4x2xi64>'}}
  %r = memplan.scatter %a0, %a1 {size = 8} : (tensor<4x2xi64>, tensor<2x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_4(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>, %a2: tensor<4x7xf32>) {
  // expected-error @+1 {{input 'base' is 'tensor<4x7xf32>', but must be 'tensor<4x8xf32>', the type of the output}}
  %r = memplan.scatter %a0, %a1, %a2 {size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scatter_5(%a0: tensor<4x2xi64>, %a1: tensor<4x2xf32>, %a2: tensor<4x8xi64>) {
  // expected-error @+1 {{input 'base' is 'tensor<4x8xi64>', but must be 'tensor<4x8xf32>', the type of the output}}
  %r = memplan.scatter %a0, %a1, %a2 {size = 8} : (tensor<4x2xi64>, tensor<4x2xf32>, tensor<4x8xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cumsum_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %r = memplan.cumsum %a0 {axis = 2} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cumsum_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is -3, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %r = memplan.cumsum %a0 {axis = -3} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @cumsum_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %r = memplan.cumsum %a0 {axis = 1} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @cumsum_4(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %r = memplan.cumsum %a0 {axis = 1} : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @cumsum_5(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{'memplan.cumsum' expected 1 inputs (input), got 2}}
  %r = memplan.cumsum %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Arithmetic and constants: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @add_1(%a0: tensor<4x8xf32>, %a1: tensor<4xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<4xf32>': dimension 1 of the result would be both 4 and 8}}
  %y = memplan.add %a0, %a1 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @add_2(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.add %a0, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @add_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.add %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_1(%a0: tensor<4x8xf32>, %a1: tensor<3xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<3xf32>': dimension 1 of the result would be both 3 and 8}}
  %y = memplan.sub %a0, %a1 : (tensor<4x8xf32>, tensor<3xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_2(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8x1xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sub %a0, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @sub_3(%a0: tensor<4x8xf32>, %a1: tensor<8xi8>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<8xi8>'}}
  %y = memplan.sub %a0, %a1 : (tensor<4x8xf32>, tensor<8xi8>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_1(%a0: tensor<4x8xf32>, %a1: tensor<5x8xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<5x8xf32>': dimension 0 of the result would be both 4 and 5}}
  %y = memplan.mul %a0, %a1 : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_2(%a0: tensor<4x1xf32>, %a1: tensor<1x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x1xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.mul %a0, %a1 : (tensor<4x1xf32>, tensor<1x8xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @mul_3(%a0: tensor<4x8xi64>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.mul %a0, %a1 : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @div_1(%a0: tensor<2x4x8xf32>, %a1: tensor<3x4x8xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<2x4x8xf32>' and 'tensor<3x4x8xf32>': dimension 0 of the result would be both 2 and 3}}
  %y = memplan.div %a0, %a1 : (tensor<2x4x8xf32>, tensor<3x4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @div_2(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xi64>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.div %a0, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi64>
  return
}

// -----

func.func @div_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.div' expected 2 inputs (lhs, rhs), got 1}}
  %y = memplan.div %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @accumulate_1(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  // expected-error @+1 {{input 'rhs' is 'tensor<8xf32>', but must agree with 'lhs', which is 'tensor<4x8xf32>'}}
  %y = memplan.accumulate %a0, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @accumulate_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.accumulate %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @accumulate_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.accumulate %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scale_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.scale %a0 {factor = 0.125} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @scale_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'factor'}}
  %y = memplan.scale %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @scale_3(%a0: tensor<4x8xi8>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi8>'}}
  %y = memplan.scale %a0 {factor = 0.5} : (tensor<4x8xi8>) -> tensor<4x8xi8>
  return
}

// -----

func.func @increment_1(%a0: tensor<1xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %y = memplan.increment %a0 : (tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @increment_2(%a0: tensor<1xi64>) {
  // expected-error @+1 {{output 'newStep' is 'tensor<2xi64>', but its shape and element type follow as 'tensor<1xi64>'}}
  %y = memplan.increment %a0 : (tensor<1xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @increment_3(%a0: tensor<1xi64>, %a1: tensor<1xi64>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor}}
  %y = memplan.increment %a0, %a1 : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  return
}

// -----

func.func @iota_1() {
  // expected-error @+1 {{attribute 'size' is 0, but must be at least 1}}
  %y = memplan.iota {size = 0} : () -> tensor<0xi64>
  return
}

// -----

func.func @iota_2() {
  // expected-error @+1 {{output 'output' is 'tensor<9xi64>', but its shape and element type follow as 'tensor<8xi64>'}}
  %y = memplan.iota {size = 8} : () -> tensor<9xi64>
  return
}

// -----

func.func @iota_3() {
  // expected-error @+1 {{output 'output' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<8xi64>'}}
  %y = memplan.iota {size = 8} : () -> tensor<8xf32>
  return
}

// -----

func.func @constant_1() {
  // expected-error @+1 {{output 'output' is 'tensor<3xf32>', but its shape and element type follow as 'tensor<2xf32>'}}
  %y = memplan.constant {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @constant_2() {
  // expected-error @+1 {{attribute 'value' is of type 'tensor<2xf64>', but must be a statically shaped tensor of f32, bf16, f16, i64 or i8}}
  %y = memplan.constant {value = dense<1.0> : tensor<2xf64>} : () -> tensor<2xf64>
  return
}

// -----

func.func @constant_3() {
  // expected-error @+1 {{requires attribute 'value'}}
  %y = memplan.constant : () -> tensor<2xf32>
  return
}

// -----

func.func @accumulate_more_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xbf16>) {
  // expected-error @+1 {{input 'rhs' is 'tensor<4x8xbf16>', but 'lhs' has elements of 'f32': cast one of them by memplan.cast}}
  %y = memplan.accumulate %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xbf16>) -> tensor<4x8xf32>
  return
}

// -----

func.func @constant_more_1() {
  // expected-error @+1 {{output 'output' is 'tensor<2xbf16>', but its shape and element type follow as 'tensor<2xf32>'}}
  %y = memplan.constant {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xbf16>
  return
}

// -----

func.func @div_more_1(%a0: tensor<4x8xf32>, %a1: tensor<3xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<3xf32>': dimension 1 of the result would be both 3 and 8}}
  %y = memplan.div %a0, %a1 : (tensor<4x8xf32>, tensor<3xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @div_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.div %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_more_1(%a0: tensor<4x8xf32>, %a1: tensor<4xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<4xf32>': dimension 1 of the result would be both 4 and 8}}
  %y = memplan.mul %a0, %a1 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_more_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.mul' expected 2 inputs (lhs, rhs), got 1}}
  %y = memplan.mul %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_more_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8x1xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<4x8xf32>' and 'tensor<4x8x1xf32>': dimension 1 of the result would be both 4 and 8}}
  %y = memplan.sub %a0, %a1 : (tensor<4x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xi64>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sub %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi64>
  return
}

// -----

func.func @increment_more_1(%a0: tensor<1xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %y = memplan.increment %a0 : (tensor<1xf32>) -> tensor<1xi64>
  return
}

// -----

func.func @iota_more_1() {
  // expected-error @+1 {{output 'output' is 'tensor<2x4xi64>', but its shape and element type follow as 'tensor<8xi64>'}}
  %y = memplan.iota {size = 8} : () -> tensor<2x4xi64>
  return
}

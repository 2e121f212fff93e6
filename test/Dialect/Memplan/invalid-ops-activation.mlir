// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Activations, softmax and dropout: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @relu_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x9xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.relu %a0 : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @relu_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4x9xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4x9xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.relu_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x9xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @relu_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.relu_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @relu_grad_3(%a0: tensor<4x8xi64>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.relu_grad %a0, %a1 : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @clamp_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'min' is 6.000000e+00, but must be less than 'max', which is 0.000000e+00}}
  %y = memplan.clamp %a0 {max = 0.0, min = 6.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xi64>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.clamp %a0 {max = 6.0, min = 0.0} : (tensor<4x8xf32>) -> tensor<4x8xi64>
  return
}

// -----

func.func @clamp_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'min'}}
  %y = memplan.clamp %a0 {max = 6.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x4xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.clamp_grad %a0, %a1 {max = 6.0, min = 0.0} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'min' is 6.000000e+00, but must be less than 'max', which is 0.000000e+00}}
  %y = memplan.clamp_grad %a0, %a1 {max = 0.0, min = 6.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_grad_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<4x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.clamp_grad %a0, %a1 {max = 6.0, min = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @sigmoid_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sigmoid %a0 : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @sigmoid_2(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.sigmoid %a0 : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @sigmoid_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.sigmoid' expected 1 inputs (input), got 2}}
  %y = memplan.sigmoid %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sigmoid_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.sigmoid_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sigmoid_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sigmoid_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sigmoid_grad_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.sigmoid_grad' expected 2 inputs (output, outputGrad), got 1}}
  %y = memplan.sigmoid_grad %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @tanh_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xi8>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.tanh %a0 : (tensor<4x8xf32>) -> tensor<4x8xi8>
  return
}

// -----

func.func @tanh_2(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.tanh %a0 : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @tanh_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.tanh %a0 : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @tanh_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4x7xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4x7xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.tanh_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @tanh_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<4x7xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.tanh_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @tanh_grad_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.tanh_grad' expected 2 inputs (output, outputGrad), got 3}}
  %y = memplan.tanh_grad %a0, %a1, %a2 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gelu_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.gelu' attribute 'approximate' failed to satisfy constraint: string attribute is "none" or "tanh"}}
  %y = memplan.gelu %a0 {approximate = "erf2"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gelu_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x1xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.gelu %a0 {approximate = "tanh"} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @gelu_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.gelu_grad' attribute 'approximate' failed to satisfy constraint: string attribute is "none" or "tanh"}}
  %y = memplan.gelu_grad %a0, %a1 {approximate = "sine"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gelu_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<1x8xf32>', but must agree with 'input', which is 'tensor<4x8xf32>'}}
  %y = memplan.gelu_grad %a0, %a1 {approximate = "none"} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gelu_grad_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<1x8xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.gelu_grad %a0, %a1 {approximate = "none"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @silu_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<32xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.silu %a0 : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @silu_2(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.silu %a0 : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @silu_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.silu' expected 1 inputs (input), got 2}}
  %y = memplan.silu %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @silu_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<32xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<32xf32>', but must agree with 'input', which is 'tensor<4x8xf32>'}}
  %y = memplan.silu_grad %a0, %a1 : (tensor<4x8xf32>, tensor<32xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @silu_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<32xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.silu_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @silu_grad_3(%a0: tensor<4x8xi8>, %a1: tensor<4x8xi8>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi8>'}}
  %y = memplan.silu_grad %a0, %a1 : (tensor<4x8xi8>, tensor<4x8xi8>) -> tensor<4x8xi8>
  return
}

// -----

func.func @softmax_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %y = memplan.softmax %a0 {axis = 2} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is -3, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %y = memplan.softmax %a0 {axis = -3} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.softmax %a0 {axis = -1} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @softmax_grad_1(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %y = memplan.softmax_grad %a0, %a1 {axis = 2} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_grad_2(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x4xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.softmax_grad %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_grad_3(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.softmax_grad %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @causal_mask_1(%a0: tensor<64xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<64xf32>', but must have at least 2 dimensions}}
  %y = memplan.causal_mask %a0 {fill = -1.0 : f64} : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @causal_mask_2(%a0: tensor<4x64x64xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x64x32xf32>', but its shape and element type follow as 'tensor<4x64x64xf32>'}}
  %y = memplan.causal_mask %a0 {fill = -1.0 : f64} : (tensor<4x64x64xf32>) -> tensor<4x64x32xf32>
  return
}

// -----

func.func @causal_mask_3(%a0: tensor<4x64x64xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x64x64xi64>'}}
  %y = memplan.causal_mask %a0 {fill = -1.0 : f64} : (tensor<4x64x64xi64>) -> tensor<4x64x64xi64>
  return
}

// -----

func.func @encode_1(%a0: tensor<4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4xi8>', but its shape and element type follow as 'tensor<4x2xi8>'}}
  %y = memplan.encode_bf16 %a0 : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @decode_1(%a0: tensor<2x4xi8>) {
  // expected-error @+1 {{input 'input' is 'tensor<2x4xi8>', but its last dimension must be the 2 bytes of an element}}
  %y = memplan.decode_bf16 %a0 : (tensor<2x4xi8>) -> tensor<2xf32>
  return
}

// -----

func.func @encode_2(%a0: tensor<4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4xi64>'}}
  %y = memplan.encode_bf16 %a0 : (tensor<4xi64>) -> tensor<4x2xi8>
  return
}

// -----

func.func @encode_3(%a0: tensor<4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x2xi64>', but its shape and element type follow as 'tensor<4x2xi8>'}}
  %y = memplan.encode_bf16 %a0 : (tensor<4xf32>) -> tensor<4x2xi64>
  return
}

// -----

func.func @decode_2(%a0: tensor<4x2xf32>) {
  // expected-error @+1 {{operand #0 must be}}
  %y = memplan.decode_bf16 %a0 : (tensor<4x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @decode_3(%a0: tensor<4x2xi8>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x2xf32>', but its shape and element type follow as 'tensor<4xf32>'}}
  %y = memplan.decode_bf16 %a0 : (tensor<4x2xi8>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dropout_1(%a0: tensor<4x8xf32>, %a1: tensor<1xi64>) {
  // expected-error @+1 {{attribute 'p' is 1.000000e+00, but must be in [0, 1)}}
  %y = memplan.dropout %a0, %a1 {p = 1.0, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dropout_2(%a0: tensor<4x8xf32>, %a1: tensor<1xi64>) {
  // expected-error @+1 {{attribute 'p' is -1.000000e-01, but must be in [0, 1)}}
  %y = memplan.dropout %a0, %a1 {p = -0.1, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dropout_3(%a0: tensor<4x8xf32>, %a1: tensor<1xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<1xf32>'}}
  %y = memplan.dropout %a0, %a1 {p = 0.1, salt = 7} : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dropout_4(%a0: tensor<4x8xf32>, %a1: tensor<1xi64>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.dropout %a0, %a1 {p = 0.1, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x4xf32>
  return
}

// -----

func.func @causal_mask_more_1(%a0: tensor<4x64x64xf32>) {
  // expected-error @+1 {{requires attribute 'fill'}}
  %y = memplan.causal_mask %a0 {value = 0xFFF0000000000000 : f64} : (tensor<4x64x64xf32>) -> tensor<4x64x64xi64>
  return
}

// -----

func.func @clamp_more_1(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.clamp %a0 {max = 6.0, min = 0.0} : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @clamp_grad_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.clamp_grad' expected 2 inputs (output, outputGrad), got 1}}
  %y = memplan.clamp_grad %a0 {max = 6.0, min = 0.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_grad_more_2(%a0: tensor<4x8xi64>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.clamp_grad %a0, %a1 {max = 6.0, min = 0.0} : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @decode_bf16_more_1(%a0: tensor<4x3xi8>) {
  // expected-error @+1 {{input 'input' is 'tensor<4x3xi8>', but its last dimension must be the 2 bytes of an element}}
  %y = memplan.decode_bf16 %a0 : (tensor<4x3xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @decode_bf16_more_2(%a0: tensor<4x2xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense i8 tensor or memref with dimensions of at least 1, but got 'tensor<4x2xi64>'}}
  %y = memplan.decode_bf16 %a0 : (tensor<4x2xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @encode_bf16_more_1(%a0: tensor<4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4xi64>'}}
  %y = memplan.encode_bf16 %a0 : (tensor<4xi64>) -> tensor<4x2xi8>
  return
}

// -----

func.func @gelu_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.gelu %a0 {approximate = "none"} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @gelu_grad_more_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x4xf32>', but must agree with 'input', which is 'tensor<4x8xf32>'}}
  %y = memplan.gelu_grad %a0, %a1 {approximate = "none"} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @gelu_grad_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.gelu_grad' attribute 'approximate' failed to satisfy constraint: string attribute is "none" or "tanh"}}
  %y = memplan.gelu_grad %a0, %a1 {approximate = "erf"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @relu_grad_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.relu_grad' expected 2 inputs (output, outputGrad), got 1}}
  %y = memplan.relu_grad %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sigmoid_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xbf16>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sigmoid %a0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @sigmoid_more_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<32xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.sigmoid %a0 : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @sigmoid_grad_more_1(%a0: tensor<4x8xi64>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.sigmoid_grad %a0, %a1 : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @sigmoid_grad_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xbf16>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<4x8xbf16>', but 'output' has elements of 'f32': cast one of them by memplan.cast}}
  %y = memplan.sigmoid_grad %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xbf16>) -> tensor<4x8xf32>
  return
}

// -----

func.func @silu_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xf16>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.silu %a0 : (tensor<4x8xf32>) -> tensor<4x8xf16>
  return
}

// -----

func.func @silu_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.silu' expected 1 inputs (input), got 2}}
  %y = memplan.silu %a0, %a1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @silu_grad_more_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x4xf32>', but must agree with 'input', which is 'tensor<4x8xf32>'}}
  %y = memplan.silu_grad %a0, %a1 : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @silu_grad_more_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.silu_grad' expected 2 inputs (input, outputGrad), got 1}}
  %y = memplan.silu_grad %a0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_more_1(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.softmax %a0 {axis = 1} : (tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

// -----

func.func @softmax_grad_more_1(%a0: tensor<4x8xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8x4xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.softmax_grad %a0, %a1 {axis = 1} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_grad_more_2(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<4x8xf32>'}}
  %y = memplan.softmax_grad %a0, %a1 {axis = 2} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @tanh_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xf16>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.tanh %a0 : (tensor<4x8xf32>) -> tensor<4x8xf16>
  return
}

// -----

func.func @tanh_more_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.tanh %a0 : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @tanh_grad_more_1(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<8xf32>', but must agree with 'output', which is 'tensor<4x8xf32>'}}
  %y = memplan.tanh_grad %a0, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @tanh_grad_more_2(%a0: tensor<4x8xi64>, %a1: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.tanh_grad %a0, %a1 : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  return
}

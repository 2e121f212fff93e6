// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Element types that do not go together. Without this a kernel would read two bytes where four lie.

func.func @cast_1(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'element' failed to satisfy constraint: string attribute is "f32", "bf16" or "f16"}}
  %y = "memplan.cast"(%x) <{element = "f64", operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @cast_2(%x: tensor<4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4xf16>', but its shape and element type follow as 'tensor<4xbf16>'}}
  %y = memplan.cast %x {element = "bf16"} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @cast_3(%x: tensor<4xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref}}
  %y = memplan.cast %x {element = "bf16"} : (tensor<4xi64>) -> tensor<4xbf16>
  return
}

// -----

func.func @cast_4(%x: tensor<4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<2x2xbf16>', but its shape and element type follow as 'tensor<4xbf16>'}}
  %y = memplan.cast %x {element = "bf16"} : (tensor<4xf32>) -> tensor<2x2xbf16>
  return
}

// -----

func.func @cast_5(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires attribute 'element'}}
  %y = memplan.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  return
}

// -----

func.func @mixed_sum(%x: tensor<4xf32>, %y: tensor<4xbf16>) {
  // expected-error @+1 {{input 'rhs' is 'tensor<4xbf16>', but 'lhs' has elements of 'f32': cast one of them by memplan.cast}}
  %z = memplan.add %x, %y : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
  return
}

// -----

func.func @mixed_product(%x: tensor<4x8xbf16>, %y: tensor<8x2xbf16>, %b: tensor<2xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<2xf32>', but 'lhs' has elements of 'bf16'}}
  %z = memplan.matmul %x, %y, %b : (tensor<4x8xbf16>, tensor<8x2xbf16>, tensor<2xf32>) -> tensor<4x2xbf16>
  return
}

// -----

func.func @parameters_of_two_types(%x: tensor<4x8xbf16>, %g: tensor<8xf32>, %h: tensor<8xbf16>) {
  // expected-error @+1 {{input 'bias' is 'tensor<8xbf16>', but 'scale' has elements of 'f32'}}
  %0:3 = memplan.layer_norm %x, %g, %h : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @parameters_of_16_bits(%x: tensor<4x8xf32>, %h: tensor<8xbf16>) {
  // expected-error @+1 {{input 'scale' is 'tensor<8xbf16>', but 'input' has elements of 'f32'}}
  %0:3 = memplan.layer_norm %x, %h, %h : (tensor<4x8xf32>, tensor<8xbf16>, tensor<8xbf16>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @statistics(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>, %m: tensor<4xbf16>) {
  // expected-error @+1 {{input 'mean' is 'tensor<4xbf16>', but statistics are f32}}
  %0:3 = memplan.layer_norm_grad %x, %x, %g, %m, %m : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<8xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> (tensor<4x8xbf16>, tensor<8xbf16>, tensor<8xbf16>)
  return
}

// -----

func.func @double_precision(%x: tensor<4xf64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref}}
  %y = memplan.relu %x : (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

func.func @encoded(%x: tensor<4xbf16>) {
  // expected-error @+1 {{input 'input' is 'tensor<4xbf16>', but only f32 is encoded}}
  %y = memplan.encode_bf16 %x : (tensor<4xbf16>) -> tensor<4x2xi8>
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Look-ups and transposed convolution: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @embedding_1(%a0: tensor<10x4xf32>, %a1: tensor<2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<2xf32>'}}
  %y = memplan.embedding %a0, %a1 : (tensor<10x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @embedding_2(%a0: tensor<10x4xf32>, %a1: tensor<2xi64>) {
  // expected-error @+1 {{output 'output' is 'tensor<2x5xf32>', but its shape and element type follow as 'tensor<2x4xf32>'}}
  %y = memplan.embedding %a0, %a1 : (tensor<10x4xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @embedding_grad_1(%a0: tensor<2xi64>, %a1: tensor<2x4xf32>) {
  // expected-error @+1 {{output 'tableGrad' is 'tensor<9x4xf32>', but its shape and element type follow as 'tensor<8x4xf32>'}}
  %y = memplan.embedding_grad %a0, %a1 {num_embeddings = 8} : (tensor<2xi64>, tensor<2x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @conv_transpose2d_1(%a0: tensor<1x64x4x4xf32>, %a1: tensor<32x8x2x2xf32>) {
  // expected-error @+1 {{input 'input' has 64 channels, but 'filter' has 32 in dimension 0}}
  %y = memplan.conv_transpose2d %a0, %a1 {strides = [2, 2]} : (tensor<1x64x4x4xf32>, tensor<32x8x2x2xf32>) -> tensor<1x8x8x8xf32>
  return
}

// -----

func.func @conv_transpose2d_2(%a0: tensor<1x64x4x4xf32>, %a1: tensor<64x8x2x2xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<1x8x8x7xf32>', but its shape and element type follow as 'tensor<1x8x8x8xf32>'}}
  %y = memplan.conv_transpose2d %a0, %a1 {strides = [2, 2]} : (tensor<1x64x4x4xf32>, tensor<64x8x2x2xf32>) -> tensor<1x8x8x7xf32>
  return
}

// -----

func.func @conv_transpose2d_3(%a0: tensor<1x64x4x4xf32>, %a1: tensor<64x8x2x2xf32>) {
  // expected-error @+1 {{attribute 'strides' has 0, but must be in [1, 1073741824]}}
  %y = memplan.conv_transpose2d %a0, %a1 {strides = [0, 2]} : (tensor<1x64x4x4xf32>, tensor<64x8x2x2xf32>) -> tensor<1x8x8x8xf32>
  return
}

// -----

func.func @matmul_tf32_of_halves(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) {
  // expected-error @+1 {{attribute 'tf32' is for elements of f32, but those of 'bf16' are multiplied as they are}}
  %y = memplan.matmul %a, %b {tf32} : (tensor<4x8xbf16>, tensor<8x4xbf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @attention_tf32_of_halves(%q: tensor<2x4x8xbf16>) {
  // expected-error @+1 {{attribute 'tf32' is for elements of f32, but those of 'bf16' are multiplied as they are}}
  %y, %l = memplan.attention %q, %q, %q {scale = 0.5, tf32} : (tensor<2x4x8xbf16>, tensor<2x4x8xbf16>, tensor<2x4x8xbf16>) -> (tensor<2x4x8xbf16>, tensor<2x4xf32>)
  return
}

// -----

func.func @conv_tf32_of_halves(%a: tensor<1x2x4x4xf16>, %b: tensor<3x2x3x3xf16>) {
  // expected-error @+1 {{attribute 'tf32' is for elements of f32, but those of 'f16' are multiplied as they are}}
  %y = memplan.conv2d %a, %b {tf32} : (tensor<1x2x4x4xf16>, tensor<3x2x3x3xf16>) -> tensor<1x3x2x2xf16>
  return
}

// -----

func.func @embedding_more_1(%a0: tensor<8x4xf32>, %a1: tensor<2xi64>) {
  // expected-error @+1 {{output 'output' is 'tensor<2x5xf32>', but its shape and element type follow as 'tensor<2x4xf32>'}}
  %y = memplan.embedding %a0, %a1 : (tensor<8x4xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @embedding_more_2(%a0: tensor<8x4xf32>, %a1: tensor<2xf32>) {
  // expected-error @+1 {{operand #1 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<2xf32>'}}
  %y = memplan.embedding %a0, %a1 : (tensor<8x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_gelu_1(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<8xf32>'}}
  %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @matmul_gelu_2(%x: tensor<2x4x8xf32>, %w: tensor<2x8x16xf32>, %b: tensor<16xf32>) {
  // expected-error @+1 {{is of one product, but 'lhs' and 'rhs' are 'tensor<2x4x8xf32>' and 'tensor<2x8x16xf32>'}}
  %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<16xf32>) -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>)
  return
}

// -----

func.func @matmul_gelu_3(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xf32>', but its shape and element type follow as 'tensor<4x16xf32>'}}
  %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @matmul_gelu_grad_1(%dy: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>) {
  // expected-error @+1 {{input 'preactivation' is 'tensor<4x8xf32>', but the product is 'tensor<4x16xf32>'}}
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_gelu_grad_2(%dy: tensor<2x8x4xf32>, %w: tensor<8x16xf32>, %h: tensor<2x4x16xf32>) {
  // expected-error @+1 {{is of one product}}
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h {transpose_lhs} : (tensor<2x8x4xf32>, tensor<8x16xf32>, tensor<2x4x16xf32>) -> (tensor<2x4x16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_gelu_grad_3(%dy: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x16xf32>) {
  // expected-error @+1 {{output 'biasGrad' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<16xf32>'}}
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4xf32>)
  return
}

// -----

func.func @matmul_bias_grad_1(%dy: tensor<2x4x16xf32>, %x: tensor<16x8xf32>) {
  // expected-error @+1 {{input 'lhs' is 'tensor<2x4x16xf32>', but must have 2 dimensions}}
  %dw, %db = memplan.matmul_bias_grad %dy, %x : (tensor<2x4x16xf32>, tensor<16x8xf32>) -> (tensor<2x4x8xf32>, tensor<4xf32>)
  return
}

// -----

func.func @matmul_bias_grad_2(%dy: tensor<4x16xf32>, %x: tensor<5x8xf32>) {
  // expected-error @+1 {{multiplies 4 columns of 'lhs' with 5 rows of 'rhs'}}
  %dw, %db = memplan.matmul_bias_grad %dy, %x {transpose_lhs} : (tensor<4x16xf32>, tensor<5x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_bias_grad_3(%dy: tensor<4x16xf32>, %x: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'biasGrad' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<16xf32>'}}
  %dw, %db = memplan.matmul_bias_grad %dy, %x {transpose_lhs} : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<4xf32>)
  return
}

// -----

func.func @matmul_gelu_4(%x: tensor<4x8xf32>, %w: tensor<8x16xf16>, %b: tensor<16xf32>) {
  // expected-error @+1 {{memplan.matmul_gelu}}
  %h, %y = memplan.matmul_gelu %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf16>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
  return
}

// -----

func.func @matmul_gelu_5(%x: tensor<4x8xbf16>, %w: tensor<8x16xbf16>, %b: tensor<16xbf16>) {
  // expected-error @+1 {{attribute 'tf32' is for elements of f32}}
  %h, %y = memplan.matmul_gelu %x, %w, %b {tf32} : (tensor<4x8xbf16>, tensor<8x16xbf16>, tensor<16xbf16>) -> (tensor<4x16xbf16>, tensor<4x16xbf16>)
  return
}

// -----

func.func @matmul_gelu_grad_4(%dy: tensor<4x8xf32>, %w: tensor<2x8x16xf32>, %h: tensor<4x16xf32>) {
  // expected-error @+1 {{is of one product}}
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<4x8xf32>, tensor<2x8x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_gelu_grad_5(%dy: tensor<8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x16xf32>) {
  // expected-error @+1 {{lhs}}
  %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_bias_grad_6(%x: tensor<4x8xf32>, %dy: tensor<4x16xf32>) {
  // expected-error @+1 {{output 'biasGrad' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<16xf32>'}}
  %dw, %db = memplan.matmul_bias_grad %x, %dy {sum_rhs, transpose_lhs} : (tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>)
  return
}

// -----

func.func @matmul_bias_grad_4(%dy: tensor<4x16xf32>, %x: tensor<2x4x8xf32>) {
  // expected-error @+1 {{is of one product}}
  %dw, %db = memplan.matmul_bias_grad %dy, %x {transpose_lhs} : (tensor<4x16xf32>, tensor<2x4x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>)
  return
}

// -----

func.func @matmul_bias_grad_5(%dy: tensor<4x16xbf16>, %x: tensor<4x8xbf16>) {
  // expected-error @+1 {{attribute 'tf32' is for elements of f32}}
  %dw, %db = memplan.matmul_bias_grad %dy, %x {tf32, transpose_lhs} : (tensor<4x16xbf16>, tensor<4x8xbf16>) -> (tensor<16x8xbf16>, tensor<16xbf16>)
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Pooling: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @max_pool2d_1(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{attribute 'padding' has 2, but must be at most half of kernel 3}}
  %y:2 = memplan.max_pool2d %a0 {kernel = [3, 3], padding = [2, 2], strides = [2, 2]} : (tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi8>)
  return
}

// -----

func.func @max_pool2d_2(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{attribute 'strides' has 0, but must be in [1, 1073741824]}}
  %y:2 = memplan.max_pool2d %a0 {kernel = [2, 2], strides = [0, 2]} : (tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi8>)
  return
}

// -----

func.func @max_pool2d_3(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{output 'indices' is 'tensor<1x2x4x4xi64>', but its shape and element type follow as 'tensor<1x2x4x4xi8>'}}
  %y:2 = memplan.max_pool2d %a0 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>)
  return
}

// -----

func.func @max_pool2d_grad_1(%a0: tensor<1x2x4x4xf32>, %a1: tensor<1x2x4x3xi8>) {
  // expected-error @+1 {{input 'indices' is 'tensor<1x2x4x3xi8>', but must have the shape of 'outputGrad', which is 'tensor<1x2x4x4xf32>'}}
  %y = memplan.max_pool2d_grad %a0, %a1 {input_size = [9, 9], kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x4x4xf32>, tensor<1x2x4x3xi8>) -> tensor<1x2x9x9xf32>
  return
}

// -----

func.func @max_pool2d_grad_2(%a0: tensor<1x2x4x4xf32>, %a1: tensor<1x2x4x4xi8>) {
  // expected-error @+1 {{input 'outputGrad' has size 4x4, but the window has 6x4 positions in 'input_size' 12x8}}
  %y = memplan.max_pool2d_grad %a0, %a1 {input_size = [12, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi8>) -> tensor<1x2x12x8xf32>
  return
}

// -----

func.func @max_pool2d_grad_3(%a0: tensor<1x2x4x4xf32>, %a1: tensor<1x2x4x4xi8>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<1x2x8x9xf32>', but its shape and element type follow as 'tensor<1x2x8x8xf32>'}}
  %y = memplan.max_pool2d_grad %a0, %a1 {input_size = [8, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi8>) -> tensor<1x2x8x9xf32>
  return
}

// -----

func.func @avg_pool2d_1(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{attribute 'kernel' has 0, but must be in [1, 1073741824]}}
  %y = memplan.avg_pool2d %a0 {kernel = [0, 2], strides = [2, 2]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @avg_pool2d_2(%a0: tensor<1x2x8xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<1x2x8xf32>', but must have 4 dimensions}}
  %y = memplan.avg_pool2d %a0 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @avg_pool2d_3(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<1x2x4x5xf32>', but its shape and element type follow as 'tensor<1x2x4x4xf32>'}}
  %y = memplan.avg_pool2d %a0 {kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x5xf32>
  return
}

// -----

func.func @avg_pool2d_grad_1(%a0: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' has size 4x4, but the window has 6x4 positions in 'input_size' 12x8}}
  %y = memplan.avg_pool2d_grad %a0 {input_size = [12, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x12x8xf32>
  return
}

// -----

func.func @avg_pool2d_grad_2(%a0: tensor<2x4x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<2x4x4xf32>', but must have 4 dimensions}}
  %y = memplan.avg_pool2d_grad %a0 {input_size = [8, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<2x4x4xf32>) -> tensor<2x8x8xf32>
  return
}

// -----

func.func @avg_pool2d_grad_3(%a0: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<1x2x8x7xf32>', but its shape and element type follow as 'tensor<1x2x8x8xf32>'}}
  %y = memplan.avg_pool2d_grad %a0 {input_size = [8, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x7xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_1(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{attribute 'output_size' is 0x1, but must be at least 1x1}}
  %y = memplan.adaptive_avg_pool2d %a0 {output_size = [0, 1]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x0x1xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_2(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<1x2x1xf32>', but its shape and element type follow as 'tensor<1x2x1x1xf32>'}}
  %y = memplan.adaptive_avg_pool2d %a0 {output_size = [1, 1]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_3(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{custom op 'memplan.adaptive_avg_pool2d' attribute 'output_size' failed to satisfy constraint: i64 dense array attribute with exactly 2 elements}}
  %y = memplan.adaptive_avg_pool2d %a0 {output_size = [1]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x1x1xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_grad_1(%a0: tensor<1x2x1x1xf32>) {
  // expected-error @+1 {{attribute 'input_size' is 0x7, but must be at least 1x1}}
  %y = memplan.adaptive_avg_pool2d_grad %a0 {input_size = [0, 7]} : (tensor<1x2x1x1xf32>) -> tensor<1x2x0x7xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_grad_2(%a0: tensor<2x1x1xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<2x1x1xf32>', but must have 4 dimensions}}
  %y = memplan.adaptive_avg_pool2d_grad %a0 {input_size = [7, 7]} : (tensor<2x1x1xf32>) -> tensor<2x7x7xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_grad_3(%a0: tensor<1x2x1x1xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<1x2x7x6xf32>', but its shape and element type follow as 'tensor<1x2x7x7xf32>'}}
  %y = memplan.adaptive_avg_pool2d_grad %a0 {input_size = [7, 7]} : (tensor<1x2x1x1xf32>) -> tensor<1x2x7x6xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_more_1(%a0: tensor<2x8x8xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<2x8x8xf32>', but must have 4 dimensions}}
  %y = memplan.adaptive_avg_pool2d %a0 {output_size = [1, 1]} : (tensor<2x8x8xf32>) -> tensor<2x1x1xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_grad_more_1(%a0: tensor<1x2x1x1xf32>) {
  // expected-error @+1 {{attribute 'input_size' is 0x8, but must be at least 1x1}}
  %y = memplan.adaptive_avg_pool2d_grad %a0 {input_size = [0, 8]} : (tensor<1x2x1x1xf32>) -> tensor<1x2x8x8xf32>
  return
}

// -----

func.func @adaptive_avg_pool2d_grad_more_2(%a0: tensor<1x2x1x1xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<1x2x1x1xi64>'}}
  %y = memplan.adaptive_avg_pool2d_grad %a0 {input_size = [8, 8]} : (tensor<1x2x1x1xi64>) -> tensor<1x2x8x8xi64>
  return
}

// -----

func.func @avg_pool2d_more_1(%a0: tensor<2x8x8xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<2x8x8xf32>', but must have 4 dimensions}}
  %y = memplan.avg_pool2d %a0 {kernel = [2, 2], padding = [0, 0], strides = [2, 2]} : (tensor<2x8x8xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @avg_pool2d_more_2(%a0: tensor<1x2x8x8xf32>) {
  // expected-error @+1 {{attribute 'kernel' has 0, but must be in [1, 1073741824]}}
  %y = memplan.avg_pool2d %a0 {kernel = [0, 2], padding = [0, 0], strides = [2, 2]} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @avg_pool2d_grad_more_1(%a0: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{attribute 'strides' has 0, but must be in [1, 1073741824]}}
  %y = memplan.avg_pool2d_grad %a0 {input_size = [8, 8], kernel = [2, 2], padding = [0, 0], strides = [0, 2]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32>
  return
}

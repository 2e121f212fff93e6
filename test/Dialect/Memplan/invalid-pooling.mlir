// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules of convolution and pooling: without them a kernel would read outside its operands.

func.func @max_pool_window(%x: tensor<2x4x16x16xf32>) {
  // expected-error @+1 {{attribute 'kernel' has 12x11 elements, but the position of one of at most 127 fits into i8}}
  %y:2 = memplan.max_pool2d %x {kernel = [12, 11]} : (tensor<2x4x16x16xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>)
  return
}

// -----

func.func @pool_padding(%x: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{attribute 'padding' has 2, but must be at most half of kernel 3}}
  %y:2 = memplan.max_pool2d %x {kernel = [3, 3], padding = [2, 0]} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>)
  return
}

// -----

func.func @max_pool_grad_size(%d: tensor<2x4x4x4xf32>, %i: tensor<2x4x4x4xi8>) {
  // expected-error @+1 {{input 'outputGrad' has size 4x4, but the window has 4x8 positions in 'input_size' 8x9}}
  %y = memplan.max_pool2d_grad %d, %i {input_size = [8, 9], kernel = [2, 2], strides = [2, 1]} : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>) -> tensor<2x4x8x9xf32>
  return
}

// -----

func.func @max_pool_grad_indices(%d: tensor<2x4x4x4xf32>, %i: tensor<2x4x4x5xi8>) {
  // expected-error @+1 {{input 'indices' is 'tensor<2x4x4x5xi8>', but must have the shape of 'outputGrad'}}
  %y = memplan.max_pool2d_grad %d, %i {input_size = [8, 8], kernel = [2, 2], strides = [2, 2]} : (tensor<2x4x4x4xf32>, tensor<2x4x4x5xi8>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @avg_pool_grad_size(%d: tensor<2x4x4x4xf32>) {
  // expected-error @+1 {{attribute 'input_size' is 0x8, but must be at least 1x1}}
  %y = memplan.avg_pool2d_grad %d {input_size = [0, 8], kernel = [2, 2]} : (tensor<2x4x4x4xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @adaptive_size(%x: tensor<2x4x8x8xf32>) {
  // expected-error @+1 {{attribute 'output_size' is 1x0, but must be at least 1x1}}
  %y = memplan.adaptive_avg_pool2d %x {output_size = [1, 0]} : (tensor<2x4x8x8xf32>) -> tensor<2x4x1x1xf32>
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Slices, broadcasts and reductions: each operation refuses operands, attributes and results that its kernel could not take. Without this a kernel would read
// or write outside them, or compute with a setting that means nothing.

func.func @concat_1(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dim' is 2, but must be in [0, 2) for 'tensor<8x4xf32>'}}
  %y = memplan.concat %a0, %a1 {dim = 2} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @concat_2(%a0: tensor<8x4xf32>, %a1: tensor<7x4xf32>) {
  // expected-error @+1 {{input #1 is 'tensor<7x4xf32>', but must agree with input #0, which is 'tensor<8x4xf32>', in all but dimension 1}}
  %y = memplan.concat %a0, %a1 {dim = 1} : (tensor<8x4xf32>, tensor<7x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @transpose_1(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'perm' is [0, 0], but must be a permutation of the 2 dimensions of 'tensor<8x4xf32>'}}
  %y = memplan.transpose %a0 {perm = [0, 0]} : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @transpose_2(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'perm' is [1], but must be a permutation of the 2 dimensions of 'tensor<8x4xf32>'}}
  %y = memplan.transpose %a0 {perm = [1]} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_3(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.transpose %a0 {perm = [1, 0]} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @slice_1(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{takes 5 elements from 4 on, but dimension 0 of the input is 8}}
  %y = memplan.slice %a0 {dim = 0, size = 5, start = 4} : (tensor<8x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @slice_2(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dim' is 2, but must be in [0, 2) for 'tensor<8x4xf32>'}}
  %y = memplan.slice %a0 {dim = 2, size = 2, start = 0} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @slice_3(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<3x4xf32>', but its shape and element type follow as 'tensor<2x4xf32>'}}
  %y = memplan.slice %a0 {dim = 0, size = 2, start = 0} : (tensor<8x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @slice_grad_1(%a0: tensor<4x4xf32>) {
  // expected-error @+1 {{puts 4 elements from 5 on, but 'full_size' is 8}}
  %y = memplan.slice_grad %a0 {dim = 0, full_size = 8, start = 5} : (tensor<4x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @slice_grad_2(%a0: tensor<4x4xf32>) {
  // expected-error @+1 {{attribute 'dim' is 2, but must be in [0, 2) for 'tensor<4x4xf32>'}}
  %y = memplan.slice_grad %a0 {dim = 2, full_size = 8, start = 0} : (tensor<4x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @slice_grad_3(%a0: tensor<4x4xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<9x4xf32>', but its shape and element type follow as 'tensor<8x4xf32>'}}
  %y = memplan.slice_grad %a0 {dim = 0, full_size = 8, start = 0} : (tensor<4x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

func.func @broadcast_1(%a0: tensor<16xf32>) {
  // expected-error @+1 {{attribute 'dims' is [0, 0], but must rise strictly within [0, 3)}}
  %y = memplan.broadcast %a0 {dims = [0, 0], sizes = [8, 4]} : (tensor<16xf32>) -> tensor<8x4x16xf32>
  return
}

// -----

func.func @broadcast_2(%a0: tensor<16xf32>) {
  // expected-error @+1 {{attribute 'dims' has 2 elements, but 'sizes' has 1}}
  %y = memplan.broadcast %a0 {dims = [0, 2], sizes = [8]} : (tensor<16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @broadcast_3(%a0: tensor<16xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8x4x16xf32>', but its shape and element type follow as 'tensor<8x16x4xf32>'}}
  %y = memplan.broadcast %a0 {dims = [0, 2], sizes = [8, 4]} : (tensor<16xf32>) -> tensor<8x4x16xf32>
  return
}

// -----

func.func @reduce_sum_1(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dims' is [2], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_sum %a0 {dims = [2]} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @reduce_sum_2(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dims' is [0, 0], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_sum %a0 {dims = [0, 0]} : (tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_sum_3(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<8xf32>', but its shape and element type follow as 'tensor<4xf32>'}}
  %y = memplan.reduce_sum %a0 {dims = [0]} : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_mean_1(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dims' is [-1], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_mean %a0 {dims = [-1]} : (tensor<8x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_mean_2(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{attribute 'dims' is [1, 0], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_mean %a0 {dims = [1, 0]} : (tensor<8x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_mean_3(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4xf32>', but its shape and element type follow as 'tensor<8xf32>'}}
  %y = memplan.reduce_mean %a0 {dims = [1]} : (tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_mean_grad_1(%a0: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'dims' has 1 elements, but 'sizes' has 2}}
  %y = memplan.reduce_mean_grad %a0 {dims = [1], sizes = [4, 4]} : (tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @reduce_mean_grad_2(%a0: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'dims' is [3], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_mean_grad %a0 {dims = [3], sizes = [4]} : (tensor<8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @reduce_mean_grad_3(%a0: tensor<8xf32>) {
  // expected-error @+1 {{output 'inputGrad' is 'tensor<8x5xf32>', but its shape and element type follow as 'tensor<8x4xf32>'}}
  %y = memplan.reduce_mean_grad %a0 {dims = [1], sizes = [4]} : (tensor<8xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @global_norm_1() {
  // expected-error @+1 {{has no input, but must have at least 1}}
  %n = memplan.global_norm : () -> tensor<f32>
  return
}

// -----

func.func @global_norm_2(%a0: tensor<8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<1xf32>', but its shape and element type follow as 'tensor<f32>'}}
  %n = memplan.global_norm %a0 : (tensor<8xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @global_norm_3(%a0: tensor<8xf32>, %a1: tensor<8xi64>) {
  // expected-error @+1 {{must be variadic of statically shaped dense f32, bf16 or f16 tensor}}
  %n = memplan.global_norm %a0, %a1 : (tensor<8xf32>, tensor<8xi64>) -> tensor<f32>
  return
}

// -----

func.func @global_norm_4(%a0: tensor<?xf32>) {
  // expected-error @+1 {{must be variadic of statically shaped dense f32, bf16 or f16 tensor}}
  %n = memplan.global_norm %a0 : (tensor<?xf32>) -> tensor<f32>
  return
}

// -----

func.func @global_norm_5(%a0: memref<8xf32>, %out: memref<8xf32>) {
  // expected-error @+1 {{output 'output' is 'memref<8xf32>'}}
  memplan.global_norm ins(%a0 : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// -----

func.func @non_finite_1() {
  // expected-error @+1 {{has no input, but must have at least 1}}
  %n = memplan.non_finite : () -> tensor<f32>
  return
}

// -----

func.func @non_finite_2(%a0: tensor<8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<1xf32>', but its shape and element type follow as 'tensor<f32>'}}
  %n = memplan.non_finite %a0 : (tensor<8xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @non_finite_3(%a0: tensor<8xf32>, %a1: tensor<8xi64>) {
  // expected-error @+1 {{must be variadic of statically shaped dense f32, bf16 or f16 tensor}}
  %n = memplan.non_finite %a0, %a1 : (tensor<8xf32>, tensor<8xi64>) -> tensor<f32>
  return
}

// -----

func.func @non_finite_4(%a0: tensor<?xf32>) {
  // expected-error @+1 {{must be variadic of statically shaped dense f32, bf16 or f16 tensor}}
  %n = memplan.non_finite %a0 : (tensor<?xf32>) -> tensor<f32>
  return
}

// -----

func.func @non_finite_5(%a0: memref<8xf32>, %out: memref<8xf32>) {
  // expected-error @+1 {{output 'output' is 'memref<8xf32>'}}
  memplan.non_finite ins(%a0 : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// -----

func.func @concat_more_1(%a0: tensor<2x3xf32>, %a1: tensor<2x3xbf16>) {
  // expected-error @+1 {{requires attribute 'dim'}}
  %y = memplan.concat %a0, %a1 {axis = 0} : (tensor<2x3xf32>, tensor<2x3xbf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_mean_more_1(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.reduce_mean %a0 {dims = [1]} : (tensor<4x8xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @reduce_mean_grad_more_1(%a0: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'sizes' has 0, but must be at least 1}}
  %y = memplan.reduce_mean_grad %a0 {dims = [0], sizes = [0]} : (tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reduce_sum_more_1(%a0: tensor<4x8xi64>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xi64>'}}
  %y = memplan.reduce_sum %a0 {dims = [1]} : (tensor<4x8xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @slice_grad_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'start'}}
  %y = memplan.slice_grad %a0 {dim = 2, full_size = 9, offset = 0} : (tensor<4x8xf32>) -> tensor<9x8xf32>
  return
}

// -----

func.func @transpose_more_1(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{requires attribute 'perm'}}
  %y = memplan.transpose %a0 {permutation = [1, 0]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

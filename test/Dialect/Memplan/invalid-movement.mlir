// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules of all other operations: without them a kernel would read outside its operands.

func.func @split_empty_part(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'sizes' has 0, but every part must have at least 1 element}}
  %y:2 = memplan.split %x {dim = 1, sizes = [8, 0]} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @slice_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{takes 4 elements from 5 on, but dimension 1 of the input is 8}}
  %y = memplan.slice %x {dim = 1, size = 4, start = 5} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice_grad_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{puts 8 elements from 2 on, but 'full_size' is 9}}
  %y = memplan.slice_grad %x {dim = 1, full_size = 9, start = 2} : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @transpose_permutation(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'perm' is [0, 0], but must be a permutation of the 2 dimensions of 'tensor<4x8xf32>'}}
  %y = memplan.transpose %x {perm = [0, 0]} : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @concat_nothing() {
  // expected-error @+1 {{must have at least 1 input}}
  %y = memplan.concat {dim = 0} : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_shapes(%x: tensor<4x8xf32>, %z: tensor<5x7xf32>) {
  // expected-error @+1 {{input #1 is 'tensor<5x7xf32>', but must agree with input #0, which is 'tensor<4x8xf32>', in all but dimension 1}}
  %y = memplan.concat %x, %z {dim = 1} : (tensor<4x8xf32>, tensor<5x7xf32>) -> tensor<4x15xf32>
  return
}

// -----

func.func @iota_size() {
  // expected-error @+1 {{attribute 'size' is 0, but must be at least 1}}
  %y = memplan.iota {size = 0} : () -> tensor<1xi64>
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{attribute 'value' is of type 'tensor<2xf64>', but must be a statically shaped tensor of f32, bf16, f16, i64 or i8}}
  %y = memplan.constant {value = dense<1.0> : tensor<2xf64>} : () -> tensor<2xf64>
  return
}

// -----

func.func @reduce_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'dims' is [1, 0], but must rise strictly within [0, 2)}}
  %y = memplan.reduce_sum %x {dims = [1, 0]} : (tensor<4x8xf32>) -> tensor<f32>
  return
}

// -----

func.func @expand_counts(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'dims' has 1 elements, but 'sizes' has 2}}
  %y = memplan.broadcast %x {dims = [0], sizes = [2, 3]} : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @expand_sizes(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'sizes' has 0, but must be at least 1}}
  %y = memplan.broadcast %x {dims = [0], sizes = [0]} : (tensor<4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @expand_kept(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{dimension 0 of 'tensor<2x4xf32>' must be 1, since 'dims' names it and there is 'keepdims'}}
  %y = memplan.reduce_mean_grad %x {dims = [0], keepdims, sizes = [3]} : (tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cross_entropy_rank(%x: tensor<4xf32>, %l: tensor<4xi64>) {
  // expected-error @+1 {{input 'logits' is 'tensor<4xf32>', but must have 2 dimensions}}
  %y:2 = memplan.cross_entropy %x, %l : (tensor<4xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func @cross_entropy_labels(%x: tensor<4x8xf32>, %l: tensor<8xi64>) {
  // expected-error @+1 {{input 'labels' is 'tensor<8xi64>', but must have one element for each of the 4 rows of 'logits'}}
  %y:2 = memplan.cross_entropy %x, %l : (tensor<4x8xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func @loss_gradient_scalar(%x: tensor<4xf32>) {
  // expected-error @+1 {{input 'lossGrad' is 'tensor<4xf32>', but must have no dimension}}
  %y = memplan.mse_loss_grad %x, %x, %x : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @adam_step(%x: tensor<4xf32>, %s: tensor<i64>) {
  // expected-error @+1 {{input 'step' is 'tensor<i64>', but must have 1 element in 1 dimension}}
  %y:3 = memplan.adam_update %x, %x, %x, %s, %x {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @opaque_kernel(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'kernel' is empty, but must name a kernel}}
  %y = memplan.opaque %x {kernel = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_flops(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'flop_count' is -1, but must be at least 0}}
  %y = memplan.opaque %x {flop_count = -1, kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_cost(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'cost' is -1.000000e+00 microseconds, but must be at least 0 and finite}}
  %y = memplan.opaque %x {cost = -1.0, kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_pairs(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'in_place' has 1 elements, but must list pairs (output, input)}}
  %y = memplan.opaque %x {in_place = [0], kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_writes(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'writes' has 1 elements, but must list pairs (output, input)}}
  %y = memplan.opaque %x {kernel = "k", writes = [0]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_writes_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'writes' pairs output 0, which is 'tensor<5xf32>', with input 0, which is 'tensor<4xf32>'}}
  %y = memplan.opaque %x {kernel = "k", writes = [0, 0]} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @opaque_writes_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'writes' names output 1 or input 0 twice}}
  %y:2 = memplan.opaque %x {kernel = "k", writes = [0, 0, 1, 0]} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @opaque_writes_elsewhere(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{output 0 must be written to input 0, whose new version it is}}
  memplan.opaque ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {kernel = "k", writes = [0, 0]}
  return
}

// -----

func.func @opaque_pair_index(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'in_place' pairs output 0 with input 1, but there are 1 outputs and 1 inputs}}
  %y = memplan.opaque %x {in_place = [0, 1], kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @opaque_pair_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'in_place' pairs output 0, which is 'tensor<5xf32>', with input 0, which is 'tensor<4xf32>'}}
  %y = memplan.opaque %x {in_place = [0, 0], kernel = "k"} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @opaque_effects(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'effects' failed to satisfy constraint: string attribute is "pure" or "unknown"}}
  %y = memplan.opaque %x {effects = "some", kernel = "k"} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @opaque_recomputation(%x: tensor<4xf32>) {
  // expected-error @+1 {{is marked as run 1, but may run only once}}
  %y = memplan.opaque %x {effects = "unknown", kernel = "k", run = 1} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

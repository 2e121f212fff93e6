// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules of all other operations: without them a kernel would read outside its operands.

func.func @matmul_depth(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  // expected-error @+1 {{multiplies 8 columns of 'lhs' with 4 rows of 'rhs' (after transposes)}}
  %y = memplan.matmul %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @matmul_batch(%a: tensor<2x4x8xf32>, %b: tensor<3x8x4xf32>) {
  // expected-error @+1 {{leading dimensions of 'lhs' and 'rhs' differ: 'tensor<2x4x8xf32>' and 'tensor<3x8x4xf32>'}}
  %y = memplan.matmul %a, %b : (tensor<2x4x8xf32>, tensor<3x8x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @matmul_rank(%a: tensor<8xf32>, %b: tensor<8x4xf32>) {
  // expected-error @+1 {{input 'lhs' is 'tensor<8xf32>', but must have at least 2 dimensions}}
  %y = memplan.matmul %a, %b : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @matmul_bias(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<8xf32>) {
  // expected-error @+1 {{input 'bias' is 'tensor<8xf32>', but must have one element for each of the 4 output columns}}
  %y = memplan.matmul %a, %b, %c : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @embedding_table(%t: tensor<8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{input 'table' is 'tensor<8xf32>', but must have 2 dimensions}}
  %y = memplan.embedding %t, %i : (tensor<8xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @embedding_grad_ids(%i: tensor<2xi64>, %d: tensor<3x4xf32>) {
  // expected-error @+1 {{must have the dimensions of 'ids', which is 'tensor<2xi64>', and one more}}
  %y = memplan.embedding_grad %i, %d {num_embeddings = 8} : (tensor<2xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @embedding_grad_rows(%i: tensor<2xi64>, %d: tensor<2x4xf32>) {
  // expected-error @+1 {{attribute 'num_embeddings' is 0, but must be at least 1}}
  %y = memplan.embedding_grad %i, %d {num_embeddings = 0} : (tensor<2xi64>, tensor<2x4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @batch_norm_scale(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{input 'scale' is 'tensor<2xf32>', but must have one element for each of the 3 channels}}
  %y:4 = memplan.batch_norm %x, %s, %s : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_of_one(%x: tensor<1x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{but the variance of a channel needs more than 1 element}}
  %y:4 = memplan.batch_norm %x, %s, %s : (tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_epsilon(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'epsilon' is 0.000000e+00, but must be between 0 and 1}}
  %y:4 = memplan.batch_norm %x, %s, %s {epsilon = 0.0} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_grad_type(%x: tensor<2x3xf32>, %d: tensor<3x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<3x3xf32>', but must agree with 'input', which is 'tensor<2x3xf32>'}}
  %y:3 = memplan.batch_norm_grad %d, %x, %s, %s, %s : (tensor<3x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @running_statistics_rank(%s: tensor<3x1xf32>) {
  // expected-error @+1 {{input 'runningMean' is 'tensor<3x1xf32>', but must have 1 dimension}}
  %y:2 = memplan.batch_norm_update_stats %s, %s, %s, %s : (tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<3x1xf32>)
  return
}

// -----

func.func @running_statistics_momentum(%s: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'momentum' is 1.500000e+00, but must be in [0, 1]}}
  %y:2 = memplan.batch_norm_update_stats %s, %s, %s, %s {momentum = 1.5} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @layer_norm_scale(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{input 'scale' is 'tensor<2xf32>', but must have one element for each of the 3 elements of a row}}
  %y:3 = memplan.layer_norm %x, %s, %s : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @layer_norm_grad_mean(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{input 'mean' is 'tensor<3xf32>', but must have the leading dimensions of 'input', which is 'tensor<2x3xf32>'}}
  %y:3 = memplan.layer_norm_grad %x, %x, %s, %s, %s : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @same_type(%x: tensor<2x3xf32>, %d: tensor<3x2xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<3x2xf32>', but must agree with 'output', which is 'tensor<2x3xf32>'}}
  %y = memplan.relu_grad %x, %d : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gelu_kind(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'approximate' failed to satisfy constraint: string attribute is "none" or "tanh"}}
  %y = memplan.gelu %x {approximate = "fast"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'min' is 6.000000e+00, but must be less than 'max', which is 0.000000e+00}}
  %y = memplan.clamp %x {max = 0.0, min = 6.0} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute 'axis' is 2, but must be in [-2, 2) for 'tensor<2x3xf32>'}}
  %y = memplan.softmax %x {axis = 2} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<2x3xf32>, %z: tensor<2xf32>) {
  // expected-error @+1 {{cannot broadcast 'tensor<2x3xf32>' and 'tensor<2xf32>': dimension 1 of the result would be both 2 and 3}}
  %y = memplan.add %x, %z : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @causal_mask_rank(%x: tensor<3xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<3xf32>', but must have at least 2 dimensions}}
  %y = memplan.causal_mask %x {fill = 0.0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dropout_probability(%x: tensor<3xf32>, %s: tensor<1xi64>) {
  // expected-error @+1 {{attribute 'p' is 1.000000e+00, but must be in [0, 1)}}
  %y = memplan.dropout %x, %s {p = 1.0} : (tensor<3xf32>, tensor<1xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @dropout_seed(%x: tensor<3xf32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{input 'seed' is 'tensor<2xi64>', but must have 1 element in 1 dimension}}
  %y = memplan.dropout %x, %s {p = 0.5} : (tensor<3xf32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @reshape_count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{cannot reshape 'tensor<4x8xf32>' (32 elements) to [3, -1] (a multiple of 3 elements)}}
  %y = memplan.reshape %x {shape = [3, -1]} : (tensor<4x8xf32>) -> tensor<3x11xf32>
  return
}

// -----

func.func @reshape_two_open(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'shape' has -1, but its dimensions must be at least 1, and one of them may be -1}}
  %y = memplan.reshape %x {shape = [-1, -1]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @split_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'dim' is -1, but must be in [0, 2) for 'tensor<4x8xf32>'}}
  %y = memplan.split %x {dim = -1, sizes = [8]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @split_sum(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'sizes' adds up to 7, but dimension 1 of the input is 8}}
  %y:2 = memplan.split %x {dim = 1, sizes = [4, 3]} : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
  return
}

// -----

func.func @batch_norm_more_1(%a0: tensor<4xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>) {
  // expected-error @+1 {{input 'input' is 'tensor<4xf32>', but must have at least 2 dimensions}}
  %r:3 = memplan.batch_norm %a0, %a1, %a2 {epsilon = 1.0e-5} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @embedding_grad_more_1(%a0: tensor<2xi64>, %a1: tensor<3x4xf32>) {
  // expected-error @+1 {{input 'outputGrad' is 'tensor<3x4xf32>', but must have the dimensions of 'ids', which is 'tensor<2xi64>', and one more}}
  %y = memplan.embedding_grad %a0, %a1 {num_embeddings = 8} : (tensor<2xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @embedding_grad_more_2(%a0: tensor<2xf32>, %a1: tensor<2x4xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped dense i64 tensor or memref with dimensions of at least 1, but got 'tensor<2xf32>'}}
  %y = memplan.embedding_grad %a0, %a1 {num_embeddings = 8} : (tensor<2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @split_more_1(%a0: tensor<8x4xf32>) {
  // expected-error @+1 {{output #1 is 'tensor<4x5xf32>', but its shape and element type follow as 'tensor<4x4xf32>'}}
  %r:2 = memplan.split %a0 {dim = 0, sizes = [4, 4]} : (tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x5xf32>)
  return
}

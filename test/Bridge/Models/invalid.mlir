// RUN: memplan-opt %s --memplan-plan -split-input-file -verify-diagnostics

// What no model speaks for is refused by name, before any planning, with what to register.
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.bitcast' does not implement memplan's planning interface, so that a plan cannot be applied to it; register an external model of PlannableOpInterface for it (see docs/Embedding.md)}}
  %0 = tensor.bitcast %x : tensor<4xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_contents(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{'linalg.matmul' reads operand 2, but 'tensor.empty' gives it no contents; fill it first}}
  %y = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

func.func @returns_no_contents(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{returns operand 0, which is no tensor with contents}}
  return %e : tensor<4x4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captures(%x: tensor<4xf32>, %t: tensor<1xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-note @+1 {{it is made here}}
  %c = tensor.collapse_shape %t [] : tensor<1xf32> into tensor<f32>
  // expected-error @+1 {{'linalg.generic' uses a value of type 'tensor<f32>' inside its region that is no operand; make it one}}
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = tensor.extract %c[] : tensor<f32>
    %r = arith.addf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @dynamic(%x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{result 0 of 'tensor.cast' has type 'tensor<?xf32>'; its dynamic dimensions must be made static before planning}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @variants(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has `memplan.variants`, which only operations of the memplan dialect can choose from}}
  %0 = math.exp %x {memplan.variants = [{cost = 1.0, workspace_bytes = 64 : i64}]} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

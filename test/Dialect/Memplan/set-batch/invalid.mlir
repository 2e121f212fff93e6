// RUN: memplan-opt %s --memplan-set-batch=4 -split-input-file -verify-diagnostics

// Each case would silently give a program that computes something else, or one that cannot run.

// expected-error @+1 {{argument #0 is 'tensor<2x3xf32>', which has no static dimension 'memplan.batch' = 2}}
func.func @no_such_dimension(%x: tensor<2x3xf32> {memplan.batch = 2 : i64}) {
  return
}

// -----

// expected-error @+1 {{argument #1 has batch 3, but argument #0 has batch 2}}
func.func @two_batches(%x: tensor<2xf32> {memplan.batch = 0 : i64}, %y: tensor<3xf32> {memplan.batch = 0 : i64}) {
  return
}

// -----

func.func @reshape_without_open_dimension(%x: tensor<2x3x4xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{cannot follow a new batch size: 'shape' is [2, 12], but dimension 0 of its input changes and no dimension is -1}}
  %y = memplan.reshape %x {shape = [2, 12]} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return
}

// -----

// The element count would fit, but row 0 would then hold two images.
func.func @reshape_with_another_open_dimension(%x: tensor<2x3x4xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{cannot follow a new batch size: the -1 in 'shape' [2, -1] does not stand for the batch in dimension 0 of its input}}
  %y = memplan.reshape %x {shape = [2, -1]} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @slice_of_the_batch(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{cannot follow a new batch size: it takes a constant part of dimension 0, which changes}}
  %y = memplan.slice %x {dim = 0, size = 1, start = 0} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @split_of_the_batch(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{cannot have batch 4: attribute 'sizes' adds up to 2, but dimension 0 of the input is 4}}
  %y:2 = memplan.split %x {dim = 0, sizes = [1, 1]} : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  return
}

// -----

func.func @mean_over_the_batch_with_backward(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}, %dy: tensor<3xf32>) {
  // expected-error @+1 {{it reduces dimension 0, which changes, and its gradient holds the old size; set the batch before memplan-autodiff}}
  %y = memplan.reduce_mean %x {dims = [0]} : (tensor<2x3xf32>) -> tensor<3xf32>
  %dx = memplan.reduce_mean_grad %dy {dims = [0], memplan.backward, sizes = [2]} : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @opaque(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{'memplan.opaque' op cannot be inferred for another batch size, but one of its operands has to change}}
  %y = memplan.opaque %x {kernel = "k"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @other_dialect(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  // expected-error @+1 {{'arith.negf' op cannot be inferred for another batch size, but one of its operands has to change}}
  %y = arith.negf %x : tensor<2x3xf32>
  return
}

// -----

func.func @shapes_disagree(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}, %z: tensor<2x3xf32>) {
  // expected-error @+1 {{cannot have batch 4: input 'rhs' is 'tensor<2x3xf32>', but must agree with 'lhs', which is 'tensor<4x3xf32>'}}
  %y = memplan.accumulate %x, %z : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// A parameter that was broadcast only because the batch was 1: its gradient would have another shape.
// expected-error @+1 {{result #0 becomes 'tensor<4x3xf32>', but argument #1, whose new version it is, stays 'tensor<1x3xf32>'}}
func.func @state_grows(%x: tensor<1x3xf32> {memplan.batch = 0 : i64}, %s: tensor<1x3xf32>) -> (tensor<1x3xf32> {memplan.updates = 1 : i64}) {
  %y = memplan.add %x, %s : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}

// -----

// expected-error @+1 {{is planned, and a plan holds for one batch size only; set the batch before planning}}
func.func @planned(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) attributes {memplan.planned} {
  return
}

// -----

// Here the batch lies behind 3 rows, so that the first dimension of 6 cannot be split into (batch, 3).
func.func @reshape_finds_another_order(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  %t = memplan.transpose %x {perm = [1, 0]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %m = memplan.reshape %t {shape = [-1]} : (tensor<3x2xf32>) -> tensor<6xf32>
  // expected-error @+1 {{the -1 in 'shape' [-1, 3] does not stand for the batch in dimension 0 of its input}}
  %y = memplan.reshape %m {shape = [-1, 3]} : (tensor<6xf32>) -> tensor<2x3xf32>
  return
}

// -----

// Two batches follow each other in dimension 0.
func.func @reshape_of_two_batches(%x: tensor<2x3xf32> {memplan.batch = 0 : i64}) {
  %m = memplan.reshape %x {shape = [-1]} : (tensor<2x3xf32>) -> tensor<6xf32>
  %c = memplan.concat %m, %m {dim = 0} : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
  // expected-error @+1 {{the -1 in 'shape' [-1, 3] does not stand for the batch in dimension 0 of its input}}
  %y = memplan.reshape %c {shape = [-1, 3]} : (tensor<12xf32>) -> tensor<4x3xf32>
  return
}

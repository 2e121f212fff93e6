// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules that hold for every operation: without them a plan could be applied to something that it was not made for.

func.func @negative_run(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'run' is -1, but must be at least 0}}
  %y = memplan.relu %x {run = -1} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @recomputation_of_an_update(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{is marked as run 1, but may run only once}}
  %y = memplan.sgd_update %x, %x {lr = 0.1, run = 1} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @recomputation_of_running_statistics(%x: tensor<4xf32>) {
  // expected-error @+1 {{is marked as run 2, but may run only once}}
  %y:2 = memplan.batch_norm_update_stats %x, %x, %x, %x {run = 2} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @negative_workspace(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'workspace_bytes' is -4, but must be at least 0}}
  %y = memplan.relu %x {workspace_bytes = -4} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @workspace_missing(%x: memref<4xf32>) {
  // expected-error @+1 {{needs 64 bytes of workspace, but has no workspace operand}}
  memplan.relu ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) {workspace_bytes = 64}
  return
}

// -----

func.func @workspace_too_small(%x: memref<4xf32>, %w: memref<32xi8>) {
  // expected-error @+1 {{needs 64 bytes of workspace, but has 32}}
  memplan.relu ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) workspace(%w : memref<32xi8>) {workspace_bytes = 64}
  return
}

// -----

func.func @workspace_of_floats(%x: memref<4xf32>, %w: memref<32xf32>) {
  // expected-error @+1 {{workspace is 'memref<32xf32>', but must be a dense memref<Nxi8>}}
  memplan.relu ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) workspace(%w : memref<32xf32>)
  return
}

// -----

func.func @two_workspaces(%x: memref<4xf32>, %w: memref<32xi8>) {
  // expected-error @+1 {{expected one workspace, got 2}}
  memplan.relu ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) workspace(%w, %w : memref<32xi8>, memref<32xi8>)
  return
}

// -----

func.func @workspace_in_tensor_form(%x: tensor<4xf32>, %w: memref<32xi8>) {
  // expected-error @+1 {{has a workspace in tensor form; the attribute 'workspace_bytes' says how much it needs}}
  %y = "memplan.relu"(%x, %w) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4xf32>, memref<32xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @update_written_elsewhere(%p: memref<4xf32>, %g: memref<4xf32>, %q: memref<4xf32>) {
  // expected-error @+1 {{output 'newParam' must be written to input 'param', whose new version it is}}
  memplan.sgd_update ins(%p, %g : memref<4xf32>, memref<4xf32>) outs(%q : memref<4xf32>) {lr = 0.1}
  return
}

// -----

func.func @segments_given(%x: tensor<4xf32>) {
  // expected-error @+1 {{'operandSegmentSizes' follows from the operands and cannot be given}}
  %y = memplan.relu %x {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @attribute_of_wrong_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'factor' failed to satisfy constraint: 64-bit float attribute}}
  %y = memplan.scale %x {factor = 2} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @attribute_missing(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires attribute 'factor'}}
  %y = memplan.scale %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @list_of_words(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'shape' must list 64-bit integers}}
  %y = memplan.reshape %x {shape = ["a"]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

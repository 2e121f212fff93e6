// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Passes tell each other what they decided by attributes of the dialect. One that is mistyped, out of range or unknown would
// be ignored, and the plan would be another than the file says.

// expected-error @+1 {{unknown attribute 'memplan.fixed_byte' on a function; there are 'memplan.alignment', 'memplan.optimizer', 'memplan.fixed_bytes'}}
func.func @unknown_on_function() attributes {memplan.fixed_byte = 4 : i64} { return }

// -----

// expected-error @+1 {{unknown attribute 'memplan.sort' on argument 0; there are 'memplan.kind'}}
func.func @unknown_on_argument(%x: tensor<4xf32> {memplan.sort = "input"}) { return }

// -----

// expected-error @+1 {{unknown attribute 'memplan.update' on result 0; there are 'memplan.kind', 'memplan.name', 'memplan.batch', 'memplan.updates'}}
func.func @unknown_on_result(%x: tensor<4xf32>) -> (tensor<4xf32> {memplan.update = 0 : i64}) { return %x : tensor<4xf32> }

// -----

func.func @unknown_on_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unknown attribute 'memplan.nodes' on an operation}}
  %0 = memplan.relu %x {memplan.nodes = 4 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'memplan.node' cannot stand on a function}}
func.func @wrong_place() attributes {memplan.node = 4 : i64} { return }

// -----

// expected-error @+1 {{attribute 'memplan.donated' cannot stand on result 0}}
func.func @wrong_place_of_result(%x: tensor<4xf32>) -> (tensor<4xf32> {memplan.donated}) { return %x : tensor<4xf32> }

// -----

func.func @largest_node(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.node' on an operation must hold an i64 from 0 to 2147483647, but is 9223372036854775807 : i64}}
  %0 = memplan.relu %x {memplan.node = 9223372036854775807 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @negative_node(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.node' on an operation must hold an i64 from 0 to 2147483647, but is -1 : i64}}
  %0 = memplan.relu %x {memplan.node = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @narrow_node(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.node' on an operation must hold an i64}}
  %0 = memplan.relu %x {memplan.node = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'memplan.peak_bytes' on a function must hold an i64 from 0 to 2^61, but is -1 : i64}}
func.func @negative_peak() attributes {memplan.peak_bytes = -1 : i64} { return }

// -----

// expected-error @+1 {{attribute 'memplan.arena_bytes' on a function must hold an i64 from 0 to 2^61}}
func.func @huge_arena() attributes {memplan.arena_bytes = 9223372036854775807 : i64} { return }

// -----

// expected-error @+1 {{attribute 'memplan.budget' on a function must hold an i64 of at least 0, but is "16G"}}
func.func @text_budget() attributes {memplan.budget = "16G"} { return }

// -----

// expected-error @+1 {{attribute 'memplan.planned' on a function must hold no value, but is true}}
func.func @planned_true() attributes {memplan.planned = true} { return }

// -----

// expected-error @+1 {{attribute 'memplan.value_hash' on a function must hold an array of i64}}
func.func @hash_of_text() attributes {memplan.value_hash = ["a"]} { return }

// -----

// expected-error @+1 {{attribute 'memplan.alignment' on argument 0 must hold an i64 that is a power of two up to 4096, but is 96 : i64}}
func.func @odd_alignment(%arena: memref<0xi8> {memplan.alignment = 96 : i64}) { return }

// -----

// expected-error @+1 {{attribute 'memplan.kind' on argument 0 must hold a string, but is 1 : i64}}
func.func @kind_of_number(%x: tensor<4xf32> {memplan.kind = 1 : i64}) { return }

// -----

func.func @cost_of_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.cost' on an operation must hold a finite f64 of at least 0, but is -1.000000e+00 : f64}}
  %0 = memplan.relu %x {memplan.cost = -1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @endless_cost(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.cost' on an operation must hold a finite f64 of at least 0}}
  %0 = memplan.relu %x {memplan.cost = 0x7FF0000000000000 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @variant_without_cost(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.variants' on an operation must hold a list of {cost = f64, workspace_bytes = i64}, neither negative, each with a string 'name' or none}}
  %0 = memplan.relu %x {memplan.variants = [{workspace_bytes = 4 : i64}]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @negative_scratch(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'memplan.workspace_offset' on an operation must hold an i64 from 0 to 2^61, but is -64 : i64}}
  %0 = memplan.relu %x {memplan.workspace_offset = -64 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: memplan-opt %s --memplan-emit-graph=output=/dev/null -split-input-file -verify-diagnostics

// What cannot be planned must be refused by name, not planned wrongly.

func.func @dynamic(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{result 0 of 'tensor.cast' has type 'tensor<?xf32>'; its dynamic dimensions must be made static before planning}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has type 'tensor<?x4xf32>'; its dynamic dimensions must be made static before planning}}
func.func @dynamic_argument(%x: tensor<?x4xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 0 has type 'index'; only ranked tensors of integers or floats can be planned}}
func.func @scalar_argument(%x: index) {
  return
}

// -----

// expected-error @+1 {{argument 0 has `memplan.kind` = "weights"; it must be "parameter", "state" or "input"}}
func.func @kind(%x: tensor<4xf32> {memplan.kind = "weights"}) {
  return
}

// -----

func.func @region(%x: tensor<4xf32>, %n: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'scf.execute_region' holds a region; unroll or inline it first}}
  %0 = scf.execute_region -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{control flow cannot be planned: 'cf.br' ends a block of a function with 2 blocks}}
  cf.br ^next(%x : tensor<4xf32>)
^next(%y: tensor<4xf32>):
  return %y : tensor<4xf32>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls @elsewhere, which was not inlined; a recursive or external function cannot be planned}}
  %0 = call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @effects(%x: tensor<1xf32>) {
  // expected-error @+1 {{'memref.alloc' has effects that planning cannot order}}
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @stale(%p: tensor<4xf32> {memplan.kind = "parameter"}, %g: tensor<4xf32>)
    -> (tensor<4xf32> {memplan.updates = 0 : i64}, tensor<4xf32>) {
  // expected-note @+1 {{overwritten here}}
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'memplan.relu' reads a version of argument 0 that 'memplan.sgd_update' has overwritten; the update must come after every user of the old version}}
  %1 = memplan.relu %p : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The view shows the same bytes as the parameter.
func.func @stale_view(%p: tensor<4xf32> {memplan.kind = "parameter"}, %g: tensor<4xf32>)
    -> (tensor<4xf32> {memplan.updates = 0 : i64}, tensor<2x2xf32>) {
  %v = memplan.reshape %p {shape = [2, 2]} : (tensor<4xf32>) -> tensor<2x2xf32>
  // expected-note @+1 {{overwritten here}}
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'memplan.relu' reads a version of argument 0 that 'memplan.sgd_update' has overwritten}}
  %1 = memplan.relu %v : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}

// -----

func.func @made_here(%x: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{it is made here; only arguments can be updated}}
  %p = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{overwrites operand 0, which is not an argument of the function}}
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @input(%p: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32> {memplan.updates = 0 : i64}) {
  // expected-error @+1 {{overwrites argument 0, an input that is not donated}}
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 is a new version of argument 0; mark it `memplan.updates = 0 : i64`}}
func.func @unmarked(%p: tensor<4xf32> {memplan.kind = "parameter"}, %g: tensor<4xf32>) -> tensor<4xf32> {
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 updates argument 0 but is not a new version of it made by an update operation}}
func.func @no_update(%p: tensor<4xf32> {memplan.kind = "parameter"}) -> (tensor<4xf32> {memplan.updates = 0 : i64}) {
  // expected-note @+1 {{it is made here}}
  %0 = memplan.relu %p : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 0 updates argument 3 of a function that has 1}}
func.func @no_argument(%p: tensor<4xf32> {memplan.kind = "parameter"}) -> (tensor<4xf32> {memplan.updates = 3 : i64}) {
  return %p : tensor<4xf32>
}

// -----

func.func @lost(%p: tensor<4xf32> {memplan.kind = "parameter"}, %g: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{makes a new version of argument 0 that the function does not return; return it marked `memplan.updates = 0 : i64`}}
  %0 = memplan.sgd_update %p, %g {lr = 0.1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @other_run(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{its first run is here}}
  %0 = memplan.relu %x {memplan.node = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{is a run of node 0 but reads other values}}
  %1 = memplan.relu %0 {memplan.node = 0 : i64, run = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @same_run(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @+1 {{its first run is here}}
  %0 = memplan.relu %x {memplan.node = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{is a run of node 0 but has the same `run`}}
  %1 = memplan.relu %x {memplan.node = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @unnumbered(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = memplan.relu %x {memplan.node = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{needs a non-negative integer `memplan.node`, because other operations of the function have one}}
  %1 = memplan.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

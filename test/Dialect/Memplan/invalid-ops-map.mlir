// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Expressions, shapes and element types that no kernel computes are refused. Without this a kernel would read a value that is not there.

func.func @map_shapes(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{cannot broadcast 'tensor<3x8xf32>': dimension 0 of the result would be both 4 and 3}}
  %y = memplan.map %a, %b {expression = "x0 x1 add"} : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_element(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'element' failed to satisfy constraint}}
  %y = memplan.map %a {element = "f64", expression = "x0"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_double(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{an input is 'tensor<4x8xf64>', but its elements must be f32, bf16, f16, i64 or i8}}
  %y = memplan.map %d {expression = "x0"} : (tensor<4x8xf64>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_shape(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'shape' is [4, 1], but the inputs are broadcast to [4, 8]}}
  %y = memplan.map %a {expression = "x0", shape = [4, 1]} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @map_size(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'shape' is [0, 4, 8], but its sizes must be at least 1}}
  %y = memplan.map %a {expression = "x0", shape = [0, 4, 8]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_input(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': 'x1' is not there: there are 1 inputs}}
  %y = memplan.map %a {expression = "x1 exp"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_step(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': 't1' is not there: there are 1 steps before it}}
  %y = memplan.map %a {expression = "x0 exp; t1 1 add"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_word(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': 'cosh' is no input, step, number or function}}
  %y = memplan.map %a {expression = "x0 cosh"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_values(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': 'add' takes 2 values, but 1 are on the stack}}
  %y = memplan.map %a {expression = "x0 add"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_left(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': 'x0 x0' leaves 2 values, but must leave 1}}
  %y = memplan.map %a {expression = "x0 x0"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_empty(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{attribute 'expression': '' leaves 0 values, but must leave 1}}
  %y = memplan.map %a {expression = "x0;"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @map_result(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>, %d: tensor<4x8xf64>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xf32>', but its shape and element type follow as 'tensor<4x8xi8>'}}
  %y = memplan.map %a {element = "i8", expression = "x0"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// RUN: memplan-opt %s -split-input-file -verify-diagnostics

// Rules that hold for every operation: without them a plan could be applied to something that it was not made for.

func.func @tensor_and_memref(%x: tensor<4x8xf32>, %b: memref<4x8xf32>) {
  // expected-error @+1 {{mixes the two forms: input #0 is 'tensor<4x8xf32>', but there are outs}}
  memplan.relu ins(%x : tensor<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}

// -----

func.func @memref_without_outs(%x: memref<4x8xf32>) {
  // expected-error @+1 {{mixes the two forms: input #0 is 'memref<4x8xf32>', but there are results}}
  %y = memplan.relu %x : (memref<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @results_and_outs(%x: memref<4x8xf32>) {
  // expected-error @+1 {{has both results (tensor form) and outs (memref form)}}
  %y = "memplan.relu"(%x, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<4x8xf32>, memref<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @neither_results_nor_outs(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has neither results (tensor form) nor outs (memref form)}}
  memplan.relu %x : (tensor<4x8xf32>) -> ()
  return
}

// -----

func.func @too_many_inputs(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 1 inputs (input), got 2}}
  %y = memplan.relu %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @too_few_inputs(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected 2 or 1 more inputs (input, filter, bias), got 1}}
  %y = memplan.conv2d %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @generic_without_inputs() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  %y = "memplan.relu"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> tensor<4x8xf32>
  return
}

// -----

func.func @wrong_number_of_results(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has 2 outputs, but computes 1: output}}
  %y:2 = memplan.relu %x : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

func.func @wrong_result(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x9xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @wrong_result_element(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{output 'output' is 'tensor<4x8xi64>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xi64>
  return
}

// -----

func.func @wrong_destination(%x: memref<4x8xf32>, %b: memref<8x4xf32>) {
  // expected-error @+1 {{output 'output' is 'memref<8x4xf32>', but its shape and element type follow as 'tensor<4x8xf32>'}}
  memplan.relu ins(%x : memref<4x8xf32>) outs(%b : memref<8x4xf32>)
  return
}

// -----

func.func @destination_with_gaps(%x: memref<4x8xf32>, %b: memref<4x8xf32, strided<[1, 4]>>) {
  // expected-error @+1 {{but must be a statically shaped dense tensor or memref}}
  memplan.relu ins(%x : memref<4x8xf32>) outs(%b : memref<4x8xf32, strided<[1, 4]>>)
  return
}

// -----

func.func @rows_that_the_kernel_takes_not(%x: memref<4x8xf32>, %b: memref<4x8xf32, strided<[16, 1]>>) {
  // expected-error @+1 {{output 'output' is 'memref<4x8xf32, strided<[16, 1]>>', but must be dense}}
  memplan.gelu ins(%x : memref<4x8xf32>) outs(%b : memref<4x8xf32, strided<[16, 1]>>)
  return
}

// -----

func.func @channels_apart(%x: memref<2x4x8x8xf32, strided<[512, 128, 8, 1]>>, %w: memref<4x4x1x1xf32>, %b: memref<2x4x8x8xf32>) {
  // expected-error @+1 {{input #0 is 'memref<2x4x8x8xf32, strided<[512, 128, 8, 1]>>', but must be dense within each index of its first dimension}}
  memplan.conv2d ins(%x, %w : memref<2x4x8x8xf32, strided<[512, 128, 8, 1]>>, memref<4x4x1x1xf32>) outs(%b : memref<2x4x8x8xf32>)
  return
}

// -----

func.func @rows_over_each_other(%x: memref<4x8xf32>, %b: memref<4x8xf32, strided<[4, 1]>>) {
  // expected-error @+1 {{but must be a statically shaped dense tensor or memref}}
  memplan.relu ins(%x : memref<4x8xf32>) outs(%b : memref<4x8xf32, strided<[4, 1]>>)
  return
}

// -----

func.func @input_with_gaps(%x: memref<4x8xf32, strided<[1, 4]>>, %b: memref<4x8xf32>) {
  // expected-error @+1 {{must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1}}
  memplan.relu ins(%x : memref<4x8xf32, strided<[1, 4]>>) outs(%b : memref<4x8xf32>)
  return
}

// -----

func.func @dynamic_shape(%x: tensor<?x8xf32>) {
  // expected-error @+1 {{must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<?x8xf32>'}}
  %y = memplan.relu %x : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @empty_dimension(%x: tensor<0x8xf32>) {
  // expected-error @+1 {{must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<0x8xf32>'}}
  %y = memplan.relu %x : (tensor<0x8xf32>) -> tensor<0x8xf32>
  return
}

// -----

func.func @more_bytes_than_can_be_counted(%x: tensor<4611686018427387904x4xf32>) {
  // expected-error @+1 {{must be statically shaped dense f32, bf16 or f16 tensor or memref}}
  %y = memplan.relu %x : (tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32>
  return
}

// -----

func.func @wrong_element_type(%x: tensor<4x8xf64>) {
  // expected-error @+1 {{must be statically shaped dense f32, bf16 or f16 tensor or memref with dimensions of at least 1, but got 'tensor<4x8xf64>'}}
  %y = memplan.relu %x : (tensor<4x8xf64>) -> tensor<4x8xf64>
  return
}

// -----

func.func @labels_of_wrong_type(%x: tensor<4x8xf32>, %l: tensor<4xf32>) {
  // expected-error @+1 {{must be statically shaped dense i64 tensor or memref}}
  %y:2 = memplan.cross_entropy %x, %l : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

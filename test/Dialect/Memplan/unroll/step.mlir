// RUN: memplan-run %s --budget=80%% --steps=2 --check --save-params=%t.loop.safetensors | FileCheck %s
// RUN: memplan-opt %s --inline --symbol-dce --memplan-unroll -o %t.mlir
// RUN: not grep -E "scf|call" %t.mlir
// RUN: memplan-run %t.mlir --steps=2 --save-params=%t.line.safetensors
// RUN: cmp %t.loop.safetensors %t.line.safetensors
// RUN: sed 's/to %%c4 step/to %%n step/; s/%%x: tensor/%%n: index, %%x: tensor/' %s > %t.unknown.mlir
// RUN: not memplan-run %t.unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// A step whose layers are a function called in a loop trains within a budget, to the same bits as the step without loop or call.
// CHECK: check: after each of 2 steps {{.*}} the same in the unplanned run, bit for bit
// UNKNOWN: error: 'scf.for' op has no known trip count: its upper bound is no constant
func.func private @layer(%h: tensor<16x8xf32>, %w: tensor<8x8xf32>) -> tensor<16x8xf32> {
  %0 = memplan.matmul %h, %w : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %1 = memplan.tanh %0 : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = memplan.add %h, %1 : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

func.func @step(%x: tensor<16x8xf32> {memplan.kind = "input", memplan.name = "x"}, %t: tensor<16x8xf32> {memplan.kind = "input", memplan.name = "t"},
                %all: tensor<4x8x8xf32> {memplan.kind = "parameter", memplan.name = "layers", memplan.init = "normal:0.2"})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64, momentum = 0.9 : f64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> (tensor<16x8xf32>) {
    %w = tensor.extract_slice %all[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
    %next = func.call @layer(%h, %w) : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    scf.yield %next : tensor<16x8xf32>
  }
  %loss = memplan.mse_loss %y, %t : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

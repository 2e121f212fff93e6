// RUN: memplan-opt %s --memplan-unroll | FileCheck %s
// RUN: memplan-opt %s --inline --symbol-dce --memplan-unroll -o %t.once
// RUN: memplan-opt %t.once --memplan-unroll | diff %t.once -

// Layers that take their weights from one tensor: slices at constant places, which are views.
// CHECK-LABEL: func.func @layers(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[ALL:.*]]: tensor<2x8x8xf32>
// CHECK-NOT:     scf.for
// CHECK:         %[[S0:.*]] = memplan.slice %[[ALL]] {dim = 0, size = 1, start = 0}
// CHECK-NEXT:    %[[W0:.*]] = memplan.reshape %[[S0]]
// CHECK-NEXT:    %[[H:.*]] = memplan.matmul %[[X]], %[[W0]]
// CHECK:         %[[S1:.*]] = memplan.slice %[[ALL]] {dim = 0, size = 1, start = 1}
// CHECK-NEXT:    %[[W1:.*]] = memplan.reshape %[[S1]]
// CHECK-NEXT:    %[[Y:.*]] = memplan.matmul %[[H]], %[[W1]]
// CHECK-NEXT:    return %[[Y]]
func.func @layers(%x: tensor<4x8xf32>, %all: tensor<2x8x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %x) -> (tensor<4x8xf32>) {
    %w = tensor.extract_slice %all[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<2x8x8xf32> to tensor<8x8xf32>
    %next = memplan.matmul %h, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// A bound that depends on an outer loop is a constant by the time that its loop comes: 1 + 2 + 3 iterations, and the last one exchanges the values.
// CHECK-LABEL: func.func @nested(
// CHECK-COUNT-6: memplan.relu
// CHECK-NOT:     memplan.relu
// CHECK:         return
func.func @nested(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c1 to %c4 step %c1 iter_args(%a = %x, %b = %z) -> (tensor<4xf32>, tensor<4xf32>) {
    %last = arith.addi %i, %c1 : index
    %in = scf.for %j = %c1 to %last step %c1 iter_args(%c = %a) -> (tensor<4xf32>) {
      %next = memplan.relu %c : (tensor<4xf32>) -> tensor<4xf32>
      scf.yield %next : tensor<4xf32>
    }
    scf.yield %b, %in : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// No iteration at all gives what went in; a step that does not divide the range ends below the bound.
// CHECK-LABEL: func.func @counts(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK:         %[[A:.*]] = memplan.tanh %[[X]]
// CHECK-NEXT:    %[[B:.*]] = memplan.tanh %[[A]]
// CHECK-NEXT:    return %[[X]], %[[B]]
func.func @counts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %none = scf.for %i = %c3 to %c0 step %c2 iter_args(%a = %x) -> (tensor<4xf32>) : i32 {
    %next = memplan.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  %two = scf.for %i = %c0 to %c3 step %c2 iter_args(%a = %x) -> (tensor<4xf32>) : i32 {
    %next = memplan.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %none, %two : tensor<4xf32>, tensor<4xf32>
}

// RUN: memplan-opt %s --inline | FileCheck %s

// A step that is written with functions has one body afterwards, since planning looks at one function.
// CHECK-LABEL: func.func @step(
// CHECK-NEXT:    memplan.matmul
// CHECK-NEXT:    memplan.relu
// CHECK-NEXT:    memplan.matmul
// CHECK-NEXT:    memplan.relu
// CHECK-NEXT:    return
func.func @step(%x: tensor<4x8xf32>, %v: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = func.call @layer(%x, %v) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = func.call @layer(%0, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = memplan.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

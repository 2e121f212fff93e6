// RUN: not memplan-opt %s --memplan-chunk-loss=chunks=0 2>&1 | FileCheck %s

// No chunks would be no loss.

// CHECK: memplan-chunk-loss: 'chunks' must be at least 1, but is 0
func.func @step(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}

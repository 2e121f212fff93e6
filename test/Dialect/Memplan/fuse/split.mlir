// RUN: memplan-opt %s --memplan-split | FileCheck %s

// What a backend said of a convolution with its ReLU is not of the convolution alone: a plan would keep scratch that is too small, or name an engine that does not exist.

// CHECK-LABEL: func.func @convolution
// CHECK: %[[C:.*]] = memplan.conv2d %{{[^{]*}} {dilation = [1, 1], groups = 1, padding = [1, 1], strides = [1, 1]} : (
// CHECK: memplan.relu %[[C]] :
func.func @convolution(%x: tensor<2x3x4x4xf32>, %w: tensor<5x3x3x3xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x4xf32> {
  %c = memplan.conv2d %x, %w, %b {memplan.cost = 2.0 : f64, memplan.variant = "cudnn:1", memplan.variants = [{cost = 3.0 : f64, name = "cudnn:2", workspace_bytes = 512 : i64}], padding = [1, 1], relu, workspace_bytes = 256 : i64} : (tensor<2x3x4x4xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>) -> tensor<2x5x4x4xf32>
  return %c : tensor<2x5x4x4xf32>
}

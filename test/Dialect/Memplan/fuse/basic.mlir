// RUN: memplan-opt %s --memplan-fuse -o %t.fused
// RUN: FileCheck %s --input-file=%t.fused
// RUN: memplan-opt %s --memplan-fuse --memplan-fuse -o %t.twice
// RUN: diff %t.fused %t.twice
// RUN: memplan-opt %s --memplan-fuse --memplan-split --memplan-fuse -o %t.again
// RUN: diff %t.fused %t.again
// RUN: memplan-opt %s --memplan-fuse --memplan-split | FileCheck %s --check-prefix=SPLIT

// A linear layer with GELU and its gradients take one operation each; split, they are what they were, and fuse to the same again.

// SPLIT-NOT: memplan.matmul_
// SPLIT-NOT: relu}

// CHECK-LABEL: func.func @linear
// CHECK: %[[H:.*]]:2 = memplan.matmul_gelu %{{.*}} {tf32, transpose_rhs}
// CHECK-NOT: memplan.gelu
// CHECK: memplan.matmul_gelu_grad %{{.*}}, %{{.*}}, %[[H]]#0 {memplan.backward}
// CHECK-NOT: memplan.gelu_grad
// CHECK: return %[[H]]#1
// SPLIT-LABEL: func.func @linear
// SPLIT: %[[H:.*]] = memplan.matmul %{{.*}} {tf32, transpose_rhs}
// SPLIT: memplan.gelu %[[H]] {approximate = "tanh"}
// SPLIT: memplan.matmul %{{.*}} {memplan.backward}
// SPLIT: memplan.gelu_grad %[[H]], {{.*}}memplan.backward
// SPLIT: memplan.reduce_sum %{{.*}} {dims = [0, 1], memplan.backward}
func.func @linear(%x: tensor<2x4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>, %dy: tensor<2x4x6xf32>, %w2: tensor<6x16xf32>)
    -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>, tensor<16xf32>) {
  %h = memplan.matmul %x, %w, %b {tf32, transpose_rhs} : (tensor<2x4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<2x4x16xf32>
  %y = memplan.gelu %h {approximate = "tanh"} : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %dg = memplan.matmul %dy, %w2 {memplan.backward} : (tensor<2x4x6xf32>, tensor<6x16xf32>) -> tensor<2x4x16xf32>
  %dh = memplan.gelu_grad %h, %dg {approximate = "tanh", memplan.backward} : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %db = memplan.reduce_sum %dh {dims = [0, 1], memplan.backward} : (tensor<2x4x16xf32>) -> tensor<16xf32>
  return %y, %dh, %db : tensor<2x4x16xf32>, tensor<2x4x16xf32>, tensor<16xf32>
}

// CHECK-LABEL: func.func @weights
// CHECK: %[[D:.*]]:2 = memplan.matmul_bias_grad %{{.*}}, %{{.*}} {transpose_lhs}
// CHECK-NOT: reduce_sum
// CHECK: return %[[D]]#0, %[[D]]#1
// SPLIT-LABEL: func.func @weights
// SPLIT: memplan.matmul
// SPLIT: memplan.reduce_sum %{{.*}} {dims = [0]}
func.func @weights(%dy: tensor<2x4x6xf32>, %x: tensor<8x8xf32>) -> (tensor<6x8xf32>, tensor<6xf32>) {
  %rows = memplan.reshape %dy {shape = [-1, 6]} : (tensor<2x4x6xf32>) -> tensor<8x6xf32>
  %dw = memplan.matmul %rows, %x {transpose_lhs} : (tensor<8x6xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %db = memplan.reduce_sum %dy {dims = [0, 1]} : (tensor<2x4x6xf32>) -> tensor<6xf32>
  return %dw, %db : tensor<6x8xf32>, tensor<6xf32>
}

// Weights stored [in,out]: the gradient of the output is the right side.

// CHECK-LABEL: func.func @weights_by_input
// CHECK: %[[D:.*]]:2 = memplan.matmul_bias_grad %{{.*}}, %{{.*}} {sum_rhs, transpose_lhs}
// CHECK-NOT: reduce_sum
// CHECK: return %[[D]]#0, %[[D]]#1
// SPLIT-LABEL: func.func @weights_by_input
// SPLIT: memplan.matmul %[[X:.*]], %[[DY:.*]] {transpose_lhs}
// SPLIT: memplan.reduce_sum %[[DY]] {dims = [0]}
func.func @weights_by_input(%dy: tensor<2x4x6xf32>, %x: tensor<8x8xf32>) -> (tensor<8x6xf32>, tensor<6xf32>) {
  %rows = memplan.reshape %dy {shape = [-1, 6]} : (tensor<2x4x6xf32>) -> tensor<8x6xf32>
  %db = memplan.reduce_sum %dy {dims = [0, 1]} : (tensor<2x4x6xf32>) -> tensor<6xf32>
  %dw = memplan.matmul %x, %rows {transpose_lhs} : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %dw, %db : tensor<8x6xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK: %[[C:.*]] = memplan.conv2d {{.*}}relu
// CHECK-NOT: memplan.relu
// CHECK: return %[[C]]
// SPLIT-LABEL: func.func @convolution
// SPLIT: %[[C:.*]] = memplan.conv2d
// SPLIT: memplan.relu %[[C]]
func.func @convolution(%x: tensor<2x3x4x4xf32>, %w: tensor<5x3x1x1xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x4xf32> {
  %c = memplan.conv2d %x, %w, %b : (tensor<2x3x4x4xf32>, tensor<5x3x1x1xf32>, tensor<5xf32>) -> tensor<2x5x4x4xf32>
  %y = memplan.relu %c : (tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %y : tensor<2x5x4x4xf32>
}

// The exact GELU, a product without a bias, a convolution that others read: nothing takes what follows.

// CHECK-LABEL: func.func @apart
// CHECK: memplan.matmul
// CHECK: memplan.gelu
// CHECK: memplan.matmul
// CHECK: memplan.gelu
// CHECK: memplan.conv2d
// CHECK-NOT: relu}
// CHECK: memplan.relu
func.func @apart(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %i: tensor<2x3x4x4xf32>, %f: tensor<5x3x1x1xf32>, %c: tensor<5xf32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) {
  %h = memplan.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %y = memplan.gelu %h : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %h2 = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %y2 = memplan.gelu %h2 {approximate = "tanh"} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %k = memplan.conv2d %i, %f, %c : (tensor<2x3x4x4xf32>, tensor<5x3x1x1xf32>, tensor<5xf32>) -> tensor<2x5x4x4xf32>
  %r = memplan.relu %k : (tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %y, %y2, %k, %r : tensor<4x16xf32>, tensor<4x16xf32>, tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>
}

// A weight is overwritten between the product and the gradient that takes it: the product stays where it was.

// CHECK-LABEL: func.func @updated
// CHECK: memplan.matmul_gelu_grad
// CHECK: memplan.sgd_update
func.func @updated(%h: tensor<4x16xf32>, %dy: tensor<4x6xf32>, %w: tensor<6x16xf32>, %dw: tensor<6x16xf32>) -> (tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>) {
  %dg = memplan.matmul %dy, %w : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
  %w1 = memplan.sgd_update %w, %dw {lr = 0.1} : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %dh = memplan.gelu_grad %h, %dg {approximate = "tanh"} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %db = memplan.reduce_sum %dh {dims = [0]} : (tensor<4x16xf32>) -> tensor<16xf32>
  return %w1, %dh, %db : tensor<6x16xf32>, tensor<4x16xf32>, tensor<16xf32>
}

// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %s --memplan-set-batch=32 -o %t.32
// RUN: FileCheck %s --input-file=%t.32
// RUN: memplan-opt %t.32 --memplan-set-batch=batch=1 -o %t.back
// RUN: diff %t.1 %t.back

// A convolutional step with its backward: every type follows the batch, no attribute does, and setting it back gives the same bytes.
// CHECK-LABEL: func.func @step(
// CHECK-SAME:    tensor<32x3x8x8xf32> {memplan.batch = 0 : i64}
// CHECK-SAME:    tensor<32xi64> {memplan.batch = 0 : i64}
// CHECK-SAME:    tensor<4x3x3x3xf32>, %{{.*}}: tensor<10x64xf32>)
// CHECK-SAME:    -> (tensor<f32>, tensor<4x3x3x3xf32> {memplan.updates = 2 : i64})
// CHECK:         memplan.conv2d {{.*}} -> tensor<32x4x8x8xf32>
// CHECK:         memplan.max_pool2d {{.*}} -> (tensor<32x4x4x4xf32>, tensor<32x4x4x4xi8>)
// CHECK:         memplan.reshape {{.*}} {shape = [-1, 64]} {{.*}} -> tensor<32x64xf32>
// CHECK:         memplan.cross_entropy {{.*}} -> (tensor<f32>, tensor<32xf32>)
// CHECK:         memplan.reshape {{.*}} {memplan.backward, shape = [-1, 4, 4, 4]} {{.*}} -> tensor<32x4x4x4xf32>
// CHECK:         memplan.conv2d_filter_grad {{.*}} -> tensor<4x3x3x3xf32>
func.func @step(%x: tensor<1x3x8x8xf32> {memplan.batch = 0 : i64}, %labels: tensor<1xi64> {memplan.batch = 0 : i64},
                %w: tensor<4x3x3x3xf32>, %v: tensor<10x64xf32>) -> (tensor<f32>, tensor<4x3x3x3xf32> {memplan.updates = 2 : i64}) {
  %c = memplan.conv2d %x, %w {padding = [1, 1]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %p, %i = memplan.max_pool2d %c {kernel = [2, 2], strides = [2, 2]} : (tensor<1x4x8x8xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi8>)
  %r = memplan.reshape %p {shape = [-1, 64]} : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
  %y = memplan.matmul %r, %v {transpose_rhs} : (tensor<1x64xf32>, tensor<10x64xf32>) -> tensor<1x10xf32>
  %loss, %lse = memplan.cross_entropy %y, %labels : (tensor<1x10xf32>, tensor<1xi64>) -> (tensor<f32>, tensor<1xf32>)
  %one = memplan.constant {memplan.backward, value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dy = memplan.cross_entropy_grad %y, %labels, %lse, %one {memplan.backward} : (tensor<1x10xf32>, tensor<1xi64>, tensor<1xf32>, tensor<f32>) -> tensor<1x10xf32>
  %dr = memplan.matmul %dy, %v {memplan.backward} : (tensor<1x10xf32>, tensor<10x64xf32>) -> tensor<1x64xf32>
  %dp = memplan.reshape %dr {memplan.backward, shape = [-1, 4, 4, 4]} : (tensor<1x64xf32>) -> tensor<1x4x4x4xf32>
  %dc = memplan.max_pool2d_grad %dp, %i {input_size = [8, 8], kernel = [2, 2], memplan.backward, strides = [2, 2]} : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi8>) -> tensor<1x4x8x8xf32>
  %dw = memplan.conv2d_filter_grad %x, %dc {kernel = [3, 3], memplan.backward, padding = [1, 1]} : (tensor<1x3x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<4x3x3x3xf32>
  %w1 = memplan.sgd_update %w, %dw {lr = 0.1, memplan.backward} : (tensor<4x3x3x3xf32>, tensor<4x3x3x3xf32>) -> tensor<4x3x3x3xf32>
  return %loss, %w1 : tensor<f32>, tensor<4x3x3x3xf32>
}

// A -1 may hold more than the batch: heads are split off and rows are joined.
// CHECK-LABEL: func.func @attention(
// CHECK:         memplan.reshape {{.*}} {shape = [-1, 16, 4, 8]} {{.*}} -> tensor<32x16x4x8xf32>
// CHECK:         memplan.transpose {{.*}} -> tensor<32x4x16x8xf32>
// CHECK:         memplan.matmul {{.*}} -> tensor<32x4x16x16xf32>
// CHECK:         memplan.reshape {{.*}} {shape = [-1, 32]} {{.*}} -> tensor<512x32xf32>
func.func @attention(%x: tensor<1x16x32xf32> {memplan.batch = 0 : i64}) -> (tensor<1x4x16x16xf32>, tensor<16x32xf32>) {
  %h = memplan.reshape %x {shape = [-1, 16, 4, 8]} : (tensor<1x16x32xf32>) -> tensor<1x16x4x8xf32>
  %q = memplan.transpose %h {perm = [0, 2, 1, 3]} : (tensor<1x16x4x8xf32>) -> tensor<1x4x16x8xf32>
  %s = memplan.matmul %q, %q {transpose_rhs} : (tensor<1x4x16x8xf32>, tensor<1x4x16x8xf32>) -> tensor<1x4x16x16xf32>
  %rows = memplan.reshape %x {shape = [-1, 32]} : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
  return %s, %rows : tensor<1x4x16x16xf32>, tensor<16x32xf32>
}

// Rows that were joined are taken apart again, whatever happened to them meanwhile.
// CHECK-LABEL: func.func @joined_rows(
// CHECK:         memplan.reshape {{.*}} -> tensor<96x4xf32>
// CHECK:         memplan.relu {{.*}} -> tensor<96x4xf32>
// CHECK:         memplan.reshape {{.*}} {shape = [-1, 3, 4]} {{.*}} -> tensor<32x3x4xf32>
func.func @joined_rows(%x: tensor<1x3x4xf32> {memplan.batch = 0 : i64}) -> tensor<1x3x4xf32> {
  %0 = memplan.reshape %x {shape = [-1, 4]} : (tensor<1x3x4xf32>) -> tensor<3x4xf32>
  %1 = memplan.relu %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = memplan.reshape %1 {shape = [-1, 3, 4]} : (tensor<3x4xf32>) -> tensor<1x3x4xf32>
  return %2 : tensor<1x3x4xf32>
}

// A function without a marked argument stays as it is.
// CHECK-LABEL: func.func @unmarked(%{{.*}}: tensor<1x4xf32>) -> tensor<1x4xf32>
func.func @unmarked(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  return %x : tensor<1x4xf32>
}

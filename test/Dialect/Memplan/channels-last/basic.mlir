// RUN: memplan-opt %s --memplan-channels-last --split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-channels-last --memplan-channels-last --split-input-file -o %t.twice
// RUN: memplan-opt %s --memplan-channels-last --split-input-file -o %t.once
// RUN: diff %t.once %t.twice

// What lies between two convolutions keeps the layout, so that no copy is made there; an image of few users is copied once.

// CHECK-LABEL: func.func @between
// CHECK: %[[X:.*]] = memplan.transpose %{{.*}} {perm = [0, 2, 3, 1]} : (tensor<2x3x8x8xf32>) -> tensor<2x8x8x3xf32>
// CHECK: memplan.reshape %{{.*}} {shape = [-1, 1, 1, 3]} : (tensor<4x3x1x1xf32>) -> tensor<4x1x1x3xf32>
// CHECK: memplan.conv2d %[[X]], %{{.*}}channels_last{{.*}} -> tensor<2x8x8x4xf32>
// CHECK: memplan.reshape %{{.*}} {shape = [-1, 4]} : (tensor<2x8x8x4xf32>) -> tensor<128x4xf32>
// CHECK: memplan.batch_norm {{.*}}tensor<128x4xf32>
// CHECK: memplan.reshape %{{.*}} {shape = [-1, 8, 8, 4]}
// CHECK-NOT: transpose
// CHECK: memplan.relu %{{.*}} : (tensor<2x8x8x4xf32>)
// CHECK: memplan.max_pool2d {{.*}}channels_last{{.*}}tensor<2x4x4x4xi8>
// CHECK: memplan.concat {{.*}}dim = 3
// CHECK: memplan.transpose %{{.*}} {perm = [0, 2, 3, 1]} : (tensor<5x8x3x3xf32>)
// CHECK: memplan.conv2d {{.*}} -> tensor<2x4x4x5xf32>
// CHECK: memplan.reduce_sum %{{.*}} {dims = [0, 1, 2]}
// CHECK: memplan.adaptive_avg_pool2d {{.*}}channels_last{{.*}} -> tensor<2x1x1x5xf32>
// CHECK: %[[OUT:.*]] = memplan.reshape %{{.*}} {shape = [-1, 5, 1, 1]}
// CHECK: return %[[OUT]]
func.func @between(%x: tensor<2x3x8x8xf32>, %w1: tensor<4x3x1x1xf32>, %w2: tensor<5x8x3x3xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>)
    -> (tensor<2x5x1x1xf32>, tensor<5xf32>) {
  %c = memplan.conv2d %x, %w1 : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x8x8xf32>
  %n, %m, %s, %v = memplan.batch_norm %c, %g, %b : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r = memplan.relu %n : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p, %i = memplan.max_pool2d %r {kernel = [2, 2], strides = [2, 2]} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi8>)
  %k = memplan.concat %p, %p {dim = 1} : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x8x4x4xf32>
  %d = memplan.conv2d %k, %w2 {padding = [1, 1]} : (tensor<2x8x4x4xf32>, tensor<5x8x3x3xf32>) -> tensor<2x5x4x4xf32>
  %t = memplan.reduce_sum %d {dims = [0, 2, 3]} : (tensor<2x5x4x4xf32>) -> tensor<5xf32>
  %a = memplan.adaptive_avg_pool2d %d {output_size = [1, 1]} : (tensor<2x5x4x4xf32>) -> tensor<2x5x1x1xf32>
  return %a, %t : tensor<2x5x1x1xf32>, tensor<5xf32>
}

// -----

// A dropout counts elements, and a reduction to [N,C,W] would come as [N,W,C]: both read [N,C,H,W], from one copy.

// CHECK-LABEL: func.func @stay
// CHECK: memplan.conv2d
// CHECK: %[[FIRST:.*]] = memplan.transpose %{{.*}} {perm = [0, 3, 1, 2]}
// CHECK: memplan.dropout %[[FIRST]]
// CHECK: memplan.reduce_sum %[[FIRST]] {dims = [2]}
// CHECK-NOT: transpose
func.func @stay(%x: tensor<2x8x8x8xf32>, %w: tensor<4x8x1x1xf32>, %seed: tensor<1xi64>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8xf32>) {
  %c = memplan.conv2d %x, %w : (tensor<2x8x8x8xf32>, tensor<4x8x1x1xf32>) -> tensor<2x4x8x8xf32>
  %d = memplan.dropout %c, %seed {p = 0.5, salt = 1} : (tensor<2x4x8x8xf32>, tensor<1xi64>) -> tensor<2x4x8x8xf32>
  %s = memplan.reduce_sum %c {dims = [2]} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8xf32>
  return %d, %s : tensor<2x4x8x8xf32>, tensor<2x4x8xf32>
}

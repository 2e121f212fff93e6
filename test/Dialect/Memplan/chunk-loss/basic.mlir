// RUN: memplan-opt %s --memplan-chunk-loss=chunks=3 -split-input-file -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --memplan-chunk-loss=chunks=1 -split-input-file -o %t.same
// RUN: memplan-opt %s -split-input-file -o %t.before
// RUN: diff %t.before %t.same

// Without the order of a chunk all logits would be in memory again: those of a chunk have their gradient, and the products of it, before the next logits are there.
// Chunks have sums, since one chunk may have no row that counts; what is divided by is the number of rows that count in all of them.

// CHECK-LABEL: func.func @head
// CHECK-SAME: %[[H:[^:]*]]: tensor<2x4x5xf32>, %[[W:[^:]*]]: tensor<6x5xf32>, %[[B:[^:]*]]: tensor<6xf32>, %[[L:[^:]*]]: tensor<8xi64>
// CHECK: %[[ONE:.*]] = memplan.constant {memplan.backward
// CHECK: %[[EVERY:.*]] = memplan.map %[[L]] {element = "f32", expression = "x0 -100 ne", shape = []} : (tensor<8xi64>) -> tensor<8xf32>
// CHECK: %[[N:.*]] = memplan.reduce_sum %[[EVERY]] {dims = [0]}
// CHECK: %[[DL:.*]] = memplan.map %[[ONE]], %[[N]] {element = "f32", expression = "x0 x1 div", memplan.backward, shape = []}
// CHECK: %[[ROWS:.*]] = memplan.reshape %[[H]]
// CHECK: %[[H0:.*]] = memplan.slice %[[ROWS]] {dim = 0, size = 2, start = 0}
// CHECK: %[[Z0:.*]] = memplan.matmul %[[H0]], %[[W]], %[[B]] {transpose_rhs} : {{.*}} -> tensor<2x6xf32>
// CHECK: %[[LABELS0:.*]] = memplan.slice %[[L]] {dim = 0, size = 2, start = 0}
// CHECK: %[[L0:.*]]:2 = memplan.cross_entropy %[[Z0]], %[[LABELS0]] {ignore_index = -100, sum} : (tensor<2x6xf32>
// CHECK: %[[DZ0:.*]] = memplan.cross_entropy_grad %[[Z0]], %[[LABELS0]], %[[L0]]#1, %[[DL]] {ignore_index = -100, memplan.backward, sum}
// CHECK: %[[DW0:.*]] = memplan.matmul %[[DZ0]], %{{.*}} {memplan.backward, transpose_lhs} : {{.*}} -> tensor<6x5xf32>
// CHECK: %[[DB0:.*]] = memplan.reduce_sum %[[DZ0]] {dims = [0], memplan.backward} : (tensor<2x6xf32>) -> tensor<6xf32>
// CHECK: %[[DH0:.*]] = memplan.matmul %[[DZ0]], %[[W]] {memplan.backward} : {{.*}} -> tensor<2x5xf32>
// CHECK: memplan.slice {{.*}} {dim = 0, size = 3, start = 2}
// CHECK: memplan.cross_entropy
// CHECK: memplan.accumulate %[[L0]]#0,
// CHECK: memplan.cross_entropy_grad
// CHECK: %[[DW1:.*]] = memplan.accumulate %[[DW0]]
// CHECK: memplan.accumulate %[[DB0]]
// CHECK: memplan.slice {{.*}} {dim = 0, size = 3, start = 5}
// CHECK: %[[SUM:.*]] = memplan.accumulate
// CHECK: %[[DW2:.*]] = memplan.accumulate %[[DW1]]
// CHECK: %[[LOSS:.*]] = memplan.map %[[SUM]], %[[N]] {element = "f32", expression = "x0 x1 div", shape = []}
// CHECK: %[[DH:.*]] = memplan.concat %[[DH0]], %{{.*}}, %{{.*}} {dim = 0, memplan.backward}
// CHECK: %[[DX:.*]] = memplan.reshape %[[DH]] {{.*}} -> tensor<2x4x5xf32>
// CHECK-NOT: memplan.cross_entropy
// CHECK: return %[[LOSS]], %[[DW2]], %{{.*}}, %[[DX]]
func.func @head(%h: tensor<2x4x5xf32>, %w: tensor<6x5xf32>, %b: tensor<6xf32>, %labels: tensor<8xi64>)
    -> (tensor<f32>, tensor<6x5xf32>, tensor<6xf32>, tensor<2x4x5xf32>) {
  %z = memplan.matmul %h, %w, %b {transpose_rhs} : (tensor<2x4x5xf32>, tensor<6x5xf32>, tensor<6xf32>) -> tensor<2x4x6xf32>
  %rows = memplan.reshape %z {shape = [8, 6]} : (tensor<2x4x6xf32>) -> tensor<8x6xf32>
  %loss, %lse = memplan.cross_entropy %rows, %labels : (tensor<8x6xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>)
  %one = memplan.constant {memplan.backward, value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dz = memplan.cross_entropy_grad %rows, %labels, %lse, %one {memplan.backward} : (tensor<8x6xf32>, tensor<8xi64>, tensor<8xf32>, tensor<f32>) -> tensor<8x6xf32>
  %x = memplan.reshape %h {memplan.backward, shape = [8, 5]} : (tensor<2x4x5xf32>) -> tensor<8x5xf32>
  %dw = memplan.matmul %dz, %x {memplan.backward, transpose_lhs} : (tensor<8x6xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %dt = memplan.reshape %dz {memplan.backward, shape = [2, 4, 6]} : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
  %db = memplan.reduce_sum %dt {dims = [0, 1], memplan.backward} : (tensor<2x4x6xf32>) -> tensor<6xf32>
  %dh = memplan.matmul %dt, %w {memplan.backward} : (tensor<2x4x6xf32>, tensor<6x5xf32>) -> tensor<2x4x5xf32>
  return %loss, %dw, %db, %dh : tensor<f32>, tensor<6x5xf32>, tensor<6xf32>, tensor<2x4x5xf32>
}

// -----

// In 16 bits the loss and the sums over chunks are f32 and are rounded once. Weights lie [in,out]; a sum has no rows to count.

// CHECK-LABEL: func.func @halves
// CHECK-NOT: "x0 -100 ne"
// CHECK: memplan.cross_entropy {{.*}} {ignore_index = -100, sum, wide_loss} : (tensor<2x6xbf16>, tensor<2xi64>) -> (tensor<f32>, tensor<2xf32>)
// CHECK: %[[DW:.*]] = memplan.matmul %{{.*}}, %{{.*}} {memplan.backward, transpose_lhs} : (tensor<2x5xbf16>, tensor<2x6xbf16>) -> tensor<5x6xbf16>
// CHECK: memplan.cast %[[DW]] {element = "f32", memplan.backward}
// CHECK: %[[SUM:.*]] = memplan.accumulate {{.*}} -> tensor<f32>
// CHECK: memplan.accumulate {{.*}} -> tensor<5x6xf32>
// CHECK: memplan.map %{{.*}} {element = "bf16", expression = "x0", shape = []} : (tensor<f32>) -> tensor<bf16>
// CHECK: memplan.cast {{.*}} {element = "bf16", memplan.backward} : (tensor<5x6xf32>) -> tensor<5x6xbf16>
func.func @halves(%h: tensor<8x5xbf16>, %w: tensor<5x6xbf16>, %labels: tensor<8xi64>, %dl: tensor<bf16>) -> (tensor<bf16>, tensor<5x6xbf16>) {
  %z = memplan.matmul %h, %w : (tensor<8x5xbf16>, tensor<5x6xbf16>) -> tensor<8x6xbf16>
  %loss, %lse = memplan.cross_entropy %z, %labels {sum} : (tensor<8x6xbf16>, tensor<8xi64>) -> (tensor<bf16>, tensor<8xf32>)
  %dz = memplan.cross_entropy_grad %z, %labels, %lse, %dl {memplan.backward, sum} : (tensor<8x6xbf16>, tensor<8xi64>, tensor<8xf32>, tensor<bf16>) -> tensor<8x6xbf16>
  %dw = memplan.matmul %h, %dz {memplan.backward, transpose_lhs} : (tensor<8x5xbf16>, tensor<8x6xbf16>) -> tensor<5x6xbf16>
  return %loss, %dw : tensor<bf16>, tensor<5x6xbf16>
}

// -----

// Something else reads the logits, so that they must be there as a whole.

// CHECK-LABEL: func.func @read
// CHECK: memplan.cross_entropy {{.*}}tensor<8x6xf32>
// expected-warning @+1 {{memplan-chunk-loss finds no cross entropy whose logits are a product that nothing but the loss and its gradient reads}}
func.func @read(%h: tensor<8x5xf32>, %w: tensor<5x6xf32>, %labels: tensor<8xi64>, %dl: tensor<f32>) -> (tensor<f32>, tensor<8x6xf32>, tensor<8x6xf32>) {
  %z = memplan.matmul %h, %w : (tensor<8x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  %loss, %lse = memplan.cross_entropy %z, %labels : (tensor<8x6xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>)
  %dz = memplan.cross_entropy_grad %z, %labels, %lse, %dl : (tensor<8x6xf32>, tensor<8xi64>, tensor<8xf32>, tensor<f32>) -> tensor<8x6xf32>
  return %loss, %z, %dz : tensor<f32>, tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// The gradient of the loss depends on the loss: no gradient can be computed before all rows are known.

// CHECK-LABEL: func.func @squared
// CHECK: memplan.cross_entropy {{.*}}tensor<8x6xf32>
// expected-warning @+1 {{memplan-chunk-loss finds no cross entropy}}
func.func @squared(%h: tensor<8x5xf32>, %w: tensor<5x6xf32>, %labels: tensor<8xi64>) -> (tensor<f32>, tensor<5x6xf32>) {
  %z = memplan.matmul %h, %w : (tensor<8x5xf32>, tensor<5x6xf32>) -> tensor<8x6xf32>
  %loss, %lse = memplan.cross_entropy %z, %labels : (tensor<8x6xf32>, tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>)
  %dl = memplan.scale %loss {factor = 2.0} : (tensor<f32>) -> tensor<f32>
  %dz = memplan.cross_entropy_grad %z, %labels, %lse, %dl : (tensor<8x6xf32>, tensor<8xi64>, tensor<8xf32>, tensor<f32>) -> tensor<8x6xf32>
  %dw = memplan.matmul %h, %dz {transpose_lhs} : (tensor<8x5xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  return %loss, %dw : tensor<f32>, tensor<5x6xf32>
}

// RUN: memplan-opt %s --memplan-emit-graph -o %t.mlir | FileCheck %s

// A graph that lost a kind, a view, an in-place pair or a write would be planned wrongly.
// CHECK: "name": "step", "fixed_bytes": 64
// CHECK: {"id": 0, "bytes": 128, "kind": "input", "name": "x"}
// CHECK: {"id": 1, "bytes": 512, "kind": "parameter", "name": "w"}
// CHECK: {"id": 2, "bytes": 256, "kind": "input"}
// CHECK: {"id": 3, "bytes": 256, "kind": "activation"}
// CHECK: {"id": 4, "view_of": 3, "kind": "activation"}
// CHECK: {"id": 5, "bytes": 256, "kind": "activation"}
// CHECK: {"id": 6, "view_of": 5, "kind": "activation"}
// CHECK: {"id": 7, "bytes": 4, "kind": "output", "name": "loss"}
// CHECK: {"id": 8, "bytes": 4, "kind": "activation"}
// CHECK: {"id": 9, "bytes": 256, "kind": "gradient"}
// CHECK: {"id": 10, "bytes": 512, "kind": "gradient"}

// The cost of a node is the roofline's: 2 * 4 * 8 * 16 flops and 896 bytes are 896 / 0.9e6 microseconds.
// CHECK: {"id": 0, "name": "memplan.matmul", "cost": 0.000995555555{{[0-9]*}}, "inputs": [0, 1], "outputs": [3], "flops": 1024, "bytes_moved": 896}
// CHECK: {"id": 1, "name": "memplan.reshape", "cost": 0, "inputs": [3], "outputs": [4]}
// A view that covers its source may be overwritten; the source has no other user here.
// CHECK: {"id": 2, "name": "memplan.gelu", {{.*}}"inputs": [4], "outputs": [5], "in_place": {{\[\[}}5, 4]]
// CHECK: {"id": 4, "name": "memplan.mse_loss"
// CHECK: {"id": 5, "name": "memplan.constant", {{.*}}"inputs": [], "outputs": [8]
// CHECK: {"id": 6, "name": "memplan.mse_loss_grad", {{.*}}"backward": true
// CHECK: {"id": 7, "name": "memplan.matmul"
// The update has no output of its own.
// CHECK: {"id": 8, "name": "memplan.sgd_update", {{.*}}"inputs": [1, 10], "outputs": [], "writes": [1], "recompute": false, "backward": true
func.func @step(%x: tensor<4x8xf32> {memplan.kind = "input", memplan.name = "x"},
                %w: tensor<8x16xf32> {memplan.kind = "parameter", memplan.name = "w"},
                %t: tensor<4x16xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}, tensor<8x16xf32> {memplan.updates = 1 : i64})
    attributes {memplan.fixed_bytes = 64 : i64} {
  %h = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %r = memplan.reshape %h {shape = [-1, 8, 2]} : (tensor<4x16xf32>) -> tensor<4x8x2xf32>
  %z = memplan.gelu %r : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  %unused = memplan.relu %z : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  %y = memplan.reshape %z {shape = [-1, 16]} : (tensor<4x8x2xf32>) -> tensor<4x16xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<f32>
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %dy = memplan.mse_loss_grad %y, %t, %one {memplan.backward} : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
  %dw = memplan.matmul %x, %dy {transpose_lhs, memplan.backward} : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %w1 = memplan.sgd_update %w, %dw {lr = 0.1, memplan.backward} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %loss, %w1 : tensor<f32>, tensor<8x16xf32>
}

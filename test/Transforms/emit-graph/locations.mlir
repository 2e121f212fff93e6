// RUN: memplan-opt %s --memplan-autodiff=gradients=true --memplan-emit-graph -o %t.mlir | FileCheck %s

// Scopes of TFLMS are chosen by where nodes come from; a graph file without that chooses nothing.
// CHECK: "name": "memplan.tanh", {{.*}}"locations": ["encoder/tanh"]
// A call stands below its caller.
// CHECK: "name": "memplan.relu", {{.*}}"locations": ["block1/relu"]
// A fused operation stands at several places, each of them named once; a position in a text is no scope.
// CHECK: "name": "memplan.mul", {{.*}}"locations": ["a", "b"]
// Where nothing is said, there is no key.
// CHECK: {"id": {{[0-9]+}}, "name": "memplan.gelu"
// CHECK-NOT: "locations"
// CHECK-SAME: }
// CHECK: "name": "memplan.mse_loss"
// What autodiff makes is where its operation is.
// CHECK: "name": "memplan.tanh_grad", {{.*}}"backward": true, "locations": ["encoder/tanh"]
func.func @step(%x: tensor<4xf32> {memplan.kind = "parameter"}, %t: tensor<4xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) {
  %0 = memplan.tanh %x : (tensor<4xf32>) -> tensor<4xf32> loc("encoder/tanh"("model.py":3:1))
  %1 = memplan.relu %0 : (tensor<4xf32>) -> tensor<4xf32> loc(callsite("relu" at "block1"))
  %2 = memplan.mul %1, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(fused["a", "b", "a", "model.py":5:1])
  %3 = memplan.gelu %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = memplan.mse_loss %3, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %4 : tensor<f32>
}

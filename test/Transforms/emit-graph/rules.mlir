// RUN: split-file %s %t
// RUN: memplan-opt %t/split.mlir --memplan-emit-graph -o /dev/null | FileCheck %t/split.mlir
// RUN: memplan-opt %t/opaque.mlir --memplan-emit-graph -o /dev/null | FileCheck %t/opaque.mlir
// RUN: memplan-opt %t/versions.mlir --memplan-emit-graph -o /dev/null | FileCheck %t/versions.mlir
// RUN: memplan-opt %t/runs.mlir --memplan-emit-graph -o /dev/null | FileCheck %t/runs.mlir

//--- split.mlir
// Parts of a value must keep the whole alive and must not be overwritten in place: the other part may still be read.
// CHECK: {"id": 1, "bytes": 64, "kind": "output"}
// CHECK: {"id": 2, "view_of": 1, "kind": "activation"}
// CHECK: {"id": 3, "view_of": 1, "kind": "output"}
// CHECK: "name": "memplan.relu", {{.*}}"inputs": [2], "outputs": [4], "flops"
func.func @split(%x: tensor<1x16xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>) {
  %0 = memplan.gelu %x : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %a, %b = memplan.split %0 {dim = 1, sizes = [8, 8]} : (tensor<1x16xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>)
  %c = memplan.relu %a : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %b, %c : tensor<1x8xf32>, tensor<1x8xf32>
}

//--- opaque.mlir
// An operation whose effects nobody knows must run once and keep its place; a declared cost must be used.
// CHECK: "name": "my.read", "cost": 7.5, {{.*}}"recompute": false, {{.*}}"opaque": true
// CHECK: "name": "my.scale", "cost": 12.5, {{.*}}"in_place": {{\[\[}}2, 1]]
// CHECK: "name": "tensor.bitcast", {{.*}}"recompute": false, {{.*}}"opaque": true
func.func @opaque(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = memplan.opaque %x {cost = 7.5, effects = "unknown", kernel = "my.read"} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = memplan.opaque %0 {cost = 12.5, in_place = [0, 0], kernel = "my.scale"} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = tensor.bitcast %1 : tensor<16xf32> to tensor<16xf32>
  return %2 : tensor<16xf32>
}

//--- versions.mlir
// The step counter is read in its new version; both versions are one tensor.
// CHECK: {"id": 0, "name": "memplan.increment", {{.*}}"inputs": [0], "outputs": [], "writes": [0]
// CHECK: {"id": 1, "name": "memplan.adam_update", {{.*}}"inputs": [1, 2, 3, 0, 4], "outputs": [], "writes": [1, 2, 3]
func.func @versions(%t: tensor<1xi64> {memplan.kind = "state"}, %p: tensor<4xf32> {memplan.kind = "parameter"},
                    %m: tensor<4xf32> {memplan.kind = "state"}, %v: tensor<4xf32> {memplan.kind = "state"}, %g: tensor<4xf32>)
    -> (tensor<1xi64> {memplan.updates = 0 : i64}, tensor<4xf32> {memplan.updates = 1 : i64},
        tensor<4xf32> {memplan.updates = 2 : i64}, tensor<4xf32> {memplan.updates = 3 : i64}) {
  %t1 = memplan.increment %t : (tensor<1xi64>) -> tensor<1xi64>
  %p1, %m1, %v1 = memplan.adam_update %p, %m, %v, %t1, %g {lr = 0.1}
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1xi64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %t1, %p1, %m1, %v1 : tensor<1xi64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- runs.mlir
// Runs of one node must not become nodes of their own, whatever their order: the graph stays that of the source.
// CHECK: "nodes": [
// CHECK-NEXT: {"id": 0, "name": "memplan.relu"
// CHECK-NEXT: {"id": 1, "name": "memplan.gelu"
// CHECK-NEXT: {"id": 2, "name": "memplan.tanh"
// CHECK-NEXT: {"id": 3, "name": "memplan.add", {{.*}}"inputs": [2, 3], {{.*}}]}
func.func @runs(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = memplan.relu %x {memplan.node = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = memplan.tanh %0 {memplan.node = 2 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %3 = memplan.relu %x {memplan.node = 0 : i64, run = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = memplan.gelu %3 {memplan.node = 1 : i64} : (tensor<16xf32>) -> tensor<16xf32>
  %4 = memplan.add %1, %2 {memplan.node = 3 : i64} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}

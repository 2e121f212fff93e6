// RUN: memplan-opt %s --memplan-naive-plan | FileCheck %s
// RUN: memplan-opt %s --memplan-naive-plan --canonicalize --cse --memplan-verify-plan | FileCheck %s

// Were two values of the unplanned program to share bytes, comparing a planned run with it would prove nothing.
// CHECK-LABEL: func.func @values(
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<1024xi8> {memplan.alignment = 256 : i64, memplan.arena}
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<64xf32>
// CHECK-SAME: -> memref<8x8xf32>
// CHECK-SAME: memplan.arena_bytes = 1024 : i64
// CHECK-SAME: memplan.planned
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK-DAG: %[[C768:.*]] = arith.constant 768 : index
// CHECK: %[[V0:.*]] = memref.view %[[ARENA]][%[[C0]]][]
// CHECK: memplan.relu ins(%[[X]] : memref<64xf32>) outs(%[[V0]] : memref<64xf32>) {memplan.node = 0}
// CHECK: %[[V1:.*]] = memref.view %[[ARENA]][%[[C256]]][]
// CHECK: %[[W:.*]] = memref.view %[[ARENA]][%[[C512]]][] : memref<1024xi8> to memref<100xi8>
// CHECK: memplan.tanh ins(%[[V0]] : memref<64xf32>) outs(%[[V1]] : memref<64xf32>) workspace(%[[W]] : memref<100xi8>) {memplan.node = 1}
// CHECK: %[[V2:.*]] = memref.view %[[ARENA]][%[[C768]]][]
// CHECK: memplan.gelu ins(%[[V1]] : memref<64xf32>) outs(%[[V2]] : memref<64xf32>)
// The reshape is an address.
// CHECK: %[[R:.*]] = memref.view %[[ARENA]][%[[C768]]][] : memref<1024xi8> to memref<8x8xf32>
// CHECK: return %[[R]] : memref<8x8xf32>
func.func @values(%x: tensor<64xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 {workspace_bytes = 100 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.gelu %1 : (tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.reshape %2 {shape = [8, 8]} : (tensor<64xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// Views of arguments are casts of the argument, and an update writes into its argument.
// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<256xi8>
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x64xf32>
// CHECK-SAME: %[[P:[a-z0-9]+]]: memref<32xf32> {memplan.kind = "parameter"}
// CHECK: %[[CAST:.*]] = memref.reinterpret_cast %[[X]] to offset: [32], sizes: [1, 32], strides: [32, 1] : memref<1x64xf32> to memref<1x32xf32, strided<[32, 1], offset: 32>>
// CHECK: memplan.relu ins(%[[CAST]] : memref<1x32xf32, strided<[32, 1], offset: 32>>)
// CHECK: memplan.sgd_update ins(%[[P]], %{{.*}}) outs(%[[P]] : memref<32xf32>)
func.func @arguments(%x: tensor<1x64xf32>, %p: tensor<32xf32> {memplan.kind = "parameter"}) -> (tensor<32xf32> {memplan.updates = 1 : i64}) {
  %0, %1 = memplan.split %x {dim = 1, sizes = [32, 32]} : (tensor<1x64xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>)
  %2 = memplan.relu %1 : (tensor<1x32xf32>) -> tensor<1x32xf32>
  %3 = memplan.reshape %2 {shape = [32]} : (tensor<1x32xf32>) -> tensor<32xf32>
  %4 = memplan.sgd_update %p, %3 {lr = 0.1} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %4 : tensor<32xf32>
}

// RUN: memplan-opt %s --canonicalize --cse --canonicalize --cse | FileCheck %s

// General cleaning may run between any two passes. It must never undo a plan.

// Equal runs of one operation are one; another run stays. So does a recomputation of a constant.
// CHECK-LABEL: func.func @recomputations_stay(
// CHECK-NEXT:    memplan.relu %{{.*}} : (
// CHECK-NEXT:    memplan.relu {{.*}} {run = 1}
// CHECK-NEXT:    memplan.relu {{.*}} {run = 2}
// CHECK-NEXT:    memplan.constant {value
// CHECK-NEXT:    memplan.constant {run = 1, value
// CHECK-NEXT:    memplan.dropout %{{.*}} {p = 5.000000e-01, salt = 1}
// CHECK-NEXT:    memplan.dropout %{{.*}} {p = 5.000000e-01, run = 1, salt = 1}
// CHECK-NEXT:    return
func.func @recomputations_stay(%x: tensor<4xf32>, %seed: tensor<1xi64>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = memplan.relu %x {run = 1} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = memplan.relu %x {run = 2} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %5 = memplan.constant {run = 1, value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %6 = memplan.dropout %x, %seed {p = 0.5, salt = 1} : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
  %7 = memplan.dropout %x, %seed {p = 0.5, run = 1, salt = 1} : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

// In tensor form an operation whose results nothing reads is dead.
// CHECK-LABEL: func.func @dead_tensor_form_goes(
// CHECK-NEXT:    return
func.func @dead_tensor_form_goes(%x: tensor<4xf32>, %n: tensor<1xi64>) {
  %0 = memplan.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.increment %n : (tensor<1xi64>) -> tensor<1xi64>
  %2 = memplan.opaque %x {kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// In memref form every operation writes: equal ones stay both, in order, also where nothing seems to read.
// CHECK-LABEL: func.func @memref_form_stays(
// CHECK-NEXT:    memplan.iota outs
// CHECK-NEXT:    memplan.relu ins(%[[A:.*]] : memref<4xf32>) outs(%[[B:.*]] : memref<4xf32>)
// CHECK-NEXT:    memplan.relu ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT:    memplan.reshape ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT:    memplan.scale ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
// CHECK-NEXT:    memplan.increment
// CHECK-NEXT:    return
func.func @memref_form_stays(%a: memref<4xf32>, %b: memref<4xf32>, %i: memref<4xi64>, %n: memref<1xi64>) {
  memplan.iota outs(%i : memref<4xi64>) {size = 4}
  memplan.relu ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  memplan.relu ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  memplan.reshape ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {shape = [4]}
  memplan.scale ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {factor = 1.0}
  memplan.increment ins(%n : memref<1xi64>) outs(%n : memref<1xi64>)
  return
}

// Effects that are not known keep an operation alive, in both forms, and apart from its equal.
// CHECK-LABEL: func.func @unknown_effects_stay(
// CHECK-NEXT:    memplan.opaque
// CHECK-NEXT:    memplan.opaque
// CHECK-NEXT:    return
func.func @unknown_effects_stay(%x: tensor<4xf32>) {
  %0 = memplan.opaque %x {effects = "unknown", kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = memplan.opaque %x {effects = "unknown", kernel = "k"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// Copies, events and waits order what other queues do, which no operand says. They stay, equal ones too, in their order, and
// nothing that touches memory moves across.
// CHECK-LABEL: func.func @queues_stay(
// CHECK-NEXT:    memplan.relu
// CHECK-NEXT:    memplan.record{{$}}
// CHECK-NEXT:    %[[FIRST:.*]] = memplan.record{{$}}
// CHECK-NEXT:    memplan.evict
// CHECK-NEXT:    %[[GONE:.*]] = memplan.evict
// CHECK-NEXT:    memplan.wait %[[FIRST]] on stream 1
// CHECK-NEXT:    memplan.wait %[[FIRST]] on stream 1
// CHECK-NEXT:    memplan.relu {{.*}} {memplan.stream = 1}
// CHECK-NEXT:    memplan.wait %[[GONE]]
// CHECK-NEXT:    memplan.fetch
// CHECK-NEXT:    memplan.fetch
// CHECK-NEXT:    return
func.func @queues_stay(%a: memref<4xf32>, %b: memref<4xf32>, %h: memref<4xf32, #memplan.host>) {
  memplan.relu ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  %0 = memplan.record
  %1 = memplan.record
  %2 = memplan.evict %b to %h : memref<4xf32> to memref<4xf32, #memplan.host>
  %3 = memplan.evict %b to %h : memref<4xf32> to memref<4xf32, #memplan.host>
  memplan.wait %1 on stream 1
  memplan.wait %1 on stream 1
  memplan.relu ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {memplan.stream = 1 : i64}
  memplan.wait %3
  %4 = memplan.fetch %h to %b : memref<4xf32, #memplan.host> to memref<4xf32>
  %5 = memplan.fetch %h to %b : memref<4xf32, #memplan.host> to memref<4xf32>
  return
}

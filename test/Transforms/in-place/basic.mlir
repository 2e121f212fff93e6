// RUN: memplan-opt %s --memplan-in-place | FileCheck %s

// Overwriting a value that somebody still reads would corrupt the step.
// CHECK-LABEL: func.func @last_reader
// CHECK: memplan.relu %{{.*}} {memplan.node = 0}
// The argument is the caller's, %0 has a later user, %1 is free to go.
// CHECK: memplan.tanh %{{.*}} {memplan.node = 1}
// CHECK: memplan.add %{{.*}} {memplan.in_place = {{\[\[}}0, 1]], memplan.node = 2}
// CHECK: memplan.mul %{{.*}} {memplan.in_place = {{\[\[}}0, 0]], memplan.node = 3}
func.func @last_reader(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.add %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.mul %2, %0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// A view that is read later keeps the bytes.
// CHECK-LABEL: func.func @view
// CHECK: memplan.tanh %{{.*}} {memplan.node = 2}
func.func @view(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<8x8xf32>) {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.reshape %0 {shape = [8, 8]} : (tensor<64xf32>) -> tensor<8x8xf32>
  %2 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.gelu %1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2, %3 : tensor<64xf32>, tensor<8x8xf32>
}

// A donated input may be overwritten.
// CHECK-LABEL: func.func @donated
// CHECK: memplan.relu %{{.*}} {memplan.in_place = {{\[\[}}0, 0]], memplan.node = 0}
func.func @donated(%x: tensor<64xf32> {memplan.kind = "input", memplan.donated}) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// A donated input that is returned, as it is or updated, must still be there at the end.
// CHECK-LABEL: func.func @returned
// CHECK: memplan.relu %{{.*}} {memplan.node = 0}
func.func @returned(%x: tensor<64xf32> {memplan.kind = "input", memplan.donated}) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0, %x : tensor<64xf32>, tensor<64xf32>
}
// CHECK-LABEL: func.func @updated
// CHECK: memplan.sgd_update
// CHECK: memplan.relu %{{.*}} {memplan.node = 1}
func.func @updated(%x: tensor<64xf32> {memplan.kind = "input", memplan.donated}, %g: tensor<64xf32>)
    -> (tensor<64xf32> {memplan.updates = 0 : i64}, tensor<64xf32>) {
  %0 = memplan.sgd_update %x, %g {lr = 0.1} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// RUN: memplan-opt %s --memplan-naive-plan -split-input-file | FileCheck %s

// Operations of other dialects in the planned form.

// On memrefs: a destination that is only overwritten names no bytes, one that is read is the output's own bytes or comes there by a copy. The body's
// constant from outside comes along.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @destinations
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT: tensor.empty
// CHECK: linalg.fill {memplan.node = 0 : i64} ins(%[[ZERO]] : f32) outs(%[[FIRST:.*]] : memref<64xf32>)
// CHECK: memref.copy %[[FIRST]], %[[SECOND:.*]] : memref<64xf32> to memref<64xf32>
// CHECK: linalg.generic {{.*}} ins(%arg1 : memref<64xf32>) outs(%[[SECOND]] : memref<64xf32>)
// CHECK: arith.maximumf %{{.*}}, %[[ZERO]]
// CHECK: return %[[SECOND]]
func.func @destinations(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// On tensors: taken from memory before the operation, stored right after it, and told where. A view takes no bytes and is no operation.
// CHECK-LABEL: func.func @tensors
// CHECK: %[[X:.*]] = bufferization.to_tensor %arg1 restrict : memref<4x16xf32> to tensor<4x16xf32>
// CHECK-NEXT: %[[Y:.*]] = tosa.tanh %[[X]] {memplan.node = 0 : i64, memplan.offset = array<i64: 0>, memplan.storage = array<i64: 0>}
// CHECK-NEXT: bufferization.materialize_in_destination %[[Y]] in restrict writable %[[A:.*]] : (tensor<4x16xf32>, memref<4x16xf32>) -> ()
// CHECK-NOT: tosa.reshape
// CHECK: %[[FLAT:.*]] = memref.view %arg0{{.*}} to memref<64xf32>
// CHECK: %[[B:.*]] = memref.view %arg0{{.*}} to memref<64xf32>
// CHECK: bufferization.to_tensor %[[FLAT]]
// CHECK: math.exp {{.*}} {memplan.node = 2 : i64, memplan.offset = array<i64: 256>, memplan.storage = array<i64: 1>}
// CHECK: return %[[B]]
func.func @tensors(%x: tensor<4x16xf32>) -> tensor<64xf32> {
  %y = tosa.tanh %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %shape = tosa.const_shape {values = dense<64> : tensor<1xindex>} : () -> !tosa.shape<1>
  %flat = tosa.reshape %y, %shape : (tensor<4x16xf32>, !tosa.shape<1>) -> tensor<64xf32>
  %z = math.exp %flat : tensor<64xf32>
  return %z : tensor<64xf32>
}

// -----

// A constant tensor is always there, beside the argument and both results. Operations on memrefs read it as a read-only buffer.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: memplan.peak_bytes = 256
// CHECK: %[[C:.*]] = arith.constant dense<{{.*}}> : tensor<16xf32>
// CHECK: %[[M:.*]] = bufferization.to_buffer %[[C]] read_only : tensor<16xf32> to memref<16xf32>
// CHECK: linalg.add {{.*}} ins(%arg1, %[[M]] : memref<16xf32>, memref<16xf32>)
// CHECK: arith.mulf %{{.*}}, %[[C]]
func.func @constants(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %y = linalg.add ins(%x, %c : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %z = arith.mulf %y, %c : tensor<16xf32>
  return %z : tensor<16xf32>
}

// -----

// A bool takes a byte in memory.
// CHECK-LABEL: func.func @bools
// CHECK-SAME: %arg0: memref<512xi8>
// CHECK-SAME: memplan.peak_bytes = 260
func.func @bools(%x: tensor<20xf32>, %y: tensor<20xf32>) -> (tensor<20xi1>, tensor<20xf32>) {
  %p = tosa.greater %x, %y : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xi1>
  %z = tosa.select %p, %x, %y : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
  return %p, %z : tensor<20xi1>, tensor<20xf32>
}

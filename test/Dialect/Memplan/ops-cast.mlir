// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1
// RUN: memplan-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Casts, and operations on elements of 16 bits, in both forms. Statistics are f32; parameters beside values of 16 bits may be.

// CHECK-LABEL: func.func @cast(
// CHECK: memplan.cast %{{.*}} {element = "bf16"} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
// CHECK: memplan.cast ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf16>) {element = "f16"}
func.func @cast(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out: memref<4x8xf16>) {
  %y = memplan.cast %x {element = "bf16"} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  memplan.cast ins(%mx : memref<4x8xf32>) outs(%out : memref<4x8xf16>) {element = "f16"}
  return
}

// CHECK-LABEL: func.func @norms(
// CHECK: memplan.layer_norm {{.*}} -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
// CHECK: memplan.layer_norm {{.*}} -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
// CHECK: memplan.layer_norm_grad {{.*}} -> (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>)
func.func @norms(%x: tensor<4x8xbf16>, %g: tensor<8xf32>, %h: tensor<8xbf16>) {
  %0:3 = memplan.layer_norm %x, %g, %g : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = memplan.layer_norm %x, %h, %h : (tensor<4x8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  %2:3 = memplan.layer_norm_grad %x, %x, %g, %0#1, %0#2 : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>)
  return
}

// A cast to the type that is there, and back from f32 to the type of before, changes no bit.
// FOLD-LABEL: func.func @folded(
// FOLD-NEXT: return %arg0, %arg0
func.func @folded(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = memplan.cast %x {element = "bf16"} : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = memplan.cast %x {element = "f32"} : (tensor<4xbf16>) -> tensor<4xf32>
  %2 = memplan.cast %1 {element = "bf16"} : (tensor<4xf32>) -> tensor<4xbf16>
  return %0, %2 : tensor<4xbf16>, tensor<4xbf16>
}

// These round.
// FOLD-LABEL: func.func @kept(
// FOLD-COUNT-4: memplan.cast
func.func @kept(%x: tensor<4xf32>, %y: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xbf16>) {
  %0 = memplan.cast %x {element = "bf16"} : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = memplan.cast %0 {element = "f32"} : (tensor<4xbf16>) -> tensor<4xf32>
  %2 = memplan.cast %y {element = "f16"} : (tensor<4xbf16>) -> tensor<4xf16>
  %3 = memplan.cast %2 {element = "bf16"} : (tensor<4xf16>) -> tensor<4xbf16>
  return %1, %3 : tensor<4xf32>, tensor<4xbf16>
}

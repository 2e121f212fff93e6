// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @map(
// CHECK: memplan.map %{{.*}}, %{{.*}} {element = "f32", expression = "x0 x1 mul 3 add", shape = []} : (tensor<4x8xf32>, tensor<8xi64>) -> tensor<4x8xf32>
// CHECK: memplan.map %{{.*}} {element = "i8", expression = "x0 0 lt", shape = [2, 8]} : (tensor<8xf32>) -> tensor<2x8xi8>
// CHECK: memplan.map ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {element = "f32", expression = "x0 exp; t0 1 add log", shape = []}
func.func @map(%x: tensor<4x8xf32>, %i: tensor<8xi64>, %v: tensor<8xf32>, %m: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %y = memplan.map %x, %i {expression = "x0 x1 mul 3 add"} : (tensor<4x8xf32>, tensor<8xi64>) -> tensor<4x8xf32>
  %z = memplan.map %v {element = "i8", expression = "x0 0 lt", shape = [2, 8]} : (tensor<8xf32>) -> tensor<2x8xi8>
  memplan.map ins(%m : memref<4x8xf32>) outs(%out : memref<4x8xf32>) {expression = "x0 exp; t0 1 add log"}
  return
}

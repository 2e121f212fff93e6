// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @opaque(
// CHECK: memplan.opaque %{{.*}}, %{{.*}} {cost = 1.250000e+01, effects = "pure", flop_count = 0, in_place = [0, 0], kernel = "my.swish", parameters = {beta = 2.000000e+00 : f64}, random, recompute = true, writes = []} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.opaque ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<4x8xf32>) {cost = 1.250000e+01, effects = "pure", flop_count = 0, in_place = [0, 0], kernel = "my.swish", parameters = {beta = 2.000000e+00 : f64}, random, recompute = true, writes = []}
func.func @opaque(%x: tensor<4x8xf32>, %w: tensor<8xf32>, %mx: memref<4x8xf32>, %mw: memref<8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.opaque %x, %w {cost = 12.5, in_place = [0, 0], kernel = "my.swish", parameters = {beta = 2.0 : f64}, random} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  memplan.opaque ins(%mx, %mw : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<4x8xf32>) {cost = 12.5, in_place = [0, 0], kernel = "my.swish", parameters = {beta = 2.0 : f64}, random}
  return
}

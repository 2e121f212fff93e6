// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @reduce_sum(
// CHECK: memplan.reduce_sum %{{.*}} {dims = [0, 2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<16xf32>
// CHECK: memplan.reduce_sum ins(%{{.*}} : memref<8x16x4x4xf32>) outs(%{{.*}} : memref<16xf32>) {dims = [0, 2, 3]}
func.func @reduce_sum(%x: tensor<8x16x4x4xf32>, %mx: memref<8x16x4x4xf32>, %out0: memref<16xf32>) {
  %y = memplan.reduce_sum %x {dims = [0, 2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<16xf32>
  memplan.reduce_sum ins(%mx : memref<8x16x4x4xf32>) outs(%out0 : memref<16xf32>) {dims = [0, 2, 3]}
  return
}

// CHECK-LABEL: func.func @reduce_mean(
// CHECK: memplan.reduce_mean %{{.*}} {dims = [2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<8x16xf32>
// CHECK: memplan.reduce_mean ins(%{{.*}} : memref<8x16x4x4xf32>) outs(%{{.*}} : memref<8x16xf32>) {dims = [2, 3]}
func.func @reduce_mean(%x: tensor<8x16x4x4xf32>, %mx: memref<8x16x4x4xf32>, %out0: memref<8x16xf32>) {
  %y = memplan.reduce_mean %x {dims = [2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<8x16xf32>
  memplan.reduce_mean ins(%mx : memref<8x16x4x4xf32>) outs(%out0 : memref<8x16xf32>) {dims = [2, 3]}
  return
}

// CHECK-LABEL: func.func @reduce_mean_grad(
// CHECK: memplan.reduce_mean_grad %{{.*}} {dims = [2, 3], sizes = [4, 4]} : (tensor<8x16xf32>) -> tensor<8x16x4x4xf32>
// CHECK: memplan.reduce_mean_grad ins(%{{.*}} : memref<8x16xf32>) outs(%{{.*}} : memref<8x16x4x4xf32>) {dims = [2, 3], sizes = [4, 4]}
func.func @reduce_mean_grad(%dy: tensor<8x16xf32>, %mdy: memref<8x16xf32>, %out0: memref<8x16x4x4xf32>) {
  %dx = memplan.reduce_mean_grad %dy {dims = [2, 3], sizes = [4, 4]} : (tensor<8x16xf32>) -> tensor<8x16x4x4xf32>
  memplan.reduce_mean_grad ins(%mdy : memref<8x16xf32>) outs(%out0 : memref<8x16x4x4xf32>) {dims = [2, 3], sizes = [4, 4]}
  return
}

// CHECK-LABEL: func.func @broadcast(
// CHECK: memplan.broadcast %{{.*}} {dims = [0, 2], sizes = [8, 4]} : (tensor<16xf32>) -> tensor<8x16x4xf32>
// CHECK: memplan.broadcast ins(%{{.*}} : memref<16xf32>) outs(%{{.*}} : memref<8x16x4xf32>) {dims = [0, 2], sizes = [8, 4]}
func.func @broadcast(%x: tensor<16xf32>, %mx: memref<16xf32>, %out0: memref<8x16x4xf32>) {
  %y = memplan.broadcast %x {dims = [0, 2], sizes = [8, 4]} : (tensor<16xf32>) -> tensor<8x16x4xf32>
  memplan.broadcast ins(%mx : memref<16xf32>) outs(%out0 : memref<8x16x4xf32>) {dims = [0, 2], sizes = [8, 4]}
  return
}

// CHECK-LABEL: func.func @global_norm(
// CHECK: memplan.global_norm %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
// CHECK: memplan.global_norm ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<f32>)
func.func @global_norm(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<f32>) {
  %n = memplan.global_norm %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
  memplan.global_norm ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<f32>)
  return
}

// CHECK-LABEL: func.func @non_finite(
// CHECK: memplan.non_finite %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xbf16>) -> tensor<f32>
// CHECK: memplan.non_finite ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<f32>)
func.func @non_finite(%x: tensor<4x8xf32>, %y: tensor<8xbf16>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<f32>) {
  %n = memplan.non_finite %x, %y : (tensor<4x8xf32>, tensor<8xbf16>) -> tensor<f32>
  memplan.non_finite ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<f32>)
  return
}

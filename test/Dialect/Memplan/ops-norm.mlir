// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @batch_norm(
// CHECK: memplan.batch_norm %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.000000e-05} : (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
// CHECK: memplan.batch_norm ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {epsilon = 1.000000e-05}
func.func @batch_norm(%x: tensor<8x16x4x4xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %mx: memref<8x16x4x4xf32>, %mg: memref<16xf32>, %mb: memref<16xf32>, %out0: memref<8x16x4x4xf32>, %out1: memref<16xf32>, %out2: memref<16xf32>, %out3: memref<16xf32>) {
  %y, %m, %s, %v = memplan.batch_norm %x, %g, %b {epsilon = 1.0e-5} : (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
  memplan.batch_norm ins(%mx, %mg, %mb : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>) outs(%out0, %out1, %out2, %out3 : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {epsilon = 1.0e-5}
  return
}

// CHECK-LABEL: func.func @batch_norm_grad(
// CHECK: memplan.batch_norm_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x16x4x4xf32>, tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
// CHECK: memplan.batch_norm_grad ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<8x16x4x4xf32>, memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>)
func.func @batch_norm_grad(%dy: tensor<8x16x4x4xf32>, %x: tensor<8x16x4x4xf32>, %g: tensor<16xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>, %mdy: memref<8x16x4x4xf32>, %mx: memref<8x16x4x4xf32>, %mg: memref<16xf32>, %mm: memref<16xf32>, %ms: memref<16xf32>, %out0: memref<8x16x4x4xf32>, %out1: memref<16xf32>, %out2: memref<16xf32>) {
  %dx, %dg, %db = memplan.batch_norm_grad %dy, %x, %g, %m, %s : (tensor<8x16x4x4xf32>, tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
  memplan.batch_norm_grad ins(%mdy, %mx, %mg, %mm, %ms : memref<8x16x4x4xf32>, memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) outs(%out0, %out1, %out2 : memref<8x16x4x4xf32>, memref<16xf32>, memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @batch_norm_update_stats(
// CHECK: memplan.batch_norm_update_stats %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {momentum = 1.000000e-01} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
// CHECK: memplan.batch_norm_update_stats ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) outs(%{{.*}}, %{{.*}} : memref<16xf32>, memref<16xf32>) {momentum = 1.000000e-01}
func.func @batch_norm_update_stats(%m0: tensor<16xf32>, %v0: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>, %mm0: memref<16xf32>, %mv0: memref<16xf32>, %mm: memref<16xf32>, %mv: memref<16xf32>) {
  %m1, %v1 = memplan.batch_norm_update_stats %m0, %v0, %m, %v {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  memplan.batch_norm_update_stats ins(%mm0, %mv0, %mm, %mv : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) outs(%mm0, %mv0 : memref<16xf32>, memref<16xf32>) {momentum = 0.1}
  return
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK: memplan.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.000000e-05} : (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x512x768xf32>, tensor<4x512xf32>, tensor<4x512xf32>)
// CHECK: memplan.layer_norm ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x512x768xf32>, memref<768xf32>, memref<768xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x512x768xf32>, memref<4x512xf32>, memref<4x512xf32>) {epsilon = 1.000000e-05}
func.func @layer_norm(%x: tensor<4x512x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>, %mx: memref<4x512x768xf32>, %mg: memref<768xf32>, %mb: memref<768xf32>, %out0: memref<4x512x768xf32>, %out1: memref<4x512xf32>, %out2: memref<4x512xf32>) {
  %y, %m, %s = memplan.layer_norm %x, %g, %b {epsilon = 1.0e-5} : (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x512x768xf32>, tensor<4x512xf32>, tensor<4x512xf32>)
  memplan.layer_norm ins(%mx, %mg, %mb : memref<4x512x768xf32>, memref<768xf32>, memref<768xf32>) outs(%out0, %out1, %out2 : memref<4x512x768xf32>, memref<4x512xf32>, memref<4x512xf32>) {epsilon = 1.0e-5}
  return
}

// CHECK-LABEL: func.func @layer_norm_grad(
// CHECK: memplan.layer_norm_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<768xf32>, tensor<4x512xf32>, tensor<4x512xf32>) -> (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>)
// CHECK: memplan.layer_norm_grad ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<4x512x768xf32>, memref<4x512x768xf32>, memref<768xf32>, memref<4x512xf32>, memref<4x512xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x512x768xf32>, memref<768xf32>, memref<768xf32>)
func.func @layer_norm_grad(%dy: tensor<4x512x768xf32>, %x: tensor<4x512x768xf32>, %g: tensor<768xf32>, %m: tensor<4x512xf32>, %s: tensor<4x512xf32>, %mdy: memref<4x512x768xf32>, %mx: memref<4x512x768xf32>, %mg: memref<768xf32>, %mm: memref<4x512xf32>, %ms: memref<4x512xf32>, %out0: memref<4x512x768xf32>, %out1: memref<768xf32>, %out2: memref<768xf32>) {
  %dx, %dg, %db = memplan.layer_norm_grad %dy, %x, %g, %m, %s : (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<768xf32>, tensor<4x512xf32>, tensor<4x512xf32>) -> (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>)
  memplan.layer_norm_grad ins(%mdy, %mx, %mg, %mm, %ms : memref<4x512x768xf32>, memref<4x512x768xf32>, memref<768xf32>, memref<4x512xf32>, memref<4x512xf32>) outs(%out0, %out1, %out2 : memref<4x512x768xf32>, memref<768xf32>, memref<768xf32>)
  return
}

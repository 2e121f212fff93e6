// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @reshape(
// CHECK: memplan.reshape %{{.*}} {shape = [-1, 2048]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048xf32>
// CHECK: memplan.reshape ins(%{{.*}} : memref<8x2048x1x1xf32>) outs(%{{.*}} : memref<8x2048xf32>) {shape = [-1, 2048]}
func.func @reshape(%x: tensor<8x2048x1x1xf32>, %mx: memref<8x2048x1x1xf32>, %out0: memref<8x2048xf32>) {
  %y = memplan.reshape %x {shape = [-1, 2048]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048xf32>
  memplan.reshape ins(%mx : memref<8x2048x1x1xf32>) outs(%out0 : memref<8x2048xf32>) {shape = [-1, 2048]}
  return
}

// CHECK-LABEL: func.func @split(
// CHECK: memplan.split %{{.*}} {dim = 2, sizes = [768, 768, 768]} : (tensor<4x512x2304xf32>) -> (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<4x512x768xf32>)
// CHECK: memplan.split ins(%{{.*}} : memref<4x512x2304xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x512x768xf32>, memref<4x512x768xf32>, memref<4x512x768xf32>) {dim = 2, sizes = [768, 768, 768]}
func.func @split(%x: tensor<4x512x2304xf32>, %mx: memref<4x512x2304xf32>, %out0: memref<4x512x768xf32>, %out1: memref<4x512x768xf32>, %out2: memref<4x512x768xf32>) {
  %q, %k, %v = memplan.split %x {dim = 2, sizes = [768, 768, 768]} : (tensor<4x512x2304xf32>) -> (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<4x512x768xf32>)
  memplan.split ins(%mx : memref<4x512x2304xf32>) outs(%out0, %out1, %out2 : memref<4x512x768xf32>, memref<4x512x768xf32>, memref<4x512x768xf32>) {dim = 2, sizes = [768, 768, 768]}
  return
}

// CHECK-LABEL: func.func @slice(
// CHECK: memplan.slice %{{.*}} {dim = 0, size = 512, start = 0} : (tensor<1024x768xf32>) -> tensor<512x768xf32>
// CHECK: memplan.slice ins(%{{.*}} : memref<1024x768xf32>) outs(%{{.*}} : memref<512x768xf32>) {dim = 0, size = 512, start = 0}
func.func @slice(%x: tensor<1024x768xf32>, %mx: memref<1024x768xf32>, %out0: memref<512x768xf32>) {
  %y = memplan.slice %x {dim = 0, size = 512, start = 0} : (tensor<1024x768xf32>) -> tensor<512x768xf32>
  memplan.slice ins(%mx : memref<1024x768xf32>) outs(%out0 : memref<512x768xf32>) {dim = 0, size = 512, start = 0}
  return
}

// CHECK-LABEL: func.func @slice_grad(
// CHECK: memplan.slice_grad %{{.*}} {dim = 0, full_size = 1024, start = 0} : (tensor<512x768xf32>) -> tensor<1024x768xf32>
// CHECK: memplan.slice_grad ins(%{{.*}} : memref<512x768xf32>) outs(%{{.*}} : memref<1024x768xf32>) {dim = 0, full_size = 1024, start = 0}
func.func @slice_grad(%dy: tensor<512x768xf32>, %mdy: memref<512x768xf32>, %out0: memref<1024x768xf32>) {
  %dx = memplan.slice_grad %dy {dim = 0, full_size = 1024, start = 0} : (tensor<512x768xf32>) -> tensor<1024x768xf32>
  memplan.slice_grad ins(%mdy : memref<512x768xf32>) outs(%out0 : memref<1024x768xf32>) {dim = 0, full_size = 1024, start = 0}
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK: memplan.transpose %{{.*}} {perm = [0, 2, 1, 3]} : (tensor<4x512x12x64xf32>) -> tensor<4x12x512x64xf32>
// CHECK: memplan.transpose ins(%{{.*}} : memref<4x512x12x64xf32>) outs(%{{.*}} : memref<4x12x512x64xf32>) {perm = [0, 2, 1, 3]}
func.func @transpose(%x: tensor<4x512x12x64xf32>, %mx: memref<4x512x12x64xf32>, %out0: memref<4x12x512x64xf32>) {
  %y = memplan.transpose %x {perm = [0, 2, 1, 3]} : (tensor<4x512x12x64xf32>) -> tensor<4x12x512x64xf32>
  memplan.transpose ins(%mx : memref<4x512x12x64xf32>) outs(%out0 : memref<4x12x512x64xf32>) {perm = [0, 2, 1, 3]}
  return
}

// CHECK-LABEL: func.func @concat(
// CHECK: memplan.concat %{{.*}}, %{{.*}} {dim = 1} : (tensor<1x64x32x32xf32>, tensor<1x128x32x32xf32>) -> tensor<1x192x32x32xf32>
// CHECK: memplan.concat ins(%{{.*}}, %{{.*}} : memref<1x64x32x32xf32>, memref<1x128x32x32xf32>) outs(%{{.*}} : memref<1x192x32x32xf32>) {dim = 1}
func.func @concat(%a: tensor<1x64x32x32xf32>, %b: tensor<1x128x32x32xf32>, %ma: memref<1x64x32x32xf32>, %mb: memref<1x128x32x32xf32>, %out0: memref<1x192x32x32xf32>) {
  %y = memplan.concat %a, %b {dim = 1} : (tensor<1x64x32x32xf32>, tensor<1x128x32x32xf32>) -> tensor<1x192x32x32xf32>
  memplan.concat ins(%ma, %mb : memref<1x64x32x32xf32>, memref<1x128x32x32xf32>) outs(%out0 : memref<1x192x32x32xf32>) {dim = 1}
  return
}

// CHECK-LABEL: func.func @iota(
// CHECK: memplan.iota {size = 512} : () -> tensor<512xi64>
// CHECK: memplan.iota outs(%{{.*}} : memref<512xi64>) {size = 512}
func.func @iota(%out0: memref<512xi64>) {
  %ids = memplan.iota {size = 512} : () -> tensor<512xi64>
  memplan.iota outs(%out0 : memref<512xi64>) {size = 512}
  return
}

// CHECK-LABEL: func.func @constant(
// CHECK: memplan.constant {value = dense<1.000000e+00> : tensor<f32>} : () -> tensor<f32>
// CHECK: memplan.constant outs(%{{.*}} : memref<f32>) {value = dense<1.000000e+00> : tensor<f32>}
func.func @constant(%out0: memref<f32>) {
  %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  memplan.constant outs(%out0 : memref<f32>) {value = dense<1.0> : tensor<f32>}
  return
}

// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @conv2d(
// CHECK: memplan.conv2d %{{.*}}, %{{.*}}, %{{.*}} {dilation = [1, 1], groups = 1, padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<8x16x16x16xf32>
// CHECK: memplan.conv2d ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<8x3x32x32xf32>, memref<16x3x3x3xf32>, memref<16xf32>) outs(%{{.*}} : memref<8x16x16x16xf32>) {dilation = [1, 1], groups = 1, padding = [1, 1], strides = [2, 2]}
func.func @conv2d(%x: tensor<8x3x32x32xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<16xf32>, %mx: memref<8x3x32x32xf32>, %mw: memref<16x3x3x3xf32>, %mb: memref<16xf32>, %out0: memref<8x16x16x16xf32>) {
  %y = memplan.conv2d %x, %w, %b {padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>) -> tensor<8x16x16x16xf32>
  memplan.conv2d ins(%mx, %mw, %mb : memref<8x3x32x32xf32>, memref<16x3x3x3xf32>, memref<16xf32>) outs(%out0 : memref<8x16x16x16xf32>) {padding = [1, 1], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @conv2d_input_grad(
// CHECK: memplan.conv2d_input_grad %{{.*}}, %{{.*}} {dilation = [1, 1], groups = 1, output_padding = [1, 1], padding = [1, 1], strides = [2, 2]} : (tensor<8x16x16x16xf32>, tensor<16x3x3x3xf32>) -> tensor<8x3x32x32xf32>
// CHECK: memplan.conv2d_input_grad ins(%{{.*}}, %{{.*}} : memref<8x16x16x16xf32>, memref<16x3x3x3xf32>) outs(%{{.*}} : memref<8x3x32x32xf32>) {dilation = [1, 1], groups = 1, output_padding = [1, 1], padding = [1, 1], strides = [2, 2]}
func.func @conv2d_input_grad(%dy: tensor<8x16x16x16xf32>, %w: tensor<16x3x3x3xf32>, %mdy: memref<8x16x16x16xf32>, %mw: memref<16x3x3x3xf32>, %out0: memref<8x3x32x32xf32>) {
  %dx = memplan.conv2d_input_grad %dy, %w {output_padding = [1, 1], padding = [1, 1], strides = [2, 2]} : (tensor<8x16x16x16xf32>, tensor<16x3x3x3xf32>) -> tensor<8x3x32x32xf32>
  memplan.conv2d_input_grad ins(%mdy, %mw : memref<8x16x16x16xf32>, memref<16x3x3x3xf32>) outs(%out0 : memref<8x3x32x32xf32>) {output_padding = [1, 1], padding = [1, 1], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @conv2d_filter_grad(
// CHECK: memplan.conv2d_filter_grad %{{.*}}, %{{.*}} {dilation = [1, 1], groups = 1, kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<8x16x16x16xf32>) -> tensor<16x3x3x3xf32>
// CHECK: memplan.conv2d_filter_grad ins(%{{.*}}, %{{.*}} : memref<8x3x32x32xf32>, memref<8x16x16x16xf32>) outs(%{{.*}} : memref<16x3x3x3xf32>) {dilation = [1, 1], groups = 1, kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
func.func @conv2d_filter_grad(%x: tensor<8x3x32x32xf32>, %dy: tensor<8x16x16x16xf32>, %mx: memref<8x3x32x32xf32>, %mdy: memref<8x16x16x16xf32>, %out0: memref<16x3x3x3xf32>) {
  %dw = memplan.conv2d_filter_grad %x, %dy {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x3x32x32xf32>, tensor<8x16x16x16xf32>) -> tensor<16x3x3x3xf32>
  memplan.conv2d_filter_grad ins(%mx, %mdy : memref<8x3x32x32xf32>, memref<8x16x16x16xf32>) outs(%out0 : memref<16x3x3x3xf32>) {kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @conv_transpose2d(
// CHECK: memplan.conv_transpose2d %{{.*}}, %{{.*}} {dilation = [1, 1], groups = 1, output_padding = [0, 0], padding = [0, 0], strides = [2, 2]} : (tensor<1x64x16x16xf32>, tensor<64x32x2x2xf32>) -> tensor<1x32x32x32xf32>
// CHECK: memplan.conv_transpose2d ins(%{{.*}}, %{{.*}} : memref<1x64x16x16xf32>, memref<64x32x2x2xf32>) outs(%{{.*}} : memref<1x32x32x32xf32>) {dilation = [1, 1], groups = 1, output_padding = [0, 0], padding = [0, 0], strides = [2, 2]}
func.func @conv_transpose2d(%x: tensor<1x64x16x16xf32>, %w: tensor<64x32x2x2xf32>, %mx: memref<1x64x16x16xf32>, %mw: memref<64x32x2x2xf32>, %out0: memref<1x32x32x32xf32>) {
  %y = memplan.conv_transpose2d %x, %w {strides = [2, 2]} : (tensor<1x64x16x16xf32>, tensor<64x32x2x2xf32>) -> tensor<1x32x32x32xf32>
  memplan.conv_transpose2d ins(%mx, %mw : memref<1x64x16x16xf32>, memref<64x32x2x2xf32>) outs(%out0 : memref<1x32x32x32xf32>) {strides = [2, 2]}
  return
}

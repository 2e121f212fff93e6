// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @max_pool2d(
// CHECK: memplan.max_pool2d %{{.*}} {dilation = [1, 1], kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x112x112xf32>) -> (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>)
// CHECK: memplan.max_pool2d ins(%{{.*}} : memref<8x64x112x112xf32>) outs(%{{.*}}, %{{.*}} : memref<8x64x56x56xf32>, memref<8x64x56x56xi8>) {dilation = [1, 1], kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
func.func @max_pool2d(%x: tensor<8x64x112x112xf32>, %mx: memref<8x64x112x112xf32>, %out0: memref<8x64x56x56xf32>, %out1: memref<8x64x56x56xi8>) {
  %y, %i = memplan.max_pool2d %x {kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x112x112xf32>) -> (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>)
  memplan.max_pool2d ins(%mx : memref<8x64x112x112xf32>) outs(%out0, %out1 : memref<8x64x56x56xf32>, memref<8x64x56x56xi8>) {kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @max_pool2d_grad(
// CHECK: memplan.max_pool2d_grad %{{.*}}, %{{.*}} {dilation = [1, 1], input_size = [112, 112], kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>) -> tensor<8x64x112x112xf32>
// CHECK: memplan.max_pool2d_grad ins(%{{.*}}, %{{.*}} : memref<8x64x56x56xf32>, memref<8x64x56x56xi8>) outs(%{{.*}} : memref<8x64x112x112xf32>) {dilation = [1, 1], input_size = [112, 112], kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
func.func @max_pool2d_grad(%dy: tensor<8x64x56x56xf32>, %i: tensor<8x64x56x56xi8>, %mdy: memref<8x64x56x56xf32>, %mi: memref<8x64x56x56xi8>, %out0: memref<8x64x112x112xf32>) {
  %dx = memplan.max_pool2d_grad %dy, %i {input_size = [112, 112], kernel = [3, 3], padding = [1, 1], strides = [2, 2]} : (tensor<8x64x56x56xf32>, tensor<8x64x56x56xi8>) -> tensor<8x64x112x112xf32>
  memplan.max_pool2d_grad ins(%mdy, %mi : memref<8x64x56x56xf32>, memref<8x64x56x56xi8>) outs(%out0 : memref<8x64x112x112xf32>) {input_size = [112, 112], kernel = [3, 3], padding = [1, 1], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @avg_pool2d(
// CHECK: memplan.avg_pool2d %{{.*}} {count_include_pad, kernel = [2, 2], padding = [0, 0], strides = [2, 2]} : (tensor<8x64x28x28xf32>) -> tensor<8x64x14x14xf32>
// CHECK: memplan.avg_pool2d ins(%{{.*}} : memref<8x64x28x28xf32>) outs(%{{.*}} : memref<8x64x14x14xf32>) {count_include_pad, kernel = [2, 2], padding = [0, 0], strides = [2, 2]}
func.func @avg_pool2d(%x: tensor<8x64x28x28xf32>, %mx: memref<8x64x28x28xf32>, %out0: memref<8x64x14x14xf32>) {
  %y = memplan.avg_pool2d %x {count_include_pad, kernel = [2, 2], strides = [2, 2]} : (tensor<8x64x28x28xf32>) -> tensor<8x64x14x14xf32>
  memplan.avg_pool2d ins(%mx : memref<8x64x28x28xf32>) outs(%out0 : memref<8x64x14x14xf32>) {count_include_pad, kernel = [2, 2], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @avg_pool2d_grad(
// CHECK: memplan.avg_pool2d_grad %{{.*}} {count_include_pad, input_size = [28, 28], kernel = [2, 2], padding = [0, 0], strides = [2, 2]} : (tensor<8x64x14x14xf32>) -> tensor<8x64x28x28xf32>
// CHECK: memplan.avg_pool2d_grad ins(%{{.*}} : memref<8x64x14x14xf32>) outs(%{{.*}} : memref<8x64x28x28xf32>) {count_include_pad, input_size = [28, 28], kernel = [2, 2], padding = [0, 0], strides = [2, 2]}
func.func @avg_pool2d_grad(%dy: tensor<8x64x14x14xf32>, %mdy: memref<8x64x14x14xf32>, %out0: memref<8x64x28x28xf32>) {
  %dx = memplan.avg_pool2d_grad %dy {count_include_pad, input_size = [28, 28], kernel = [2, 2], strides = [2, 2]} : (tensor<8x64x14x14xf32>) -> tensor<8x64x28x28xf32>
  memplan.avg_pool2d_grad ins(%mdy : memref<8x64x14x14xf32>) outs(%out0 : memref<8x64x28x28xf32>) {count_include_pad, input_size = [28, 28], kernel = [2, 2], strides = [2, 2]}
  return
}

// CHECK-LABEL: func.func @adaptive_avg_pool2d(
// CHECK: memplan.adaptive_avg_pool2d %{{.*}} {output_size = [1, 1]} : (tensor<8x2048x7x7xf32>) -> tensor<8x2048x1x1xf32>
// CHECK: memplan.adaptive_avg_pool2d ins(%{{.*}} : memref<8x2048x7x7xf32>) outs(%{{.*}} : memref<8x2048x1x1xf32>) {output_size = [1, 1]}
func.func @adaptive_avg_pool2d(%x: tensor<8x2048x7x7xf32>, %mx: memref<8x2048x7x7xf32>, %out0: memref<8x2048x1x1xf32>) {
  %y = memplan.adaptive_avg_pool2d %x {output_size = [1, 1]} : (tensor<8x2048x7x7xf32>) -> tensor<8x2048x1x1xf32>
  memplan.adaptive_avg_pool2d ins(%mx : memref<8x2048x7x7xf32>) outs(%out0 : memref<8x2048x1x1xf32>) {output_size = [1, 1]}
  return
}

// CHECK-LABEL: func.func @adaptive_avg_pool2d_grad(
// CHECK: memplan.adaptive_avg_pool2d_grad %{{.*}} {input_size = [7, 7]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048x7x7xf32>
// CHECK: memplan.adaptive_avg_pool2d_grad ins(%{{.*}} : memref<8x2048x1x1xf32>) outs(%{{.*}} : memref<8x2048x7x7xf32>) {input_size = [7, 7]}
func.func @adaptive_avg_pool2d_grad(%dy: tensor<8x2048x1x1xf32>, %mdy: memref<8x2048x1x1xf32>, %out0: memref<8x2048x7x7xf32>) {
  %dx = memplan.adaptive_avg_pool2d_grad %dy {input_size = [7, 7]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048x7x7xf32>
  memplan.adaptive_avg_pool2d_grad ins(%mdy : memref<8x2048x1x1xf32>) outs(%out0 : memref<8x2048x7x7xf32>) {input_size = [7, 7]}
  return
}

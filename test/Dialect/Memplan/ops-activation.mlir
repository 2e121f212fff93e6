// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @relu(
// CHECK: memplan.relu %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.relu ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @relu(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.relu ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @relu_grad(
// CHECK: memplan.relu_grad %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.relu_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @relu_grad(%y: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %my: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.relu_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.relu_grad ins(%my, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @clamp(
// CHECK: memplan.clamp %{{.*}} {max = 6.000000e+00, min = 0.000000e+00} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.clamp ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {max = 6.000000e+00, min = 0.000000e+00}
func.func @clamp(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.clamp %x {max = 6.0, min = 0.0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.clamp ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) {max = 6.0, min = 0.0}
  return
}

// CHECK-LABEL: func.func @clamp_grad(
// CHECK: memplan.clamp_grad %{{.*}}, %{{.*}} {max = 6.000000e+00, min = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.clamp_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {max = 6.000000e+00, min = 0.000000e+00}
func.func @clamp_grad(%y: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %my: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.clamp_grad %y, %dy {max = 6.0, min = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.clamp_grad ins(%my, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) {max = 6.0, min = 0.0}
  return
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK: memplan.sigmoid %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.sigmoid ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @sigmoid(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.sigmoid ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @sigmoid_grad(
// CHECK: memplan.sigmoid_grad %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.sigmoid_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @sigmoid_grad(%y: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %my: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.sigmoid_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.sigmoid_grad ins(%my, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @tanh(
// CHECK: memplan.tanh %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.tanh ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @tanh(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.tanh ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @tanh_grad(
// CHECK: memplan.tanh_grad %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.tanh_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @tanh_grad(%y: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %my: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.tanh_grad %y, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.tanh_grad ins(%my, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @gelu(
// CHECK: memplan.gelu %{{.*}} {approximate = "tanh"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.gelu ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {approximate = "tanh"}
func.func @gelu(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.gelu %x {approximate = "tanh"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.gelu ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) {approximate = "tanh"}
  return
}

// CHECK-LABEL: func.func @gelu_grad(
// CHECK: memplan.gelu_grad %{{.*}}, %{{.*}} {approximate = "tanh"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.gelu_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {approximate = "tanh"}
func.func @gelu_grad(%x: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %mx: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.gelu_grad %x, %dy {approximate = "tanh"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.gelu_grad ins(%mx, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) {approximate = "tanh"}
  return
}

// CHECK-LABEL: func.func @silu(
// CHECK: memplan.silu %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.silu ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @silu(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.silu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.silu ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @silu_grad(
// CHECK: memplan.silu_grad %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.silu_grad ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @silu_grad(%x: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %mx: memref<4x8xf32>, %mdy: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %dx = memplan.silu_grad %x, %dy : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.silu_grad ins(%mx, %mdy : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @softmax(
// CHECK: memplan.softmax %{{.*}} {axis = -1} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
// CHECK: memplan.softmax ins(%{{.*}} : memref<2x12x64x64xf32>) outs(%{{.*}} : memref<2x12x64x64xf32>) {axis = -1}
func.func @softmax(%x: tensor<2x12x64x64xf32>, %mx: memref<2x12x64x64xf32>, %out0: memref<2x12x64x64xf32>) {
  %y = memplan.softmax %x {axis = -1} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
  memplan.softmax ins(%mx : memref<2x12x64x64xf32>) outs(%out0 : memref<2x12x64x64xf32>) {axis = -1}
  return
}

// CHECK-LABEL: func.func @softmax_grad(
// CHECK: memplan.softmax_grad %{{.*}}, %{{.*}} {axis = -1} : (tensor<2x12x64x64xf32>, tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
// CHECK: memplan.softmax_grad ins(%{{.*}}, %{{.*}} : memref<2x12x64x64xf32>, memref<2x12x64x64xf32>) outs(%{{.*}} : memref<2x12x64x64xf32>) {axis = -1}
func.func @softmax_grad(%y: tensor<2x12x64x64xf32>, %dy: tensor<2x12x64x64xf32>, %my: memref<2x12x64x64xf32>, %mdy: memref<2x12x64x64xf32>, %out0: memref<2x12x64x64xf32>) {
  %dx = memplan.softmax_grad %y, %dy {axis = -1} : (tensor<2x12x64x64xf32>, tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
  memplan.softmax_grad ins(%my, %mdy : memref<2x12x64x64xf32>, memref<2x12x64x64xf32>) outs(%out0 : memref<2x12x64x64xf32>) {axis = -1}
  return
}

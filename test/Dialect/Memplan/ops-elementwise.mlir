// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @add(
// CHECK: memplan.add %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.add ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @add(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<4x8xf32>) {
  %z = memplan.add %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  memplan.add ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @sub(
// CHECK: memplan.sub %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.sub ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @sub(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<4x8xf32>) {
  %z = memplan.sub %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  memplan.sub ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @mul(
// CHECK: memplan.mul %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.mul ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @mul(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<4x8xf32>) {
  %z = memplan.mul %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  memplan.mul ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @div(
// CHECK: memplan.div %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.div ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @div(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %mx: memref<4x8xf32>, %my: memref<8xf32>, %out0: memref<4x8xf32>) {
  %z = memplan.div %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  memplan.div ins(%mx, %my : memref<4x8xf32>, memref<8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @accumulate(
// CHECK: memplan.accumulate %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.accumulate ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @accumulate(%d0: tensor<4x8xf32>, %d1: tensor<4x8xf32>, %md0: memref<4x8xf32>, %md1: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %d = memplan.accumulate %d0, %d1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.accumulate ins(%md0, %md1 : memref<4x8xf32>, memref<4x8xf32>) outs(%out0 : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func.func @scale(
// CHECK: memplan.scale %{{.*}} {factor = 1.250000e-01} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.scale ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {factor = 1.250000e-01}
func.func @scale(%x: tensor<4x8xf32>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>) {
  %y = memplan.scale %x {factor = 0.125} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.scale ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) {factor = 0.125}
  return
}

// CHECK-LABEL: func.func @causal_mask(
// CHECK: memplan.causal_mask %{{.*}} {fill = 0xFFF0000000000000 : f64} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
// CHECK: memplan.causal_mask ins(%{{.*}} : memref<2x12x64x64xf32>) outs(%{{.*}} : memref<2x12x64x64xf32>) {fill = 0xFFF0000000000000 : f64}
func.func @causal_mask(%x: tensor<2x12x64x64xf32>, %mx: memref<2x12x64x64xf32>, %out0: memref<2x12x64x64xf32>) {
  %y = memplan.causal_mask %x {fill = 0xFFF0000000000000 : f64} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
  memplan.causal_mask ins(%mx : memref<2x12x64x64xf32>) outs(%out0 : memref<2x12x64x64xf32>) {fill = 0xFFF0000000000000 : f64}
  return
}

// CHECK-LABEL: func.func @codec(
// CHECK: memplan.encode_bf16 %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8x2xi8>
// CHECK: memplan.decode_bf16 %{{.*}} : (tensor<4x8x2xi8>) -> tensor<4x8xf32>
// CHECK: memplan.encode_bf16 ins(%{{.*}} : memref<f32>) outs(%{{.*}} : memref<2xi8>)
// CHECK: memplan.decode_bf16 ins(%{{.*}} : memref<2xi8>) outs(%{{.*}} : memref<f32>)
func.func @codec(%x: tensor<4x8xf32>, %mx: memref<f32>, %me: memref<2xi8>) {
  %e = memplan.encode_bf16 %x : (tensor<4x8xf32>) -> tensor<4x8x2xi8>
  %y = memplan.decode_bf16 %e : (tensor<4x8x2xi8>) -> tensor<4x8xf32>
  memplan.encode_bf16 ins(%mx : memref<f32>) outs(%me : memref<2xi8>)
  memplan.decode_bf16 ins(%me : memref<2xi8>) outs(%mx : memref<f32>)
  return
}

// CHECK-LABEL: func.func @dropout(
// CHECK: memplan.dropout %{{.*}}, %{{.*}} {p = 1.000000e-01, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
// CHECK: memplan.dropout ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<1xi64>) outs(%{{.*}} : memref<4x8xf32>) {p = 1.000000e-01, salt = 7}
func.func @dropout(%x: tensor<4x8xf32>, %seed: tensor<1xi64>, %mx: memref<4x8xf32>, %mseed: memref<1xi64>, %out0: memref<4x8xf32>) {
  %y = memplan.dropout %x, %seed {p = 0.1, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
  memplan.dropout ins(%mx, %mseed : memref<4x8xf32>, memref<1xi64>) outs(%out0 : memref<4x8xf32>) {p = 0.1, salt = 7}
  return
}

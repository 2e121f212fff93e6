// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @cross_entropy(
// CHECK: memplan.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
// CHECK: memplan.cross_entropy ins(%{{.*}}, %{{.*}} : memref<32x1000xf32>, memref<32xi64>) outs(%{{.*}}, %{{.*}} : memref<f32>, memref<32xf32>) {ignore_index = -100}
func.func @cross_entropy(%logits: tensor<32x1000xf32>, %labels: tensor<32xi64>, %mlogits: memref<32x1000xf32>, %mlabels: memref<32xi64>, %out0: memref<f32>, %out1: memref<32xf32>) {
  %loss, %lse = memplan.cross_entropy %logits, %labels {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
  memplan.cross_entropy ins(%mlogits, %mlabels : memref<32x1000xf32>, memref<32xi64>) outs(%out0, %out1 : memref<f32>, memref<32xf32>) {ignore_index = -100}
  return
}

// CHECK-LABEL: func.func @cross_entropy_grad(
// CHECK: memplan.cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x1000xf32>
// CHECK: memplan.cross_entropy_grad ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<32x1000xf32>, memref<32xi64>, memref<32xf32>, memref<f32>) outs(%{{.*}} : memref<32x1000xf32>) {ignore_index = -100}
func.func @cross_entropy_grad(%logits: tensor<32x1000xf32>, %labels: tensor<32xi64>, %lse: tensor<32xf32>, %dl: tensor<f32>, %mlogits: memref<32x1000xf32>, %mlabels: memref<32xi64>, %mlse: memref<32xf32>, %mdl: memref<f32>, %out0: memref<32x1000xf32>) {
  %d = memplan.cross_entropy_grad %logits, %labels, %lse, %dl {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x1000xf32>
  memplan.cross_entropy_grad ins(%mlogits, %mlabels, %mlse, %mdl : memref<32x1000xf32>, memref<32xi64>, memref<32xf32>, memref<f32>) outs(%out0 : memref<32x1000xf32>) {ignore_index = -100}
  return
}

// CHECK-LABEL: func.func @cross_entropy_sum(
// CHECK: memplan.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -100, sum, wide_loss} : (tensor<32x1000xbf16>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
// CHECK: memplan.cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {ignore_index = -100, sum} : (tensor<32x1000xbf16>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x1000xbf16>
func.func @cross_entropy_sum(%logits: tensor<32x1000xbf16>, %labels: tensor<32xi64>, %dl: tensor<f32>) {
  %loss, %lse = memplan.cross_entropy %logits, %labels {sum, wide_loss} : (tensor<32x1000xbf16>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
  %d = memplan.cross_entropy_grad %logits, %labels, %lse, %dl {sum} : (tensor<32x1000xbf16>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x1000xbf16>
  return
}

// CHECK-LABEL: func.func @bce_with_logits(
// CHECK: memplan.bce_with_logits %{{.*}}, %{{.*}} : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<f32>
// CHECK: memplan.bce_with_logits ins(%{{.*}}, %{{.*}} : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>) outs(%{{.*}} : memref<f32>)
func.func @bce_with_logits(%logits: tensor<1x1x64x64xf32>, %target: tensor<1x1x64x64xf32>, %mlogits: memref<1x1x64x64xf32>, %mtarget: memref<1x1x64x64xf32>, %out0: memref<f32>) {
  %loss = memplan.bce_with_logits %logits, %target : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<f32>
  memplan.bce_with_logits ins(%mlogits, %mtarget : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>) outs(%out0 : memref<f32>)
  return
}

// CHECK-LABEL: func.func @bce_with_logits_grad(
// CHECK: memplan.bce_with_logits_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>, tensor<f32>) -> tensor<1x1x64x64xf32>
// CHECK: memplan.bce_with_logits_grad ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>, memref<f32>) outs(%{{.*}} : memref<1x1x64x64xf32>)
func.func @bce_with_logits_grad(%logits: tensor<1x1x64x64xf32>, %target: tensor<1x1x64x64xf32>, %dl: tensor<f32>, %mlogits: memref<1x1x64x64xf32>, %mtarget: memref<1x1x64x64xf32>, %mdl: memref<f32>, %out0: memref<1x1x64x64xf32>) {
  %d = memplan.bce_with_logits_grad %logits, %target, %dl : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>, tensor<f32>) -> tensor<1x1x64x64xf32>
  memplan.bce_with_logits_grad ins(%mlogits, %mtarget, %mdl : memref<1x1x64x64xf32>, memref<1x1x64x64xf32>, memref<f32>) outs(%out0 : memref<1x1x64x64xf32>)
  return
}

// CHECK-LABEL: func.func @mse_loss(
// CHECK: memplan.mse_loss %{{.*}}, %{{.*}} : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
// CHECK: memplan.mse_loss ins(%{{.*}}, %{{.*}} : memref<16x4xf32>, memref<16x4xf32>) outs(%{{.*}} : memref<f32>)
func.func @mse_loss(%p: tensor<16x4xf32>, %t: tensor<16x4xf32>, %mp: memref<16x4xf32>, %mt: memref<16x4xf32>, %out0: memref<f32>) {
  %loss = memplan.mse_loss %p, %t : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
  memplan.mse_loss ins(%mp, %mt : memref<16x4xf32>, memref<16x4xf32>) outs(%out0 : memref<f32>)
  return
}

// CHECK-LABEL: func.func @mse_loss_grad(
// CHECK: memplan.mse_loss_grad %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
// CHECK: memplan.mse_loss_grad ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<16x4xf32>, memref<16x4xf32>, memref<f32>) outs(%{{.*}} : memref<16x4xf32>)
func.func @mse_loss_grad(%p: tensor<16x4xf32>, %t: tensor<16x4xf32>, %dl: tensor<f32>, %mp: memref<16x4xf32>, %mt: memref<16x4xf32>, %mdl: memref<f32>, %out0: memref<16x4xf32>) {
  %d = memplan.mse_loss_grad %p, %t, %dl : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
  memplan.mse_loss_grad ins(%mp, %mt, %mdl : memref<16x4xf32>, memref<16x4xf32>, memref<f32>) outs(%out0 : memref<16x4xf32>)
  return
}

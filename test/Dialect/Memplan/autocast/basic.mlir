// RUN: memplan-opt %s --memplan-autocast | FileCheck %s --check-prefixes=BOTH,CPU
// RUN: memplan-opt %s --memplan-autocast=device=cuda | FileCheck %s --check-prefixes=BOTH,CUDA
// RUN: memplan-opt %s --memplan-autocast=dtype=f16 | FileCheck %s --check-prefix=F16

// Products compute in 16 bits, from one cast of each value; what follows stays there; losses compute in f32. If a cast were missing, a step would compute
// in another precision than PyTorch's.

// BOTH-LABEL: func.func @products(
// BOTH-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8xf32>
// BOTH-NEXT:  %[[X16:.*]] = memplan.cast %[[X]] {element = "bf16"}
// BOTH-NEXT:  %[[W16:.*]] = memplan.cast %[[W]] {element = "bf16"}
// BOTH-NEXT:  %[[B16:.*]] = memplan.cast %[[B]] {element = "bf16"}
// BOTH-NEXT:  %[[H:.*]] = memplan.matmul %[[X16]], %[[W16]], %[[B16]] : (tensor<4x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<4x8xbf16>
// BOTH-NEXT:  %[[R:.*]] = memplan.relu %[[H]] : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
// BOTH-NEXT:  %[[Y:.*]] = memplan.matmul %[[R]], %[[W16]], %[[B16]]
// BOTH-NEXT:  %[[Y32:.*]] = memplan.cast %[[Y]] {element = "f32"}
// BOTH-NEXT:  %[[LOSS:.*]] = memplan.mse_loss %[[Y32]], %[[X]] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
// BOTH-NEXT:  return %[[LOSS]], %[[Y32]] : tensor<f32>, tensor<4x8xf32>
// F16-LABEL: func.func @products(
// F16:        memplan.matmul {{.*}} -> tensor<4x8xf16>
func.func @products(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> (tensor<f32>, tensor<4x8xf32>) {
  %h = memplan.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %r = memplan.relu %h : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = memplan.matmul %r, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %loss = memplan.mse_loss %y, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss, %y : tensor<f32>, tensor<4x8xf32>
}

// Operands that differ meet in f32, and the parameters of a norm are not cast. The tables of the processor and of CUDA differ here.
// BOTH-LABEL: func.func @others(
// BOTH:       %[[H:.*]] = memplan.matmul
// BOTH-NEXT:  %[[WIDE:.*]] = memplan.cast %[[H]] {element = "f32"}
// BOTH-NEXT:  %[[S:.*]] = memplan.add %[[WIDE]], %{{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CPU-NEXT:   memplan.layer_norm %[[H]], %{{.*}} : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
// CUDA-NEXT:  memplan.layer_norm %[[WIDE]], %{{.*}} -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
// CPU-NEXT:   memplan.softmax {{.*}} -> tensor<4x8xbf16>
// CUDA-NEXT:  memplan.softmax {{.*}} -> tensor<4x8xf32>
// CPU-NEXT:   memplan.map {{.*}}element = "bf16"{{.*}} -> tensor<4x8xbf16>
// CUDA-NEXT:  memplan.map %[[H]] {{.*}} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
// BOTH:       memplan.concat {{.*}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
func.func @others(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) {
  %h = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = memplan.add %h, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %n, %m, %r = memplan.layer_norm %h, %g, %g : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %p = memplan.softmax %n : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %e = memplan.map %h {expression = "x0 exp"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = memplan.concat %h, %s {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %p, %e, %c : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>
}

// RUN: memplan-opt %s --memplan-autocast=dtype=tf32 --memplan-autodiff | FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: memplan-opt %s --memplan-autodiff --memplan-autocast=dtype=tf32 | FileCheck %s
// RUN: memplan-opt %s --precision=tf32 | FileCheck %s --check-prefix=PLANNED

// Products, convolutions and attention of f32 are marked, and so are those of their gradients; nothing is cast. A gradient in another precision than its forward
// pass would train another model.

// CHECK-LABEL: func.func @step(
// CHECK-NOT:   memplan.cast
// CHECK:       memplan.conv2d {{.*}}tf32
// CHECK:       memplan.conv_transpose2d {{.*}}tf32
// CHECK:       memplan.matmul {{.*}}tf32
// CHECK:       memplan.matmul {{.*}}memplan.backward{{.*}}tf32
// CHECK:       memplan.matmul {{.*}}memplan.backward{{.*}}tf32
// CHECK:       memplan.conv2d {{.*}}memplan.backward{{.*}}tf32
// CHECK:       memplan.conv2d_filter_grad {{.*}}tf32
// CHECK:       memplan.conv2d_filter_grad {{.*}}tf32
// CHECK-NOT:   memplan.cast
// PLANNED-COUNT-7: {{[{ ]}}tf32
func.func @step(%x: tensor<2x3x8x8xf32>, %f: tensor<4x3x3x3xf32> {memplan.kind = "parameter"}, %g: tensor<4x2x3x3xf32> {memplan.kind = "parameter"},
                %w: tensor<8x5xf32> {memplan.kind = "parameter"}, %t: tensor<2x2x8x5xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h = memplan.conv2d %x, %f : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x6xf32>
  %u = memplan.conv_transpose2d %h, %g : (tensor<2x4x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<2x2x8x8xf32>
  %y = memplan.matmul %u, %w : (tensor<2x2x8x8xf32>, tensor<8x5xf32>) -> tensor<2x2x8x5xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<2x2x8x5xf32>, tensor<2x2x8x5xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// Elements of 16 bits are multiplied as they are.
// FIRST-LABEL: func.func @halves(
// FIRST-NEXT:    memplan.matmul %{{.*}}, %{{.*}} : (tensor<4x8xbf16>
func.func @halves(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>) -> tensor<4x8xbf16> {
  %h = memplan.matmul %x, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
  return %h : tensor<4x8xbf16>
}

// A dropout of the softmax changes nothing.
// CHECK-LABEL: func.func @attention(
// CHECK:         memplan.attention {{.*}}tf32
// CHECK:         memplan.attention_dropout {{.*}}tf32
// CHECK:         memplan.attention_dropout_grad {{.*}}tf32
// CHECK:         memplan.attention_grad {{.*}}tf32
func.func @attention(%x: tensor<2x5x8xf32>, %w: tensor<2x5x8xf32> {memplan.kind = "parameter"}, %seed: tensor<1xi64>, %t: tensor<2x5x8xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h, %l = memplan.attention %x, %w, %w {causal, scale = 0.5} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> (tensor<2x5x8xf32>, tensor<2x5xf32>)
  %y, %m = memplan.attention_dropout %h, %w, %w, %seed {p = 0.1, salt = 3, scale = 0.5} : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<1xi64>) -> (tensor<2x5x8xf32>, tensor<2x5xf32>)
  %loss = memplan.mse_loss %y, %t : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// The gradient of the part of a split that nothing reads is zero: 4 MiB that the plan has in the arena while the concatenation
// reads them, and that stand nowhere else, neither on the device nor in the files that are written.
// RUN: memplan-run %s --dump 2>%t.err | FileCheck %s
// CHECK: constants bytes=0
// CHECK: memplan.constant {{.*}} in() out({{.*}}:1024x1024xf32) value=0.0
// RUN: memplan-run %s --emit-program=%t.mpp
// RUN: %python -c "import os,sys; sys.exit(os.path.getsize(sys.argv[1]) > 16384)" %t.mpp
// RUN: memplan-run %s --steps=1 --check | FileCheck %s --check-prefix=STEP
// STEP: check: after each of 1 steps {{.*}} bit for bit
func.func @step(%x: tensor<1024x4xf32> {memplan.kind = "input"}, %w: tensor<4x2048xf32> {memplan.kind = "parameter"},
                %y: tensor<1024x1024xf32> {memplan.kind = "input"}) -> (tensor<f32> {memplan.kind = "loss"})
    attributes {memplan.optimizer = {name = "sgd", lr = 0.1}} {
  %h = memplan.matmul %x, %w : (tensor<1024x4xf32>, tensor<4x2048xf32>) -> tensor<1024x2048xf32>
  %p:2 = memplan.split %h {dim = 1 : i64, sizes = [1024, 1024]} : (tensor<1024x2048xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>)
  %loss = memplan.mse_loss %p#0, %y : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

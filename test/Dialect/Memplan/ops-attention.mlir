// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @attention(
// CHECK: memplan.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, scale = 5.000000e-01} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
// CHECK: memplan.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) outs(%{{.*}}, %{{.*}} : memref<2x3x5x6xf32>, memref<2x3x5xf32>) {causal, scale = 5.000000e-01}
func.func @attention(%t0: tensor<2x3x5x4xf32>, %t1: tensor<2x3x7x4xf32>, %t2: tensor<2x3x7x6xf32>, %m0: memref<2x3x5x4xf32>, %m1: memref<2x3x7x4xf32>, %m2: memref<2x3x7x6xf32>, %o0: memref<2x3x5x6xf32>, %o1: memref<2x3x5xf32>) {
  %r:2 = memplan.attention %t0, %t1, %t2 {causal, scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  memplan.attention ins(%m0, %m1, %m2 : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) outs(%o0, %o1 : memref<2x3x5x6xf32>, memref<2x3x5xf32>) {causal, scale = 0.5}
  return
}

// CHECK-LABEL: func.func @attention_mask(
// CHECK: memplan.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {scale = 5.000000e-01} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<5x7xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
// CHECK: memplan.attention ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<5x7xf32>) outs(%{{.*}}, %{{.*}} : memref<2x3x5x6xf32>, memref<2x3x5xf32>) {scale = 5.000000e-01}
func.func @attention_mask(%t0: tensor<2x3x5x4xf32>, %t1: tensor<2x3x7x4xf32>, %t2: tensor<2x3x7x6xf32>, %t3: tensor<5x7xf32>, %m0: memref<2x3x5x4xf32>, %m1: memref<2x3x7x4xf32>, %m2: memref<2x3x7x6xf32>, %m3: memref<5x7xf32>, %o0: memref<2x3x5x6xf32>, %o1: memref<2x3x5xf32>) {
  %r:2 = memplan.attention %t0, %t1, %t2, %t3 {scale = 0.5} : (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<5x7xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5xf32>)
  memplan.attention ins(%m0, %m1, %m2, %m3 : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<5x7xf32>) outs(%o0, %o1 : memref<2x3x5x6xf32>, memref<2x3x5xf32>) {scale = 0.5}
  return
}

// CHECK-LABEL: func.func @attention_grad(
// CHECK: memplan.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal, scale = 5.000000e-01} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// CHECK: memplan.attention_grad ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x6xf32>, memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<2x3x5x6xf32>, memref<2x3x5xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) {causal, scale = 5.000000e-01}
func.func @attention_grad(%t0: tensor<2x3x5x6xf32>, %t1: tensor<2x3x5x4xf32>, %t2: tensor<2x3x7x4xf32>, %t3: tensor<2x3x7x6xf32>, %t4: tensor<2x3x5x6xf32>, %t5: tensor<2x3x5xf32>, %m0: memref<2x3x5x6xf32>, %m1: memref<2x3x5x4xf32>, %m2: memref<2x3x7x4xf32>, %m3: memref<2x3x7x6xf32>, %m4: memref<2x3x5x6xf32>, %m5: memref<2x3x5xf32>, %o0: memref<2x3x5x4xf32>, %o1: memref<2x3x7x4xf32>, %o2: memref<2x3x7x6xf32>) {
  %r:3 = memplan.attention_grad %t0, %t1, %t2, %t3, %t4, %t5 {causal, scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  memplan.attention_grad ins(%m0, %m1, %m2, %m3, %m4, %m5 : memref<2x3x5x6xf32>, memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<2x3x5x6xf32>, memref<2x3x5xf32>) outs(%o0, %o1, %o2 : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) {causal, scale = 0.5}
  return
}

// CHECK-LABEL: func.func @attention_grad_mask(
// CHECK: memplan.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {scale = 5.000000e-01} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<2x1x1x7xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// CHECK: memplan.attention_grad ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x6xf32>, memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<2x3x5x6xf32>, memref<2x3x5xf32>, memref<2x1x1x7xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) {scale = 5.000000e-01}
func.func @attention_grad_mask(%t0: tensor<2x3x5x6xf32>, %t1: tensor<2x3x5x4xf32>, %t2: tensor<2x3x7x4xf32>, %t3: tensor<2x3x7x6xf32>, %t4: tensor<2x3x5x6xf32>, %t5: tensor<2x3x5xf32>, %t6: tensor<2x1x1x7xf32>, %m0: memref<2x3x5x6xf32>, %m1: memref<2x3x5x4xf32>, %m2: memref<2x3x7x4xf32>, %m3: memref<2x3x7x6xf32>, %m4: memref<2x3x5x6xf32>, %m5: memref<2x3x5xf32>, %m6: memref<2x1x1x7xf32>, %o0: memref<2x3x5x4xf32>, %o1: memref<2x3x7x4xf32>, %o2: memref<2x3x7x6xf32>) {
  %r:3 = memplan.attention_grad %t0, %t1, %t2, %t3, %t4, %t5, %t6 {scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<2x3x5x6xf32>, tensor<2x3x5xf32>, tensor<2x1x1x7xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
  memplan.attention_grad ins(%m0, %m1, %m2, %m3, %m4, %m5, %m6 : memref<2x3x5x6xf32>, memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>, memref<2x3x5x6xf32>, memref<2x3x5xf32>, memref<2x1x1x7xf32>) outs(%o0, %o1, %o2 : memref<2x3x5x4xf32>, memref<2x3x7x4xf32>, memref<2x3x7x6xf32>) {scale = 0.5}
  return
}

// CHECK-LABEL: func.func @attention_dropout(
// CHECK: memplan.attention_dropout %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal, p = 1.000000e-01, salt = 3, scale = 5.000000e-01} : (tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>, tensor<1xi64>, tensor<5x7xf32>) -> (tensor<2x5x6xf32>, tensor<2x5xf32>)
// CHECK: memplan.attention_dropout ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x5x4xf32>, memref<2x7x4xf32>, memref<2x7x6xf32>, memref<1xi64>) outs(%{{.*}}, %{{.*}} : memref<2x5x6xf32>, memref<2x5xf32>) {p = 1.000000e-01, salt = 3, scale = 5.000000e-01}
func.func @attention_dropout(%t0: tensor<2x5x4xf32>, %t1: tensor<2x7x4xf32>, %t2: tensor<2x7x6xf32>, %seed: tensor<1xi64>, %mask: tensor<5x7xf32>, %m0: memref<2x5x4xf32>, %m1: memref<2x7x4xf32>, %m2: memref<2x7x6xf32>, %mseed: memref<1xi64>, %o0: memref<2x5x6xf32>, %o1: memref<2x5xf32>) {
  %r:2 = memplan.attention_dropout %t0, %t1, %t2, %seed, %mask {causal, p = 0.1, salt = 3, scale = 0.5} : (tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>, tensor<1xi64>, tensor<5x7xf32>) -> (tensor<2x5x6xf32>, tensor<2x5xf32>)
  memplan.attention_dropout ins(%m0, %m1, %m2, %mseed : memref<2x5x4xf32>, memref<2x7x4xf32>, memref<2x7x6xf32>, memref<1xi64>) outs(%o0, %o1 : memref<2x5x6xf32>, memref<2x5xf32>) {p = 0.1, salt = 3, scale = 0.5}
  return
}

// CHECK-LABEL: func.func @attention_dropout_grad(
// CHECK: memplan.attention_dropout_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {causal, p = 1.000000e-01, salt = 3, scale = 5.000000e-01} : (tensor<2x5x6xf32>, tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<1xi64>) -> (tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>)
func.func @attention_dropout_grad(%t0: tensor<2x5x6xf32>, %t1: tensor<2x5x4xf32>, %t2: tensor<2x7x4xf32>, %t3: tensor<2x7x6xf32>, %t4: tensor<2x5x6xf32>, %t5: tensor<2x5xf32>, %seed: tensor<1xi64>) {
  %r:3 = memplan.attention_dropout_grad %t0, %t1, %t2, %t3, %t4, %t5, %seed {causal, p = 0.1, salt = 3, scale = 0.5} : (tensor<2x5x6xf32>, tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<1xi64>) -> (tensor<2x5x4xf32>, tensor<2x7x4xf32>, tensor<2x7x6xf32>)
  return
}

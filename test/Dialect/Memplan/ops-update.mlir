// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1

// Both forms of every operation of this family are printed as they are written, and survive the generic form.

// CHECK-LABEL: func.func @sgd_update(
// CHECK: memplan.sgd_update %{{.*}}, %{{.*}} {lr = 1.000000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.sgd_update ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) {lr = 1.000000e-01, weight_decay = 0.000000e+00}
func.func @sgd_update(%p0: tensor<4x8xf32>, %g: tensor<4x8xf32>, %mp0: memref<4x8xf32>, %mg: memref<4x8xf32>) {
  %p1 = memplan.sgd_update %p0, %g {lr = 0.1, weight_decay = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  memplan.sgd_update ins(%mp0, %mg : memref<4x8xf32>, memref<4x8xf32>) outs(%mp0 : memref<4x8xf32>) {lr = 0.1, weight_decay = 0.0}
  return
}

// CHECK-LABEL: func.func @sgd_momentum_update(
// CHECK: memplan.sgd_momentum_update %{{.*}}, %{{.*}}, %{{.*}} {lr = 1.000000e-01, momentum = 9.000000e-01, weight_decay = 1.000000e-04} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.sgd_momentum_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) {lr = 1.000000e-01, momentum = 9.000000e-01, weight_decay = 1.000000e-04}
func.func @sgd_momentum_update(%p0: tensor<4x8xf32>, %v0: tensor<4x8xf32>, %g: tensor<4x8xf32>, %mp0: memref<4x8xf32>, %mv0: memref<4x8xf32>, %mg: memref<4x8xf32>) {
  %p1, %v1 = memplan.sgd_momentum_update %p0, %v0, %g {lr = 0.1, momentum = 0.9, weight_decay = 1.0e-4} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.sgd_momentum_update ins(%mp0, %mv0, %mg : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%mp0, %mv0 : memref<4x8xf32>, memref<4x8xf32>) {lr = 0.1, momentum = 0.9, weight_decay = 1.0e-4}
  return
}

// CHECK-LABEL: func.func @adam_update(
// CHECK: memplan.adam_update %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, lr = 1.000000e-03, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.adam_update ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<1xi64>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, lr = 1.000000e-03, weight_decay = 0.000000e+00}
func.func @adam_update(%p0: tensor<4x8xf32>, %m0: tensor<4x8xf32>, %v0: tensor<4x8xf32>, %t: tensor<1xi64>, %g: tensor<4x8xf32>, %mp0: memref<4x8xf32>, %mm0: memref<4x8xf32>, %mv0: memref<4x8xf32>, %mt: memref<1xi64>, %mg: memref<4x8xf32>) {
  %p1, %m1, %v1 = memplan.adam_update %p0, %m0, %v0, %t, %g {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.adam_update ins(%mp0, %mm0, %mv0, %mt, %mg : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<1xi64>, memref<4x8xf32>) outs(%mp0, %mm0, %mv0 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {lr = 1.0e-3}
  return
}

// CHECK-LABEL: func.func @adamw_update(
// CHECK: memplan.adamw_update %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, lr = 1.000000e-03, weight_decay = 1.000000e-02} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.adamw_update ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<1xi64>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, lr = 1.000000e-03, weight_decay = 1.000000e-02}
func.func @adamw_update(%p0: tensor<4x8xf32>, %m0: tensor<4x8xf32>, %v0: tensor<4x8xf32>, %t: tensor<1xi64>, %g: tensor<4x8xf32>, %mp0: memref<4x8xf32>, %mm0: memref<4x8xf32>, %mv0: memref<4x8xf32>, %mt: memref<1xi64>, %mg: memref<4x8xf32>) {
  %p1, %m1, %v1 = memplan.adamw_update %p0, %m0, %v0, %t, %g {lr = 1.0e-3, weight_decay = 0.01} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.adamw_update ins(%mp0, %mm0, %mv0, %mt, %mg : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<1xi64>, memref<4x8xf32>) outs(%mp0, %mm0, %mv0 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {lr = 1.0e-3, weight_decay = 0.01}
  return
}

// CHECK-LABEL: func.func @increment(
// CHECK: memplan.increment %{{.*}} : (tensor<1xi64>) -> tensor<1xi64>
// CHECK: memplan.increment ins(%{{.*}} : memref<1xi64>) outs(%{{.*}} : memref<1xi64>)
func.func @increment(%t0: tensor<1xi64>, %mt0: memref<1xi64>) {
  %t1 = memplan.increment %t0 : (tensor<1xi64>) -> tensor<1xi64>
  memplan.increment ins(%mt0 : memref<1xi64>) outs(%mt0 : memref<1xi64>)
  return
}

// CHECK-LABEL: func.func @rmsprop_update(
// CHECK: memplan.rmsprop_update %{{.*}}, %{{.*}}, %{{.*}} {alpha = 0.98999999999999999, epsilon = 1.000000e-08, lr = 5.000000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.rmsprop_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) {alpha = 0.98999999999999999, epsilon = 1.000000e-08, lr = 5.000000e-01, weight_decay = 0.000000e+00}
func.func @rmsprop_update(%t0: tensor<4x8xf32>, %t1: tensor<4x8xf32>, %t2: tensor<4x8xf32>, %m0: memref<4x8xf32>, %m1: memref<4x8xf32>, %m2: memref<4x8xf32>) {
  %r:2 = memplan.rmsprop_update %t0, %t1, %t2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.rmsprop_update ins(%m0, %m1, %m2 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%m0, %m1 : memref<4x8xf32>, memref<4x8xf32>) {lr = 0.5}
  return
}

// CHECK-LABEL: func.func @rmsprop_momentum_update(
// CHECK: memplan.rmsprop_momentum_update %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {alpha = 0.98999999999999999, epsilon = 1.000000e-08, lr = 5.000000e-01, momentum = 2.500000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.rmsprop_momentum_update ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {alpha = 0.98999999999999999, epsilon = 1.000000e-08, lr = 5.000000e-01, momentum = 2.500000e-01, weight_decay = 0.000000e+00}
func.func @rmsprop_momentum_update(%t0: tensor<4x8xf32>, %t1: tensor<4x8xf32>, %t2: tensor<4x8xf32>, %t3: tensor<4x8xf32>, %m0: memref<4x8xf32>, %m1: memref<4x8xf32>, %m2: memref<4x8xf32>, %m3: memref<4x8xf32>) {
  %r:3 = memplan.rmsprop_momentum_update %t0, %t1, %t2, %t3 {lr = 0.5, momentum = 0.25} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.rmsprop_momentum_update ins(%m0, %m1, %m2, %m3 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%m0, %m1, %m2 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) {lr = 0.5, momentum = 0.25}
  return
}

// CHECK-LABEL: func.func @adagrad_update(
// CHECK: memplan.adagrad_update %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.000000e-10, lr = 5.000000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.adagrad_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) {epsilon = 1.000000e-10, lr = 5.000000e-01, weight_decay = 0.000000e+00}
func.func @adagrad_update(%t0: tensor<4x8xf32>, %t1: tensor<4x8xf32>, %t2: tensor<4x8xf32>, %m0: memref<4x8xf32>, %m1: memref<4x8xf32>, %m2: memref<4x8xf32>) {
  %r:2 = memplan.adagrad_update %t0, %t1, %t2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.adagrad_update ins(%m0, %m1, %m2 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%m0, %m1 : memref<4x8xf32>, memref<4x8xf32>) {lr = 0.5}
  return
}

// CHECK-LABEL: func.func @lion_update(
// CHECK: memplan.lion_update %{{.*}}, %{{.*}}, %{{.*}} {beta1 = 9.000000e-01, beta2 = 0.98999999999999999, lr = 5.000000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: memplan.lion_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>) {beta1 = 9.000000e-01, beta2 = 0.98999999999999999, lr = 5.000000e-01, weight_decay = 0.000000e+00}
func.func @lion_update(%t0: tensor<4x8xf32>, %t1: tensor<4x8xf32>, %t2: tensor<4x8xf32>, %m0: memref<4x8xf32>, %m1: memref<4x8xf32>, %m2: memref<4x8xf32>) {
  %r:2 = memplan.lion_update %t0, %t1, %t2 {lr = 0.5} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  memplan.lion_update ins(%m0, %m1, %m2 : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%m0, %m1 : memref<4x8xf32>, memref<4x8xf32>) {lr = 0.5}
  return
}

// A scalar that skips the update is the last input.
// CHECK-LABEL: func.func @skip(
// CHECK: memplan.sgd_update %{{.*}}, %{{.*}}, %{{.*}} {lr = 1.000000e-01, weight_decay = 0.000000e+00} : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<f32>) -> tensor<4x8xbf16>
// CHECK: memplan.increment %{{.*}}, %{{.*}} : (tensor<1xi64>, tensor<f32>) -> tensor<1xi64>
// CHECK: memplan.sgd_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<4x8xf32>, memref<4x8xf32>, memref<f32>) outs(%{{.*}} : memref<4x8xf32>) {lr = 1.000000e-01, weight_decay = 0.000000e+00}
func.func @skip(%p0: tensor<4x8xbf16>, %g: tensor<4x8xbf16>, %t: tensor<1xi64>, %s: tensor<f32>, %mp0: memref<4x8xf32>, %mg: memref<4x8xf32>, %ms: memref<f32>) {
  %p1 = memplan.sgd_update %p0, %g, %s {lr = 0.1} : (tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<f32>) -> tensor<4x8xbf16>
  %t1 = memplan.increment %t, %s : (tensor<1xi64>, tensor<f32>) -> tensor<1xi64>
  memplan.sgd_update ins(%mp0, %mg, %ms : memref<4x8xf32>, memref<4x8xf32>, memref<f32>) outs(%mp0 : memref<4x8xf32>) {lr = 0.1}
  return
}

// CHECK-LABEL: func.func @loss_scale_update(
// CHECK: memplan.loss_scale_update %{{.*}}, %{{.*}}, %{{.*}} {backoff_factor = 5.000000e-01, growth_factor = 2.000000e+00, growth_interval = 100} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
// CHECK: memplan.loss_scale_update ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<f32>, memref<1xi64>, memref<f32>) outs(%{{.*}}, %{{.*}} : memref<f32>, memref<1xi64>)
func.func @loss_scale_update(%s0: tensor<f32>, %n0: tensor<1xi64>, %bad: tensor<f32>, %ms0: memref<f32>, %mn0: memref<1xi64>, %mbad: memref<f32>) {
  %s1, %n1 = memplan.loss_scale_update %s0, %n0, %bad {growth_interval = 100} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
  memplan.loss_scale_update ins(%ms0, %mn0, %mbad : memref<f32>, memref<1xi64>, memref<f32>) outs(%ms0, %mn0 : memref<f32>, memref<1xi64>)
  return
}

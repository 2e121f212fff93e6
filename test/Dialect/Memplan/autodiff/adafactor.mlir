// RUN: memplan-opt %s --memplan-autodiff | FileCheck %s
// RUN: sed 's/name = "adafactor"/name = "adafactor", beta2_decay = -0.5 : f64, epsilon1 = 0.25 : f64, epsilon2 = 0.125 : f64, clip_threshold = 2.0 : f64, weight_decay = 0.5 : f64/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=GIVEN
// RUN: sed 's/name = "adafactor"/name = "adafactor", epsilon1 = 0.0 : f64/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: sed 's/name = "adafactor"/name = "adafactor", beta2_decay = 0.5 : f64/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: sed 's/name = "adafactor"/name = "adafactor", epsilon2 = -1.0 : f64/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: sed 's/name = "adafactor"/name = "adafactor", clip_threshold = 0.0 : f64/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: sed 's/lr = 0.5/lr = -0.5/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: sed 's/name = "adafactor"/name = "adafactor", momentum = 0.9 : f64/' %s | not memplan-opt --memplan-autodiff 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: sed 's/name = "adafactor"/name = "adafactor", loss_scale = 8.0 : f64/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=SKIP

// A matrix has mean squares of its rows and its columns, a vector those of its elements; one counter is there for all. The first epsilon is that of
// the parameter's type.
// CHECK-DAG:   %[[T:[a-z0-9]*]]: tensor<1xi64> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "optimizer.step"}
// CHECK-DAG:   %[[V:[a-z0-9]*]]: tensor<8xf32> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "b.variance"}
// CHECK-DAG:   %[[R:[a-z0-9]*]]: tensor<4x1xbf16> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "w.row_var"}
// CHECK-DAG:   %[[C:[a-z0-9]*]]: tensor<1x8xbf16> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "w.col_var"}
// CHECK:       memplan.increment %[[T]]
// CHECK-NOT:   memplan.increment
// CHECK:       %[[NV:.*]] = memplan.sgd_update %[[V]], %{{.*}} {lr = 1.000000e+00,
// CHECK-NEXT:  memplan.map %{{.*}}, %[[NV]] {{.*}}expression = "x1 1.4210854715202004e-14 max rsqrt x0 mul"
// CHECK:       %[[NR:.*]] = memplan.sgd_update %[[R]], %{{.*}} {lr = 1.000000e+00,
// CHECK:       %[[NC:.*]] = memplan.sgd_update %[[C]], %{{.*}} {lr = 1.000000e+00,
// CHECK-NEXT:  %[[M:.*]] = memplan.reduce_mean %[[NR]] {dims = [0], keepdims
// CHECK-NEXT:  %[[U:.*]] = memplan.map %{{.*}}, %[[NR]], %[[NC]], %[[M]] {{.*}}expression = "x1 x2 mul x3 0.0078125 max div 6.103515625e-05 max rsqrt x0 mul"
// CHECK:       memplan.global_norm %[[U]]

// GIVEN:       expression = "x0 x1 sub x2 -0.5 pow mul"
// GIVEN:       expression = "x1 0.0625 max rsqrt x0 mul"
// GIVEN:       expression = "x2 rsqrt 0.5 min x0 2.8284271247461903 div 0.125 max mul x1 5.6568542494923806 div 1 max div"
// GIVEN-NEXT:  expression = "x0 x1 mul x2 0.25 mul add"

// A skipped step leaves parameter and states as they are.
// SKIP:        %[[BAD:.*]] = memplan.non_finite
// SKIP:        memplan.increment %{{.*}}, %[[BAD]]
// SKIP-COUNT-5: memplan.sgd_update %{{.*}}, %{{.*}}, %[[BAD]] {

// ZERO:        'epsilon1' is 0.000000e+00, but must be finite and above 0; leave it out for that of the type
// DECAY:       'beta2_decay' is 5.000000e-01, but must be finite and not positive
// SECOND:      'epsilon2' is -1.000000e+00, but must be finite and not negative
// CLIP:        'clip_threshold' is 0.000000e+00, but must be finite and above 0
// RATE:        'lr' is -5.000000e-01, but must be finite and not negative
// KEY:         'adafactor' has no setting 'momentum'; valid are lr, beta2_decay, epsilon1, epsilon2, clip_threshold, weight_decay
func.func @step(%w: tensor<4x8xbf16> {memplan.kind = "parameter", memplan.name = "w"},
                %b: tensor<8xf32> {memplan.kind = "parameter", memplan.name = "b"}, %t: tensor<4x8xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "adafactor", lr = 0.5 : f64}} {
  %c = memplan.cast %w {element = "f32"} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %y = memplan.add %c, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

// RUN: memplan-opt %s --memplan-autodiff=updates=end | FileCheck %s --check-prefix=END
// RUN: memplan-opt %s --memplan-autodiff=gradients=true | FileCheck %s --check-prefix=GRAD
// RUN: sed 's/name = "sgd", lr/name = "sgd", momentum = 0.9 : f64, nesterov = true, lr/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=MOMENTUM
// RUN: sed 's/name = "sgd"/name = "adam"/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=ADAM
// RUN: sed 's/name = "sgd"/name = "adamw"/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=ADAMW
// RUN: sed 's/name = "sgd"/name = "sgd", max_norm = 2.5 : f64/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=CLIP
// RUN: sed 's/name = "sgd"/name = "adam", loss_scale = 1024.0 : f64, growth_interval = 5.0 : f64, max_norm = 2.5 : f64/' %s | memplan-opt --memplan-autodiff | FileCheck %s --check-prefix=SCALE
// RUN: memplan-opt %s --memplan-autodiff=loss-scale=65536 | FileCheck %s --check-prefix=GIVEN
// RUN: memplan-opt %s --loss-scale=65536 | FileCheck %s --check-prefix=GIVEN
// RUN: memplan-opt %s --memplan-autodiff=ranks=2 | FileCheck %s --check-prefix=RANKS
// RUN: memplan-opt %s --ranks=2 | FileCheck %s --check-prefix=RANKS-PLANNED
// RUN: sed 's/name = "sgd"/name = "sgd", loss_scale = 8.0 : f64/' %s | memplan-opt --memplan-autodiff=ranks=3 | FileCheck %s --check-prefix=RANKS-SCALE
// RUN: memplan-opt %s --memplan-autodiff='ranks=2 gradients=true' | FileCheck %s --check-prefix=RANKS-GRAD
// RUN: not memplan-opt %s --memplan-autodiff=ranks=0 2>&1 | FileCheck %s --check-prefix=BAD-RANKS
// RUN: not memplan-opt %s --memplan-autodiff=updates=soon 2>&1 | FileCheck %s --check-prefix=BAD

// Updates at the end stand behind every gradient.
// END:           memplan.tanh_grad
// END:           memplan.sgd_update
// END-NEXT:      memplan.sgd_update
// END-NEXT:      return

// Gradients are outputs, named after their parameters.
// GRAD:          tensor<8xf32> {memplan.kind = "output", memplan.name = "b.grad"}, tensor<8xf32> {memplan.kind = "output", memplan.name = "a.grad"}
// GRAD-NOT:      memplan.sgd_update

// Optimizer state becomes arguments that are updated too.
// MOMENTUM:      memplan.init = "zeros", memplan.kind = "state", memplan.name = "b.velocity"
// MOMENTUM-SAME: memplan.name = "a.velocity"
// MOMENTUM:      memplan.sgd_momentum_update %arg1, %arg3, %{{.*}} {lr = 1.000000e-01, memplan.backward, momentum = 9.000000e-01, nesterov, weight_decay = 0.000000e+00}

// One step counter for all parameters, incremented once.
// ADAM:          memplan.name = "optimizer.step"
// ADAM-COUNT-1:  memplan.increment
// ADAM-NOT:      memplan.increment
// ADAM:          memplan.adam_update
// ADAM:          memplan.adam_update
// ADAMW:         memplan.adamw_update {{.*}}weight_decay = 1.000000e-02

// Each gradient becomes its mean over all ranks before anything looks at it.
// RANKS:         %[[B0:.*]] = memplan.all_reduce %{{.*}} {memplan.backward, ranks = 2, reduction = "mean"} : (tensor<8xf32>) -> tensor<8xf32>
// RANKS-NEXT:    memplan.sgd_update %arg1, %[[B0]]
// RANKS:         %[[A0:.*]] = memplan.all_reduce
// RANKS-NEXT:    memplan.sgd_update %arg0, %[[A0]]
// RANKS-PLANNED-COUNT-2: memplan.all_reduce ins({{.*}}ranks = 2
// RANKS-SCALE:   %[[B1:.*]] = memplan.all_reduce
// RANKS-SCALE:   %[[A1:.*]] = memplan.all_reduce
// RANKS-SCALE:   memplan.non_finite %[[B1]], %[[A1]]
// RANKS-GRAD:    %[[B2:.*]] = memplan.all_reduce
// RANKS-GRAD:    %[[A2:.*]] = memplan.all_reduce
// RANKS-GRAD:    return %{{.*}}, %[[B2]], %[[A2]]
// BAD-RANKS:     memplan-autodiff: option 'ranks' is 0, but must be at least 1

// Clipped gradients wait for the norm of all of them.
// CLIP:          memplan.tanh_grad
// CLIP:          %[[NORM:.*]] = memplan.global_norm %[[B:.*]], %[[A:.*]] {memplan.backward} : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
// CLIP-NEXT:     %[[FACTOR:.*]] = memplan.map %[[NORM]] {{.*}}expression = "2.5 x0 1e-6 add div 1 min"{{.*}} : (tensor<f32>) -> tensor<f32>
// CLIP-NEXT:     %[[SCALED:.*]] = memplan.map %[[B]], %[[FACTOR]] {{.*}}expression = "x0 x1 mul"{{.*}} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CLIP-NEXT:     memplan.map %[[A]], %[[FACTOR]]
// CLIP-NEXT:     memplan.sgd_update %{{.*}}, %[[SCALED]]
// CLIP-NEXT:     memplan.sgd_update
// CLIP-NEXT:     return

// The scale is a state, and the gradient of the loss. Gradients are looked at, divided and clipped in this order; what counts and updates skips.
// SCALE:         %[[S:[a-z0-9]*]]: tensor<f32> {memplan.init = "constant:1024", memplan.kind = "state", memplan.name = "optimizer.loss_scale"}
// SCALE-SAME:    %[[N:[a-z0-9]*]]: tensor<1xi64> {memplan.init = "zeros", memplan.kind = "state", memplan.name = "optimizer.good_steps"}
// SCALE:         memplan.mse_loss_grad %{{.*}}, %{{.*}}, %[[S]]
// SCALE:         %[[SKIP:.*]] = memplan.non_finite %[[B:.*]], %[[A:.*]] {memplan.backward}
// SCALE-NEXT:    %[[INVERSE:.*]] = memplan.map %[[S]] {{.*}}expression = "1 x0 div"
// SCALE-NEXT:    %[[UB:.*]] = memplan.map %[[B]], %[[INVERSE]]
// SCALE-NEXT:    %[[UA:.*]] = memplan.map %[[A]], %[[INVERSE]]
// SCALE-NEXT:    memplan.loss_scale_update %[[S]], %[[N]], %[[SKIP]] {backoff_factor = 5.000000e-01, growth_factor = 2.000000e+00, growth_interval = 5, memplan.backward}
// SCALE-NEXT:    memplan.global_norm %[[UB]], %[[UA]]
// SCALE:         memplan.increment %{{.*}}, %[[SKIP]]
// SCALE:         memplan.adam_update {{.*}}, %[[SKIP]] {
// SCALE:         memplan.adam_update {{.*}}, %[[SKIP]] {
// GIVEN:         memplan.init = "constant:65536", memplan.kind = "state", memplan.name = "optimizer.loss_scale"
// GIVEN:         memplan.loss_scale_update {{.*}}growth_interval = 2000

// BAD: unknown value 'soon' of option 'updates'; valid are eager, end
func.func @step(%a: tensor<8xf32> {memplan.kind = "parameter", memplan.name = "a"},
                %b: tensor<8xf32> {memplan.kind = "parameter", memplan.name = "b"}, %t: tensor<8xf32> {memplan.kind = "input"})
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h = memplan.tanh %a : (tensor<8xf32>) -> tensor<8xf32>
  %y = memplan.mul %h, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}

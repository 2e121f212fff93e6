// RUN: memplan-opt %s --memplan-autocast --memplan-autodiff | FileCheck %s
// RUN: memplan-run %s --precision=bf16 --budget=95%% --steps=3 --check | FileCheck %s --check-prefix=SAME
// RUN: memplan-run %s --precision=f16 --budget=95%% --steps=3 --backend=reference --check --poison | FileCheck %s --check-prefix=SAME
// RUN: memplan-opt %s --emit=graph -o %t.f32.json
// RUN: memplan-opt %s --precision=bf16 --emit=graph | FileCheck %s --check-prefix=GRAPH
// RUN: memplan-opt %s --precision=bf16 --budget=95%% | FileCheck %s --check-prefix=PLAN
// RUN: not memplan-opt %s --precision=bf8 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not memplan-run %s --precision=int8 2>&1 | FileCheck %s --check-prefix=WORD

// Parameters, their gradients and their updates are f32 under autocast; what lies between has two bytes an element.

// CHECK: %[[DW16:.*]] = memplan.matmul {{.*}}transpose_lhs{{.*}} -> tensor<64x64xbf16>
// CHECK: %[[DW:.*]] = memplan.cast %[[DW16]] {element = "f32"{{.*}} : (tensor<64x64xbf16>) -> tensor<64x64xf32>
// CHECK: memplan.sgd_update %{{.*}}, %[[DW]]
// SAME: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// GRAPH: "bytes": 32768
// PLAN: memplan.tanh {{.*}}memref<256x64xbf16
// WORD: precision: must be f32, tf32, bf16 or f16
func.func @step(%x: tensor<256x64xf32> {memplan.kind = "input", memplan.name = "x", memplan.batch = 0 : i64},
                %w1: tensor<64x64xf32> {memplan.kind = "parameter", memplan.name = "w1", memplan.init = "normal:0.1"},
                %w2: tensor<64x8xf32> {memplan.kind = "parameter", memplan.name = "w2", memplan.init = "normal:0.1"},
                %labels: tensor<256xi64> {memplan.kind = "input", memplan.name = "labels", memplan.high = 8 : i64, memplan.batch = 0 : i64})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"})
    attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %h = memplan.matmul %x, %w1 : (tensor<256x64xf32>, tensor<64x64xf32>) -> tensor<256x64xf32>
  %a = memplan.tanh %h : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %y = memplan.matmul %a, %w2 : (tensor<256x64xf32>, tensor<64x8xf32>) -> tensor<256x8xf32>
  %loss, %lse = memplan.cross_entropy %y, %labels : (tensor<256x8xf32>, tensor<256xi64>) -> (tensor<f32>, tensor<256xf32>)
  return %loss : tensor<f32>
}

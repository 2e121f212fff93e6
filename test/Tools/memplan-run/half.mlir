// Parameters of 16 bits and casts between types: planned and unplanned runs are the same bit for bit on both backends, and what is saved in a file
// of 16 bits goes on where it stopped.
// RUN: memplan-run %s --budget=80%% --backend=reference --steps=3 --check --poison | FileCheck %s --check-prefix=SAME
// RUN: memplan-run %s --budget=80%% --steps=3 --check | FileCheck %s --check-prefix=SAME
// RUN: memplan-run %s --steps=4 --init-seed=3 --save-params=%t.four.safetensors | grep ^step > %t.four
// RUN: memplan-run %s --steps=2 --init-seed=3 --save-params=%t.two.safetensors | grep ^step > %t.stopped
// RUN: memplan-run %s --steps=2 --init-seed=3 --params=%t.two.safetensors --save-params=%t.resumed.safetensors --budget=80%% | grep ^step >> %t.stopped
// RUN: diff %t.four %t.stopped
// RUN: cmp %t.four.safetensors %t.resumed.safetensors
// RUN: grep -c '"dtype":"BF16"' %t.two.safetensors
// RUN: grep -c '"dtype":"F16"' %t.two.safetensors

// Two bytes an element: the graph says so.
// RUN: memplan-opt %s --emit=graph | FileCheck %s --check-prefix=GRAPH
// GRAPH: "bytes": 8192, "kind": "parameter", "name": "w1"

// SAME: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
func.func @step(%x: tensor<256x64xf32> {memplan.kind = "input", memplan.name = "x", memplan.batch = 0 : i64},
                %w1: tensor<64x64xbf16> {memplan.kind = "parameter", memplan.name = "w1", memplan.init = "normal:0.1"},
                %g: tensor<64xf32> {memplan.kind = "parameter", memplan.name = "g", memplan.init = "ones"},
                %b: tensor<64xf32> {memplan.kind = "parameter", memplan.name = "b", memplan.init = "zeros"},
                %w2: tensor<64x64xf16> {memplan.kind = "parameter", memplan.name = "w2", memplan.init = "normal:0.1"},
                %w3: tensor<64x8xf32> {memplan.kind = "parameter", memplan.name = "w3", memplan.init = "normal:0.1"},
                %labels: tensor<256xi64> {memplan.kind = "input", memplan.name = "labels", memplan.high = 8 : i64, memplan.batch = 0 : i64})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"})
    attributes {memplan.optimizer = {name = "adamw", lr = 0.01 : f64, max_norm = 1.0 : f64}} {
  %x16 = memplan.cast %x {element = "bf16"} : (tensor<256x64xf32>) -> tensor<256x64xbf16>
  %h1 = memplan.matmul %x16, %w1 : (tensor<256x64xbf16>, tensor<64x64xbf16>) -> tensor<256x64xbf16>
  %n1, %m, %r = memplan.layer_norm %h1, %g, %b : (tensor<256x64xbf16>, tensor<64xf32>, tensor<64xf32>) -> (tensor<256x64xbf16>, tensor<256xf32>, tensor<256xf32>)
  %a1 = memplan.gelu %n1 {approximate = "tanh"} : (tensor<256x64xbf16>) -> tensor<256x64xbf16>
  %a16 = memplan.cast %a1 {element = "f16"} : (tensor<256x64xbf16>) -> tensor<256x64xf16>
  %h2 = memplan.matmul %a16, %w2 : (tensor<256x64xf16>, tensor<64x64xf16>) -> tensor<256x64xf16>
  %a2 = memplan.tanh %h2 : (tensor<256x64xf16>) -> tensor<256x64xf16>
  %a32 = memplan.cast %a2 {element = "f32"} : (tensor<256x64xf16>) -> tensor<256x64xf32>
  %y = memplan.matmul %a32, %w3 : (tensor<256x64xf32>, tensor<64x8xf32>) -> tensor<256x8xf32>
  %loss, %lse = memplan.cross_entropy %y, %labels : (tensor<256x8xf32>, tensor<256xi64>) -> (tensor<f32>, tensor<256xf32>)
  return %loss : tensor<f32>
}

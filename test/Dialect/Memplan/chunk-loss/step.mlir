// RUN: memplan-opt %s --loss-chunks=4 --emit=graph -o %t.graph.json
// RUN: memplan-solve remat %t.graph.json --budget=90%% -o %t.plan.json
// RUN: memplan-opt %s --loss-chunks=4 --plan=%t.plan.json -o %t.planned.mlir
// RUN: FileCheck %s --input-file=%t.planned.mlir
// RUN: memplan-run %s --loss-chunks=4 --budget=110K --steps=3 --check --poison | FileCheck %s --check-prefix=SAME
// RUN: memplan-opt %s --budget=1M -o %t.whole 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: memplan-opt %s --loss-chunks=4 --budget=1M -o %t.chunks 2>&1 | FileCheck %s --check-prefix=CHUNKS

// A graph, a plan made elsewhere and a run are all of the step by chunks, and its logits, which are most of its bytes, take a quarter. A flag that one of them
// did not read would give a plan of another step.

// CHECK-COUNT-4: memplan.cross_entropy_grad {{.*}}memref<16x512xf32>
// CHECK-NOT: 64x512
// SAME: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// WHOLE: device {{[0-9][0-9][0-9][0-9][0-9][0-9]}} bytes
// CHUNKS: device {{[0-9][0-9][0-9][0-9][0-9]}} bytes
func.func @step(%x: tensor<64x8xf32> {memplan.kind = "input", memplan.name = "x"},
                %w: tensor<512x8xf32> {memplan.kind = "parameter", memplan.name = "w", memplan.init = "normal:0.1"},
                %labels: tensor<64xi64> {memplan.kind = "input", memplan.name = "labels", memplan.high = 512 : i64})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"})
    attributes {memplan.optimizer = {name = "sgd", lr = 0.1 : f64}} {
  %z = memplan.matmul %x, %w {transpose_rhs} : (tensor<64x8xf32>, tensor<512x8xf32>) -> tensor<64x512xf32>
  %loss, %lse = memplan.cross_entropy %z, %labels : (tensor<64x512xf32>, tensor<64xi64>) -> (tensor<f32>, tensor<64xf32>)
  return %loss : tensor<f32>
}

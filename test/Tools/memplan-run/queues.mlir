// A plan with two streams, a copy to the host and one back is applied, verified, lowered and run: the same bits as without a
// plan, and as many bytes on the device and on the host as planned.
// RUN: split-file %s %t
// RUN: memplan-opt %t/step.mlir --emit=graph -o %t/graph.json
// RUN: memplan-solve check %t/graph.json %t/plan.json --bandwidth=1000000,500000,0.01
// RUN: %python %root/utils/check_plan.py %t/graph.json %t/plan.json --bandwidth=1000000,500000,0.01
// RUN: memplan-opt %t/step.mlir --bandwidth=1000000,500000,0.01 --plan=%t/plan.json -o %t/planned.mlir
// RUN: FileCheck %s --check-prefix=IR < %t/planned.mlir
// IR: %arg0: memref<32768xi8> {{.*}} %arg1: memref<16384xi8, #memplan.host> {
// IR-SAME: memplan.time = 0.24301
// IR: memplan.matmul {{.*}} outs(%[[A:.*]] :
// IR-NEXT: %[[MADE:.*]] = memplan.record{{$}}
// IR: %[[GONE:.*]] = memplan.evict %[[A]] to %[[H:.*]] {memplan.cost = 4.2768{{.*}} : f64}
// IR-NEXT: memplan.wait %[[MADE]] on stream 1
// IR: memplan.tanh ins(%[[A]] {{.*}} outs(%[[B:.*]] : {{.*}} memplan.stream = 1
// IR-NEXT: %[[READ:.*]] = memplan.record on stream 1
// IR-NEXT: memplan.wait %[[GONE]]{{$}}
// IR-NEXT: memplan.wait %[[READ]]{{$}}
// IR-NEXT: memplan.matmul ins(%[[B]], {{.*}} outs(%[[A]] :
// IR-NEXT: %[[THERE:.*]] = memplan.fetch %[[H]] to %[[B]] {memplan.cost = 0.02638{{.*}} : f64}
// IR-NEXT: memplan.relu
// IR-NEXT: memplan.wait %[[THERE]]{{$}}
// IR-NEXT: memplan.add

// Cleaning changes nothing, and what is read again is still right.
// RUN: memplan-opt %t/planned.mlir --canonicalize --cse --canonicalize --cse --memplan-verify-plan -o %t/cleaned.mlir
// RUN: diff %t/planned.mlir %t/cleaned.mlir

// The table has copies on their engines, and waits for instructions.
// RUN: memplan-run %t/planned.mlir --dump | FileCheck %s --check-prefix=TABLE
// TABLE: arena 0 bytes=32768 alignment=256 space=device
// TABLE: arena 1 bytes=16384 alignment=256 space=host
// TABLE: 1: memplan.evict node=-1 queue=d2h in(arena0+0:64x64xf32) out(arena1+0:64x64xf32)
// TABLE: 2: memplan.tanh node=1 stream=1 wait=0 in(
// TABLE: 3: memplan.matmul node=2 wait=1 wait=2 in(
// TABLE: 4: memplan.fetch node=-1 queue=h2d in(arena1+0:64x64xf32) out(arena0+16384:64x64xf32)
// TABLE: 5: memplan.relu node=3 in(
// TABLE: 6: memplan.add node=4 wait=4 in(

// RUN: memplan-run %t/planned.mlir --steps=3 --check --unplanned=%t/step.mlir --poison --measure | FileCheck %s
// RUN: memplan-run %t/planned.mlir --steps=3 --check --unplanned=%t/step.mlir --poison --measure --engine=jit | FileCheck %s
// RUN: memplan-opt %t/step.mlir --bandwidth=1000000,500000,0.01 --plan=%t/plan.json --emit=program -o %t/step.mpp
// RUN: memplan-run %t/planned.mlir --emit-program=%t/same.mpp
// RUN: cmp %t/step.mpp %t/same.mpp
// RUN: memplan-run %t/step.mpp --steps=3 --poison --measure | FileCheck %s --check-prefix=MEASURED
// RUN: memplan-run %t/planned.mlir --emit-library=%t/step.so
// RUN: memplan-run %t/step.so --steps=3 --poison --measure | FileCheck %s --check-prefix=MEASURED
// CHECK: check: after each of 3 steps 3 values (49152 bytes) were the same in the unplanned run, bit for bit
// CHECK: poison: every read found the value that the plan means there
// CHECK: measured: arena 0: planned 32768 bytes, handed out 32768
// CHECK: measured: arena 1 (host): planned 16384 bytes, handed out 16384
// MEASURED: measured: arena 1 (host): planned 16384 bytes, handed out 16384

//--- step.mlir
func.func @step(%x: tensor<64x64xf32> {memplan.kind = "input"}, %w: tensor<64x64xf32> {memplan.kind = "parameter"}) -> (tensor<64x64xf32> {memplan.kind = "output"}) {
  %0 = memplan.matmul %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = memplan.tanh %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = memplan.matmul %1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = memplan.relu %2 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = memplan.add %3, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}
//--- plan.json
{"version": 1, "graph": "step", "status": "feasible", "cost": 0.23665777777777774, "time": 0.2430168888888889, "peak_bytes": 65536, "solver": "hand",
 "steps": [{"compute": 0, "event": 0}, {"evict": 2, "event": 1}, {"wait": 0, "stream": 1}, {"compute": 1, "stream": 1, "event": 2}, {"wait": 1}, {"wait": 2}, {"compute": 2}, {"free": [3]},
  {"fetch": 2, "event": 3}, {"compute": 3, "in_place": [[5, 4]]}, {"wait": 3}, {"compute": 4, "in_place": [[6, 5]]}, {"free": [2]}, {"drop_host": 2}],
 "arenas": [{"space": "device", "bytes": 32768, "alignment": 256, "placements": [
   {"tensor": 2, "step_begin": 0, "step_end": 4, "offset": 0}, {"tensor": 3, "step_begin": 3, "step_end": 7, "offset": 16384},
   {"tensor": 4, "step_begin": 6, "step_end": 14, "offset": 0}, {"tensor": 2, "step_begin": 8, "step_end": 12, "offset": 16384}]},
  {"space": "host", "bytes": 16384, "alignment": 256, "placements": [{"tensor": 2, "step_begin": 1, "step_end": 13, "offset": 0}]}]}

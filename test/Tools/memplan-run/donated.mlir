// A donated input lies in the arena, the runtime copies each batch to its planned offset, and its bytes are used again after
// its last user. The budget holds in no other way: the parameters take 2048 bytes, %x and %y 16384 each, %h 1024.
// RUN: rm -rf %t && mkdir %t
// RUN: memplan-opt %s --budget=19456 -o %t/planned.mlir
// RUN: memplan-opt %s --budget=19456 --emit=plan -o %t/plan.json
// RUN: memplan-opt %s --emit=graph -o %t/graph.json
// RUN: FileCheck %s --check-prefix=IR < %t/planned.mlir
// RUN: FileCheck %s --check-prefix=PLAN < %t/plan.json
// RUN: %python %root/utils/check_plan.py %t/graph.json %t/plan.json --budget=19456
// RUN: memplan-solve check %t/graph.json %t/plan.json --budget=19456
// RUN: not memplan-opt %s --budget=19455 -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: memplan-run %t/planned.mlir --steps=3 --check --unplanned=%s --poison --measure | FileCheck %s
// RUN: memplan-run %t/planned.mlir --steps=3 --check --unplanned=%s --poison --measure --engine=jit | FileCheck %s
// RUN: memplan-run %t/planned.mlir --emit-library=%t/step.so
// RUN: memplan-run %t/step.so --steps=3 --poison --measure | FileCheck %s --check-prefix=LIBRARY
// With the workspaces of the CPU as well:
// RUN: memplan-run %s --steps=3 --check --poison | FileCheck %s --check-prefix=SAME

// IR: memplan.alignment = 256 : i64, memplan.arena
// IR-SAME: memplan.arena_offset = {{[0-9]+}} : i64, memplan.donated
// IR: memplan.arena_bytes = 17408 : i64
// PLAN: "owns": [0]
// LESS: it is proved infeasible in any order, every such plan needs at least 19.0 KiB (19456 bytes)
// CHECK-DAG: measured: arena 0: planned 17408 bytes, handed out 17408, touched 17408; handed out as planned
// CHECK-DAG: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
// CHECK-DAG: poison: every read found the value that the plan means there
// LIBRARY-DAG: measured: arena 0: planned 17408 bytes, handed out 17408, touched 17408; handed out as planned
// LIBRARY-DAG: poison: every read found the value that the plan means there
// SAME: check: after each of 3 steps {{.*}} the same in the unplanned run, bit for bit
func.func @step(%x: tensor<64x64xf32> {memplan.kind = "input", memplan.name = "x", memplan.donated},
                %w: tensor<64x4xf32> {memplan.kind = "parameter", memplan.name = "w", memplan.init = "normal:0.3"},
                %v: tensor<4x64xf32> {memplan.kind = "parameter", memplan.name = "v", memplan.init = "normal:0.3"})
    -> (tensor<64x4xf32> {memplan.kind = "output", memplan.name = "z"}) {
  %h = memplan.matmul %x, %w : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  %y = memplan.matmul %h, %v : (tensor<64x4xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
  %z = memplan.matmul %y, %w : (tensor<64x64xf32>, tensor<64x4xf32>) -> tensor<64x4xf32>
  return %z : tensor<64x4xf32>
}

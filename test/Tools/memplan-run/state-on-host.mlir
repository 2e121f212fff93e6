// A parameter that lies on the host between steps comes to the device for its update alone, and goes back: the verifier follows
// it to its place there, and the table names the place as the argument's.
// RUN: split-file %s %t
// RUN: memplan-opt %t/planned.mlir --canonicalize --cse --memplan-verify-plan -o %t/verified.mlir
// RUN: memplan-run %t/verified.mlir --dump | FileCheck %s
// CHECK: memplan.fetch {{.*}} queue=h2d in(arena1+0:64xf32) out(arena0+0:64xf32)
// CHECK: memplan.evict {{.*}} queue=d2h in(arena0+0:64xf32) out(arena1+0:64xf32)

// RUN: memplan-run %t/verified.mlir --steps=2 --check --unplanned=%t/step.mlir --poison --measure | FileCheck %s --check-prefix=SAME
// SAME: check: after each of 2 steps 2 values (512 bytes) were the same in the unplanned run, bit for bit

// Without the copy back the parameter would be lost; two arguments cannot share a place.
// RUN: grep -v memplan.evict %t/planned.mlir > %t/lost.mlir
// RUN: not memplan-opt %t/lost.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: argument 3 at the end of the step has another value than in the unplanned function (planned_c7)
// RUN: sed 's/memplan.host_offset = 0/memplan.host_offset = 64/' %t/planned.mlir > %t/moved.mlir
// RUN: not memplan-opt %t/moved.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=MOVED
// MOVED: argument 3 lies in the host arena from byte 64 on, but that is not a multiple of the alignment 256 (planned_c9)

//--- planned.mlir
func.func @step(%arena: memref<256xi8> {memplan.alignment = 256 : i64, memplan.arena}, %host: memref<256xi8, #memplan.host> {memplan.alignment = 256 : i64, memplan.arena},
                %g: memref<64xf32> {memplan.kind = "input"}, %w: memref<64xf32> {memplan.host_offset = 0 : i64, memplan.kind = "parameter"})
    attributes {memplan.arena_bytes = 256 : i64, memplan.cost = 8.5333333333333333E-4 : f64, memplan.peak_bytes = 512 : i64, memplan.planned, memplan.value_hash = array<i64: -2401331500349957573, -1539691675307601807>} {
  %c0 = arith.constant 0 : index
  %d = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %h = memref.view %host[%c0][] : memref<256xi8, #memplan.host> to memref<64xf32, #memplan.host>
  %there = memplan.fetch %h to %d : memref<64xf32, #memplan.host> to memref<64xf32>
  memplan.wait %there
  memplan.sgd_update ins(%d, %g : memref<64xf32>, memref<64xf32>) outs(%d : memref<64xf32>) {lr = 0.1, memplan.node = 0}
  %back = memplan.evict %d to %h : memref<64xf32> to memref<64xf32, #memplan.host>
  return
}
//--- step.mlir
func.func @step(%g: tensor<64xf32> {memplan.kind = "input"}, %w: tensor<64xf32> {memplan.kind = "parameter"}) -> (tensor<64xf32> {memplan.updates = 1 : i64}) {
  %0 = memplan.sgd_update %w, %g {lr = 0.1} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

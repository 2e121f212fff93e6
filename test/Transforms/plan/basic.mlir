// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-plan='remat=greedy budget=70%%' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify-plan --canonicalize --cse --memplan-verify-plan | FileCheck %s

// 70 % of the unplanned peak cannot be had without recomputing; were a recomputation undone, the step would not fit.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: memref<[[ARENA:[0-9]+]]xi8> {memplan.alignment = 256 : i64, memplan.arena}
// CHECK-SAME: memref<32x32xf32> {memplan.kind = "parameter", memplan.name = "w0"}
// CHECK-SAME: -> (memref<f32> {memplan.kind = "loss"})
// CHECK-SAME: memplan.arena_bytes = [[ARENA]] : i64
// CHECK-SAME: memplan.budget = 60216 : i64
// CHECK-SAME: memplan.planned
// CHECK: run = 1
// Updates write into the parameters.
// CHECK: memplan.sgd_update ins(%[[P:arg[0-9]+]], %{{.*}}) outs(%[[P]] : memref<32x32xf32>)
// CHECK: return %{{.*}} : memref<f32>

// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-remat='solver=greedy budget=80%%' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// CSE merges equal operations; were a recomputation merged with its first run, the plan would be undone without a word.
// RUN: memplan-opt %t.mlir --canonicalize --cse | diff %t.mlir -

// Extracting the graph again must give the same graph, so that the passes after this one see the same problem.
// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-emit-graph=output=%t.before.json -o /dev/null
// RUN: memplan-opt %t.mlir --memplan-emit-graph=output=%t.after.json -o /dev/null
// RUN: diff %t.before.json %t.after.json

// Recomputing is worth it only if fewer bytes are live.
// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-in-place --memplan-liveness=output=attributes | FileCheck %s --check-prefix=BEFORE
// RUN: memplan-opt %t.mlir --memplan-in-place --memplan-liveness=output=attributes | FileCheck %s --check-prefix=AFTER
// BEFORE: memplan.live_peak_bytes = 8{{[0-9][0-9][0-9][0-9]}} : i64
// AFTER: memplan.live_peak_bytes = 6{{[0-9][0-9][0-9][0-9]}} : i64

// The recomputation reads the latest run of what it needs and carries the node of its first run.
// CHECK: memplan.gelu %{{.*}} {approximate = "none", memplan.node = [[NODE:[0-9]+]]}
// CHECK: memplan.mse_loss_grad
// CHECK: memplan.gelu %{{.*}} {approximate = "none", memplan.node = {{[0-9]+}}, run = 1}

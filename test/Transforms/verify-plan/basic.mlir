// A verifier that rejects what memplan itself plans would stop every run.
// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-plan='remat=greedy budget=80%%' --memplan-verify-plan --canonicalize --cse --memplan-verify-plan -o %t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify-plan | FileCheck %s
// CHECK: run = 1

// Small changes of a good plan are rejected: the recomputation is left out, two operations change places, an offset moves,
// another scalar is used.
// RUN: grep -v 'run = 1' %t.mlir > %t.norecompute.mlir
// RUN: not memplan-opt %t.norecompute.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: sed 's/lr = 1.000000e-01, memplan.backward, memplan.node = 18/lr = 2.000000e-01, memplan.backward, memplan.node = 18/' %t.mlir > %t.lr.mlir
// RUN: not memplan-opt %t.lr.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: sed 's/memplan.peak_bytes = /memplan.peak_bytes = 1/' %t.mlir > %t.peak.mlir
// RUN: not memplan-opt %t.peak.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=PEAK
// VALUE: {{planned_c3|planned_c6|planned_c7}}
// PEAK: `memplan.peak_bytes` promises {{.*}} (planned_c8)

// RUN: memplan-opt %s --memplan-in-place --memplan-share='solver=counter streams=2' -o %t.counter.mlir
// RUN: FileCheck %s --check-prefix=COUNTER < %t.counter.mlir
// RUN: memplan-opt %s --memplan-in-place --memplan-share='solver=color streams=2' | FileCheck %s --check-prefix=COLOR
// RUN: memplan-opt %t.counter.mlir --memplan-share=solver=counter | FileCheck %s --check-prefix=ONE
// RUN: not memplan-opt %s --memplan-share=streams=0 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: memplan-share: {{.*}}streams

// Two branches from %0 to %7. A pass that names storages and no streams would let %4 lie where %1 is while %3, on the other
// stream, still reads it.
// COUNTER: memplan.storage_bytes = 768 : i64
// COUNTER: memplan.stream = 1
// Colors keep branches apart: more storages, fewer waits.
// COLOR: memplan.storage_bytes = [[BYTES:[0-9]+]] : i64
// COLOR: memplan.stream = 1
// Without streams none is left from before.
// ONE-NOT: memplan.stream =

// In the end every storage has bytes of its own, and what hands one over waits; the verifier of the planned form, which orders queues by
// itself, finds no race.
// RUN: memplan-opt %t.counter.mlir --memplan-assign-offsets --memplan-apply --memplan-verify-plan -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned.mlir
// PLANNED: memplan.arena_bytes = 768 : i64
// PLANNED: memplan.wait
// RUN: memplan-opt %s --memplan-in-place --memplan-share='solver=color streams=2' --memplan-assign-offsets --memplan-apply --memplan-verify-plan | FileCheck %s --check-prefix=WAITS
// WAITS: memplan.planned

// A wait that is taken away is a race, or the waits would be redundant.
// RUN: grep -v memplan.wait %t.planned.mlir > %t.race.mlir
// RUN: not memplan-opt %t.race.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error

// CSE between any two passes changes nothing.
// RUN: memplan-opt %s --cse --memplan-in-place --cse --memplan-share='solver=counter streams=2' --cse --memplan-assign-offsets --cse --memplan-apply -o %t.cleaned.mlir
// RUN: memplan-opt %s --memplan-in-place --memplan-share='solver=counter streams=2' --memplan-assign-offsets --memplan-apply -o %t.plain.mlir
// RUN: diff %t.plain.mlir %t.cleaned.mlir
func.func @mx7(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.transpose %x {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {memplan.cost = 9.0, perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.transpose %0 {perm = [0, 1]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = memplan.transpose %1 {memplan.cost = 9.0, perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = memplan.transpose %2 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = memplan.transpose %3 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = memplan.transpose %4 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = memplan.add %5, %6 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %7 : tensor<8x8xf32>
}

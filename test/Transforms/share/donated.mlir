// RUN: memplan-opt %s --memplan-in-place --memplan-share --memplan-assign-offsets -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memplan-opt %t.mlir --memplan-apply --memplan-verify-plan | FileCheck %s --check-prefix=PLANNED
// RUN: sed 's/memplan.arena_offset = 0 : i64, //' %t.mlir > %t.none.mlir
// RUN: not memplan-opt %t.none.mlir --memplan-apply 2>&1 | FileCheck %s --check-prefix=NONE
// PLANNED: memplan.arena_offset = 0 : i64, memplan.donated
// NONE: argument 0 is donated and needs `memplan.arena_offset`; run memplan-assign-offsets

// What lies in a donated input has no storage of the step: the next pass asked for its number. Its place in the arena stands on
// the argument.
// CHECK: memplan.arena_offset = 0 : i64
// CHECK: memplan.arena_bytes = 512 : i64
// CHECK: memplan.relu %{{.*}} {memplan.in_place = {{\[\[}}0, 0]], memplan.node = 0}
// CHECK: memplan.transpose {{.*}}memplan.offset = array<i64: 256>
// CHECK-SAME: memplan.storage = array<i64: 0>
func.func @f(%x: tensor<8x8xf32> {memplan.kind = "input", memplan.donated}) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

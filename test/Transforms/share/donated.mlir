// RUN: memplan-opt %s --memplan-in-place --memplan-share --memplan-assign-offsets | FileCheck %s

// What lies in a donated input has no storage of the step: the next pass asked for its number.
// CHECK: memplan.arena_bytes = 256 : i64
// CHECK: memplan.relu %{{.*}} {memplan.in_place = {{\[\[}}0, 0]], memplan.node = 0}
// CHECK: memplan.transpose {{.*}}memplan.offset = array<i64: 0>
// CHECK-SAME: memplan.storage = array<i64: 0>
func.func @f(%x: tensor<8x8xf32> {memplan.kind = "input", memplan.donated}) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.transpose %0 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// RUN: memplan-opt %s --memplan-in-place --memplan-share=solver=counter | FileCheck %s --check-prefixes=CHECK,COUNTER
// RUN: memplan-opt %s --memplan-share=solver=none | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: not memplan-opt %s --memplan-share=solver=all 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: memplan-share: unknown sharing solver 'all'; there are 'auto', 'none', 'counter', 'color'

// Two values in one storage while both are read would corrupt the step; none ever sharing would waste it.
// COUNTER: memplan.storage_bytes = 512 : i64
// NONE: memplan.storage_bytes = 1024 : i64
// CHECK: memplan.relu {{.*}}memplan.storage = array<i64: 0>
// CHECK: memplan.softmax {{.*}}memplan.storage = array<i64: 1>
// Both operands are read: with in-place the sum takes the storage of one of them.
// COUNTER: memplan.add {{.*}}memplan.in_place = {{.*}}memplan.storage = array<i64: [[SUM:[01]]]>
// NONE: memplan.add {{.*}}memplan.storage = array<i64: 2>
// COUNTER: memplan.transpose {{.*}}memplan.storage = array<i64: {{[01]}}>
// NONE: memplan.transpose {{.*}}memplan.storage = array<i64: 3>
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.softmax %0 {axis = -1} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.add %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = memplan.transpose %2 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

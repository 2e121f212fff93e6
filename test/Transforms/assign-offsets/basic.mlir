// RUN: memplan-opt %s --memplan-assign-offsets | FileCheck %s
// RUN: memplan-opt %s --memplan-assign-offsets='solver=greedy-by-size alignment=64' | FileCheck %s --check-prefix=ALIGN
// RUN: memplan-opt %s --memplan-in-place --memplan-share=solver=counter --memplan-assign-offsets | FileCheck %s --check-prefix=SHARED
// RUN: not memplan-opt %s --memplan-assign-offsets=solver=none 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not memplan-opt %s --memplan-assign-offsets=alignment=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt %s --memplan-assign-offsets=budget=1X 2>&1 | FileCheck %s --check-prefix=UNIT
// SOLVER: memplan-assign-offsets: unknown arena solver 'none'; there are 'auto', 'exact', 'search', 'best-fit'
// ZERO: memplan-assign-offsets: alignment: 0 is not a power of two
// UNIT: memplan-assign-offsets: size '1X' has the unknown unit 'X'

// The third value must reuse the bytes of the first, which is dead by then, and the workspace those of nobody.
// CHECK: memplan.alignment = 256 : i64, memplan.arena_bytes = 612 : i64
// CHECK: memplan.relu {{.*}}memplan.offset = array<i64: [[FIRST:[0-9]+]]>
// CHECK: memplan.tanh {{.*}}memplan.offset = array<i64: {{[0-9]+}}>, memplan.workspace_offset = {{[0-9]+}}
// CHECK: memplan.transpose {{.*}}memplan.offset = array<i64: [[FIRST]]>
// ALIGN: memplan.alignment = 64 : i64
// In place, the second value has no bytes of its own, and so no offset.
// SHARED: memplan.relu {{.*}}memplan.offset = array<i64: 0>
// SHARED: memplan.tanh %{{[0-9]+}} {memplan.in_place = {{\[\[}}0, 0]], memplan.node = 1, memplan.storage = array<i64: 0>, memplan.workspace_offset = 256
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.tanh %0 {workspace_bytes = 100 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.transpose %1 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

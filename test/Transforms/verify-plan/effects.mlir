// What an operation with effects does is not seen in any value: the planned form carries a number for all of them in their
// order, so that one that is lost, run twice or moved is refused.
// RUN: memplan-opt %s --memplan-plan -o %t.mlir
// RUN: memplan-opt %t.mlir --canonicalize --cse --memplan-verify-plan -o /dev/null
// RUN: grep -v my.first %t.mlir > %t.lost.mlir
// RUN: not memplan-opt %t.lost.mlir --memplan-verify-plan 2>&1 | FileCheck %s
// RUN: sed -e 's/my.first/my.third/; s/my.second/my.first/; s/my.third/my.second/' %t.mlir > %t.moved.mlir
// RUN: not memplan-opt %t.moved.mlir --memplan-verify-plan 2>&1 | FileCheck %s
// RUN: sed -e '/my.first/{p;}' %t.mlir > %t.twice.mlir
// RUN: not memplan-opt %t.twice.mlir --memplan-verify-plan 2>&1 | FileCheck %s
// CHECK: runs other operations with effects than the unplanned function, or in another order (planned_c7)
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = memplan.opaque %x {effects = "unknown", kernel = "my.first"} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = memplan.opaque %x {effects = "unknown", kernel = "my.second"} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = memplan.relu %x : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

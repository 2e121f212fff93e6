// Of several planned functions one is named, and the module is then that step alone.
// RUN: memplan-opt %s --memplan-plan -o %t.mlir
// RUN: not memplan-opt %t.mlir --memplan-lower-to-runtime 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not memplan-opt %t.mlir --memplan-lower-to-runtime=function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: memplan-opt %t.mlir --memplan-lower-to-runtime=function=second | FileCheck %s
// SEVERAL: error: {{.*}}the module has several planned functions; choose one by function=
// SEVERAL: note: 'first'
// SEVERAL: note: 'second'
// NONE: the module has no planned function 'none'
// CHECK: @memplan_program("{{.*}}tanh
// CHECK-NOT: func.func
func.func @first(%x: tensor<64xf32> {memplan.kind = "input"}) -> (tensor<64xf32> {memplan.kind = "output"}) {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @second(%x: tensor<64xf32> {memplan.kind = "input"}) -> (tensor<64xf32> {memplan.kind = "output"}) {
  %0 = memplan.tanh %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

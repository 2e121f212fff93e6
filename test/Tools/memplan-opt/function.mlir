// Of several functions one is planned, with what it calls; the others come out as they went in.
// RUN: memplan-opt --function=step --budget=1G %s -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --input-file=%t.mlir
// SUMMARY: memplan-opt: @step: peak
// SUMMARY-NOT: @other
// CHECK: func.func @step{{.*}}memplan.planned
// CHECK: func.func @other
// CHECK-NEXT: memplan.relu
// CHECK-NEXT: call @helper
// CHECK: func.func private @unused

// Graph, plan and program files hold one function, and can be had of one of several.
// RUN: memplan-opt --function=step --emit=graph %s -o %t.graph.json
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.graph.json
// GRAPH: "name": "step"
// RUN: memplan-opt --function=other --emit=plan --budget=1G %s -o %t.plan.json
// RUN: not memplan-opt --function=third --emit=graph %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: has no function 'third' with a body, as --function asks for

func.func @other(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = memplan.relu %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = func.call @helper(%0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}
func.func private @helper(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = memplan.relu %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
func.func @step(%x: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = memplan.relu %x : (tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
func.func private @unused(%x: tensor<1x16xf32>) -> tensor<1x16xf32> {
  return %x : tensor<1x16xf32>
}

// --batch infers the step anew before it is planned, as memplan-set-batch does.
// RUN: memplan-opt --batch=8 --remat=checkpoint-all %s -o %t.sugar.mlir
// RUN: memplan-opt %s --memplan-set-batch=batch=8 -o %t.batch.mlir
// RUN: memplan-opt --remat=checkpoint-all %t.batch.mlir -o %t.two.mlir
// RUN: diff %t.sugar.mlir %t.two.mlir
// RUN: FileCheck %s --input-file=%t.sugar.mlir
// RUN: memplan-opt --batch=8 --emit=graph %s -o %t.graph.json
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.graph.json
// RUN: not memplan-opt --batch=-8 %s 2>&1 | FileCheck %s --check-prefix=BAD
// CHECK: memref<8x16xf32>
// GRAPH: 512
// BAD: memplan-opt: error: --batch: must not be negative, but is -8
func.func @step(%x: tensor<1x16xf32> {memplan.batch = 0 : i64}) -> tensor<1x16xf32> {
  %0 = memplan.relu %x : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %1 = memplan.relu %0 : (tensor<1x16xf32>) -> tensor<1x16xf32>
  return %1 : tensor<1x16xf32>
}

// RUN: memplan-opt %s -o %t.1
// RUN: memplan-opt %t.1 -o %t.2
// RUN: diff %t.1 %t.2
// RUN: memplan-opt %s --mlir-print-op-generic -o %t.generic
// RUN: memplan-opt %t.generic -o %t.3
// RUN: diff %t.1 %t.3
// RUN: FileCheck %s --input-file=%t.1
// RUN: memplan-opt %s --canonicalize --cse | FileCheck %s

// Both forms of every operation of this family are printed as they are written, and survive the generic form. All ranks take
// part in each, so none is dropped or merged with its equal.

// CHECK-LABEL: func.func @all_reduce(
// CHECK: memplan.all_reduce %{{.*}} {ranks = 2, reduction = "sum"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.all_reduce %{{.*}} {ranks = 2, reduction = "sum"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: memplan.all_reduce %{{.*}} {ranks = 4, reduction = "mean"} : (tensor<bf16>) -> tensor<bf16>
// CHECK: memplan.all_reduce ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>) workspace(%{{.*}} : memref<256xi8>) {ranks = 2, reduction = "sum"}
func.func @all_reduce(%x: tensor<4x8xf32>, %s: tensor<bf16>, %mx: memref<4x8xf32>, %out0: memref<4x8xf32>, %w: memref<256xi8>) {
  %y = memplan.all_reduce %x {ranks = 2} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %again = memplan.all_reduce %x {ranks = 2} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %z = memplan.all_reduce %s {ranks = 4, reduction = "mean"} : (tensor<bf16>) -> tensor<bf16>
  memplan.all_reduce ins(%mx : memref<4x8xf32>) outs(%out0 : memref<4x8xf32>) workspace(%w : memref<256xi8>) {ranks = 2}
  return
}

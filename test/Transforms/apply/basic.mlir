// Between passes only the IR carries facts: the chain of single-problem passes, with canonicalization and CSE between any two
// of them, ends in a valid plan that still recomputes, and says the same as the chain without.
// RUN: memplan-opt %S/../Inputs/chain.mlir --memplan-remat='solver=greedy budget=80%%' --memplan-in-place --memplan-share=solver=counter --memplan-assign-offsets --memplan-apply -o %t.plain.mlir
// RUN: memplan-opt %S/../Inputs/chain.mlir --canonicalize --cse --memplan-remat='solver=greedy budget=80%%' --canonicalize --cse --memplan-in-place --canonicalize --cse --memplan-share=solver=counter --canonicalize --cse --memplan-assign-offsets --canonicalize --cse --memplan-apply --memplan-verify-plan -o %t.cleaned.mlir
// RUN: diff %t.plain.mlir %t.cleaned.mlir
// RUN: memplan-opt %t.cleaned.mlir --canonicalize --cse --memplan-verify-plan | FileCheck %s
// CHECK: memplan.planned
// CHECK: run = 1

// Without sharing the chain finds the same offsets as the loop, here where the first try fits.
// RUN: memplan-opt %s --memplan-in-place --memplan-assign-offsets --memplan-apply | FileCheck %s --check-prefix=SMALL
// SMALL: memref<512xi8>
// SMALL: memplan.tanh ins(%[[AT:.*]] : memref<8x8xf32>) outs(%[[AT]] : memref<8x8xf32>) workspace(
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = memplan.tanh %0 {workspace_bytes = 100 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.transpose %1 {perm = [1, 0]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// RUN: not memplan-opt %s --memplan-liveness 2>&1 | FileCheck %s

// Bytes that are counted once for two values which are both needed would promise a peak that no run has.
// CHECK: error: `memplan.in_place` is wrong: inplace_c3: {{.*}} needs it at run 2
func.func @overwritten(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 {memplan.in_place = [[0, 0]]} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.add %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

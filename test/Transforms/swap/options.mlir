// A wrong option fails before any work.
// RUN: not memplan-opt %s --memplan-swap=solver=magic 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not memplan-opt %s --memplan-swap=tflms=bounds=3 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not memplan-opt %s --memplan-swap=tflms=codec=fp8 2>&1 | FileCheck %s --check-prefix=CODEC
// RUN: not memplan-opt %s --memplan-swap=bandwidth=1 2>&1 | FileCheck %s --check-prefix=RATE
// SOLVER: memplan-swap: swap: unknown swap solver 'magic'; there are 'none', 'tflms'
// KEY: memplan-swap: tflms: 'bounds' is no parameter of TFLMS; there are optimizer_scopes
// CODEC: memplan-swap: tflms: codec: 'fp8' is neither none nor bf16
// RATE: memplan-swap: bandwidth: '1' has 1 numbers
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

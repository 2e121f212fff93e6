// A value that the backward pass reads long after it is made waits on the host, and the planned form says so.
// RUN: memplan-opt %s --memplan-swap | FileCheck %s
// A function that is planned already is left as it is.
// RUN: memplan-opt %s --memplan-swap -o %t.once
// RUN: memplan-opt %t.once --memplan-swap -o %t.twice
// RUN: diff %t.once %t.twice
// Clean-ups between passes change nothing, and the result still passes the verifier.
// RUN: memplan-opt %t.once --canonicalize --cse --memplan-verify-plan | FileCheck %s
// Whatever fits stays where it is.
// RUN: memplan-opt %s --memplan-swap=budget=1M | FileCheck %s --check-prefix=FITS
// FITS-NOT: memplan.evict

// CHECK-LABEL: func.func @f(
// CHECK:       memplan.relu
// CHECK:       memplan.evict
// CHECK:       memplan.wait
// CHECK:       memplan.fetch
// CHECK-NEXT:  memplan.wait
// CHECK:       memplan.mul
func.func @f(%x: tensor<64xf32> {memplan.kind = "input"}) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.tanh %1 : (tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.tanh %2 : (tensor<64xf32>) -> tensor<64xf32>
  %4 = memplan.tanh %3 {memplan.backward} : (tensor<64xf32>) -> tensor<64xf32>
  %5 = memplan.mul %4, %0 {memplan.backward} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %5 : tensor<64xf32>
}

// Runs that another pass chose keep their order.
// RUN: memplan-opt %s --memplan-remat=solver=checkpoint-all --memplan-swap=tflms=n_tensors=1 | FileCheck %s

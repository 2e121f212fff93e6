// RUN: memplan-opt %s --split-input-file --verify-diagnostics --memplan-set-workspaces=backend=cpu
// RUN: not memplan-opt %s --split-input-file --memplan-set-workspaces=backend=abacus 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not memplan-opt %s --split-input-file --memplan-set-workspaces="backend=cpu device=7" 2>&1 | FileCheck %s --check-prefix=DEVICE
// BACKEND: error: {{.*}}memplan-set-workspaces: no backend 'abacus'; known are
// DEVICE: error: {{.*}}memplan-set-workspaces: backend 'cpu' has 1 devices; number 7 was asked for

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot run on this backend: }}
  %0 = memplan.opaque %x {kernel = "nobody.has.it"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

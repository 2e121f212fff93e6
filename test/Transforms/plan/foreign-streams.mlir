// Operations of other dialects and opaque ones run on several streams and read what copies bring back like memplan's own: an operation whose effects are not
// known stays on stream 0, all wait for what they read and for who has used the bytes that they write, and the verifier misses every wait that is taken out.
// RUN: memplan-opt %s --streams=2 --swap=search --order=source --remat=checkpoint-all --bandwidth=64000,64000 --budget=84K --alignment=64 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK-LABEL: func.func @step(
// CHECK-SAME:    memref<32768xi8, #memplan.host>
// CHECK:         memplan.opaque {{.*}}effects = "unknown"
// CHECK-NOT:     memplan.stream
// CHECK:         memplan.wait %{{.*}} on stream 1
// CHECK:         tosa.tanh {{.*}}memplan.stream = 1
// CHECK:         memplan.evict {{.*}} on stream 1
// CHECK:         memplan.opaque {{.*}}kernel = "my.swish"
// CHECK:         memplan.evict
// CHECK:         memplan.fetch
// CHECK:         return

// Clean-ups between passes change nothing.
// RUN: memplan-opt %t.mlir --canonicalize --cse --memplan-verify-plan -o %t.clean.mlir
// RUN: diff %t.mlir %t.clean.mlir

// Without a wait, in turn: of a foreign operation for what it reads, of an opaque one for the copy whose source it overwrites.
// RUN: sed 's/memplan.wait %%0 on stream 1//' %t.mlir > %t.user.mlir
// RUN: not memplan-opt %t.user.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=USER
// USER: error: input 0 reads bytes {{.*}} which 'memplan.tanh' may still use: nothing waits for it
// USER-NEXT: tosa.tanh
// RUN: sed 's/memplan.wait %%4 *$//' %t.mlir > %t.copy.mlir
// RUN: not memplan-opt %t.copy.mlir --memplan-verify-plan 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: error: output 0 overwrites bytes {{.*}} which 'memplan.evict' may still use: nothing waits for it
// COPY-NEXT: memplan.opaque

// An operation of a dialect that nobody knows is refused, whatever is asked for.
// RUN: sed 's/tosa.tanh %%0/"other.op"(%%0)/' %s > %t.other.mlir
// RUN: not memplan-opt %t.other.mlir --allow-unregistered-dialect --streams=2 --swap=search 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'other.op' has effects that planning cannot order
func.func @step(%x: tensor<64x64xf32> {memplan.kind = "input"}) -> tensor<64x64xf32> {
  %0 = memplan.tanh %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = memplan.opaque %0 {effects = "unknown", kernel = "my.log", cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a0 = tosa.tanh %0 {memplan.cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b0 = memplan.opaque %0 {kernel = "my.swish", cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a1 = tosa.sigmoid %a0 {memplan.cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b1 = memplan.opaque %b0 {kernel = "my.swish", cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a2 = tosa.sigmoid %a1 {memplan.cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b2 = memplan.opaque %b1 {kernel = "my.swish", cost = 1.0} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = memplan.mul %a2, %b2 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = memplan.tanh %1 {memplan.cost = 8.0}: (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = memplan.mul %2, %a0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = memplan.mul %3, %b0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = memplan.mul %4, %p : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

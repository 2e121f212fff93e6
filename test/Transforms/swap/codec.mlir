// What is copied is encoded before and decoded after, by operations of the program: the copies move half the bytes, and the verifier follows values through
// the codec as through any operation.
// RUN: memplan-opt %s --memplan-swap=tflms=codec=bf16 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s < %t.mlir
// RUN: memplan-opt %t.mlir --canonicalize --cse --memplan-verify-plan -o %t.clean.mlir
// RUN: diff %t.mlir %t.clean.mlir
// RUN: memplan-opt %s --remat=checkpoint-all --swap=tflms --tflms=codec=bf16 -o - 2> %t.summary | FileCheck %s
// RUN: FileCheck %s --check-prefix=SUMMARY < %t.summary
// NOTE: 1 tensors, 1 swap-ins; what they copy is encoded as bf16, which loses bits
// SUMMARY: LOSSY: 1 copied values are encoded as bf16

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    memref<128xi8, #memplan.host>
// CHECK:       memplan.relu {{.*}}outs(%[[X:.*]] :
// CHECK:       memplan.encode_bf16 ins(%[[X]] : memref<64xf32>) outs(%[[E:.*]] : memref<64x2xi8>)
// CHECK:       memplan.evict %[[E]] to %[[H:[^ ]*]] {{.*}}: memref<64x2xi8>
// CHECK:       memplan.fetch %[[H]] to %[[B:[^ ]*]] {{.*}}memref<64x2xi8>
// CHECK:       memplan.decode_bf16 ins(%[[B]] : memref<64x2xi8>) outs(%[[D:.*]] : memref<64xf32>)
// CHECK:       memplan.mul {{.*}}%[[D]]

// Off by default, and where everything fits.
// RUN: memplan-opt %s --memplan-swap | FileCheck %s --check-prefix=PLAIN
// RUN: memplan-opt %s --memplan-swap="budget=1M tflms=codec=bf16" | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: memplan.encode_bf16

// What the codec cannot be put into says so.
// RUN: not memplan-opt %s --memplan-remat=solver=checkpoint-all --memplan-swap=tflms=codec=bf16 2>&1 | FileCheck %s --check-prefix=NUMBERED
// NUMBERED: has a `memplan.node`, and codec=bf16 puts operations between those that are numbered
// RUN: memplan-opt %s --emit=graph -o %t.json
// RUN: not memplan-solve remat %t.json --remat=checkpoint-all --swap=tflms --tflms=codec=bf16 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: no node of the graph is memplan.encode_bf16, and codec=bf16 copies what such nodes make
func.func @f(%x: tensor<64xf32> {memplan.kind = "input"}) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.tanh %1 : (tensor<64xf32>) -> tensor<64xf32>
  %3 = memplan.tanh %2 : (tensor<64xf32>) -> tensor<64xf32>
  %4 = memplan.tanh %3 {memplan.backward} : (tensor<64xf32>) -> tensor<64xf32>
  %5 = memplan.mul %4, %0 {memplan.backward} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %5 : tensor<64xf32>
}

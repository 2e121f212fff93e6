// A view of what is encoded is made anew, of what is decoded, for each user that a fetch brings it back for; users that come before read the value itself.
// RUN: memplan-opt %s --memplan-swap=tflms=codec=bf16,ctrld_strategy=direct_order -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: memplan-opt %t.mlir --canonicalize --cse --memplan-verify-plan -o %t.clean.mlir
// RUN: diff %t.mlir %t.clean.mlir
// CHECK-LABEL:   func.func @views(
// CHECK:         memplan.encode_bf16 {{.*}} outs(%{{.*}} : memref<64x2xi8>)
// CHECK-COUNT-2: memplan.decode_bf16 {{.*}} outs(%{{.*}} : memref<64xf32>)
// CHECK-NOT:     memplan.decode_bf16
func.func @views(%x: tensor<64xf32> {memplan.kind = "input"}) -> tensor<8x8xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %v = memplan.reshape %0 {shape = [8, 8]} : (tensor<64xf32>) -> tensor<8x8xf32>
  %1 = memplan.tanh %v : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = memplan.tanh %1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = memplan.tanh %2 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = memplan.tanh %3 {memplan.backward} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = memplan.mul %4, %v {memplan.backward} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = memplan.tanh %5 {memplan.backward} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = memplan.tanh %6 {memplan.backward} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %8 = memplan.mul %7, %v {memplan.backward} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %8 : tensor<8x8xf32>
}

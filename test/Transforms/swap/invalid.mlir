// Copies do not help where one operation touches more than the budget.
// RUN: not memplan-opt %s --memplan-swap=budget=600 2>&1 | FileCheck %s
// CHECK: invalid.mlir:[[@LINE+4]]:8: error: 'memplan.mul' (node 2): no plan of @f fits the budget of 600 bytes; it is proved infeasible in any order, every such plan needs at least 768 bytes
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
  %1 = memplan.softmax %0 {axis = -1} : (tensor<64xf32>) -> tensor<64xf32>
  %2 = memplan.mul %0, %1 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
